"""The `tatc` command: one typer application; parses, prints and exits.

Each command lives in `tatc/commands/<name>.py` as a function of typed options and is
imported only when it is called, so that `tatc --help` stays quick.
"""
