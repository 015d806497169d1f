"""Reads what ALFRED's annotators write as one of its seven tasks, with the parameters.

A goal sentence ("Put a chilled potato in the microwave.") names an object, what is done to it and
where it ends up; the type of the task follows from these.  The directives of the steps say what
the sentence leaves out.  Words for several types ("table", "cup") mean those that go together in
a task of ALFRED's, and of these the likeliest.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tatc.thor_types.facts import (
    BASIN_TYPES,
    BOILING_HEAT_TYPES,
    KNIFE_TYPES,
    SLICE_TYPE_BY_WHOLE,
)
from tatc.understanding.directive_combinations import (
    can_change,
    can_hold,
    is_end_of,
    likeliest_types,
    meanings_of,
)
from tatc.understanding.directive_mentions import (
    BESIDE,
    INTO,
    Mention,
    MentionKind,
    mentions_in,
)

_CONTAINERS = frozenset(("Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"))
_AT_COUNTER = frozenset(("SinkBasin", "StoveBurner", "Fridge", "Microwave", "CoffeeMachine"))
"""What stands in or on a counter: what is put beside it is put on the counter."""
_LIGHT = re.compile(r"examin|inspect|look|light of|lamp ?light")
_SECOND = re.compile(r"\b(another|other one|second|each|the other)\b")
_NUMBER = re.compile(r"\b(two|2|pair of|couple)\b")
_DONE_IN = {"Fridge": "cool", "Microwave": "heat", "SinkBasin": "clean"}
_COFFEE = re.compile(r"make coffee|making coffee|for coffee|cup of coffee")
_PACES = re.compile(
    r"\btak(e|ing) (a|an|one|two|three|few|a few|half a|another|several|\d+)[a-z ]*? ?steps?\b"
)
_PUTTING = re.compile(r"\b(put|plac|set|drop|lay|leav|mov|throw)")
_TAKING = re.compile(r"\b(pick|grab|take|get|remove|retrieve|lift|collect|choose)")
_TALL_LAMP = re.compile(r"floor lamp|tall lamp|standing lamp")
_CUTTING = re.compile(r"\b(slice|cut|chop)")
_CHANGES_IN_STEPS = {
    "heat": re.compile(
        r"(?=.*microwave).*\b(heat|warm|cook|start|second|minute|turn (it )?on"
        r"|(put|place).*\b(take|remove|pick|grab|get)\b)"
    ),
    "cool": re.compile(
        r"(?=.*(fridge|refrig|freezer)).*\b(chill|cool|(put|place).*\b(take|remove|pick|grab|get)\b)"
    ),
    "clean": re.compile(r"(?=.*(sink|tub|basin|faucet)).*\b(wash|rins|clean|faucet|tap|water)"),
}
"""What steps of each change say, in the order in which they are looked for."""


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


def read_directives(goal: str, steps: Sequence[str] = ()) -> DirectiveGoal:
    """Return the task that a goal sentence asks for, with what the steps add to it."""
    found = _Reading(goal).goal()
    said = " . ".join((goal, *steps)).lower()
    return _settled(_with_steps(found, steps) if steps else found, said)


def _settled(goal: DirectiveGoal, text: str) -> DirectiveGoal:
    """Return a goal whose words for several types mean the likeliest ones."""
    types = (goal.object, goal.receptacle, goal.movable, goal.toggle)
    thing, place, container, lamp = likeliest_types(goal.task, types, text)
    sliced = goal.is_sliced and thing in SLICE_TYPE_BY_WHOLE
    return DirectiveGoal(goal.task, thing, place, container, lamp, sliced)


class _Reading:
    """One sentence, by what it mentions."""

    def __init__(self, sentence: str) -> None:
        self._text = sentence.lower()
        mentions = mentions_in(sentence)
        self._things = [each for each in mentions if each.kind is MentionKind.THING]
        self._places = [each for each in mentions if each.kind is MentionKind.PLACE]
        self._lamps = [each for each in mentions if each.kind is MentionKind.LAMP]
        self._marks = [each.value for each in mentions if each.kind is MentionKind.MARK]

    def goal(self) -> DirectiveGoal:
        """Return the task."""
        if self._is_about_light():
            lamps = [each.value for each in self._lamps]
            lamp = "FloorLamp" if "FloorLamp" in lamps else lamps[-1]
            return DirectiveGoal("look", self._object(), toggle=lamp)
        change = self._change()
        place = self._destination(change)
        found = DirectiveGoal("simple", self._object(), place)
        inner = self._contained()
        is_changed = change and (inner is None or can_change(change, inner[0], place))
        if inner is not None and not is_changed:
            thing, container = inner
            found = replace(found, task="movable", object=thing, movable=container)
        elif change:
            found = replace(found, task=change)
        elif several := self._several():
            found = replace(found, task="two", object=several)
        sliced = "slice" in self._marks and found.object in SLICE_TYPE_BY_WHOLE
        return replace(found, is_sliced=sliced)

    def _is_about_light(self) -> bool:
        switches = "on" in self._marks
        if not self._lamps or not (switches or "look" in self._marks):
            return False
        puts = "put" in self._marks and any(each.preposition in INTO for each in self._places)
        return switches or not puts or bool(_LIGHT.search(self._text))

    def _object(self) -> str:
        """Return the type of what is handled, "" for none."""
        things = self._handled()
        first = next((each for each in things if not each.is_elsewhere), None)
        first = first or next(iter(things), None)
        return "" if first is None else first.value

    def _handled(self) -> list[Mention]:
        """Return the things, without the knife that slices others."""
        if "slice" in self._marks and any(
            each.value in SLICE_TYPE_BY_WHOLE for each in self._things
        ):
            return [each for each in self._things if each.value not in KNIFE_TYPES]
        return self._things

    def _change(self) -> str:
        """Return what is done to the object: heat, cool, clean, or "" for nothing."""
        heats, cools = "heat" in self._marks, "cool" in self._marks
        if heats and cools:
            ends = {"Fridge": "heat", "Microwave": "cool"}
            last = next(each for each in reversed(self._marks) if each in ("heat", "cool"))
            return ends.get(self._destination("both"), last)
        if heats or cools:
            return "heat" if heats else "cool"
        return "clean" if "clean" in self._marks else self._passed_through()

    def _passed_through(self) -> str:
        """Return what an appliance does to the object on its way elsewhere, "" for none."""
        into = [each.value for each in self._places if each.preposition in INTO]
        is_passed = len(into) > 1 and into[0] != into[-1]
        return _DONE_IN.get(into[0], "") if is_passed else ""

    def _destination(self, change: str) -> str:
        """Return the type of where the object ends up, "" for nowhere.

        The appliance that heats, cools or cleans it is that only if there is no other place.
        """
        appliances = {
            "heat": frozenset(BOILING_HEAT_TYPES),
            "cool": frozenset(("Fridge",)),
            "clean": frozenset(BASIN_TYPES),
        }.get(change, frozenset[str]())
        rest = [each for each in self._places if each.value not in appliances]
        is_given = any(each.preposition in INTO for each in rest)
        places = rest if is_given or (rest and change == "cool") else self._places
        likely = [each for each in places if each.preposition in INTO]
        likely = likely or [each for each in places if not each.is_elsewhere] or places
        if not likely:
            return "CoffeeMachine" if _COFFEE.search(self._text) else ""
        last = likely[-1]
        return (
            "CounterTop" if last.preposition in BESIDE and last.value in _AT_COUNTER else last.value
        )

    def _contained(self) -> tuple[str, str] | None:
        """Return what is put into a container that is moved too, and the container; or None."""
        things = self._handled()
        containers = [each for each in things if each.value in _CONTAINERS]
        if not containers or len({each.value for each in things}) < 2:
            return None
        if _NUMBER.search(self._text):
            return None
        first = containers[0]
        other = next((each for each in things if each.value not in _CONTAINERS), None)
        if other is not None:
            return (other.value, first.value) if can_hold(first.value, other.value) else None
        second = next(each for each in containers if each.value != first.value)
        goes_in = second.preposition in INTO
        return (first.value, second.value) if goes_in else (second.value, first.value)

    def _several(self) -> str:
        """Return the type of which two are wanted, "" if one is."""
        things = self._handled()
        plural = next((each for each in things if each.is_plural), None)
        has_container = any(each.value in _CONTAINERS for each in things)
        said = "two" in self._marks or (_SECOND.search(self._text) and not has_container)
        if said or (plural is not None and "slice" not in self._marks):
            return plural.value if plural is not None else self._object()
        return ""


def _with_steps(goal: DirectiveGoal, steps: Sequence[str]) -> DirectiveGoal:
    """Return a goal with what the directives of its steps say and it does not."""
    texts = [_PACES.sub(" ", step.lower()) for step in steps]
    text = " . ".join(texts)
    read = [(each, _Reading(each).goal()) for each in texts]
    taken = [found.object for each, found in read if found.object and _TAKING.search(each)]
    if not goal.object and (named := taken or [found.object for _, found in read if found.object]):
        goal = replace(goal, object=named[0])
    if goal.task == "look":
        is_tall = _TALL_LAMP.search(text)
        return replace(goal, toggle="FloorLamp") if is_tall else goal
    if goal.task in ("simple", "two"):
        goal = _with_container(goal, [found for _, found in read], taken)
    if goal.task == "simple":
        goal = replace(goal, task=_task_of_steps(goal, texts, taken))
    if goal.object in SLICE_TYPE_BY_WHOLE and _CUTTING.search(text):
        goal = replace(goal, is_sliced=True)
    if goal.object == "Knife" and "ButterKnife" in taken:
        goal = replace(goal, object="ButterKnife")
    ends = [found.receptacle for _, found in read if found.receptacle]
    if not ends:
        return goal
    is_open = not goal.receptacle or not is_end_of(goal.task, goal.receptacle)
    is_closer = ends[-1] in meanings_of(goal.receptacle)
    return replace(goal, receptacle=ends[-1]) if is_open or is_closer else goal


def _with_container(
    goal: DirectiveGoal, steps: Sequence[DirectiveGoal], taken: Sequence[str]
) -> DirectiveGoal:
    """Return a goal as one with a container, if a step fills one that is taken too."""
    filled = next((each for each in steps if each.task == "movable"), None)
    if filled is None or filled.movable not in taken or filled.object in KNIFE_TYPES:
        return goal
    return replace(goal, task="movable", object=filled.object, movable=filled.movable)


def _task_of_steps(goal: DirectiveGoal, steps: Sequence[str], taken: Sequence[str]) -> str:
    for task, pattern in _CHANGES_IN_STEPS.items():
        if any(map(pattern.search, steps)) and is_end_of(task, goal.receptacle):
            return task
    carried = [each for each in taken if each not in KNIFE_TYPES]
    puts = sum(bool(_PUTTING.search(each)) for each in steps)
    return "two" if min(len(carried), puts) > 1 and set(carried) == {goal.object} else "simple"
