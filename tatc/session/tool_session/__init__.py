"""Sessions in which one agent, or both, are played by tool calls in the text world.

`ToolSession` plays one session, and can be saved, restored and forked.  `SessionPool` keeps many
sessions and their saved states behind opaque handles.
"""

from tatc.session.tool_session.session import SavedState, SessionPool, ToolSession, state_hash

__all__ = ["SavedState", "SessionPool", "ToolSession", "state_hash"]
