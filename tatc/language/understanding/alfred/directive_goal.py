"""Reads what ALFRED's annotators write as one of its seven tasks, with the parameters.

A goal sentence names an object, what is done to it and where it ends up; steps say what it leaves
out.  Words for several types ("table", "cup") mean the likeliest that go together in such a task.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from tatc.base import errors, files
from tatc.home.actions import Role, Utterance
from tatc.home.type_facts import BASIN_TYPES, BOILING_HEAT_TYPES, KNIFE_TYPES, SLICE_TYPE_BY_WHOLE
from tatc.language.understanding.alfred import directive_mentions as mentioned
from tatc.language.understanding.goals import Goal, GoalContent, Understanding
from tatc.language.understanding.understand import understand
from tatc.tdl import Task, shipped_library

_CONTAINERS = frozenset(("Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"))
_AT_COUNTER = frozenset(("SinkBasin", "StoveBurner", "Fridge", "Microwave", "CoffeeMachine"))
"""What stands in or on a counter: what is put beside it is put on the counter."""
_PART_TYPES = frozenset(("Drawer", "Shelf"))
_SHELVED = frozenset(("Cart", "Fridge"))
"""What is itself the receptacle of what lies on its shelves."""
_OF_WHOLES = frozenset(("in", "on", "inside", "at", "within"))
_ENDS = {"heat": "Microwave", "cool": "Fridge"}
_DONE_IN = {"Fridge": "cool", "Microwave": "heat", "SinkBasin": "clean"}
_SAID = {
    name: re.compile(text)
    for name, text in files.package_table(__package__, "directive_words.json")["patterns"].items()
}
"""What tells tasks and their parameters in the words of goals and steps."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CONFIDENCE = 0.7  # of a goal whose parameters were all said
_CONFIDENCE_IF_DESCRIBED = 0.4  # by what it is for


@dataclass(frozen=True, slots=True)
class DirectiveGoal:
    """A task of ALFRED's: its name among tatc's tasks, and types; "" for what was not said."""

    task: str
    object: str
    receptacle: str = ""
    movable: str = ""
    toggle: str = ""
    is_sliced: bool = False

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of tatc's task, by name; those that were not said are left out."""
        wanted = f"{self.object}Sliced" if self.is_sliced else self.object
        given = {"object": wanted, "receptacle": self.receptacle}
        given |= {"movable": self.movable, "toggle": self.toggle}
        return {name: value for name, value in given.items() if value}


_Steps = Sequence[tuple[str, DirectiveGoal]]
"""The directives of steps, in lower case, and what each says by itself."""


def understand_directives(heard: Sequence[Utterance], home: Collection[str] = ()) -> Understanding:
    """Return the goal of directives; words that name no task of ALFRED's are read as any other.

    `home` is the type of each object of the home, as far as known; what it lacks is not meant.
    """
    said = " ".join(each.text for each in heard if each.speaker is Role.COMMANDER)
    goal, *steps = _SENTENCE_END.split(said.strip())
    task = _task_of(read_directives(goal, steps, home))
    if task is None:
        return understand(heard)
    found = Goal(GoalContent(), task, (task.name, task.params))
    sure = _CONFIDENCE_IF_DESCRIBED if mentioned.is_described(said) else _CONFIDENCE
    return Understanding(found, (), (), sure, ())


class DirectiveReader:
    """Reads directives, and anew when it is known what the home holds."""

    def __call__(self, heard: Sequence[Utterance], home: Collection[str] = ()) -> Understanding:
        """Return what directives mean; `home` is as of `understand_directives`."""
        return understand_directives(heard, home)


def _task_of(goal: DirectiveGoal) -> Task | None:
    library = shipped_library()
    definition = library.find(goal.task)
    try:
        params = [goal.parameters[each.name] for each in definition.parameters]
        return library.compile(definition.name, params)
    except (KeyError, errors.BadInput):
        return None


def read_directives(
    goal: str, steps: Sequence[str] = (), home: Collection[str] = frozenset()
) -> DirectiveGoal:
    """Return the task that a goal sentence asks for, with what the steps add to it.

    A word for several types means the one that goes with the others and that the `home` has.
    """
    said = " . ".join((goal, *steps)).lower()
    found = _Reading(goal).goal()
    found = _with_steps(found, steps) if steps else found
    types = (found.object, found.receptacle, found.movable, found.toggle)
    thing, place, container, lamp = mentioned.likeliest_types(found.task, types, said, home)
    sliced = found.is_sliced and thing in SLICE_TYPE_BY_WHOLE
    return DirectiveGoal(found.task, thing, place, container, lamp, sliced)


