"""From a task to facts about named objects: which instances are to serve.

A task says "a clean mug with coffee", "two of the toasts in the plate", "all forks in
one drawer".  Here its nested tasks are flattened and each part gets objects of its own:
those that need the least are taken, by what is still missing and how far they are.
"""

from collections.abc import Callable, Mapping
from math import inf

from tatc.actions import Verb
from tatc.planners.pddl.agenda import Aims, Piece, arranged
from tatc.planners.pddl.home import Home
from tatc.planners.pddl.prices import FIXED, GOALS, missing
from tatc.planners.pddl.problem import Atom
from tatc.state import ObjectState
from tatc.tdl.definition import Atomic, Component, Relation, TaskDefinition
from tatc.tdl.matching import base_of
from tatc.tdl.program import number_of
from tatc.tdl.properties import compile_test, parents_of

_CUT = 12.0  # what it costs to cut a whole thing first
_THERE = 30.0  # what it is worth that a thing lies where it is wanted
_STAY = 500.0  # what it is worth to stay with a choice
_SHARED = 2000.0  # what it costs that a dish serves for something else as well
_REFUSED = 600.0  # what it costs that the world refused something there
_PIECES = {"Apple": 2, "Egg": 1}
_MANY = 5  # slices that any other whole surely gives

Near = Callable[[ObjectState, int], float]
"""What it is worth to take this object for the i-th of a part."""


def aims_of(
    definition: TaskDefinition, home: Home, before: Mapping[str, str] | None = None
) -> Aims:
    """Return what a task without macros wants of this home.

    `before` are choices made earlier, which are kept where they still can serve.
    """
    chooser = _Chooser(home, before or {})
    chooser.task(definition, 1, "", _indifferent)
    return chooser.aims()


def _indifferent(thing: ObjectState, i: int) -> float:
    return 0.0


