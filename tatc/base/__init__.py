"""What any program needs: errors, files within limits, JSON, processes, a web server.

The room imports nothing of tatc but itself.  It exports no names, so that `tatc --help` loads only
what it uses: import from its modules.
"""
