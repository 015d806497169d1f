"""The Follower that listens to nobody: any action, anywhere."""

from random import Random

from tatc.actions import FOLLOWER_VERBS, INTERACTION_VERBS, Action, Click, Observation

MAX_RANDOM_COORDINATE = 0.99
"""The largest coordinate of a click at random, as a share of the view."""
_SEED = 1


class RandomFollower:
    """Draws from all that a Follower may do, as TEACh's sample model does.

    Verbs and the coordinates of clicks, 0 to 0.99, are uniform (spec section 6.1).
    Every session draws the same numbers, in whatever order sessions run.
    """

    def __init__(self) -> None:
        """Be ready to begin."""
        self._random = Random(_SEED)

    def begin(self) -> None:
        """Draw from the start."""
        self._random = Random(_SEED)

    def act(self, observation: Observation) -> Action:
        """Return an action, whatever was heard or seen."""
        verb = self._random.choice(FOLLOWER_VERBS)
        if verb not in INTERACTION_VERBS:
            return Action(verb)
        x, y = (self._random.uniform(0, MAX_RANDOM_COORDINATE) for _ in range(2))
        return Action(verb, Click(x, y))
