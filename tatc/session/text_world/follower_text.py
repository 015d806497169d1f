"""The Follower's observation as text, bounded in length."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

from tatc.home.observation import ObservedResult
from tatc.home.refusals import RefusalCode
from tatc.language.llm.chat_request import estimate_tokens
from tatc.session.text_world.seen_objects import SeenObject, handle_of
from tatc.session.text_world.tools import Refused, ToolCall
from tatc.session.text_world.wording import phrase

MAX_OBJECTS = 40
"""The most objects that one observation lists, the nearest ones."""
MAX_HEARD_CHARACTERS = 1000
"""Of what was said, the most characters that one observation repeats."""
MAX_OBSERVATION_TOKENS = 1500
"""An observation is shorter than this, by `estimate_tokens`: it is cut to lists of these sizes."""
_DEGREE_STEP = 5
_SECTION = "observation"


class FollowerText:
    """Puts together an observation from its parts, and keeps those that did not change."""

    def __init__(self) -> None:
        """Start with nothing perceived."""
        self._view_lines = phrase(_SECTION, "no_sight")
        self._held_line = phrase(_SECTION, "hand_empty")
        self._last_line = ""
        self._heard: list[str] = []
        self._call: ToolCall | None = None
        self._steps = 0

    def __str__(self) -> str:
        """Return the observation."""
        parts = [self._view_lines, self._held_line]
        if self._last_line:
            parts.append(self._last_line)
        if self._heard:
            parts.append(phrase(_SECTION, "heard").format(words=cut_words(" ".join(self._heard))))
        return "\n".join(parts)

    @property
    def tokens(self) -> int:
        """About how many tokens the observation has."""
        return estimate_tokens(str(self))

    def show(self, seen: Sequence[SeenObject], *, can_see: bool) -> None:
        """Take the objects that are in view now, the nearest first."""
        self._view_lines = _view_lines(seen) if can_see else phrase(_SECTION, "no_sight")

    def hold(self, handle: str | None) -> None:
        """Take the handle of what the hand holds now."""
        if handle is None:
            self._held_line = phrase(_SECTION, "hand_empty")
        else:
            self._held_line = phrase(_SECTION, "holding").format(handle=handle)

    def hear(self, words: Iterable[str]) -> None:
        """Add what was said since the last call."""
        self._heard.extend(words)

    def begin_call(self, call: ToolCall | None) -> None:
        """Begin a call: what was heard and done before is not repeated."""
        self._call, self._steps, self._last_line = call, 0, ""
        self._heard.clear()

    def count_step(self) -> None:
        """Count one action of the call."""
        self._steps += 1

    def refuse(self, refused: Refused) -> None:
        """Take why the call was not carried out."""
        if self._call is None:
            self._last_line = phrase(_SECTION, "last_no_call").format(reason=refused.reason)
        else:
            self._last_line = phrase(_SECTION, "last_refused").format(
                call=self._call, reason=refused.reason
            )

    def take_result(
        self, result: ObservedResult, acted_on: str | None, *, falls_short: bool = False
    ) -> None:
        """Take how the call's action went.

        `acted_on` is what it met instead of what was named; `falls_short` says that a walk ended
        where the floor that was seen does.
        """
        call = str(self._call)
        if not result.success:
            reason = result.refusal_code or RefusalCode.UNKNOWN
            line = phrase(_SECTION, "last_failed").format(call=call, reason=reason.value)
        elif acted_on is not None:
            line = phrase(_SECTION, "last_done_on").format(call=call, handle=acted_on)
        else:
            line = phrase(_SECTION, "last_done").format(call=call)
        if falls_short:
            line = phrase(_SECTION, "last_nearer").format(call=call)
        if self._steps > 1:
            line += phrase(_SECTION, "last_steps").format(count=self._steps)
        self._last_line = line


def _view_lines(seen: Sequence[SeenObject]) -> str:
    if not seen:
        return phrase(_SECTION, "nothing_in_view")
    lines = [phrase(_SECTION, "in_view"), *map(object_line, seen[:MAX_OBJECTS])]
    if len(seen) > MAX_OBJECTS:
        lines.append(phrase(_SECTION, "more").format(count=len(seen) - MAX_OBJECTS))
    return "\n".join(lines)


def object_line(seen: SeenObject) -> str:
    """Return the line of one object.

    Its distance is rounded up to 0.1 m, so that 1.5 is in reach, its direction to 5 degrees.
    """
    third = min(int(seen.click.y * 3), 2)
    return _line(
        seen.object_type,
        seen.number,
        ceil(seen.metres * 10 - 1e-9),
        round(seen.degrees / _DEGREE_STEP) * _DEGREE_STEP,
        third,
        seen.states,
    )


@lru_cache(maxsize=1 << 16)
def _line(
    object_type: str,
    number: int,
    decimetres: int,
    degrees: int,
    third: int,
    states: tuple[str, ...],
) -> str:
    words = phrase(_SECTION, "state").format(words=", ".join(states)) if states else ""
    return phrase(_SECTION, "object").format(
        handle=handle_of(object_type, number),
        metres=f"{decimetres / 10:.1f}",
        direction=_direction_words(degrees, third),
        state=words,
    )


def _direction_words(degrees: int, third: int) -> str:
    """Return in which direction an object is seen, as words.

    Args:
        degrees: from straight ahead, to the right positive.
        third: the part of the view: 0 for the upper third, 2 for the lower.

    """
    side = "ahead" if degrees == 0 else "right" if degrees > 0 else "left"
    words = phrase(_SECTION, side).format(degrees=abs(degrees))
    return words + ("" if third == 1 else phrase(_SECTION, "lower" if third else "upper"))


def cut_words(words: str) -> str:
    """Return words on one line, cut at the longest length that is repeated."""
    line = " ".join(words.split())
    if len(line) <= MAX_HEARD_CHARACTERS:
        return line
    return line[:MAX_HEARD_CHARACTERS] + phrase(_SECTION, "cut")
