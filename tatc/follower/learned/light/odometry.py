"""The Follower's pose relative to where it started, from its own motions."""

from dataclasses import dataclass, replace

from tatc.home.actions import Verb

_STEP_BY_QUARTER = ((0, 1), (1, 0), (0, -1), (-1, 0))  # right and ahead, by quarter turns right
_QUARTERS_BY_VERB = {Verb.FORWARD: 0, Verb.PAN_RIGHT: 1, Verb.BACKWARD: 2, Verb.PAN_LEFT: 3}
_TURN_QUARTERS = {Verb.TURN_RIGHT: 1, Verb.TURN_LEFT: 3}
_TILT_STEPS = {Verb.LOOK_UP: 1, Verb.LOOK_DOWN: -1}


@dataclass(frozen=True, slots=True)
class Odometry:
    """A pose relative to the start.

    `right` and `ahead` are steps of the grid in the frame of the starting pose,
    `quarter_turns` are to the right (0 to 3), `tilts` are looks upwards.
    """

    right: int = 0
    ahead: int = 0
    quarter_turns: int = 0
    tilts: int = 0

    def after(self, verb: Verb) -> "Odometry":
        """Return the pose after a successful motion; other verbs leave it unchanged."""
        if verb in _QUARTERS_BY_VERB:
            right, ahead = _STEP_BY_QUARTER[(self.quarter_turns + _QUARTERS_BY_VERB[verb]) % 4]
            return replace(self, right=self.right + right, ahead=self.ahead + ahead)
        if verb in _TURN_QUARTERS:
            return replace(self, quarter_turns=(self.quarter_turns + _TURN_QUARTERS[verb]) % 4)
        return replace(self, tilts=self.tilts + _TILT_STEPS.get(verb, 0))
