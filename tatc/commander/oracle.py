"""What whoever plans may ask about the home."""

from typing import Protocol

from tatc.home.state import Pose, Snapshot


class Oracle(Protocol):
    """What a Commander may ask about the home; any simulator answers it."""

    def snapshot(self) -> Snapshot:
        """Return all objects and both agents as they are now."""
        ...

    def reachable(self) -> tuple[Pose, ...]:
        """Return the poses that the Follower's body can get to; only x and z matter."""
        ...
