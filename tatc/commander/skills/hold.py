"""Skills of the one hand: Hold, PutDown, SetAside, ClearOut, Reveal, Open, PlaceIn."""

from dataclasses import dataclass
from math import hypot

from tatc.commander.plan_builder import FailureReason, PlanBuilder, PlanFailure
from tatc.commander.skills.free_space import fewest_to_clear, has_free_room
from tatc.commander.skills.placing_clicks import placing_preferences
from tatc.home.actions import Verb
from tatc.home.camera import clicks, shapes
from tatc.home.state import ObjectState
from tatc.home.type_facts import LAST_RESORT_TYPES, PUT_DOWN_TYPES
from tatc.planners.snapshot_view import has_door

_MAX_SURFACES_TRIED = 6


@dataclass(frozen=True, slots=True)
class Hold:
    """The hand holds this object."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Free the hand, reveal the object, and pick it up."""
        if builder.held_id == self.object_id:
            return None
        if builder.held_id and (failure := PutDown().plan(builder)):
            return failure
        if failure := Reveal(self.object_id).plan(builder):
            return failure
        return builder.add_interaction(Verb.PICKUP, self.object_id)


@dataclass(frozen=True, slots=True)
class PutDown:
    """The hand is empty: what it held stands on the nearest surface with room.

    `keep_clear_of` is the id of an object to keep away from.  `surface_types` are the types
    of surfaces to use, in no order; without them any will do.
    """

    keep_clear_of: str = ""
    surface_types: tuple[str, ...] = ()

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Place the held object on the nearest surface that should have room."""
        held = builder.predicted_object(builder.held_id) if builder.held_id else None
        if held is None:
            return None
        surfaces = self._candidate_surfaces(builder, held)
        options = [_PutOn(place, self.keep_clear_of) for place in surfaces]
        no_room = PlanFailure(FailureReason.NO_ROOM, held.objectId)
        return builder.add_first_possible(options, no_room)

    def _candidate_surfaces(self, builder: PlanBuilder, held: ObjectState) -> list[ObjectState]:
        """Return surfaces to try, nearest first.

        Those that refused the type come late.  For what is set aside, so do those where the task
        wants something.  Those above the eye come last: the object might never be seen there again.
        """
        known, pose = builder.known, builder.pose
        keys = known.open_keys if self.keep_clear_of else ()
        wanted = {target for key in keys for target in key.targets}
        eye_level = clicks.eye_at(pose, known.snapshot.follower).position[1]

        def order(place: ObjectState) -> tuple[bool, float]:
            kind = known.action_type_key(builder.action_key(Verb.PLACE, place))
            x, _, z = place.box.center
            is_late = known.memory.was_full_with_less(kind) or place.objectId in wanted
            return is_late, hypot(x - pose.x, z - pose.z)

        roomy = known.view.find_objects(
            *(self.surface_types or PUT_DOWN_TYPES),
            where=lambda p: p.objectId != self.keep_clear_of and has_free_room(builder, p, held),
        )
        preferred = sorted(roomy, key=order)
        last_resorts = () if self.surface_types else known.view.find_objects(*LAST_RESORT_TYPES)
        found = (*preferred[:_MAX_SURFACES_TRIED], *last_resorts)
        return sorted(found, key=lambda place: shapes.surface_height(place) > eye_level)


@dataclass(frozen=True, slots=True)
class _PutOn:
    surface: ObjectState
    keep_clear_of: str = ""

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        held = builder.predicted_object(builder.held_id)
        if held is None:
            return None
        avoided = builder.predicted_object(self.keep_clear_of)
        preferences = placing_preferences(builder, self.surface, held, avoided)
        return builder.add_interaction(Verb.PLACE, self.surface.objectId, preferences=preferences)


@dataclass(frozen=True, slots=True)
class SetAside:
    """The object stands somewhere else, out of the way of the object `keep_clear_of`."""

    object_id: str
    keep_clear_of: str = ""

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Pick the object up and put it down on the nearest surface with room."""
        return builder.add_in_turn(Hold(self.object_id), PutDown(self.keep_clear_of))


@dataclass(frozen=True, slots=True)
class ClearOut:
    """Nothing portable is in or on the receptacle."""

    receptacle_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Set everything aside, beginning with what can be seen, which uncovers the rest."""
        place = builder.predicted_object(self.receptacle_id)
        none = PlanFailure(FailureReason.NONE_EXISTS, self.receptacle_id)
        if place is None:
            return none
        left = [t for t in builder.known.view.contents_of(place) if t.affordances.pickupable]
        while left:
            aside = [SetAside(obj.objectId, self.receptacle_id) for obj in left]
            if failure := builder.add_first_possible(aside, none):
                return failure
            left = [obj for obj in left if not builder.is_taken_away(obj)]
        return None


@dataclass(frozen=True, slots=True)
class Reveal:
    """No closed container hides this object."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Open the containers around the object; those that run are switched off first."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        containers = builder.known.view.receptacles_of(obj)
        return builder.add_in_turn(*(Open(container.objectId) for container in containers))


@dataclass(frozen=True, slots=True)
class Open:
    """The container is open, if it can be; a running appliance is switched off."""

    object_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Open the container unless it is open or has no door."""
        obj = builder.predicted_object(self.object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if obj.isOpen or not has_door(obj):  # nothing lies in a laptop or a book
            return None
        if obj.isToggled and (failure := builder.add_interaction(Verb.TOGGLE_OFF, self.object_id)):
            return failure
        return builder.add_interaction(Verb.OPEN, self.object_id)


@dataclass(frozen=True, slots=True)
class PlaceIn:
    """The object is in or on this receptacle."""

    object_id: str
    receptacle_id: str

    def plan(self, builder: PlanBuilder) -> PlanFailure | None:
        """Fetch and place the object; first clear a full dish of what the task does not name."""
        obj = builder.predicted_object(self.object_id)
        receptacle = builder.predicted_object(self.receptacle_id)
        if obj is None or receptacle is None:
            return PlanFailure(FailureReason.NONE_EXISTS, self.object_id)
        if self.receptacle_id in (p.objectId for p in builder.known.view.receptacles_of(obj)):
            return None
        if not has_free_room(builder, receptacle, obj):
            if failure := self._make_room(builder, receptacle, obj):
                return failure
        reveal, opening = Reveal(self.receptacle_id), Open(self.receptacle_id)
        if failure := builder.add_in_turn(reveal, Hold(self.object_id), opening):
            return failure
        preferences = placing_preferences(builder, receptacle, obj)
        return builder.add_interaction(Verb.PLACE, self.receptacle_id, preferences=preferences)

    def _make_room(
        self, builder: PlanBuilder, place: ObjectState, obj: ObjectState
    ) -> PlanFailure | None:
        full = PlanFailure(FailureReason.NO_ROOM, self.receptacle_id, self.object_id)
        if not place.affordances.pickupable:
            return full
        is_stranger = builder.known.is_stranger
        others = fewest_to_clear(builder, place, obj, lambda t: not is_stranger(t))
        if not others:
            return full
        failure = builder.add_in_turn(*(SetAside(t.objectId, place.objectId) for t in others))
        return failure if failure is None or failure.is_temporary else full
