"""Builds the steps of one stretch, and predicts the home that they lead to.

A plan builder predicts from boxes and rules alone and never simulates: where the Follower
will stand, what it will hold, what will be open, on or out of sight.  What it cannot
predict (where a placed object comes to rest) is *uncertain*.  A skill that needs such an
object ends the stretch, and the next stretch is planned from what has then been seen.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, islice
from typing import Protocol

from tatc.commander.knowledge import MAX_REFUSALS_PER_TYPE, ActionKey, Knowledge
from tatc.home.actions import INTERACTION_REACH_METRES, PrimitiveStep, Verb, cell_of
from tatc.home.camera import clicks, door_geometry, rays
from tatc.home.camera.body_clearance import is_in_door_path
from tatc.home.containment import faucet_of_standing_water
from tatc.home.state import ObjectState, Pose, Vec3, subtract
from tatc.planners import viewpoints

MAX_STRETCH_STEPS = 60  # primitives after which no further interaction is added to a stretch
_MAX_DOOR_VIEWPOINTS = 60  # viewpoints tried to find one that the opening door clears
StandTest = Callable[[Pose], bool]  # whether an interaction should succeed from a pose


class FailureReason(StrEnum):
    """The reason why a skill or plan cannot be planned."""

    NONE_EXISTS = "none exists"
    NO_VIEW = "cannot be clicked from anywhere"
    NO_ROOM = "no room"
    LOOKED_ENOUGH = "looked long enough for where to stand"
    REFUSED = "refused before"
    UNCERTAIN = "must be seen first"
    TOO_LONG = "long enough for one stretch"
    REPEATED_TOO_OFTEN = "said often enough"
    UNACHIEVABLE = "cannot be changed"


@dataclass(frozen=True, slots=True)
class PlanFailure:
    """Why a skill cannot be planned, and for which object; `held_id` was to be placed there."""

    reason: FailureReason
    object_id: str = ""
    held_id: str = ""

    def __str__(self) -> str:
        """Return a short clause."""
        return f"{self.object_id}: {self.reason}" if self.object_id else self.reason

    @property
    def is_temporary(self) -> bool:
        """Whether the next stretch can go on, once the outcome of this one has been seen."""
        return self.reason in (FailureReason.UNCERTAIN, FailureReason.TOO_LONG)


@dataclass(frozen=True, slots=True)
class ClickPreference:
    """Where to click on an object, and where to stand; None where it does not matter."""

    scorer: viewpoints.PointScorer | None = None
    stand: StandTest | None = None

    def poses(self, every: Iterable[tuple[Pose, int]]) -> Iterable[tuple[Pose, int]]:
        """Return the poses, each with its cost, that pass the `stand` test."""
        stand = self.stand
        return every if stand is None else (each for each in every if stand(each[0]))


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A primitive of a stretch, with what it is meant for.

    `pose` is where the body stands for a click, or where the walk of a motion begins.
    `action_key` and `clicked_point` (world metres) are None for a motion, or if unknown.
    """

    step: PrimitiveStep
    action_key: ActionKey | None
    pose: Pose
    clicked_point: Vec3 | None = None


class Skill(Protocol):
    """A physical routine as data; see `tatc.commander.skills`."""

    def plan(self, builder: "PlanBuilder") -> PlanFailure | None:
        """Add the missing steps to the builder; return None, or why they cannot be planned."""
        ...


SkillPlan = tuple[Skill, ...]  # skills to carry out in order
Plans = tuple[SkillPlan, ...]  # plans, best first; none where nothing can be done
PlannedSteps = tuple[PlannedStep, ...]


def describe_plan(plan: SkillPlan) -> str:
    """Return a plan's skills as text, in order."""
    return ", ".join(repr(skill) for skill in plan)