class _Chooser:
    def __init__(self, home: Home, before: Mapping[str, str]) -> None:
        self._home = home
        self._before = before
        self._taken: dict[str, str] = {}  # what serves, and for which part
        self._wants: dict[str, list[Atom]] = {}
        self._put: dict[str, str] = {}
        self._pieces: dict[str, Piece] = {}
        self._chosen: dict[str, str] = {}
        self._lacking: list[str] = []

    def task(
        self, definition: TaskDefinition, times: int, path: str, near: Near
    ) -> list[str]:
        """Choose for all parts of a task; return what serves for its anchor."""
        tails = {relation.tail for relation in definition.relations}
        parts = sorted(definition.components, key=lambda part: part[0] not in tails)
        found: dict[str, list[str]] = {}
        for key, part in parts:
            number = number_of(part.determiner, definition)
            if number:
                worth = self._worth(definition, key, found, near)
                heads = self._heads(definition, key, number)
                found[key] = self._part(
                    part, times * number, f"{path}/{key}", worth, heads
                )
        for relation in definition.relations:
            self._relate(definition, relation, found)
        return found.get(definition.anchor or "", [])

    def _heads(self, definition: TaskDefinition, key: str, number: int) -> bool:
        named = (head for each in definition.relations for head, _ in each.heads)
        return key in named

    def _worth(
        self,
        definition: TaskDefinition,
        key: str,
        found: Mapping[str, list[str]],
        near: Near,
    ) -> Near:
        """Prefer a tail that holds heads already, and heads that lie in their tail."""
        for relation in definition.relations:
            if relation.tail == key:
                kinds = {
                    kind
                    for head, _ in relation.heads
                    for kind in _kinds(definition.component(head))
                }
                own = near if definition.anchor == key else _indifferent
                return lambda thing, i: own(thing, i) + self._holding(thing, kinds)
            for head, many in relation.heads:
                if head == key:
                    return self._inside(relation, found, many)
        return near if definition.anchor == key else _indifferent

    def _holding(self, thing: ObjectState, kinds: set[str]) -> float:
        inside = self._home.contents(thing)
        return _THERE * sum(each.objectType in kinds for each in inside)

    def _inside(
        self, relation: Relation, found: Mapping[str, list[str]], many: str | int
    ) -> Near:
        tails = found.get(relation.tail, [])
        share = int(many) if str(many).isdecimal() else 1

        def worth(thing: ObjectState, i: int) -> float:
            above = parents_of(thing, self._home.snapshot)
            if relation.tail_determiner == "the" and tails:
                at = tails[min(i // max(share, 1), len(tails) - 1)]
                return _THERE * (at in above)
            return _THERE * any(tail in above for tail in tails)

        return worth

    def _part(
        self, part: Component, times: int, path: str, near: Near, heads: bool
    ) -> list[str]:
        if not isinstance(part, Atomic):
            return self.task(part.task, times, path, near)
        if part.determiner == "all":
            return self._every(part)
        if part.shareable and not heads:
            times = 1
        return self._some(part, times, path, near)

    def _every(self, part: Atomic) -> list[str]:
        """Take all objects that meet the primary condition."""
        snapshot = self._home.snapshot
        primary = compile_test(part.primary, part.wanted)
        whole = self._home.all(that=lambda t: bool(primary(t, snapshot)))
        for thing in whole:
            self._want(thing.objectId, part, thing)
        return [thing.objectId for thing in whole]

    def _some(self, part: Atomic, times: int, path: str, near: Near) -> list[str]:
        """Take the `times` objects that need the least."""
        found: list[str] = []
        for i in range(times):
            slot = f"{path}#{i}"
            options = self._options(part, path, i, near)
            if not options:
                self._lacking.append(f"too few {part.wanted} that could serve")
                break
            _, token, whole = min(options)
            if whole:
                self._pieces[token] = Piece(token, str(part.wanted), whole)
            self._chosen[slot] = token
            if not part.shareable or near is not _indifferent:
                self._taken[token] = path
            self._want(token, part, self._home.get(token))
            found.append(token)
        return found

    def _options(
        self, part: Atomic, path: str, i: int, near: Near
    ) -> list[tuple[float, str, str]]:
        """Return what could serve: its cost, its token, and the whole it comes from.

        A dish may serve for two parts of a task, as the progress check allows, where
        there are not enough.
        """
        home, options = self._home, list[tuple[float, str, str]]()
        before = self._before.get(f"{path}#{i}")
        primary = compile_test(part.primary, part.wanted)
        for thing in home.all(that=lambda t: bool(primary(t, home.snapshot))):
            token = thing.objectId
            cost = missing(part, thing, home) + home.effort(thing) - near(thing, i)
            other = self._taken.get(token)
            shares = other not in (None, path) and thing.affordances.receptacle
            if cost < inf and (other is None or shares):
                cost += _SHARED * shares
                cost += _REFUSED * home.refusals(token) - _STAY * (token == before)
                options.append((cost, token, ""))
        base = base_of(part.wanted) if part.primary == "objectType" else None
        for whole in home.all(base, that=self._can_be_cut) if base else ():
            for k in range(_PIECES.get(base or "", _MANY)):
                token = f"{whole.objectId}|?{k}"
                if token not in self._taken:
                    cost = _CUT + home.effort(whole) - _STAY * (token == before)
                    options.append((cost, token, whole.objectId))
                    break
        return options

    def _can_be_cut(self, thing: ObjectState) -> bool:
        able = thing.affordances.sliceable and not thing.isSliced
        refused = any(
            refusal.verb is Verb.SLICE and refusal.target == thing.objectId
            for refusal in self._home.refused
        )
        return able and not refused

    def _want(self, token: str, part: Atomic, thing: ObjectState | None) -> None:
        """Note the conditions on an object, or on a piece (`thing` is None)."""
        wants = self._wants.setdefault(token, [])
        for name, want in part.conditions:
            if name in FIXED:
                continue
            met = thing is not None and bool(
                compile_test(name, want)(thing, self._home.snapshot)
            )
            goal = GOALS.get((name, bool(want)))
            if goal is not None and (goal[0], token) not in wants:
                wants.append((goal[0], token))
            elif goal is None and not met:
                self._lacking.append(f"nothing makes {name} {want!r}")

    def _relate(
        self,
        definition: TaskDefinition,
        relation: Relation,
        found: Mapping[str, list[str]],
    ) -> None:
        tail_part = definition.component(relation.tail)
        for key, many in relation.heads:
            share = int(many) if str(many).isdecimal() else 1
            for i, head in enumerate(found.get(key, [])):
                tails = found.get(relation.tail, [])
                if relation.tail_determiner == "the":
                    at = 0 if many == "all" else i // max(share, 1)
                    tail = tails[min(at, len(tails) - 1)] if tails else None
                else:
                    tail = self._best_tail(tail_part, head, tails)
                if tail is None or tail == head:
                    self._lacking.append(f"nowhere to put {head}")
                else:
                    self._put[head] = tail

    def _best_tail(
        self, part: Component | None, head: str, tails: list[str]
    ) -> str | None:
        """Return where a head goes that may go to any tail: where it is, or nearest."""
        options = [t for name in tails if (t := self._home.get(name))]
        if isinstance(part, Atomic):
            options = [
                t
                for t in self._home.all(
                    that=lambda t: missing(part, t, self._home) == 0.0
                )
            ]
        thing = self._home.get(head)
        above = parents_of(thing, self._home.snapshot) if thing else ()
        before = self._before.get(f"{head}>")

        def rank(tail: ObjectState) -> tuple[bool, bool, float, str]:
            name = tail.objectId
            refused = not self._home.allows(Verb.PLACE, name, head)
            crowd = len(self._home.contents(tail))
            cost = self._home.effort(tail) + crowd - _STAY * (name == before)
            return name not in above, refused, cost, name

        best = min((t for t in options if t.objectId != head), key=rank, default=None)
        if best is None:
            return None
        self._chosen[f"{head}>"] = best.objectId
        return best.objectId

    def aims(self) -> Aims:
        """Return the facts, each group after those that it builds on."""
        pieces = tuple(self._pieces.values())
        goal, groups = arranged(self._wants, self._put, pieces, self._order)
        lacking = tuple(dict.fromkeys(self._lacking))
        return Aims(goal, groups, pieces, tuple(self._chosen.items()), lacking)

    def _order(self, token: str) -> float:
        piece = self._pieces.get(token)
        thing = self._home.get(piece.whole if piece else token)
        return self._home.effort(thing) if thing else inf


def _kinds(part: Component | None) -> tuple[str, ...]:
    """Return the types of the objects that serve for a part of a task."""
    if part is None:
        return ()
    if isinstance(part, Atomic):
        return (str(part.wanted),)
    return _kinds(part.task.component(part.task.anchor or ""))
