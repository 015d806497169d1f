"""Sessions in which one agent, or both, are played by tool calls in the text world.

`ToolSession` plays one session, and can be saved, restored and forked.  `SessionPool` keeps many
sessions and their saved states behind opaque handles.
"""

from tatc.session.tool_session.saved_state import SavedState, state_hash
from tatc.session.tool_session.session import SessionPool, ToolSession

__all__ = ["SavedState", "SessionPool", "ToolSession", "state_hash"]
