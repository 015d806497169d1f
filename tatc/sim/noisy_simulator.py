"""A simulator in which the Follower's primitives fail at random, as a robot's do."""

from random import Random

from tatc.home import actions, observation, state
from tatc.home.camera.views import TracedView
from tatc.sim.protocol import Simulator

RANDOM_FAILURE_MESSAGE = "The action failed by chance"


class NoisySimulator:
    """Lets each primitive of a simulator's Follower fail with a probability, as a robot's do.

    A failed action changes nothing.  The draws depend on the seed and on the number of primitives
    before; `reset` restarts them.
    """

    def __init__(self, simulator: Simulator, probability: float, seed: str) -> None:
        """Wrap a simulator; `probability` is that of a failure, 0 to 1."""
        self._simulator, self._failure_probability = simulator, probability
        self._seed, self._rng = seed, Random(seed)

    def reset(self, scene: state.Scene) -> state.Snapshot:
        """Load a scene and restart the draws."""
        self._rng = Random(self._seed)
        return self._simulator.reset(scene)

    def step(self, role: actions.Role, action: actions.Action) -> actions.ActionResult:
        """Carry out an action, unless it fails by chance."""
        if role is actions.Role.FOLLOWER and self._rng.random() < self._failure_probability:
            return actions.ActionResult(False, RANDOM_FAILURE_MESSAGE)
        return self._simulator.step(role, action)

    def snapshot(self) -> state.Snapshot:
        """Return the present state."""
        return self._simulator.snapshot()

    def restore(self, snapshot: state.Snapshot) -> None:
        """Restore the world to a snapshot; the draws are not restored."""
        self._simulator.restore(snapshot)

    def capture(self) -> state.Snapshot:
        """Do TEACh's state capture and return the state."""
        return self._simulator.capture()

    def reachable(self) -> tuple[state.Pose, ...]:
        """Return where the Follower's body can stand and get to."""
        return self._simulator.reachable()

    def frame(self, role: actions.Role) -> observation.Frame | None:
        """Draw what an agent sees."""
        return self._simulator.frame(role)

    def segments(self, role: actions.Role, size: int) -> observation.SegmentationFrame | None:
        """Return what an agent's segmentation camera shows."""
        return self._simulator.segments(role, size)

    def trace_view(self, size: int) -> TracedView | None:
        """Return what the Follower's rays hit."""
        return self._simulator.trace_view(size)

    def close(self) -> None:
        """Release what the wrapped simulator holds."""
        self._simulator.close()
