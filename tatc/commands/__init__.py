"""The commands of `tatc`, one file each.

A module holds a function named like its command, or a `typer.Typer` named `app` for
a command with commands of its own, and `EXAMPLES` for the end of its help text.  It
imports the standard library, typer and `output` at its top and all else inside the
function, so that `tatc --help` stays quick.  A command raises `TatcError` on bad
input and `typer.Exit(1)` when some inputs were skipped; `tatc/cli.py` does the rest.
"""
