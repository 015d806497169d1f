"""The commands of `tatc`: functions named like them, or a `typer.Typer` named `app` for a group.

At its top a module imports only what is cheap (the standard library, typer, `output` and options)
and everything else inside the function, so that `tatc --help` stays quick.  A command raises
`TatcError` on bad input and `typer.Exit` with a status of `output`; `tatc/cli.py` does the rest.
"""
