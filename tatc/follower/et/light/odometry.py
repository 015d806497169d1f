"""Where the Follower has come to since it set out, reckoned by its own motions."""

from dataclasses import dataclass, replace

from tatc.actions import Verb

_STEP_BY_QUARTER = ((0, 1), (1, 0), (0, -1), (-1, 0))  # right and ahead, by quarter turns right
_QUARTERS_BY_VERB = {Verb.FORWARD: 0, Verb.PAN_RIGHT: 1, Verb.BACKWARD: 2, Verb.PAN_LEFT: 3}
_TURN_QUARTERS = {Verb.TURN_RIGHT: 1, Verb.TURN_LEFT: 3}
_TILT_STEPS = {Verb.LOOK_UP: 1, Verb.LOOK_DOWN: -1}


@dataclass(frozen=True, slots=True)
class Odometry:
    """Steps to the right and ahead of where it set out, quarter turns, and tilts."""

    right: int = 0
    ahead: int = 0
    quarter_turns: int = 0
    tilts: int = 0

    def after(self, verb: Verb) -> "Odometry":
        """Return where a motion that succeeded leads."""
        if verb in _QUARTERS_BY_VERB:
            right, ahead = _STEP_BY_QUARTER[(self.quarter_turns + _QUARTERS_BY_VERB[verb]) % 4]
            return replace(self, right=self.right + right, ahead=self.ahead + ahead)
        if verb in _TURN_QUARTERS:
            return replace(self, quarter_turns=(self.quarter_turns + _TURN_QUARTERS[verb]) % 4)
        return replace(self, tilts=self.tilts + _TILT_STEPS.get(verb, 0))
