"""Sessions that live on their clients' connections, as a server's operator sees them."""

from sys import maxsize
from threading import RLock
from typing import Any

from tatc.session.records import Record
from tatc.session.tool_session import SessionPool, ToolSession


class LiveSessions:
    """The sessions that clients play now, and saved states.

    The connections bound their number.  `lock` is held during each call, a client's or an
    operator's.
    """

    def __init__(self) -> None:
        """Start without any."""
        self._pool = SessionPool(max_sessions=maxsize)
        self._episodes: dict[str, str | None] = {}
        self.lock = RLock()

    def add(self, session: ToolSession, episode: str | None) -> str:
        """Take in a session of an episode that a client may have named; return its handle."""
        with self.lock:
            handle = self._pool.add(session)
            self._episodes[handle] = episode
        return handle

    def fork_of(self, state: str) -> ToolSession:
        """Return a new session that goes on from a saved state."""
        with self.lock:
            return self._pool.fork_of(state)

    def end(self, handle: str) -> Record:
        """End a session and return its record; its states stay."""
        with self.lock:
            del self._episodes[handle]
            return self._pool.close(handle, keep_states=True)

    def list_sessions(self) -> list[dict[str, Any]]:
        """Return the sessions, each with the episode's id that its client gave, if it did."""
        with self.lock:
            return [{"session": name, "episode": each} for name, each in self._episodes.items()]

    def save(self, session: str) -> str:
        """Keep where a session stands, and return the state's handle."""
        with self.lock:
            return self._pool.save(session)

    def restore(self, session: str, state: str) -> None:
        """Put a session back where it stood; its record counts that."""
        with self.lock:
            self._pool.restore(session, state)

    def drop(self, state: str) -> None:
        """Forget a state."""
        with self.lock:
            self._pool.drop(state)

    def state_hash(self, session: str) -> str:
        """Return the hash of where a session stands."""
        with self.lock:
            return self._pool.state_hash(session)
