"""The `Simulator` protocol, which conformance tests check, and the build of an AI2-THOR."""

from dataclasses import dataclass
from typing import Protocol

from tatc.home import actions, observation, state
from tatc.home.camera.views import TracedView


class Simulator(Protocol):
    """A home in which one Follower acts and a Commander's camera flies.

    `reset` comes first; `step` may then be called any number of times.  A refused
    action is an `ActionResult`, never an exception.
    """

    def reset(self, scene: state.Scene) -> state.Snapshot:
        """Load a scene as a new session and return its captured start state."""
        ...

    def step(self, role: actions.Role, action: actions.Action) -> actions.ActionResult:
        """Carry out a motion or an interaction and return its result.

        The Commander may only move its camera.  A verb that the backend does not know
        fails with a message.

        Raises:
            UsageError: the simulator has not been reset.

        """
        ...

    def snapshot(self) -> state.Snapshot:
        """Return the present state; it shares unchanged objects with the previous one."""
        ...

    def restore(self, snapshot: state.Snapshot) -> None:
        """Restore the world exactly to a snapshot."""
        ...

    def capture(self) -> state.Snapshot:
        """Do TEACh's state capture and return the state.

        Object classes are assigned again, and the rules for water, coffee and heat run
        without an earlier state to compare with (spec section 2.10, step 3).
        """
        ...

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return the grid poses that the body can reach, with yaw and horizon 0, by x, then z."""
        ...

    def frame(self, role: actions.Role) -> observation.Frame | None:
        """Return an image of an agent's view, None where the backend cannot render."""
        ...

    def segments(self, role: actions.Role, size: int) -> observation.SegmentationFrame | None:
        """Return an agent's view as segments, `size` pixels a side; None without such a camera."""
        ...

    def trace_view(self, size: int) -> TracedView | None:
        """Return what the Follower's rays hit, `size` pixels along each side of its view.

        What the Follower holds is not hit.  None where the backend has no such sensor.
        """
        ...

    def close(self) -> None:
        """Release what the backend holds; it may be reset again afterwards."""
        ...


@dataclass(frozen=True, slots=True)
class ThorBuild:
    """Which AI2-THOR: a command line to start, a commit, or the client's own build.

    It is a plain value, so that naming one imports no client.
    """

    executable: str | None = None
    commit: str | None = None


DEFAULT_BUILD = ThorBuild()  # the build that the client itself fetches