def _with_steps(goal: DirectiveGoal, steps: Sequence[str]) -> DirectiveGoal:
    """Return a goal with what the directives of its steps say and it does not."""
    texts = [_SAID["paces"].sub(" ", step.lower()) for step in steps]
    texts = [_SAID["in_bin"].sub(r"\1 garbage can", text) for text in texts]
    text, read = " . ".join(texts), [(each, _Reading(each).goal()) for each in texts]
    carried = [found for each, found in read if _SAID["taking"].search(each)]
    taken = [found.object for found in carried if found.object]
    named = next((e.object for e in (*carried, *(found for _, found in read)) if e.object), "")
    goal = replace(goal, object=mentioned.closest_name(goal.object or named, taken))
    lit = [k for k, each in enumerate(texts) if _SAID["lit"].search(each)]
    lamps = [read[k][1].toggle for k in lit]
    if goal.task == "simple" and any(lamps):
        goal = DirectiveGoal("look", goal.object, toggle=max(lamps))
    if goal.task == "look":
        if _SAID["tall_lamp"].search(text):
            return replace(goal, toggle="FloorLamp")
        tables = ("Table", *mentioned.meanings_of("Table"))
        is_at_table = any(read[k - 1][1].receptacle in tables for k in lit if k)
        is_small = goal.toggle == "Lamp" and (is_at_table or _SAID["small_lamp"].search(text))
        return replace(goal, toggle="DeskLamp") if is_small else goal
    end = _end_of_steps(read)
    if goal.task in ("simple", "two"):
        goal = _with_container(goal, read, [*taken, *(each.movable for each in carried)])
    if goal.task == "simple":
        goal = replace(goal, task=_task_of_steps(goal, end, read))
    if goal.task in ("heat", "cool"):
        goal = replace(goal, task=_change_in_steps(goal, end, read))
    if goal.object in SLICE_TYPE_BY_WHOLE and _SAID["cutting"].search(text):
        goal = replace(goal, is_sliced=True)
    is_open = not goal.receptacle or not mentioned.is_end_of(goal.task, goal.receptacle)
    is_closer = end in mentioned.meanings_of(goal.receptacle)
    closest = mentioned.closest_name(goal.receptacle, [end])
    return replace(goal, receptacle=end if end and (is_open or is_closer) else closest)


def _end_of_steps(steps: _Steps) -> str:
    """Return where steps end up: the last place, or what it means by the name just before."""
    end = next((found.receptacle for _, found in reversed(steps) if found.receptacle), "")
    meanings = mentioned.meanings_of(end)
    before = (e.receptacle for text, e in steps[-2:-1] if _SAID["named_table"].search(text))
    return next((each for each in before if each in meanings), end)


def _with_container(goal: DirectiveGoal, steps: _Steps, carried: Sequence[str]) -> DirectiveGoal:
    """Return a goal with the container that steps fill, unless with a knife after a cut."""
    is_cut = any(_SAID["cutting"].search(text) for text, _ in steps)
    for text, found in steps:
        is_named = goal.task == "simple" and goal.object == found.movable
        fills = _SAID["putting"].search(text) and not _SAID["taking"].search(text)
        is_moved = found.task == "movable" and not (is_cut and found.object in KNIFE_TYPES)
        is_full = is_named and _SAID["full"].search(text)
        if is_moved and (is_full or (fills and found.movable in carried)):
            return replace(goal, task="movable", object=found.object, movable=found.movable)
    return goal


def _change_in_steps(goal: DirectiveGoal, end: str, steps: _Steps) -> str:
    """Return heat for cool, or the other way round, if that is what steps do on the way."""
    other = "cool" if goal.task == "heat" else "heat"
    is_own = _is_done_in(goal.task, steps) and end != _ENDS[goal.task]
    is_other = not is_own and mentioned.is_end_of(other, end) and _is_done_in(other, steps)
    return other if is_other else goal.task


