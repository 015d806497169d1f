"""What any program needs, and nothing of homes: errors, files within limits, JSON, processes.

The room imports nothing of tatc but itself.  It exports no names, so that `tatc --help` loads only
what it uses: import from its modules.
"""
