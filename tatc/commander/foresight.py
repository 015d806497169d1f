"""The home as the steps of a draft should leave it, predicted from boxes and rules.

What cannot be predicted (where a thing comes to rest) is *uncertain*.
"""

from dataclasses import dataclass, replace

from tatc.actions import Verb
from tatc.camera.doors import goes_along, left_behind, opened, shut_box
from tatc.commander.knowledge import Knowledge
from tatc.state import ObjectState, Vec3


class Foresight:
    """What should have changed, what the hand should hold, what should be seen."""

    def __init__(self, known: Knowledge) -> None:
        """Start from the home as it is; an earlier one's guesses are forgotten."""
        known.wake()
        self._known = known
        held = known.snapshot.held()
        self.held: str = held.objectId if held else ""
        self._changed: dict[str, ObjectState] = {}
        self._shown: dict[str, ObjectState | None] = {}
        self._uncertain: set[str] = set()

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object as it should be."""
        return self._changed.get(object_id) or self._known.snapshot.get(object_id)

    def now(self, thing: ObjectState) -> ObjectState:
        """Return this object as it should be."""
        return self._changed.get(thing.objectId, thing)

    def is_uncertain(self, object_id: str) -> bool:
        """Whether this object should be somewhere else, who knows where."""
        return object_id in self._uncertain

    @property
    def moved(self) -> frozenset[str]:
        """The objects that should be seen, and otherwise than now."""
        return frozenset(name for name, thing in self._shown.items() if thing)

    def saved(self) -> "Saved":
        """Return all of it, to go back to."""
        return Saved(
            self.held, dict(self._changed), dict(self._shown), set(self._uncertain)
        )

    def restore(self, saved: "Saved") -> None:
        """Go back to what was saved."""
        self.held = saved.held
        self._changed, self._uncertain = saved.changed, saved.uncertain
        if self._shown != saved.shown:
            self._shown = saved.shown
            self._known.wake()
            for object_id, thing in self._shown.items():
                self._imagine(object_id, thing)

    def predict(self, verb: Verb, thing: ObjectState, point: Vec3 | None) -> None:
        """Let a verb work on an object, clicked at this point if it is known."""
        match verb:
            case Verb.PICKUP:
                self._take(thing)
            case Verb.PLACE:
                self._put(thing)
            case Verb.OPEN:
                self._open(thing, point)
            case Verb.CLOSE:
                self._close(thing)
            case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
                self._change(replace(thing, isToggled=verb is Verb.TOGGLE_ON))
            case Verb.SLICE:
                self._uncertain.add(thing.objectId)
            case Verb.POUR:
                self._pour(thing)
            case _:
                pass

    def _take(self, thing: ObjectState) -> None:
        self.held = thing.objectId
        for inside in self._known.contents(thing):
            self._hide(inside)
            self._uncertain.add(inside.objectId)
        self._hide(thing)
        self._change(replace(thing, isPickedUp=True, parentReceptacles=()))

    def _open(self, thing: ObjectState, point: Vec3 | None) -> None:
        """Let a door stand out, and a drawer come out with what was put into it."""
        if point is None or shut_box(thing) is None:
            self._show(replace(thing, isOpen=True))
            return
        swung = opened(thing, point)
        dx, dy, dz = (
            b - a for a, b in zip(thing.position, swung.position, strict=True)
        )
        self._show(swung)
        if (dx, dy, dz) != (0.0, 0.0, 0.0):
            for inside in map(self.now, self._known.contents(thing)):
                if goes_along(inside, self.get):
                    self._show(replace(inside, box=inside.box.moved(dx, dy, dz)))
                else:
                    self._change(left_behind(inside, thing.objectId))

    def _close(self, thing: ObjectState) -> None:
        """Let a container shut; where what came out with it goes is seen later."""
        self._change(replace(thing, isOpen=False))
        self._uncertain.update(t.objectId for t in self._known.contents(thing))

    def _put(self, receptacle: ObjectState) -> None:
        thing = self.get(self.held)
        self.held = ""
        if thing is not None:
            parents = (receptacle.objectId,)
            self._change(replace(thing, isPickedUp=False, parentReceptacles=parents))
            self._uncertain.add(thing.objectId)
            if receptacle.affordances.pickupable:
                # What lies in a bowl may be where the bowl was to be clicked.
                self._uncertain.add(receptacle.objectId)

    def _pour(self, target: ObjectState) -> None:
        held = self.get(self.held)
        if held is not None:
            self._change(replace(held, isFilledWithLiquid=False))
        if target.affordances.canFillWithLiquid:
            self._change(replace(target, isFilledWithLiquid=True))

    def _change(self, thing: ObjectState) -> None:
        self._changed[thing.objectId] = thing

    def _show(self, thing: ObjectState) -> None:
        self._change(thing)
        self._shown[thing.objectId] = thing
        self._imagine(thing.objectId, thing)

    def _hide(self, thing: ObjectState) -> None:
        self._shown[thing.objectId] = None
        self._imagine(thing.objectId, None)

    def _imagine(self, object_id: str, thing: ObjectState | None) -> None:
        self._known.imagine(self._known.snapshot.roster.index[object_id], thing)


@dataclass(frozen=True, slots=True)
class Saved:
    """What a `Foresight` goes back to."""

    held: str
    changed: dict[str, ObjectState]
    shown: dict[str, ObjectState | None]
    uncertain: set[str]
