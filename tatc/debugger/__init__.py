"""Stepping through a session, forwards and backwards, and trying what else could be.

`control.Debugger` is all of it without a screen: where one stands, breakpoints, forks,
reloading.  `terminal_app` puts it on a terminal; `pane_texts` says how each thing is told.
"""
