"""A simulator in which the Follower's primitives fail at random, as a robot's do."""

from random import Random

from tatc.home import actions, state
from tatc.sim.protocol import Simulator

RANDOM_FAILURE_MESSAGE = "The action failed by chance"


class NoisySimulator:
    """Lets each primitive of a simulator's Follower fail with a probability, as a robot's do.

    A failed action changes nothing.  The draws depend on the seed and on the number of primitives
    before; `reset` restarts them, `restore` does not.
    """

    def __init__(self, simulator: Simulator, probability: float, seed: str) -> None:
        """Wrap a simulator; `probability` is that of a failure, 0 to 1."""
        self._simulator, self._failure_probability = simulator, probability
        self._seed, self._rng = seed, Random(seed)
        self.snapshot, self.restore = simulator.snapshot, simulator.restore
        self.capture, self.reachable = simulator.capture, simulator.reachable
        self.frame, self.segments = simulator.frame, simulator.segments
        self.trace_view, self.close = simulator.trace_view, simulator.close

    def reset(self, scene: state.Scene) -> state.Snapshot:
        """Load a scene and restart the draws."""
        self._rng = Random(self._seed)
        return self._simulator.reset(scene)

    def step(self, role: actions.Role, action: actions.Action) -> actions.ActionResult:
        """Carry out an action, unless it fails by chance."""
        if role is actions.Role.FOLLOWER and self._rng.random() < self._failure_probability:
            return actions.ActionResult(False, RANDOM_FAILURE_MESSAGE)
        return self._simulator.step(role, action)