def _is_done_in(task: str, steps: _Steps) -> bool:
    where, how = _SAID[f"{task} where"], _SAID[f"{task} how"]
    passes = partial(mentioned.occur_in_order, _SAID["putting_in"], _SAID["taking_out"])
    pairs = [
        f"{text} . {then}"
        for (text, first), (then, second) in pairwise(steps)
        if where.search(text)
        and (passes(then) or (first.object == second.object and where.search(then)))
    ]
    return any(
        where.search(step) and (how.search(step) or (task != "clean" and passes(step)))
        for step in (*(text for text, _ in steps), *pairs)
    )


def _task_of_steps(goal: DirectiveGoal, end: str, steps: _Steps) -> str:
    last, _ = steps[-1]
    for task in ("heat", "cool", "clean"):
        is_passed = mentioned.is_end_of(task, end) and not _SAID[f"{task} where"].search(last)
        if (is_passed or mentioned.is_end_of(task, goal.receptacle)) and _is_done_in(task, steps):
            return task
    read = [(text, found.object) for text, found in steps if found.object not in KNIFE_TYPES]
    taken = [thing for text, thing in read if thing and _SAID["taking"].search(text)]
    puts = sum(bool(_SAID["putting"].search(text)) for text, _ in read)
    return "two" if min(len(taken), puts) > 1 and set(taken) == {goal.object} else "simple"


