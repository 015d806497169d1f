"""`tatc debug`: step through a session forwards and backwards, and try other courses.

`debugger.Debugger` does it all without a screen, `terminal_app` shows it on a terminal,
`widgets` arranges the panes, and `pane_texts` says what they contain.
"""
