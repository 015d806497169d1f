"""Reads what ALFRED's annotators write as one of its seven tasks, with the parameters.

A goal sentence ("Put a chilled potato in the microwave.") names an object, what is done to it and
where it ends up; the type of the task follows from these.  The directives of the steps say what
the sentence leaves out.  Words for several types ("table", "cup") mean the first that the home
has, if its types are known, and else the likeliest.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tatc.thor_types.facts import (
    BASIN_TYPES,
    BOILING_HEAT_TYPES,
    KNIFE_TYPES,
    SLICE_TYPE_BY_WHOLE,
)
from tatc.understanding.directive_mentions import (
    BESIDE,
    INTO,
    Mention,
    MentionKind,
    mentions_in,
    other_types,
)

_CONTAINERS = frozenset(("Bowl", "Box", "Cup", "Mug", "Pan", "Plate", "Pot"))
_AT_COUNTER = frozenset(("SinkBasin", "StoveBurner", "Fridge", "Microwave", "CoffeeMachine"))
"""What stands in or on a counter: what is put beside it is put on the counter."""
_LIGHT = re.compile(r"examin|inspect|look|light of|lamp ?light")
_SECOND = re.compile(r"\b(another|other one|second|each|the other)\b")
_COFFEE = re.compile(r"make coffee|making coffee|for coffee|cup of coffee")
_TAKING = re.compile(r"\b(pick|grab|take|get|remove|retrieve|lift|collect|choose)")
_TALL_LAMP = re.compile(r"floor lamp|tall lamp|standing lamp")
_CUTTING = re.compile(r"\b(slice|cut|chop)")
_CHANGES_IN_STEPS = {
    "heat": re.compile(r"(?=.*microwave).*\b(heat|warm|cook|start|second|minute|turn (it )?on)"),
    "cool": re.compile(r"(?=.*(fridge|refrig|freezer)).*\b(chill|cool)"),
    "clean": re.compile(r"(?=.*(sink|tub|basin|faucet)).*\b(wash|rins|clean|faucet|tap)"),
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


def read_directives(
    goal: str, steps: Sequence[str] = (), known_types: Collection[str] = ()
) -> DirectiveGoal:
    """Return the task that a goal sentence asks for, with what the steps add to it.

    `known_types` are the types of objects that the home has, none if they are not known.
    """
    found = _Reading(goal, known_types).goal()
    return _with_steps(found, steps, known_types) if steps else found


class _Reading:
    """One sentence, by what it mentions."""

    def __init__(self, sentence: str, known: Collection[str]) -> None:
        self._text, self._known = sentence.lower(), known
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
            return DirectiveGoal("look", self._pick(self._object()), toggle=self._pick(lamp))
        change = self._change()
        place = self._destination(change)
        found = DirectiveGoal("simple", self._object(), self._pick(place))
        inner = None if change in ("heat", "cool") else self._contained()
        if inner is not None and change != "clean":
            thing, container = inner
            found = replace(found, task="movable", object=thing, movable=self._pick(container))
        elif change:
            found = replace(found, task=change)
        elif several := self._several():
            found = replace(found, task="two", object=several)
        sliced = "slice" in self._marks and found.object in SLICE_TYPE_BY_WHOLE
        return replace(found, object=self._pick(found.object), is_sliced=sliced)

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
        return "clean" if "clean" in self._marks else ""

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
        if not containers or len({each.value for each in things}) < 2 or "two" in self._marks:
            return None
        first = containers[0]
        other = next((each for each in things if each.value not in _CONTAINERS), None)
        if other is not None:
            return other.value, first.value
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

    def _pick(self, kind: str) -> str:
        """Return a type, or another of the same words that the home has if it lacks it."""
        candidates = (kind, *other_types().get(kind, ()))
        return next((each for each in candidates if each in self._known), kind)


def _with_steps(goal: DirectiveGoal, steps: Sequence[str], known: Collection[str]) -> DirectiveGoal:
    """Return a goal with what the directives of its steps say and it does not."""
    text = " . ".join(steps).lower()
    read = [(_TAKING.search(step.lower()), _Reading(step, known).goal()) for step in steps]
    taken = [each.object for takes, each in read if takes and each.object]
    if not goal.object and (named := taken or [each.object for _, each in read if each.object]):
        goal = replace(goal, object=named[0])
    if goal.task == "look":
        is_tall = _TALL_LAMP.search(text) and (not known or "FloorLamp" in known)
        return replace(goal, toggle="FloorLamp") if is_tall else goal
    if goal.task == "simple":
        goal = replace(goal, task=_task_of_steps(goal, text, taken))
    if goal.object in SLICE_TYPE_BY_WHOLE and _CUTTING.search(text):
        goal = replace(goal, is_sliced=True)
    if goal.object == "Knife" and "ButterKnife" in taken:
        goal = replace(goal, object="ButterKnife")
    ends = [each.receptacle for _, each in read if each.receptacle]
    return replace(goal, receptacle=ends[-1]) if ends and not goal.receptacle else goal


def _task_of_steps(goal: DirectiveGoal, text: str, taken: Sequence[str]) -> str:
    for task, pattern in _CHANGES_IN_STEPS.items():
        if pattern.search(text) and not (task == "heat" and goal.receptacle == "Microwave"):
            return task
    carried = [each for each in taken if each not in KNIFE_TYPES]
    return "two" if len(carried) > 1 and set(carried) == {goal.object} else "simple"
