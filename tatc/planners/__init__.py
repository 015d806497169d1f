"""Planning from what is known of a home: shortest paths, where to stand and click, PDDL."""
