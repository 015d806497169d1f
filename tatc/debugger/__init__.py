"""Stepping through a session, forwards and backwards, and trying what else could be.

`control.Debugger` is all of it without a screen: where one stands, breakpoints, forks,
reloading.  `app` puts it on a terminal; `panes` says how each thing is told.
"""
