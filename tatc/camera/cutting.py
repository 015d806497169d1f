"""Into which solids each object of a scene is cut, shut or open.

What an object's shape owes to its neighbours is found once, when the scene begins: the
height at which things rest on it, the gaps for what is let in, the shelves behind its
door, and the box in which it stands askew.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tatc.camera.boards import gaps_of
from tatc.camera.cases import insides_of, shelves_of, solids_when_open
from tatc.camera.doors import shut_box
from tatc.camera.rects import Rect
from tatc.camera.shapes import solids_of, surface_of, surfaces_of
from tatc.camera.solid import Solid
from tatc.camera.tilts import true_boxes
from tatc.state import Box, ObjectState


@dataclass(frozen=True, slots=True)
class _Form:
    """What is known of an object from its scene's beginning; heights are metres."""

    surface: float | None = None
    gaps: Sequence[Rect] = ()
    shut: Box | None = None
    shelves: Sequence[float] = ()
    inside: Sequence[Box] = ()
    askew: Box | None = None


class Cutting:
    """Cuts the objects of a list into solids; indices are those of the list."""

    def __init__(
        self,
        objects: Sequence[ObjectState],
        surfaces: Sequence[float | None] | None = None,
    ) -> None:
        """Learn from objects as a scene begins; `surfaces` are as for `Geometry`."""
        rests = list(surfaces_of(objects) if surfaces is None else surfaces)
        askew = true_boxes(objects)
        objects = [_in(box, thing) for box, thing in zip(askew, objects, strict=True)]
        gaps = gaps_of(objects, list(map(surface_of, objects, rests)))
        shut = map(shut_box, objects)
        held = shelves_of(objects), insides_of(objects)
        forms = zip(rests, gaps, shut, *held, askew, strict=True)
        self._forms = [_Form(*each) for each in forms]

    def append(self) -> None:
        """Take an object at the end of the list, of which nothing is known."""
        self._forms.append(_Form())

    def surface(self, index: int) -> float | None:
        """Return the measured height at which things rest on an object, metres."""
        return self._forms[index].surface

    def solids(self, index: int, thing: ObjectState) -> Sequence[Solid]:
        """Return the solids of an object as it is now."""
        form = self._forms[index]
        if thing.isOpen and form.shut is not None:
            return solids_when_open(thing, form.shut, form.shelves, form.inside)
        return solids_of(_in(form.askew, thing), form.surface, form.gaps)


def _in(box: Box | None, thing: ObjectState) -> ObjectState:
    """Return an object in its own box, where it has another."""
    return thing if box is None else replace(thing, box=box)
