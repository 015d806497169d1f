"""Where the Follower has come to since it set out, reckoned by its own motions."""

from dataclasses import dataclass, replace

from tatc.actions import Verb

_AHEAD = ((0, 1), (1, 0), (0, -1), (-1, 0))  # right and ahead, by quarter turns right
_SIDE = {Verb.FORWARD: 0, Verb.PAN_RIGHT: 1, Verb.BACKWARD: 2, Verb.PAN_LEFT: 3}
_TURN = {Verb.TURN_RIGHT: 1, Verb.TURN_LEFT: 3}
_TILT = {Verb.LOOK_UP: 1, Verb.LOOK_DOWN: -1}


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Steps to the right and ahead of where it set out, quarter turns, and tilts."""

    right: int = 0
    ahead: int = 0
    turns: int = 0
    tilts: int = 0

    def after(self, verb: Verb) -> "Whereabouts":
        """Return where a motion that succeeded leads."""
        if verb in _SIDE:
            right, ahead = _AHEAD[(self.turns + _SIDE[verb]) % 4]
            return replace(self, right=self.right + right, ahead=self.ahead + ahead)
        if verb in _TURN:
            return replace(self, turns=(self.turns + _TURN[verb]) % 4)
        return replace(self, tilts=self.tilts + _TILT.get(verb, 0))
