"""The home as the steps of a draft should leave it, predicted from boxes and rules.

What cannot be predicted (where a thing comes to rest) is *uncertain*.
"""

from dataclasses import dataclass, replace

from tatc.actions import Verb
from tatc.camera.door_geometry import (
    closed_box,
    is_carried_by_drawer,
    open_object,
    remove_from_drawer,
)
from tatc.commander.knowledge import Knowledge
from tatc.state import ObjectState, Vec3


class EffectPrediction:
    """What should have changed, what the hand should hold, what should be seen."""

    def __init__(self, known: Knowledge) -> None:
        """Start from the home as it is; an earlier one's guesses are forgotten."""
        known.show_actual_objects()
        self._known = known
        held = known.snapshot.held_object()
        self.held_id: str = held.objectId if held else ""
        self._changed: dict[str, ObjectState] = {}
        self._visible_changes: dict[str, ObjectState | None] = {}
        self._uncertain: set[str] = set()

    def predicted_object(self, object_id: str) -> ObjectState | None:
        """Return an object as it should be."""
        return self._changed.get(object_id) or self._known.snapshot.get(object_id)

    def predicted(self, obj: ObjectState) -> ObjectState:
        """Return this object as it should be."""
        return self._changed.get(obj.objectId, obj)

    def is_uncertain(self, object_id: str) -> bool:
        """Whether this object should be somewhere else, who knows where."""
        return object_id in self._uncertain

    @property
    def moved_objects(self) -> frozenset[str]:
        """The objects that should be seen, and otherwise than now."""
        return frozenset(name for name, obj in self._visible_changes.items() if obj)

    def save(self) -> "PredictionState":
        """Return all of it, to go back to."""
        return PredictionState(
            self.held_id, dict(self._changed), dict(self._visible_changes), set(self._uncertain)
        )

    def restore(self, saved: "PredictionState") -> None:
        """Go back to what was saved."""
        self.held_id = saved.held_id
        self._changed, self._uncertain = saved.changed, saved.uncertain
        if self._visible_changes != saved.visible_changes:
            self._visible_changes = saved.visible_changes
            self._known.show_actual_objects()
            for object_id, obj in self._visible_changes.items():
                self._update_geometry(object_id, obj)

    def predict(self, verb: Verb, obj: ObjectState, point: Vec3 | None) -> None:
        """Let a verb work on an object, clicked at this point if it is known."""
        match verb:
            case Verb.PICKUP:
                self._predict_pickup(obj)
            case Verb.PLACE:
                self._predict_place(obj)
            case Verb.OPEN:
                self._predict_open(obj, point)
            case Verb.CLOSE:
                self._predict_close(obj)
            case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
                self._set_object(replace(obj, isToggled=verb is Verb.TOGGLE_ON))
            case Verb.SLICE:
                self._uncertain.add(obj.objectId)
            case Verb.POUR:
                self._predict_pour(obj)
            case _:
                pass

    def _predict_pickup(self, obj: ObjectState) -> None:
        self.held_id = obj.objectId
        for inside in self._known.view.contents_of(obj):
            self._hide_object(inside)
            self._uncertain.add(inside.objectId)
        self._hide_object(obj)
        self._set_object(replace(obj, isPickedUp=True, parentReceptacles=()))

    def _predict_open(self, obj: ObjectState, point: Vec3 | None) -> None:
        """Let a door stand out, and a drawer come out with what was put into it."""
        if point is None or closed_box(obj) is None:
            self._set_visible_object(replace(obj, isOpen=True))
            return
        opened_object = open_object(obj, point)
        dx, dy, dz = (b - a for a, b in zip(obj.position, opened_object.position, strict=True))
        self._set_visible_object(opened_object)
        if (dx, dy, dz) != (0.0, 0.0, 0.0):
            for inside in map(self.predicted, self._known.view.contents_of(obj)):
                if is_carried_by_drawer(inside, self.predicted_object):
                    self._set_visible_object(replace(inside, box=inside.box.translate(dx, dy, dz)))
                else:
                    self._set_object(remove_from_drawer(inside, obj.objectId))

    def _predict_close(self, obj: ObjectState) -> None:
        """Let a container shut; where what came out with it goes is seen later."""
        self._set_object(replace(obj, isOpen=False))
        self._uncertain.update(t.objectId for t in self._known.view.contents_of(obj))

    def _predict_place(self, receptacle: ObjectState) -> None:
        obj = self.predicted_object(self.held_id)
        self.held_id = ""
        if obj is not None:
            parents = (receptacle.objectId,)
            self._set_object(replace(obj, isPickedUp=False, parentReceptacles=parents))
            self._uncertain.add(obj.objectId)
            if receptacle.affordances.pickupable:
                # What lies in a bowl may be where the bowl was to be clicked.
                self._uncertain.add(receptacle.objectId)

    def _predict_pour(self, target: ObjectState) -> None:
        held = self.predicted_object(self.held_id)
        if held is not None:
            self._set_object(replace(held, isFilledWithLiquid=False))
        if target.affordances.canFillWithLiquid:
            self._set_object(replace(target, isFilledWithLiquid=True))

    def _set_object(self, obj: ObjectState) -> None:
        self._changed[obj.objectId] = obj

    def _set_visible_object(self, obj: ObjectState) -> None:
        self._set_object(obj)
        self._visible_changes[obj.objectId] = obj
        self._update_geometry(obj.objectId, obj)

    def _hide_object(self, obj: ObjectState) -> None:
        self._visible_changes[obj.objectId] = None
        self._update_geometry(obj.objectId, None)

    def _update_geometry(self, object_id: str, obj: ObjectState | None) -> None:
        self._known.show_predicted_object(self._known.snapshot.object_index.by_id[object_id], obj)


@dataclass(frozen=True, slots=True)
class PredictionState:
    """What a `EffectPrediction` goes back to."""

    held_id: str
    changed: dict[str, ObjectState]
    visible_changes: dict[str, ObjectState | None]
    uncertain: set[str]
