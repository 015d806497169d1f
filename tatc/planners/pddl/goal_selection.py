"""From a task to goal facts about particular objects.

A task asks for "a clean mug with coffee", "two slices of toast on the plate", "all forks in one
drawer".  Here its nested tasks are flattened, and objects are chosen for each component: those that
need the fewest actions, by what is still missing and how far they are away.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from tatc.home import actions, type_facts
from tatc.home.state import ObjectState
from tatc.planners.pddl.problem import Atom
from tatc.planners.properties import cost_to_satisfy, pddl_goal_of
from tatc.planners.snapshot_view import PlanningView
from tatc.tdl.check_tree import determiner_count, whole_food_of
from tatc.tdl.definition import AtomicComponent, Component, Relation, TaskDefinition
from tatc.tdl.properties import IMMUTABLE_PROPERTIES, compile_property_test, parent_receptacles_of

# Costs and bonuses in actions, roughly.
_CUTTING_COST = 12.0  # to cut a whole food first
_IN_PLACE_BONUS = 30.0  # an object lies where it is wanted
_KEPT_CHOICE_BONUS = 500.0  # the object was chosen before
_SHARING_COST = 2000.0  # a dish serves another component as well
_REFUSAL_COST = 600.0  # for each refusal of the world on an object

ObjectPreference = Callable[[ObjectState, int], float]
"""The bonus, in actions, for taking an object as the i-th of a component."""


@dataclass(frozen=True, slots=True)
class FuturePiece:
    """A slice or a cracked egg that does not exist yet."""

    token: str
    object_type: str
    whole_id: str


@dataclass(frozen=True, slots=True)
class GoalSelection:
    """The goal facts of a task, whose arguments are object ids and tokens of pieces.

    `agenda` holds the goal's facts in groups, in the order to achieve them.  `choices`
    pairs a component's slot with the object that serves it; `unavailable` says in words
    which needs no object can serve.
    """

    goal: tuple[Atom, ...]
    agenda: tuple[tuple[Atom, ...], ...]
    pieces: tuple[FuturePiece, ...]
    choices: tuple[tuple[str, str], ...]
    unavailable: tuple[str, ...]


def select_goals(
    definition: TaskDefinition, view: PlanningView, previous: Mapping[str, str] | None = None
) -> GoalSelection:
    """Return the goals of an expanded task in this home; earlier choices are kept if they serve."""
    selector = _GoalSelector(view, previous or {})
    selector.select_for_task(definition, 1, "", _no_preference)
    return selector.selection()


def _no_preference(obj: ObjectState, i: int) -> float:
    return 0.0


class _GoalSelector:
    def __init__(self, view: PlanningView, previous_choices: Mapping[str, str]) -> None:
        self._view = view
        self._previous_choices = previous_choices
        self._part_of_object: dict[str, str] = {}  # chosen object: path of its component
        self._facts_by_token: dict[str, list[Atom]] = {}
        self._destinations: dict[str, str] = {}
        self._pieces: dict[str, FuturePiece] = {}
        self._choices: dict[str, str] = {}
        self._unavailable: list[str] = []

    def select_for_task(
        self, definition: TaskDefinition, times: int, path: str, preference: ObjectPreference
    ) -> list[str]:
        """Choose objects for all components of a task; return those of its anchor."""
        tails = {relation.tail for relation in definition.relations}
        heads = {head for relation in definition.relations for head, _ in relation.heads}
        parts = sorted(definition.components, key=lambda part: part[0] not in tails)
        found: dict[str, list[str]] = {}
        for key, part in parts:
            number = determiner_count(part.determiner, definition)
            if number:
                part_preference = self._part_preference(definition, key, found, preference)
                found[key] = self._select_for_part(
                    part, times * number, f"{path}/{key}", part_preference, key in heads
                )
        for relation in definition.relations:
            self._assign_destinations(definition, relation, found)
        return found.get(definition.anchor or "", [])

    def _part_preference(
        self,
        definition: TaskDefinition,
        key: str,
        found: Mapping[str, list[str]],
        preference: ObjectPreference,
    ) -> ObjectPreference:
        """Prefer a receptacle that holds wanted objects already, and objects already in one."""
        for relation in definition.relations:
            if relation.tail == key:
                kinds = {
                    kind
                    for head, _ in relation.heads
                    for kind in _types_serving(definition.find_component(head))
                }
                own = preference if definition.anchor == key else _no_preference
                contents = self._view.removable_contents_of
                return lambda obj, i: (
                    own(obj, i)
                    + _IN_PLACE_BONUS * sum(each.objectType in kinds for each in contents(obj))
                )
            for head, many in relation.heads:
                if head == key:
                    return self._containment_preference(relation, found, many)
        return preference if definition.anchor == key else _no_preference

    def _containment_preference(
        self, relation: Relation, found: Mapping[str, list[str]], many: str | int
    ) -> ObjectPreference:
        tails = found.get(relation.tail, [])
        share = int(many) if str(many).isdecimal() else 1

        def worth(obj: ObjectState, i: int) -> float:
            above = parent_receptacles_of(obj, self._view.snapshot)
            if relation.tail_determiner == "the" and tails:
                return _IN_PLACE_BONUS * (tails[min(i // max(share, 1), len(tails) - 1)] in above)
            return _IN_PLACE_BONUS * any(tail in above for tail in tails)

        return worth

    def _select_for_part(
        self, part: Component, times: int, path: str, preference: ObjectPreference, is_head: bool
    ) -> list[str]:
        if not isinstance(part, AtomicComponent):
            return self.select_for_task(part.task, times, path, preference)
        if part.determiner == "all":
            objects = self._objects_of_kind(part)
            for obj in objects:
                self._add_conditions(obj.objectId, part, obj)
            return [obj.objectId for obj in objects]
        if part.is_shareable and not is_head:
            times = 1
        return self._select_cheapest(part, times, path, preference)

    def _objects_of_kind(self, part: AtomicComponent) -> tuple[ObjectState, ...]:
        """Return the objects that meet the primary condition, easiest to reach first."""
        primary = compile_property_test(part.primary_property, part.primary_value)
        return self._view.easiest_objects(where=lambda t: bool(primary(t, self._view.snapshot)))

    def _select_cheapest(
        self, part: AtomicComponent, times: int, path: str, preference: ObjectPreference
    ) -> list[str]:
        """Choose the `times` objects that need the fewest actions."""
        found: list[str] = []
        for i in range(times):
            slot = f"{path}#{i}"
            options = self._candidates(part, path, i, preference)
            if not options:
                self._unavailable.append(f"too few {part.primary_value} that could serve")
                break
            _, token, whole = min(options)
            if whole:
                self._pieces[token] = FuturePiece(token, str(part.primary_value), whole)
            self._choices[slot] = token
            if not part.is_shareable or preference is not _no_preference:
                self._part_of_object[token] = path
            self._add_conditions(token, part, self._view.get(token))
            found.append(token)
        return found

    def _candidates(
        self, part: AtomicComponent, path: str, i: int, preference: ObjectPreference
    ) -> list[tuple[float, str, str]]:
        """Return candidates as (cost, token, id of the whole that it is cut from, or "").

        Too few dishes may serve two components of a task each, as the progress check allows.
        """
        view, options = self._view, list[tuple[float, str, str]]()
        previous_choice = self._previous_choices.get(f"{path}#{i}")
        for obj in self._objects_of_kind(part):
            token = obj.objectId
            cost = cost_to_satisfy(part, obj, view) + view.effort_to_reach(obj) - preference(obj, i)
            other = self._part_of_object.get(token)
            shares = other not in (None, path) and obj.affordances.receptacle
            if cost < inf and (other is None or shares):
                kept = _KEPT_CHOICE_BONUS * (token == previous_choice)
                cost += _SHARING_COST * shares
                refused = sum(each.target_id == token for each in view.refusals)
                cost += _REFUSAL_COST * refused - kept
                options.append((cost, token, ""))
        base = whole_food_of(part.primary_value) if part.primary_property == "objectType" else None

        def can_be_cut(obj: ObjectState) -> bool:
            able = obj.affordances.sliceable and not obj.isSliced
            return able and not view.was_refused(actions.Verb.SLICE, obj.objectId)

        for whole in view.easiest_objects(base, where=can_be_cut) if base else ():
            for k in range(type_facts.MIN_PIECES_BY_WHOLE[whole.objectType]):
                token = f"{whole.objectId}|?{k}"
                if token not in self._part_of_object:
                    kept = _KEPT_CHOICE_BONUS * (token == previous_choice)
                    cost = _CUTTING_COST + view.effort_to_reach(whole) - kept
                    options.append((cost, token, whole.objectId))
                    break
        return options

    def _add_conditions(self, token: str, part: AtomicComponent, obj: ObjectState | None) -> None:
        """Add the conditions on an object, or on a future piece (`obj` is None), to the goals."""
        wants = self._facts_by_token.setdefault(token, [])
        for name, want in part.conditions:
            if name in IMMUTABLE_PROPERTIES:
                continue
            if name == "parentReceptacles":
                best = self._choose_place(self._view.receptacles_of_kind(want), token)
                if best is None:
                    self._unavailable.append(f"nowhere to put {token}: no {want}")
                else:
                    self._destinations[token] = best
                continue
            test, goal = compile_property_test(name, want), pddl_goal_of(name, want)
            met = obj is not None and test(obj, self._view.snapshot)
            if goal is not None and (goal.predicate, token) not in wants:
                wants.append((goal.predicate, token))
            elif goal is None and not met:
                self._unavailable.append(f"nothing makes {name} {want!r}")

    def _assign_destinations(
        self, definition: TaskDefinition, relation: Relation, found: Mapping[str, list[str]]
    ) -> None:
        tail_part = definition.find_component(relation.tail)
        for key, many in relation.heads:
            share = int(many) if str(many).isdecimal() else 1
            for i, head in enumerate(found.get(key, [])):
                tails = found.get(relation.tail, [])
                if relation.tail_determiner == "the":
                    at = 0 if many == "all" else i // max(share, 1)
                    tail = tails[min(at, len(tails) - 1)] if tails else None
                else:
                    tail = self._choose_tail(tail_part, head, tails)
                if tail is None or tail == head:
                    self._unavailable.append(f"nowhere to put {head}")
                else:
                    self._destinations[head] = tail

    def _choose_tail(self, part: Component | None, head: str, tails: list[str]) -> str | None:
        """Return a receptacle for an object that may go to any: where it is, or the nearest."""
        options = [t for name in tails if (t := self._view.get(name))]
        if isinstance(part, AtomicComponent):
            ready = self._view.easiest_objects(
                where=lambda t: cost_to_satisfy(part, t, self._view) == 0.0
            )
            options = list(ready) or options
        return self._choose_place(options, head)

    def _choose_place(self, options: Iterable[ObjectState], head: str) -> str | None:
        """Return the place where an object is, or else the easiest to reach; None for none."""
        obj = self._view.get(head)
        above = parent_receptacles_of(obj, self._view.snapshot) if obj else ()
        previous_choice = self._previous_choices.get(f"{head}>")

        def rank(tail: ObjectState) -> tuple[bool, bool, float, str]:
            name = tail.objectId
            refused = not self._view.is_allowed(actions.Verb.PLACE, name, head)
            crowd = len(self._view.removable_contents_of(tail))
            kept = _KEPT_CHOICE_BONUS * (name == previous_choice)
            cost = self._view.effort_to_reach(tail) + crowd - kept
            return name not in above, refused, cost, name

        best = min((t for t in options if t.objectId != head), key=rank, default=None)
        if best is None:
            return None
        self._choices[f"{head}>"] = best.objectId
        return best.objectId

    def selection(self) -> GoalSelection:
        """Return the goals, with each agenda group after those that it builds on."""
        pieces = tuple(self._pieces.values())

        def effort_for(token: str) -> float:
            piece = self._pieces.get(token)
            obj = self._view.get(piece.whole_id if piece else token)
            return self._view.effort_to_reach(obj) if obj else inf

        goal, groups = _build_agenda(self._facts_by_token, self._destinations, pieces, effort_for)
        lacking = tuple(dict.fromkeys(self._unavailable))
        return GoalSelection(goal, groups, pieces, tuple(self._choices.items()), lacking)


def _build_agenda(
    facts_by_token: Mapping[str, Sequence[Atom]],
    destinations: Mapping[str, str],
    pieces: Sequence[FuturePiece],
    sort_key: Callable[[str], float],
) -> tuple[tuple[Atom, ...], tuple[tuple[Atom, ...], ...]]:
    """Return the goal, and the agenda: the order in which to achieve it.

    Everything to be cut is cut first, with one walk to the knife.  Then each object is given its
    state (`facts_by_token`), next what goes into or onto it, in the order of `sort_key`, and last
    its place (`destinations`).
    """
    heads: dict[str, list[str]] = {}
    for head, tail in destinations.items():
        heads.setdefault(tail, []).append(head)
    groups: list[tuple[Atom, ...]] = []
    done: set[str] = set()

    def emit(token: str) -> None:
        if token in done:
            return
        done.add(token)
        if facts := facts_by_token.get(token):
            groups.append(tuple(facts))
        for head in sorted(heads.get(token, ()), key=sort_key):
            emit(head)
        if (tail := destinations.get(token)) is not None:
            groups.append((("in", token, tail),))

    # Objects without a destination come first: they are the places that others go to.
    for token in sorted(dict.fromkeys([*facts_by_token, *heads]), key=lambda t: t in destinations):
        emit(token)
    cuts = tuple(("cut", whole) for whole in dict.fromkeys(p.whole_id for p in pieces))
    agenda = (cuts, *groups) if cuts else tuple(groups)
    return tuple(dict.fromkeys(atom for group in agenda for atom in group)), agenda


def _types_serving(part: Component | None) -> tuple[str, ...]:
    if part is None:
        return ()
    if isinstance(part, AtomicComponent):
        return (str(part.primary_value),)
    return _types_serving(part.task.find_component(part.task.anchor or ""))
