"""Divides an expert's actions into ALFRED's subgoals.

A walk is a GotoLocation.  What is put into a microwave that then runs, a fridge that is then
closed, or a basin of a sink whose faucet then runs, and is taken out again, is one HeatObject,
CoolObject or CleanObject.  Doors belong to the subgoal that needs them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tatc.evaluation.alfred.expert_course import ExpertStep
from tatc.home.actions import Verb

_KIND_BY_VERB = {
    Verb.PICKUP: "PickupObject",
    Verb.PLACE: "PutObject",
    Verb.SLICE: "SliceObject",
    Verb.TOGGLE_ON: "ToggleObject",
    Verb.TOGGLE_OFF: "ToggleObject",
}
_CHANGES = {
    "Microwave": ("HeatObject", Verb.TOGGLE_ON, "Microwave"),
    "Fridge": ("CoolObject", Verb.CLOSE, "Fridge"),
    "SinkBasin": ("CleanObject", Verb.TOGGLE_ON, "Faucet"),
}
"""What a stay in a receptacle of a type is: the subgoal, the verb that does it, and on what."""
_DOORS = (Verb.OPEN, Verb.CLOSE)


@dataclass(frozen=True, slots=True)
class ExpertSubgoal:
    """A subgoal: its kind, its actions, and the one that it is about (for a walk, the next)."""

    kind: str
    steps: tuple[ExpertStep, ...]
    main: ExpertStep


def divide(course: Sequence[ExpertStep]) -> tuple[ExpertSubgoal, ...]:
    """Return the subgoals of a course, in order; each action is in exactly one.

    A door that is opened before a walk belongs to what is done after the walk, and what comes
    after the last action on an object to the last subgoal.
    """
    found: list[ExpertSubgoal] = []
    i = 0
    while i < len(course):
        main = _next_main(course, i)
        if main is None:
            if found:
                last = found.pop()
                found.append(replace(last, steps=(*last.steps, *course[i:])))
            break
        walked = _end_of_walk(course, i)
        if walked > i:
            found.append(ExpertSubgoal("GotoLocation", tuple(course[i:walked]), course[main]))
        kind, end = _kind_and_end(course, main)
        found.append(ExpertSubgoal(kind, tuple(course[walked:end]), course[main]))
        i = end
    return tuple(found)


def _next_main(course: Sequence[ExpertStep], i: int) -> int | None:
    """Return the index of the next action on an object that is no door's; None for none."""
    left = range(i, len(course))
    return next((k for k in left if course[k].target and course[k].verb not in _DOORS), None)


def _end_of_walk(course: Sequence[ExpertStep], i: int) -> int:
    while i < len(course) and course[i].target is None:
        i += 1
    return i


def _kind_and_end(course: Sequence[ExpertStep], main: int) -> tuple[str, int]:
    """Return the kind of the subgoal with a main action, and where it ends."""
    step = course[main]
    kind, end = _KIND_BY_VERB[step.verb], main + 1
    in_type = "" if step.target is None else step.target.objectType
    if step.verb is Verb.PLACE and in_type in _CHANGES:
        changed, verb, device = _CHANGES[in_type]
        if (out := _taken_out(course, main, verb, device)) is not None:
            kind, end = changed, out + 1
    while end < len(course) and course[end].verb is Verb.CLOSE:
        end += 1
    return kind, end


def _taken_out(course: Sequence[ExpertStep], put: int, verb: Verb, device: str) -> int | None:
    """Return the index of the pick-up that ends a change begun by a Place; None for none."""
    held, acted = course[put].held, False
    for k in range(put + 1, len(course)):
        step = course[k]
        if step.target is None:
            continue
        acted = acted or (step.verb is verb and step.target.objectType == device)
        if step.verb is Verb.PICKUP:
            same = held is not None and step.target.objectId == held.objectId
            return k if same and acted else None
    return None
