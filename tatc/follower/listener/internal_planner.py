"""The listener's planner: the rule planner, planning on what the Follower has seen.

It plans stretches of primitives as for any Follower, with the semantic map as its oracle.  Only
its knowledge differs: the shapes are built anew when something new has come into view, because
what is seen of an object decides its shape (what rests on it, what is cut into it).  What the task
needs and the map does not hold yet is what the Follower goes to look for (`missing_types`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from math import atan2, pi

from tatc.commander import knowledge, plan_builder, rule_planner
from tatc.commander.skills.hold import PutDown
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home import assets, type_facts
from tatc.home.actions import FailureReport, PrimitiveStep, Verb, cell_of
from tatc.home.camera.geometry import Geometry
from tatc.home.state import ObjectState, Pose, Snapshot, Vec3, is_invisible_to_rays
from tatc.planners.viewpoints import Viewpoint, viewpoints_facing
from tatc.tdl import ProblemKey, Progress, Task, check_tree, properties
from tatc.tdl.definition import AtomicComponent, Component, TaskDefinition

MAX_PUT_DOWNS = 3  # times that what is still held when all is done is put down, at most
SAME_SIDE_RADIANS = pi / 8
"""Directions from which an object is seen that differ by less are tried in the order of cost."""


class SeenKnowledge(knowledge.Knowledge):
    """Knowledge whose shapes follow a semantic map that grows."""

    def __init__(self, belief: SemanticMap) -> None:
        """Ask the semantic map for the first time."""
        super().__init__(belief)
        self._belief = belief
        self._built_of: tuple[tuple[str, Vec3], ...] | None = None
        self._unbuilt: tuple[Sequence[ObjectState], Snapshot] = self.snapshot.objects, self.snapshot

    def refresh(self) -> None:
        """Ask the map again; build the shapes anew where objects are new or stand elsewhere."""
        now = self._belief.snapshot()
        objects = now.objects
        still = (t for t in objects if not t.affordances.openable and not t.isPickedUp)
        shapes = tuple((obj.objectId, obj.box.center) for obj in still)
        if shapes != self._built_of:
            self._built_of = shapes
            closed = self._belief.closed_states()
            self._unbuilt = [closed.get(each.objectId, each) for each in objects], now
            vars(self).pop("geometry", None)  # until it is asked for
            self._shown_objects = list(objects)
            self.failed_searches.clear()
        super().refresh()
        self.ran_at_start |= self._belief.ran_at_start

    def remembered_viewpoints(self, obj: ObjectState, start: Pose) -> tuple[Viewpoint, ...]:
        """Return the poses from which an object was seen within reach, the nearest first."""
        paths = self.shortest_paths_from(start)
        clicks = self._belief.sightings.of(obj)
        costs = ((pose, paths.cost_to(pose)) for pose in clicks)
        views = (Viewpoint(pose, clicks[pose], cost) for pose, cost in costs if cost is not None)
        return tuple(sorted(views, key=lambda view: view.cost))

    def unproven_viewpoints(
        self, obj: ObjectState, start: Pose, action_key: knowledge.ActionKey
    ) -> Iterable[Viewpoint]:
        """Yield where boxes are guessed the poses that look at the middle of an object from near.

        A guessed box that seems to hide it may be wrong.  Those from about the side from which it
        was seen last come first.  No cell from which it could not be seen is tried again.
        """
        if not self.guesses_boxes or obj.isPickedUp:
            return ()
        tried = {cell_of(p.x, p.z) for key, p in self.memory.refused_poses if key == action_key}
        x, _, z = obj.box.center
        seen_from = self._belief.seen_from.get(obj.objectId, start)
        side = atan2(seen_from.x - x, seen_from.z - z)

        def order(view: Viewpoint) -> tuple[int, int]:
            turned = abs(atan2(view.pose.x - x, view.pose.z - z) - side)
            return int(min(turned, 2 * pi - turned) / SAME_SIDE_RADIANS), view.cost

        poses = self.standing_poses(obj, start)
        found = viewpoints_facing(obj.box.center, poses, self.snapshot.follower)
        return sorted((v for v in found if cell_of(v.pose.x, v.pose.z) not in tried), key=order)

    @property
    def guesses_boxes(self) -> bool:
        """Whether boxes are guessed from depth, so that what was seen comes before them."""
        return self._belief.is_guessed

    @cached_property
    def geometry(self) -> Geometry:
        """The shapes, those of closed things built as closed, and then opened if they are open."""
        shut, now = self._unbuilt
        built, held = Geometry.of_room(shut, has_walls=False), now.held_object()
        for i, obj in enumerate(now.objects):
            if is_invisible_to_rays(obj, held):
                built.hide(i)
            elif shut[i] is not obj:
                built.update(i, obj)
        return built


class InternalPlanner:
    """Plans for a task what the Follower itself does next."""

    def __init__(
        self, belief: SemanticMap, task: Task, memory: knowledge.RefusalMemory | None = None
    ) -> None:
        """Plan for a task in the home as believed; `memory` is what was learned so far."""
        self._task = task
        self.knowledge = SeenKnowledge(belief)  # what it knows of the home
        if memory is not None:
            self.knowledge.memory = memory
        self._planner = rule_planner.RulePlanner(self.knowledge, task)
        self._put_downs_left = MAX_PUT_DOWNS

    def next_stretch(
        self, failure: FailureReport | None, *, thorough: bool
    ) -> rule_planner.PlannedStretch | rule_planner.NoStretch:
        """Return what to do next, or why there is nothing.

        `failure` is the step of the last stretch that failed, if one did.  If not thorough, it asks
        the policies alone: recovery and PDDL take long, in vain while something is missing.
        """
        self._refresh(failure)
        progress = self._task.check(self.knowledge.snapshot)
        return self._planner.next_stretch(progress, thorough=thorough)

    def plan_stretch(self, plan: plan_builder.SkillPlan) -> plan_builder.PlannedSteps:
        """Return the steps of skills chosen by the Follower itself; empty where there are none."""
        self.knowledge.refresh()
        builder = plan_builder.PlanBuilder(self.knowledge)
        failure = builder.add_plan(plan)
        if failure is not None and not failure.is_temporary:
            return ()
        self._planner.last_steps = tuple(builder.steps)
        return self._planner.last_steps

    def steps_to_be_near(self, kind: str) -> plan_builder.PlannedSteps | None:
        """Return the way as close to an object of a type or class as one can stand, facing it.

        None if it is not known where one could stand within reach of any.
        """
        known = self.knowledge
        known.refresh()
        objects = [o for o in known.snapshot.objects if properties.is_of_type_or_class(o, kind)]
        paths = known.shortest_paths_from(known.pose)
        ways = (
            (round(obj.box.horizontal_distance(view.pose.x, view.pose.z), 1), view.cost, view.pose)
            for obj in objects
            for view in viewpoints_facing(
                obj.box.center, known.standing_poses(obj, known.pose), known.snapshot.follower
            )
        )
        *_, pose = min(ways, key=lambda way: way[:2], default=(None,))
        if pose is None:
            return None
        return motion_steps(paths.verbs_to(pose), pose)

    def steps_to_put_down(self, failure: FailureReport | None) -> plan_builder.PlannedSteps:
        """Return how to put down what is held, unless the task wants it or the tries are spent."""
        self._refresh(failure)
        now = self.knowledge.snapshot
        held = now.held_object()
        if held is None or not self._put_downs_left or self._must_hold(held, now):
            return ()
        self._put_downs_left -= 1
        return self.plan_stretch((PutDown(),))

    def _refresh(self, failure: FailureReport | None) -> None:
        if failure is None:
            self.knowledge.refresh()
        else:
            self.learn(failure)

    def _must_hold(self, held: ObjectState, now: Snapshot) -> bool:
        """Return whether the task is done, and would not be if what is held were not."""
        let_go = [replace(obj, isPickedUp=False) if obj is held else obj for obj in now.objects]
        without = Snapshot.from_objects(let_go, now.commander, now.follower)
        return self._task.check(now).success and not self._task.check(without).success

    def learn(self, failure: FailureReport) -> None:
        """Learn from a failed step of the last stretch."""
        self._planner.learn(failure)


def motion_steps(verbs: Iterable[Verb], pose: Pose) -> plan_builder.PlannedSteps:
    """Return motions as steps of a stretch; `pose` is where they should lead."""
    return tuple(plan_builder.PlannedStep(PrimitiveStep(verb), None, pose) for verb in verbs)


Types = frozenset[str]
_Options = tuple[tuple[Types, ...], ...]  # any one, of which one object of each set is needed
_MICROWAVE = (frozenset({"Microwave"}),)
_STOVE = (frozenset({type_facts.BURNER_TYPE}), frozenset({type_facts.KNOB_TYPE}))
_WATER = (frozenset(type_facts.SINK_TYPES), frozenset({"Faucet"}))
_KNIVES = frozenset(type_facts.KNIFE_TYPES)
_BOILING_TOOLS = dict(zip(type_facts.BOILING_HEAT_TYPES, (_STOVE, _MICROWAVE), strict=True))


def missing_types(task: Task, progress: Progress, snapshot: Snapshot) -> Types:
    """Return the types that a task needs and nobody has seen; of alternatives, all of them."""
    found = (*_missing_objects(task.definition, snapshot), *_missing_tools(progress, snapshot))
    return frozenset[str]().union(*found)


def without_tools(task: Task) -> Task:
    """Return a task without the knives that it names only to cut with: any knife will do."""
    return Task(_without_tools(task.definition))


def _without_tools(definition: TaskDefinition) -> TaskDefinition:
    kept = (each for each in definition.components if not _is_only_a_knife(*each, definition))
    inner = (
        (key, part)
        if isinstance(part, AtomicComponent)
        else (key, replace(part, task=_without_tools(part.task)))
        for key, part in kept
    )
    return replace(definition, components=tuple(inner))


def types_wanted_all(task: Task) -> Types:
    """Return the types of which the task wants all objects, wherever they are."""
    atomic = (each for each, _ in _atomic_components(task.definition, 1))
    return frozenset[str]().union(*(_types_of(each) for each in atomic if each.determiner == "all"))


def _atomic_components(
    definition: TaskDefinition, times: int
) -> Iterator[tuple[AtomicComponent, int]]:
    for key, component in definition.components:
        count = check_tree.determiner_count(component.determiner, definition)
        if not count or _is_only_a_knife(key, component, definition):
            continue
        if isinstance(component, AtomicComponent):
            shared = component.is_shareable or component.determiner == "all"
            yield component, 1 if shared else times * count
        else:
            yield from _atomic_components(component.task, times * count)


def _is_only_a_knife(key: str, component: Component, definition: TaskDefinition) -> bool:
    """Return whether a component only names a knife to cut with, which `_missing_objects` finds."""
    if not isinstance(component, AtomicComponent) or not _types_of(component) <= _KNIVES:
        return False
    placed = {name for each in definition.relations for name in (each.tail, *dict(each.heads))}
    return len(component.conditions) == 1 and key != definition.anchor and key not in placed


def _missing_objects(definition: TaskDefinition, snapshot: Snapshot) -> Iterator[Types]:
    for atomic, count in _atomic_components(definition, 1):
        types = _types_of(atomic)
        whole_of = type_facts.WHOLE_TYPE_BY_PIECE
        wholes = frozenset(whole_of[kind] for kind in types if kind in whole_of)
        fitting = sum(_can_serve(obj, atomic, snapshot) for obj in _all_of(types, snapshot))
        if fitting >= count or not types:
            continue
        if not wholes:
            yield types
            continue
        uncut = [obj for obj in _all_of(wholes, snapshot) if not obj.isSliced]
        if not uncut:
            yield types | wholes
        if not _all_of(_KNIVES, snapshot):
            yield _KNIVES


def _can_serve(obj: ObjectState, atomic: AtomicComponent, snapshot: Snapshot) -> bool:
    """Return whether an object has what a component wants and nothing can change."""
    lasting = (each for each in atomic.conditions if each[0] in properties.IMMUTABLE_PROPERTIES)
    test = properties.compile_property_test
    return not obj.isSliced and all(test(*each)(obj, snapshot) for each in lasting)


def _missing_tools(progress: Progress, snapshot: Snapshot) -> Iterator[Types]:
    for key in progress.problem_keys():
        obj = snapshot.get(key.object_id)
        for options in () if obj is None else _tools_for(key, obj):
            missing = [[t for t in option if not _all_of(t, snapshot)] for option in options]
            if all(missing):
                yield from chain.from_iterable(missing)


def _tools_for(key: ProblemKey, obj: ObjectState) -> tuple[_Options, ...]:
    """Return what a problem key needs: of each thing, the options."""
    match key.property_name:
        case "isDirty":
            return ((_WATER,),) if obj.isDirty and not key.desired else ()
        case "objectType":
            return (((_KNIVES,),),)
        case "isCooked" | "simbotIsCooked":
            piece = type_facts.SLICE_TYPE_BY_WHOLE.get(obj.objectType, obj.objectType)
            if piece in type_facts.TOASTED_TYPES:
                return (((frozenset({"Toaster"}),),),)
            return ((_MICROWAVE, (frozenset(type_facts.COOKING_VESSEL_TYPES), *_STOVE)),)
        case "simbotIsBoiled":
            pairs = zip(type_facts.BOILING_VESSEL_TYPES, type_facts.BOILING_HEAT_TYPES, strict=True)
            heated = ((frozenset({vessel}), *_BOILING_TOOLS[heat]) for vessel, heat in pairs)
            return (_WATER,), tuple(heated)
        case "simbotIsFilledWithCoffee":
            machine: _Options = ((frozenset({"CoffeeMachine"}),),)
            return (machine, (_WATER,)) if obj.isDirty or obj.isFilledWithLiquid else (machine,)
        case "isFilledWithLiquid" | "simbotIsFilledWithWater":
            is_portable = not key.desired or obj.affordances.pickupable
            return ((_WATER,),) if is_portable else ((_WATER,), ((_vessel_types(),),))
        case _:
            return ()


@cache
def _vessel_types() -> Types:
    """Return the types in which water can be carried."""
    able = {kind: usual.affordances for kind, usual in assets.known_object_types().items()}
    return frozenset(k for k, each in able.items() if each.canFillWithLiquid and each.pickupable)


def _all_of(types: Types, snapshot: Snapshot) -> tuple[ObjectState, ...]:
    return snapshot.of_type(*sorted(types))


def _types_of(atomic: AtomicComponent) -> Types:
    wanted = atomic.primary_value
    if not isinstance(wanted, str):
        return frozenset()
    if atomic.primary_property == "objectType":
        return frozenset(properties.types_matching(wanted))
    if atomic.primary_property == "simbotObjectClass":
        known, classes_of = type_facts.CLASSES_BY_TYPE, properties.object_classes_of
        return frozenset(kind for kind in known if wanted in classes_of(kind))
    return frozenset()
