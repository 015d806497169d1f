"""What is known of AI2-THOR's object types, whatever room an object stands in.

`facts` is the table: one column a fact, each with its source.  `teach_classes` holds
the classes that TEACh gives each type, and with them the list of all known types.
"""
