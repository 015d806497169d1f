"""The words around a film's pictures: title, dialogue, what is done, the goals."""

from collections.abc import Iterator

from PIL import ImageDraw

from tatc.actions import Role
from tatc.export.palette import AGENTS, BAD, FAINT, GOOD, INK, LINE, Colour, font
from tatc.records import Interaction
from tatc.timeline import Moment

_LINES = 2  # of dialogue
_MOST_PIPS = 12  # goal conditions that get a dot each


class Caption:
    """Sets words into a picture, in one size of type, between two edges."""

    def __init__(self, draw: ImageDraw.ImageDraw, size: int, edges: tuple[int, int]):
        """Take type of a size in pixels, and the left and right edge."""
        self._draw, self._size, self._edges = draw, size, edges

    @staticmethod
    def height(size: int) -> int:
        """Return how high dialogue and status are together."""
        return round((_LINES * 1.35 + 1.9) * size)

    def head(self, top: int, title: str, step: str) -> None:
        """Set the film's title at the left, and where it is at the right."""
        left, right = self._edges
        room = right - left - self._width(step) - self._size
        self._text((left, top), self._cut(title, room), INK)
        self._draw.text((right, top), step, FAINT, font(self._size), anchor="ra")

    def dialogue(self, top: int, said: Interaction | None) -> None:
        """Set what was said last, under its speaker's colour."""
        if said is None:
            return
        left, right = self._edges
        name = said.role.name.capitalize()
        self._text((left, top), name, AGENTS[said.role])
        indent = left + self._width(f"{Role.COMMANDER.name.capitalize()}  ")
        lines = list(self._wrapped(said.text, right - indent))
        if len(lines) > _LINES:
            rest = " ".join(lines[_LINES - 1 :])
            lines[_LINES - 1 :] = [self._cut(rest, right - indent)]
        for i, line in enumerate(lines):
            self._text((indent, top + round(i * 1.35 * self._size)), line, INK)

    def status(self, top: int, moment: Moment) -> None:
        """Set what was done at the left, and the goals that are met at the right."""
        left, right = self._edges
        reach = self._goals(top, right, moment)
        deed, colour = _deed(moment)
        self._text((left, top), self._cut(deed, reach - left - self._size), colour)

    def _goals(self, top: int, right: int, moment: Moment) -> int:
        """Set the goals against the right edge; return where they begin."""
        progress = moment.progress
        total = progress.goal_conditions_total
        met = min(progress.goal_conditions_satisfied, total)
        text = f"{met} of {total} goals"
        colour = GOOD if met == total else FAINT
        self._draw.text((right, top), text, colour, font(self._size), anchor="ra")
        at = right - self._width(f"{text}  ")
        if total > _MOST_PIPS:
            return at
        side = round(self._size * 0.62)
        for i in range(total):
            x = at - (total - i) * round(side * 1.4)
            y = top + round(self._size * 0.35)
            box = (x, y, x + side, y + side)
            self._draw.rounded_rectangle(box, side // 4, GOOD if i < met else LINE)
        return at - total * round(side * 1.4)

    def _text(self, at: tuple[int, int], text: str, colour: Colour) -> None:
        self._draw.text(at, text, colour, font(self._size), anchor="la")

    def _width(self, text: str) -> int:
        return round(self._draw.textlength(text, font(self._size)))

    def _wrapped(self, text: str, room: int) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if line and self._width(longer) > room:
                yield line
                line = word
            else:
                line = longer
        yield line

    def _cut(self, text: str, room: int) -> str:
        """Return a text, or as much of it as fits, with dots."""
        if self._width(text) <= room:
            return text
        kept = len(text)
        while kept and self._width(f"{text[:kept].rstrip()}...") > room:
            kept -= 1
        return f"{text[:kept].rstrip()}..."


def _deed(moment: Moment) -> tuple[str, Colour]:
    """Return what was done last, and the colour of what came of it."""
    done = moment.interaction
    if done is None:
        return "Start", FAINT
    if moment.said is not None:
        return "", FAINT
    thing = done.object_id.partition("|")[0] if done.object_id else done.text
    deed = " ".join(filter(None, (done.verb.value, thing)))
    if not moment.failed:
        return deed, INK if moment.primitive else FAINT
    why = moment.result.hint or moment.result.message if moment.result else ""
    return f"{deed} failed: {why}" if why else f"{deed} failed", BAD
