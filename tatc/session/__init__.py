"""One session of two agents in a home: its start, its agents, the loop, and what is kept of it.

`loop` plays a session, `play` puts one together from names, `records` keeps it, `timeline` shows
its moments; `text_world` and `tool_session` let agents play by text and tool calls, and `alfred`
plays ALFRED's scenes.  Nothing is imported here, so that a reader of records needs no agents.
"""