class EffectPrediction:
    """Predicted states of objects, what the hand should hold, and what should be visible."""

    def __init__(self, known: Knowledge) -> None:
        """Start from the home as it is; earlier predictions are dropped."""
        known.show_actual_objects()
        self.known = known
        held = known.snapshot.held_object()
        self.held_id: str = held.objectId if held else ""
        self._changed: dict[str, ObjectState] = {}
        self._visible_changes: dict[str, ObjectState | None] = {}
        self._uncertain: set[str] = set()

    def predicted_object(self, object_id: str) -> ObjectState | None:
        """Return the object with an id as it should be after the steps so far; None if unknown."""
        return self._changed.get(object_id) or self.known.snapshot.get(object_id)

    def predicted(self, obj: ObjectState) -> ObjectState:
        """Return an object as it should be after the steps so far."""
        return self._changed.get(obj.objectId, obj)

    @property
    def moved_objects(self) -> frozenset[str]:
        """The ids of visible objects whose shapes should have changed."""
        return frozenset(name for name, obj in self._visible_changes.items() if obj)

    def save(self) -> "EffectPrediction":
        """Return a copy of the prediction for `restore`."""
        saved = copy(self)
        saved._changed, saved._uncertain = dict(self._changed), set(self._uncertain)
        saved._visible_changes = dict(self._visible_changes)
        return saved

    def restore(self, saved: "EffectPrediction") -> None:
        """Go back to a saved prediction, which must not be used again."""
        self.held_id = saved.held_id
        self._changed, self._uncertain = saved._changed, saved._uncertain
        if self._visible_changes != saved._visible_changes:
            self._visible_changes = saved._visible_changes
            self.known.show_actual_objects()
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
            case Verb.CLOSE:  # where the contents end up is uncertain
                self._set_object(obj.with_values(isOpen=False))
                self._uncertain.update(t.objectId for t in self.known.view.contents_of(obj))
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
        for inside in self.known.view.contents_of(obj):
            self._hide_object(inside)
            self._uncertain.add(inside.objectId)
        self._hide_object(obj)
        self._set_object(obj.with_values(isPickedUp=True, parentReceptacles=()))

    def _predict_open(self, obj: ObjectState, point: Vec3 | None) -> None:
        """Predict an open door, or an open drawer with the objects that it carries out."""
        if point is None or door_geometry.closed_box(obj) is None:
            self._set_visible_object(obj.with_values(isOpen=True))
            return
        opened_object = door_geometry.open_object(obj, point)
        offset = subtract(opened_object.position, obj.position)
        self._set_visible_object(opened_object)
        if any(offset):
            for inside in map(self.predicted, self.known.view.contents_of(obj)):
                if door_geometry.is_carried_by_drawer(inside, self.predicted_object):
                    self._set_visible_object(inside.with_values(box=inside.box.translate(*offset)))
                else:
                    self._set_object(door_geometry.remove_from_drawer(inside, obj.objectId))

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
        self.known.show_predicted_object(self.known.snapshot.object_index.by_id[object_id], obj)


