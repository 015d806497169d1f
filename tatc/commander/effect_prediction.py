"""Predicts from boxes and rules how the steps of a stretch change the home.

What cannot be predicted (where a placed object comes to rest) is *uncertain*.
"""

from dataclasses import dataclass

from tatc.commander.knowledge import Knowledge
from tatc.home.actions import Verb
from tatc.home.camera.door_geometry import (
    closed_box,
    is_carried_by_drawer,
    open_object,
    remove_from_drawer,
)
from tatc.home.state import ObjectState, Vec3


class EffectPrediction:
    """Predicted states of objects, what the hand should hold, and what should be visible."""

    def __init__(self, known: Knowledge) -> None:
        """Start from the home as it is; earlier predictions are dropped."""
        known.show_actual_objects()
        self._known = known
        held = known.snapshot.held_object()
        self.held_id: str = held.objectId if held else ""
        self._changed: dict[str, ObjectState] = {}
        self._visible_changes: dict[str, ObjectState | None] = {}
        self._uncertain: set[str] = set()

    def predicted_object(self, object_id: str) -> ObjectState | None:
        """Return an object, by id, as it should be; None if there is none."""
        return self._changed.get(object_id) or self._known.snapshot.get(object_id)

    def predicted(self, obj: ObjectState) -> ObjectState:
        """Return an object as it should be."""
        return self._changed.get(obj.objectId, obj)

    def is_uncertain(self, object_id: str) -> bool:
        """Return whether it is open where this object is."""
        return object_id in self._uncertain

    @property
    def moved_objects(self) -> frozenset[str]:
        """The ids of visible objects whose shapes should have changed."""
        return frozenset(name for name, obj in self._visible_changes.items() if obj)

    def save(self) -> "PredictionState":
        """Return a copy of the prediction for `restore`."""
        return PredictionState(
            self.held_id, dict(self._changed), dict(self._visible_changes), set(self._uncertain)
        )

    def restore(self, saved: "PredictionState") -> None:
        """Go back to a saved prediction."""
        self.held_id = saved.held_id
        self._changed, self._uncertain = saved.changed, saved.uncertain
        if self._visible_changes != saved.visible_changes:
            self._visible_changes = saved.visible_changes
            self._known.show_actual_objects()
            for object_id, obj in self._visible_changes.items():
                self._update_geometry(object_id, obj)

    def predict(self, verb: Verb, obj: ObjectState, point: Vec3 | None) -> None:
        """Predict a verb on an object; `point` is the clicked point, or None if unknown."""
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
                self._set_object(obj.with_values(isToggled=verb is Verb.TOGGLE_ON))
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
        self._set_object(obj.with_values(isPickedUp=True, parentReceptacles=()))

    def _predict_open(self, obj: ObjectState, point: Vec3 | None) -> None:
        """Predict an open door, or an open drawer with the objects that it carries out."""
        if point is None or closed_box(obj) is None:
            self._set_visible_object(obj.with_values(isOpen=True))
            return
        opened_object = open_object(obj, point)
        dx, dy, dz = (b - a for a, b in zip(obj.position, opened_object.position, strict=True))
        self._set_visible_object(opened_object)
        if (dx, dy, dz) != (0.0, 0.0, 0.0):
            for inside in map(self.predicted, self._known.view.contents_of(obj)):
                if is_carried_by_drawer(inside, self.predicted_object):
                    self._set_visible_object(
                        inside.with_values(box=inside.box.translate(dx, dy, dz))
                    )
                else:
                    self._set_object(remove_from_drawer(inside, obj.objectId))

    def _predict_close(self, obj: ObjectState) -> None:
        """Predict a closed container; where its contents end up is uncertain."""
        self._set_object(obj.with_values(isOpen=False))
        self._uncertain.update(t.objectId for t in self._known.view.contents_of(obj))

    def _predict_place(self, receptacle: ObjectState) -> None:
        obj = self.predicted_object(self.held_id)
        self.held_id = ""
        if obj is not None:
            parents = (receptacle.objectId,)
            self._set_object(obj.with_values(isPickedUp=False, parentReceptacles=parents))
            self._uncertain.add(obj.objectId)
            if receptacle.affordances.pickupable:
                # The placed object may cover the point at which the dish would be clicked.
                self._uncertain.add(receptacle.objectId)

    def _predict_pour(self, target: ObjectState) -> None:
        held = self.predicted_object(self.held_id)
        if held is not None:
            self._set_object(held.with_values(isFilledWithLiquid=False))
        if target.affordances.canFillWithLiquid:
            self._set_object(target.with_values(isFilledWithLiquid=True))

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
    """A saved `EffectPrediction`."""

    held_id: str
    changed: dict[str, ObjectState]
    visible_changes: dict[str, ObjectState | None]
    uncertain: set[str]
