"""A home in which the Follower's primitives fail at random, as a robot's do."""

from random import Random

from tatc.actions import Action, ActionResult, Frame, Role, SegmentationFrame
from tatc.sim.protocol import Simulator
from tatc.state import Pose, Scene, Snapshot

RANDOM_FAILURE_MESSAGE = "The action failed by chance"
"""What the world says of an action that noise has taken."""


class NoisySimulator:
    """Any simulator, with each primitive of the Follower's failing now and then.

    An action that fails does nothing.  The draws depend on the seed and on how many
    primitives came before; `reset` begins them anew.
    """

    def __init__(self, simulator: Simulator, probability: float, seed: str) -> None:
        """Wrap a simulator; each primitive fails with this probability."""
        self._simulator = simulator
        self._failure_probability = probability
        self._seed = seed
        self._rng = Random(seed)

    @property
    def world(self) -> str:
        """Name the world, its map and the noise."""
        return f"{self._simulator.world}, noise {self._failure_probability:g}"

    def reset(self, scene: Scene) -> Snapshot:
        """Load a scene and begin the draws anew."""
        self._rng = Random(self._seed)
        return self._simulator.reset(scene)

    def step(self, role: Role, action: Action) -> ActionResult:
        """Carry out an action, unless chance takes it."""
        if role is Role.FOLLOWER and self._rng.random() < self._failure_probability:
            return ActionResult(False, RANDOM_FAILURE_MESSAGE)
        return self._simulator.step(role, action)

    def snapshot(self) -> Snapshot:
        """Return the present state."""
        return self._simulator.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Put the world back as it was; the draws go on."""
        self._simulator.restore(snapshot)

    def capture(self) -> Snapshot:
        """Do TEACh's state capture and return the state."""
        return self._simulator.capture()

    def reachable(self) -> tuple[Pose, ...]:
        """Return where the Follower's body can stand and get to."""
        return self._simulator.reachable()

    def frame(self, role: Role) -> Frame | None:
        """Draw what an agent sees."""
        return self._simulator.frame(role)

    def segments(self, role: Role, size: int) -> SegmentationFrame | None:
        """Return what an agent's segmentation camera shows."""
        return self._simulator.segments(role, size)

    def close(self) -> None:
        """Free what the home holds."""
        self._simulator.close()