class PlanBuilder(EffectPrediction):
    """The steps of a stretch, and the home as it should be after them."""

    def __init__(self, known: Knowledge, *, optimistic: bool = False) -> None:
        """Start from the home as it is; predictions of earlier builders are dropped.

        An optimistic builder tries full receptacles too, and clicks at the very limit of reach.
        """
        super().__init__(known)
        self.optimistic = optimistic
        self.steps: list[PlannedStep] = []
        self.pose: Pose = known.pose

    def is_taken_away(self, obj: ObjectState) -> bool:
        """Return whether the steps so far should have taken an object from where it is."""
        predicted = self.predicted(obj)
        return predicted.isPickedUp or predicted.parentReceptacles != obj.parentReceptacles

    def add_interaction(
        self, verb: Verb, object_id: str, *, preferences: Sequence[ClickPreference] = ()
    ) -> PlanFailure | None:
        """Add the walk to a viewpoint from which `verb` can be clicked, and the click.

        Of several preferences, the first that any viewpoint meets decides.  Water that hides the
        object is turned off first.  Return None, or a failure, after which nothing was added.
        """
        obj = self.predicted_object(object_id)
        if obj is None:
            return PlanFailure(FailureReason.NONE_EXISTS, object_id)
        if object_id in self._uncertain:
            return PlanFailure(FailureReason.UNCERTAIN, object_id)
        if len(self.steps) >= MAX_STRETCH_STEPS:
            return PlanFailure(FailureReason.TOO_LONG)
        action_key = self.action_key(verb, obj)
        memory = self.known.memory
        refusals = memory.refusal_counts_by_type[self.known.action_type_key(action_key)]
        if refusals >= MAX_REFUSALS_PER_TYPE or action_key in memory.ruled_out:
            return PlanFailure(FailureReason.REFUSED, object_id, action_key[2])
        # The viewpoints of an object do not depend on where the body is, and hardly on
        # what the hand has taken away: a search that failed need not be repeated.
        held = self.held_id if preferences else ""
        search = (verb, object_id, self.moved_objects, held, self.optimistic)
        if search in self.known.failed_searches:
            return PlanFailure(FailureReason.NO_VIEW, object_id)
        view = self._find_viewpoint(action_key, preferences)
        if view is None:
            return PlanFailure(self._note_failed(search), object_id)
        water = faucet_of_standing_water(obj, self.known.snapshot, self.known.ran_at_start)
        if verb is not Verb.POUR and water is not None and self.predicted(water).isToggled:
            if failure := self.add_interaction(Verb.TOGGLE_OFF, water.objectId):
                return failure
        for move in self.known.shortest_paths_from(self.pose).verbs_to(view.pose):
            self.steps.append(PlannedStep(PrimitiveStep(move), None, self.pose))
        hit = self.known.geometry.hit_at_click(self._eye_at(view.pose), view.click)
        point = None if hit is None else hit.point
        step = PrimitiveStep(verb, obj.objectType, view.click)
        self.steps.append(PlannedStep(step, action_key, view.pose, point))
        self.pose = view.pose
        self.predict(verb, obj, point)
        return None

    def add_plan(self, plan: SkillPlan) -> PlanFailure | None:
        """Plan skills in order; return None, or the first failure.

        A temporary failure keeps the steps planned before it; any other undoes all of the plan.
        """
        count, pose, prediction = len(self.steps), self.pose, self.save()
        failure = self.add_in_turn(*plan)
        if failure and not failure.is_temporary:
            del self.steps[count:]
            self.pose = pose
            self.restore(prediction)
        return failure

    def add_in_turn(self, *skills: Skill) -> PlanFailure | None:
        """Plan skills in order, up to the first that fails; its failure undoes nothing."""
        return next((failure for skill in skills if (failure := skill.plan(self))), None)

    def add_first_possible(
        self, options: Iterable[Skill], default_failure: PlanFailure
    ) -> PlanFailure | None:
        """Plan the first option that can be planned; failed options leave no steps.

        Return None or a temporary failure where an option worked; else the last option's failure,
        or `default_failure` without options.
        """
        last = default_failure
        for option in options:
            failure = self.add_plan((option,))
            if failure is None or failure.is_temporary:
                return failure
            last = failure
        return last

    def action_key(self, verb: Verb, obj: ObjectState) -> ActionKey:
        """Return the key under which the memory keeps refusals of this interaction."""
        inside = self.known.view.contents_of(obj) if verb is Verb.PLACE else ()
        return verb, obj.objectId, self.held_id, tuple(t.objectId for t in inside)

    def _note_failed(self, search: Hashable) -> FailureReason:
        if not self.known.views_left:
            return FailureReason.LOOKED_ENOUGH
        self.known.failed_searches.add(search)
        return FailureReason.NO_VIEW

    def _find_viewpoint(
        self, action_key: ActionKey, preferences: Sequence[ClickPreference]
    ) -> viewpoints.Viewpoint | None:
        verb, object_id = action_key[:2]
        known, snapshot = self.known, self.known.snapshot

        def accepts(i: int) -> bool:
            return clicks.affords(verb, self.predicted(snapshot.objects[i]))

        def standing() -> Iterator[tuple[Pose, int]]:
            return known.standing_poses(obj, self.pose)

        target = (known.geometry, snapshot.objects, snapshot.object_index.by_id[object_id])
        obj = snapshot.objects[target[2]]
        agent = snapshot.follower
        reach = INTERACTION_REACH_METRES if self.optimistic else viewpoints.PLANNED_REACH_METRES
        find = partial(viewpoints.find_viewpoints, *target, accepts, may_look=known.may_look)
        views = chain.from_iterable(
            find(each.poses(standing()), agent, scorer=each.scorer, reach=reach)
            for each in preferences or (ClickPreference(),)
        )
        if verb is not Verb.PLACE and not preferences:
            near = partial(viewpoints.find_nearby_clicks, *target, accepts)
            beside = _later(lambda: near(standing(), agent, reach=reach))
            seen = known.remembered_viewpoints(obj, self.pose)
            seen = seen if seen and viewpoints.clickable_bounds(*target, accepts) else ()
            before, after = (seen, ()) if known.guesses_boxes else ((), seen)
            views = chain(before, views, beside, after)
        views = chain(views, _later(lambda: known.unproven_viewpoints(obj, self.pose, action_key)))
        memory = known.memory
        fresh = (
            v
            for v in views
            if (action_key, v.pose) not in memory.refused_poses
            and (action_key, cell_of(v.pose.x, v.pose.z)) not in memory.refused_cells
        )
        if verb is Verb.OPEN:
            return self._viewpoint_clear_of_door(obj, fresh)
        return next(fresh, None)

    def _viewpoint_clear_of_door(
        self, obj: ObjectState, views: Iterable[viewpoints.Viewpoint]
    ) -> viewpoints.Viewpoint | None:
        """Return the first viewpoint clear of the door, or else the first: the door may open."""
        closed = door_geometry.closed_box(obj)
        first: viewpoints.Viewpoint | None = None
        for view in islice(views, _MAX_DOOR_VIEWPOINTS):
            hit = self.known.geometry.hit_at_click(self._eye_at(view.pose), view.click)
            if closed is None or hit is None:
                return view
            if not is_in_door_path(view.pose, door_geometry.open_object(obj, hit.point), closed):
                return view
            first = first or view
        return first

    def _eye_at(self, pose: Pose) -> rays.Eye:
        return clicks.eye_at(pose, self.known.snapshot.follower)


def _later(find: Callable[[], Iterable[viewpoints.Viewpoint]]) -> Iterator[viewpoints.Viewpoint]:
    """Yield viewpoints that are looked for only once one is asked for."""
    yield from find()
