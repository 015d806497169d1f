"""The random Follower: it ignores what it hears and sees."""

from random import Random

from tatc.home.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Action, Click
from tatc.home.observation import Observation

MAX_RANDOM_COORDINATE = 0.99
"""The largest coordinate of a random click, as a share of the view's side."""
_SEED = 1


class RandomFollower:
    """Draws any action that a Follower may take, as TEACh's sample model does.

    Verbs and click coordinates (0 to 0.99) are uniform (spec section 6.1).  Every session
    starts from the same seed, so the order of sessions does not matter.
    """

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
