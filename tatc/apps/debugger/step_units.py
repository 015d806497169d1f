"""The units of a step: action, primitive, utterance, skill, problem key."""

from collections.abc import Sequence
from enum import StrEnum

from tatc.session.timeline import Moment


class StepUnit(StrEnum):
    """The unit in which the debugger steps."""

    ACTION = "action"
    PRIMITIVE = "primitive"
    UTTERANCE = "utterance"
    SKILL = "skill"
    PROBLEM_KEY = "problem key"


def is_step_start(unit: StepUnit, moments: Sequence[Moment], index: int) -> bool:
    """Whether a step of this unit stops at a moment, where one begins."""
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
    """Return the moment at which a step back stops, 0 if none is before."""
    for at in range(index - 1, 0, -1):
        if is_step_start(unit, moments, at):
            return at
    return 0
