"""Reads what ALFRED's annotators write as one of its seven tasks, with the parameters.

A goal sentence ("Put a chilled potato in the microwave.") names an object, what is done to it and
where it ends up; the type of the task follows from these.  The directives of the steps say what
the sentence leaves out.  Words for several types ("table", "cup") mean those that go together in
a task of ALFRED's, and of these the likeliest.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.home.actions import Role, Utterance
from tatc.home.type_facts import KNIFE_TYPES, SLICE_TYPE_BY_WHOLE
from tatc.language.understanding.alfred.directive_combinations import (
    is_end_of,
    likeliest_types,
    meanings_of,
)
from tatc.language.understanding.alfred.directive_sentence import DirectiveGoal, goal_in
from tatc.language.understanding.goal import Goal, GoalContent, Understanding
from tatc.language.understanding.understand import understand
from tatc.tdl import Task, shipped_library

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_CONFIDENCE = 0.7  # of a goal whose parameters were all said
_PACES = re.compile(
    r"\btak(e|ing) (a|an|one|two|three|few|a few|half a|another|several|\d+)[a-z ]*? ?steps?\b"
)
_PUTTING = re.compile(r"\b(put|plac|set|drop|lay|leav|mov|throw)")
_TAKING = re.compile(r"\b(pick|grab|take|get|remove|retrieve|lift|collect|choose)")
_TALL_LAMP = re.compile(r"floor lamp|tall lamp|standing lamp")
_SMALL_LAMP = re.compile(
    r"(?:lamp|light)(?: that is| sitting| standing)? on (?:top of )?(?:the|a|an) (?:\w+ ){0,2}?"
    r"(?:desk|table|dresser|shelf|stand|nightstand|cabinet|sideboard)"
)
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
_APPLIANCES = {
    "heat": re.compile(r"microwave|oven|stove"),
    "cool": re.compile(r"fridge|refrig|freez"),
}


def understand_directives(
    utterances: Sequence[Utterance], home: Collection[str] = ()
) -> Understanding:
    """Return the goal of directives: a goal sentence, and sentences for the steps if there are any.

    `home` is the type of each object of the home, as far as known; what it lacks is not meant.
    Words that name no whole task of ALFRED's are read as any other dialogue.
    """
    said = " ".join(each.text for each in utterances if each.speaker is Role.COMMANDER)
    goal, *steps = _SENTENCE_END.split(said.strip())
    task = _task_of(read_directives(goal, steps, home))
    if task is None:
        return understand(utterances)
    found = Goal(GoalContent(), task, (task.name, task.params))
    return Understanding(found, (), (), _CONFIDENCE, ())


class DirectiveReader:
    """Reads directives, and anew when it is known what the home holds."""

    def __call__(self, utterances: Sequence[Utterance]) -> Understanding:
        """Return what directives mean in any home."""
        return understand_directives(utterances)

    def read_in_home(self, utterances: Sequence[Utterance], home: Collection[str]) -> Understanding:
        """Return what directives mean in a home with one object of each of these types."""
        return understand_directives(utterances, home)


def _task_of(goal: DirectiveGoal) -> Task | None:
    """Return the task of a goal, None if a parameter that it needs was not said."""
    library = shipped_library()
    definition = library.find(goal.task)
    given = goal.parameters
    try:
        params = [given[each.name] for each in definition.parameters]
        return library.compile(definition.name, params)
    except (KeyError, BadInput):
        return None


def read_directives(
    goal: str, steps: Sequence[str] = (), home: Collection[str] = frozenset()
) -> DirectiveGoal:
    """Return the task that a goal sentence asks for, with what the steps add to it.

    Words for several types mean those that go together in a task, and that the `home` has, where
    its types are known.
    """
    said = " . ".join((goal, *steps)).lower()
    found = _with_steps(goal_in(goal), steps) if steps else goal_in(goal)
    types = (found.object, found.receptacle, found.movable, found.toggle)
    thing, place, container, lamp = likeliest_types(found.task, types, said, home)
    sliced = found.is_sliced and thing in SLICE_TYPE_BY_WHOLE
    return DirectiveGoal(found.task, thing, place, container, lamp, sliced)


def _with_steps(goal: DirectiveGoal, steps: Sequence[str]) -> DirectiveGoal:
    """Return a goal with what the directives of its steps say and it does not."""
    texts = [_PACES.sub(" ", step.lower()) for step in steps]
    text = " . ".join(texts)
    read = [(each, goal_in(each)) for each in texts]
    taken = [found.object for each, found in read if found.object and _TAKING.search(each)]
    if not goal.object and (named := taken or [found.object for _, found in read if found.object]):
        goal = replace(goal, object=named[0])
    if goal.task == "look":
        if _TALL_LAMP.search(text):
            return replace(goal, toggle="FloorLamp")
        is_small = goal.toggle == "Lamp" and _SMALL_LAMP.search(text)
        return replace(goal, toggle="DeskLamp") if is_small else goal
    if goal.task in ("simple", "two"):
        goal = _with_container(goal, [found for _, found in read], taken)
    if goal.task == "simple":
        goal = replace(goal, task=_task_of_steps(goal, texts, taken))
    if goal.task in _APPLIANCES:
        goal = replace(goal, task=_change_in_steps(goal, texts))
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


def _change_in_steps(goal: DirectiveGoal, steps: Sequence[str]) -> str:
    """Return heat for cool, or the other way round, if the steps name only its appliance."""
    other = "cool" if goal.task == "heat" else "heat"
    if any(map(_APPLIANCES[goal.task].search, steps)) or not is_end_of(other, goal.receptacle):
        return goal.task
    return other if any(map(_CHANGES_IN_STEPS[other].search, steps)) else goal.task


def _task_of_steps(goal: DirectiveGoal, steps: Sequence[str], taken: Sequence[str]) -> str:
    for task, pattern in _CHANGES_IN_STEPS.items():
        if any(map(pattern.search, steps)) and is_end_of(task, goal.receptacle):
            return task
    carried = [each for each in taken if each not in KNIFE_TYPES]
    puts = sum(bool(_PUTTING.search(each)) for each in steps)
    return "two" if min(len(carried), puts) > 1 and set(carried) == {goal.object} else "simple"
