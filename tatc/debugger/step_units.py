"""How far one step goes: an action, an utterance, a skill, a problem key."""

from collections.abc import Sequence
from enum import StrEnum

from tatc.timeline import Moment


class StepUnit(StrEnum):
    """What a step is measured in."""

    ACTION = "action"
    PRIMITIVE = "primitive"
    UTTERANCE = "utterance"
    SKILL = "skill"
    PROBLEM_KEY = "problem key"


def is_step_start(unit: StepUnit, moments: Sequence[Moment], index: int) -> bool:
    """Whether a step of this unit stops at a moment: where something of it begins."""
    moment = moments[index]
    if unit is StepUnit.ACTION:
        return True
    if unit is StepUnit.PRIMITIVE:
        return moment.is_primitive
    if unit is StepUnit.UTTERANCE:
        return moment.utterance is not None
    before = moments[index - 1].decision if index else None
    now = moment.decision
    if now is None or now is before:
        return False
    if before is None:
        return True
    if unit is StepUnit.SKILL:
        return now.skill != before.skill
    return now.problem_key != before.problem_key


def previous_step_start(unit: StepUnit, moments: Sequence[Moment], index: int) -> int:
    """Return where a step back from a moment stops: the start at the latest."""
    for at in range(index - 1, 0, -1):
        if is_step_start(unit, moments, at):
            return at
    return 0
