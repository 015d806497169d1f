"""The commands of `tatc`, one file each.

A module holds a function named like its command, or a `typer.Typer` named `app` for
a command with commands of its own, and `EXAMPLES` for the end of its help text.  At its
top it imports only what is cheap (the standard library, typer, `output` and options) and
everything else inside the function, so that `tatc --help` stays quick.  A command raises
`TatcError` on bad input and `typer.Exit` as `exit_status` has it; `tatc/cli.py` does the
rest.
"""