class _Reading:
    def __init__(self, sentence: str) -> None:
        self._text = sentence.lower()
        self._mentions = mentioned.mentions_in(sentence)
        self._things, self._places, self._lamps, marks = (
            [each for each in self._mentions if each.kind is kind] for kind in mentioned.MentionKind
        )
        self._marks = [each.value for each in marks]
        self._is_one = _SAID["only_one"].search(self._text) is not None
        self._is_counted = not self._is_one and _SAID["number"].search(self._text) is not None

    def goal(self) -> DirectiveGoal:
        if self._is_about_light():
            lamps = [each.value for each in self._lamps]
            lamp = "FloorLamp" if "FloorLamp" in lamps else lamps[-1]
            return DirectiveGoal("look", self._object(), toggle=lamp)
        if _SAID["examining"].search(self._text) and self._things and not {*self._marks} - {"look"}:
            return DirectiveGoal("look", self._object(), toggle="Lamp")
        change, place = self._change_and_place()
        found = DirectiveGoal("simple", self._object(), place)
        inner = self._contained()
        is_changed = change and (inner is None or mentioned.can_change(change, inner[0], place))
        counted = self._several() if self._is_counted or not (change or self._is_one) else ""
        if inner is not None and not is_changed:
            thing, container = inner
            found = replace(found, task="movable", object=thing, movable=container)
        elif counted and (not change or any(each.is_plural for each in self._handled())):
            if change and not mentioned.is_end_of(change, place):
                place = _ENDS.get(change, place)
            found = replace(found, task="two", object=counted, receptacle=place)
        elif change:
            found = replace(found, task=change)
        # Food is sliced if that is said, or meant by a knife that is named beside it.
        cuts = "slice" in self._marks or any(each.value in KNIFE_TYPES for each in self._things)
        return replace(found, is_sliced=cuts and found.object in SLICE_TYPE_BY_WHOLE)

    def _is_about_light(self) -> bool:
        switches = "on" in self._marks
        if not self._lamps or not (switches or "look" in self._marks):
            return False
        puts = "put" in self._marks and any(e.preposition in mentioned.INTO for e in self._places)
        return switches or not puts or bool(_SAID["light"].search(self._text))

    def _change_and_place(self) -> tuple[str, str]:
        """Return what is done to the object, "" for nothing, and where it ends up.

        "Heat and chill an egg" leaves it in the fridge: the second change without another place.
        """
        changes = [*dict.fromkeys(e for e in self._marks if e in ("heat", "cool", "clean"))]
        if len(changes) > 1:
            place = self._destination("both" if "clean" not in changes else "clean")
            first = "clean" if "clean" in changes else changes[0]
            last = next(each for each in reversed(changes) if each != first)
            if place in ("", _ENDS.get(last)) or place == _ENDS.get(first):
                return first, _ENDS[last]
        change = self._change()
        return change, self._destination(change)

    def _object(self) -> str:
        things = self._handled()
        asides = (mentioned.ELSEWHERE, mentioned.ASIDE, ())
        likely = (e.value for aside in asides for e in things if e.preposition not in aside)
        return next(likely, "")

    def _handled(self) -> list[mentioned.Mention]:
        """Return the things, without the knife that slices others."""
        own = [each for each in self._things if each.preposition not in mentioned.ASIDE]
        if any(each.value in SLICE_TYPE_BY_WHOLE for each in own):
            return [each for each in self._things if each.value not in KNIFE_TYPES]
        return self._things

    def _change(self) -> str:
        heats, cools = "heat" in self._marks, "cool" in self._marks
        if heats and cools:
            ends = {"Fridge": "heat", "Microwave": "cool"}
            last = next(each for each in reversed(self._marks) if each in ("heat", "cool"))
            return ends.get(self._destination("both"), last)
        if heats or cools:
            return "heat" if heats else "cool"
        if "clean" in self._marks:
            return "clean"
        # An appliance does it to the object on its way elsewhere.
        into = [each.value for each in self._places if each.preposition in mentioned.INTO]
        passed = (_DONE_IN[each] for each in into[:-1] if each in _DONE_IN and each != into[-1])
        return next(passed, "")

    def _destination(self, change: str) -> str:
        """Return the type of where the object ends up, "" for nowhere.

        The appliance that heats, cools or cleans it is that only if there is no other place.
        """
        appliances = {"heat": BOILING_HEAT_TYPES, "cool": ("Fridge",), "clean": BASIN_TYPES}
        rest = [each for each in self._places if each.value not in appliances.get(change, ())]
        is_given = any(each.preposition in mentioned.INTO for each in rest)
        places = rest if is_given or (rest and change == "cool") else self._places
        likely = [each for each in places if each.preposition in mentioned.INTO]
        if len(likely) > 1:
            likely = [each for each in likely if each.preposition != "under"] or likely
            likely = self._without_wholes(likely)
        likely = likely or [e for e in places if e.preposition not in mentioned.ELSEWHERE] or places
        if not likely:
            return "CoffeeMachine" if _SAID["coffee"].search(self._text) else ""
        last = likely[-1]
        is_beside = last.preposition in mentioned.BESIDE and last.value in _AT_COUNTER
        return "CounterTop" if is_beside else last.value

    def _without_wholes(self, places: Sequence[mentioned.Mention]) -> Sequence[mentioned.Mention]:
        """Return places without furniture of which a part is named: "the drawer in the desk"."""
        wholes = list[mentioned.Mention]()
        for part, whole in pairwise(self._mentions):
            may_be_part = part.value in _PART_TYPES and whole.value not in _SHELVED
            is_said = part.clause == whole.clause and whole.preposition in _OF_WHOLES
            if part in places and may_be_part and is_said:
                wholes.append(whole)
        return [each for each in places if all(each is not whole for whole in wholes)]

    def _contained(self) -> tuple[str, str] | None:
        """Return what is put into a container that is moved too, and the container; or None."""
        things = [m for m in self._handled() if m.preposition not in mentioned.ASIDE]
        containers = [each for each in things if each.value in _CONTAINERS]
        is_one_type = len({each.value for each in things}) < 2
        if not containers or is_one_type or self._is_counted:
            return None
        first = containers[0]
        other = next((each for each in things if each.value not in _CONTAINERS), None)
        if other is not None:
            fits = mentioned.can_hold(first.value, other.value)
            return (other.value, first.value) if fits else None
        second = next(each for each in containers if each.value != first.value)
        goes_in = second.preposition in mentioned.INTO
        return (first.value, second.value) if goes_in else (second.value, first.value)

    def _several(self) -> str:
        """Return the type of which two are wanted, "" if one is."""
        things = self._handled()
        counted = (each for each in things if each.preposition not in mentioned.ASIDE)
        plural = next((each for each in counted if each.is_plural), None)
        has_container = any(each.value in _CONTAINERS for each in things)
        said = "two" in self._marks or (_SAID["second"].search(self._text) and not has_container)
        if said or (plural is not None and "slice" not in self._marks):
            return plural.value if plural is not None else self._object()
        return self._named_twice()

    def _named_twice(self) -> str:
        """Return the type of two things that are listed, as in "a full and an empty roll"."""
        if "slice" in self._marks or not _SAID["also"].search(self._text):
            return ""
        for one, other in pairwise(self._mentions):
            kinds = {one.value, other.value}
            is_pair = len(kinds) == 1 or kinds == {"SaltShaker", "PepperShaker"}
            are_things = one.kind is other.kind is mentioned.MentionKind.THING
            if is_pair and are_things and not other.preposition:
                return one.value
        return ""
