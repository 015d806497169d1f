"""The text of a film's frames: title, dialogue, current action and goals."""

from collections.abc import Iterator

from PIL import ImageDraw

from tatc.apps.export.palette import (
    AGENT_COLOURS,
    DIM_COLOUR,
    FAILURE_COLOUR,
    LINE_COLOUR,
    SUCCESS_COLOUR,
    TEXT_COLOUR,
    Colour,
    font,
)
from tatc.home.actions import Role
from tatc.home.state import ShortNames
from tatc.session.records import Interaction
from tatc.session.timeline import Moment

_DIALOGUE_LINES = 2  # of dialogue in a frame
_MAX_GOAL_DOTS = 12  # with more goal conditions, none gets a dot


class Caption:
    """Writes text into a frame, in one font size, between two edges."""

    def __init__(self, draw: ImageDraw.ImageDraw, size: int, edges: tuple[int, int]):
        """Write in a font size, between the left and right edge, all in pixels."""
        self._draw, self._font_size, self._edges = draw, size, edges

    @staticmethod
    def height_pixels(size: int) -> int:
        """Return the height of dialogue and status together."""
        return round((_DIALOGUE_LINES * 1.35 + 1.9) * size)

    def draw_header(self, top: int, title: str, step: str) -> None:
        """Write the title on the left and the step on the right."""
        left, right = self._edges
        room = right - left - self._text_width(step) - self._font_size
        self._draw_text((left, top), self._truncate(title, room), TEXT_COLOUR)
        self._draw.text((right, top), step, DIM_COLOUR, font(self._font_size), anchor="ra")

    def draw_dialogue(self, top: int, said: Interaction | None) -> None:
        """Write the last utterance after its speaker's name, None for nothing said yet."""
        if said is None:
            return
        left, right = self._edges
        name = said.role.name.capitalize()
        self._draw_text((left, top), name, AGENT_COLOURS[said.role])
        indent = left + self._text_width(f"{Role.COMMANDER.name.capitalize()}  ")
        lines = list(self._wrap(said.text, right - indent))
        if len(lines) > _DIALOGUE_LINES:
            rest = " ".join(lines[_DIALOGUE_LINES - 1 :])
            lines[_DIALOGUE_LINES - 1 :] = [self._truncate(rest, right - indent)]
        for i, line in enumerate(lines):
            self._draw_text((indent, top + round(i * 1.35 * self._font_size)), line, TEXT_COLOUR)

    def draw_status(self, top: int, moment: Moment) -> None:
        """Write the last action on the left, and the goals met on the right."""
        left, right = self._edges
        goals_left = self._draw_goals(top, right, moment)
        action, colour = _describe_action(moment)
        self._draw_text(
            (left, top), self._truncate(action, goals_left - left - self._font_size), colour
        )

    def _draw_goals(self, top: int, right: int, moment: Moment) -> int:
        """Write the goals at the right edge; return their left edge."""
        progress = moment.progress
        total = progress.goal_conditions_total
        met = min(progress.goal_conditions_satisfied, total)
        text = f"{met} of {total} goals"
        colour = SUCCESS_COLOUR if met == total else DIM_COLOUR
        self._draw.text((right, top), text, colour, font(self._font_size), anchor="ra")
        at = right - self._text_width(f"{text}  ")
        if total > _MAX_GOAL_DOTS:
            return at
        side = round(self._font_size * 0.62)
        for i in range(total):
            x = at - (total - i) * round(side * 1.4)
            y = top + round(self._font_size * 0.35)
            box = (x, y, x + side, y + side)
            self._draw.rounded_rectangle(box, side // 4, SUCCESS_COLOUR if i < met else LINE_COLOUR)
        return at - total * round(side * 1.4)

    def _draw_text(self, at: tuple[int, int], text: str, colour: Colour) -> None:
        self._draw.text(at, text, colour, font(self._font_size), anchor="la")

    def _text_width(self, text: str) -> int:
        return round(self._draw.textlength(text, font(self._font_size)))

    def _wrap(self, text: str, room: int) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if line and self._text_width(longer) > room:
                yield line
                line = word
            else:
                line = longer
        yield line

    def _truncate(self, text: str, room: int) -> str:
        """Return a text, cut and with dots at its end if it does not fit."""
        if self._text_width(text) <= room:
            return text
        kept = len(text)
        while kept and self._text_width(f"{text[:kept].rstrip()}...") > room:
            kept -= 1
        return f"{text[:kept].rstrip()}..."


def _describe_action(moment: Moment) -> tuple[str, Colour]:
    """Return the last action in words, and a colour for its outcome."""
    done = moment.interaction
    if done is None:
        return "Start", DIM_COLOUR
    if moment.utterance is not None:
        return "", DIM_COLOUR
    names = ShortNames(moment.snapshot)
    obj = names.name_of(done.object_id) if done.object_id else done.text
    action = " ".join(filter(None, (done.verb.value, obj)))
    if not moment.failed:
        return action, TEXT_COLOUR if moment.is_primitive else DIM_COLOUR
    why = moment.result.hint or moment.result.message if moment.result else ""
    failed = f"{action} failed: {names.shorten(why)}" if why else f"{action} failed"
    return failed, FAILURE_COLOUR
