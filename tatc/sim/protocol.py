"""What every simulator backend does; the conformance tests hold each one to it."""

from typing import Protocol

from tatc.actions import Action, ActionResult, Frame, Role, SegmentationFrame
from tatc.state import Pose, Scene, Snapshot


class Simulator(Protocol):
    """A home in which one Follower acts and a Commander's camera flies.

    `reset` comes first; `step` may then be called any number of times.  A refused
    action is an `ActionResult`, never an exception.
    """

    @property
    def world(self) -> str:
        """Name the world and its map, as records and reports print it."""
        ...

    def reset(self, scene: Scene) -> Snapshot:
        """Load a scene as a new session and return its captured start state."""
        ...

    def step(self, role: Role, action: Action) -> ActionResult:
        """Carry out a motion or an interaction and return what came of it.

        The Commander may only move its camera.  A verb that the backend does not
        know fails with a message.

        Raises:
            UsageError: the simulator has not been reset.

        """
        ...

    def snapshot(self) -> Snapshot:
        """Return the present state; it shares what has not changed since the last."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back exactly as it was at `snapshot`."""
        ...

    def capture(self) -> Snapshot:
        """Do TEACh's state capture and return the state.

        Object classes are assigned anew and the rules of water, coffee and heat run
        without a state to compare with (spec section 2.10, step 3).
        """
        ...

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower's body can stand and get to: poses of the grid.

        Yaw and horizon are 0; the order is that of x, then z.
        """
        ...

    def frame(self, role: Role) -> Frame | None:
        """Draw what an agent sees, or return None where the backend cannot draw."""
        ...

    def segments(self, role: Role, size: int) -> SegmentationFrame | None:
        """Return what an agent's segmentation camera shows, `size` pixels a side.

        None where the backend has no such camera.
        """
        ...

    def close(self) -> None:
        """Free what the backend holds; it may be reset again afterwards."""
        ...
