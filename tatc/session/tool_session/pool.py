"""Many sessions in one process, and their saved states, each behind an opaque handle.

The handles are for whoever runs the sessions, never for the agents: an agent that could save and
restore might look ahead and go back.
"""

from secrets import token_hex
from typing import Any

from tatc.base.errors import BadInput
from tatc.home.actions import Role
from tatc.session.records import Record
from tatc.session.tool_session.saved_state import SavedState
from tatc.session.tool_session.session import ToolSession

MAX_POOL_SESSIONS = 1000
"""The most sessions of one pool at a time."""
MAX_POOL_STATES = 10_000
"""The most saved states of one pool at a time."""
_HANDLE_BYTES = 16


class SessionPool:
    """Sessions and saved states by handle.

    A handle says nothing about what it stands for, and cannot be guessed.
    """

    def __init__(
        self, max_sessions: int = MAX_POOL_SESSIONS, max_states: int = MAX_POOL_STATES
    ) -> None:
        """Start empty."""
        self._max_sessions, self._max_states = max_sessions, max_states
        self._sessions: dict[str, ToolSession] = {}
        self._states: dict[str, tuple[ToolSession, SavedState]] = {}

    def __len__(self) -> int:
        """Return how many sessions there are."""
        return len(self._sessions)

    def add(self, session: ToolSession) -> str:
        """Take a session in, and return its handle."""
        if len(self._sessions) >= self._max_sessions:
            why = f"{self._max_sessions} sessions are live, which is the most"
            raise BadInput(why, fix="close one")
        return _put(self._sessions, session)

    def call(self, handle: str, role: Role, name: object, arguments: object = None) -> str:
        """Carry out a tool call in a session; see `ToolSession.call`."""
        return self.session(handle).call(role, name, arguments)

    def session(self, handle: str) -> ToolSession:
        """Return a session."""
        return _take(self._sessions, handle, "session")

    def save(self, handle: str) -> str:
        """Save where a session stands, and return the state's handle."""
        if len(self._states) >= self._max_states:
            why = f"{self._max_states} states are kept, which is the most"
            raise BadInput(why, fix="drop one")
        session = self.session(handle)
        return _put(self._states, (session, session.save()))

    def restore(self, handle: str, state: str) -> None:
        """Put a session back where it stood; its record counts that."""
        session, (owner, saved) = self.session(handle), _take(self._states, state, "state")
        if owner is not session:
            raise BadInput("the state is another session's", where="state", fix="fork it instead")
        session.restore(saved)

    def fork(self, state: str) -> str:
        """Start a new session where a saved one stood, and return its handle."""
        return self.add(self.fork_of(state))

    def fork_of(self, state: str) -> ToolSession:
        """Return a new session where a saved one stood, which is not in the pool."""
        owner, saved = _take(self._states, state, "state")
        return owner.fork(saved)

    def state_hash(self, handle: str) -> str:
        """Return the hash of where a session stands."""
        return self.session(handle).state_hash()

    def drop(self, state: str) -> None:
        """Forget a saved state."""
        _take(self._states, state, "state")
        del self._states[state]

    def close(self, handle: str, *, keep_states: bool = False) -> Record:
        """End a session, and return its record.

        Its saved states are forgotten, or can still be forked with `keep_states`.
        """
        session = self.session(handle)
        record = session.record()
        session.close()
        del self._sessions[handle]
        if keep_states:
            return record
        for state in [name for name, (owner, _) in self._states.items() if owner is session]:
            del self._states[state]
        return record


def _put(values: dict[str, Any], value: object) -> str:
    handle = token_hex(_HANDLE_BYTES)
    values[handle] = value
    return handle


def _take(values: dict[str, Any], handle: str, what: str) -> Any:
    if handle not in values:
        raise BadInput(f"there is no {what} {handle!a:.40}", fix=f"name a {what} that is live")
    return values[handle]
