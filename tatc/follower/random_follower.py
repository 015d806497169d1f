"""The random Follower: it ignores what it hears and sees."""

from random import Random

from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Action, Click
from tatc.home.observation import Observation

MAX_RANDOM_COORDINATE = 0.99
"""The largest coordinate of a random click, as a share of the view's side."""
_SEED = 1


class RandomFollower:
    """Draws verbs and clicks (0 to 0.99) uniformly, as TEACh's sample model does (spec 6.1)."""

    def __init__(self) -> None:
        """Seed the generator."""
        self._random = Random(_SEED)

    def begin(self) -> None:
        """Seed the generator anew: a new session starts."""
        self._random = Random(_SEED)

    def act(self, observation: Observation) -> Action:
        """Return a random action; the observation is not used."""
        verb = self._random.choice(FOLLOWER_VERBS)
        if verb not in INTERACTION_VERBS:
            return Action(verb)
        x, y = (self._random.uniform(0, MAX_RANDOM_COORDINATE) for _ in range(2))
        return Action(verb, Click(x, y))
