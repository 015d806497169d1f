"""Whose step lost a session: the one at the point of no return, or the one that it follows from.

A Follower that does what it was told is not to blame for it, and a Commander is not that did all
along what an able one would have done: then the blame goes to the other agent.
"""

from dataclasses import dataclass
from enum import StrEnum

from tatc import language
from tatc.evaluation.blame.counterfactuals import Counterfactuals
from tatc.home.actions import MOTION_VERBS, Action, PrimitiveStep, Role, Verb
from tatc.session.records import Interaction, SessionEnd


class Kind(StrEnum):
    """What kind of step it was."""

    WRONG_OBJECT = "wrong object"
    WRONG_PLACE = "wrong place"
    MISSED_UTTERANCE = "missed utterance"
    REFUSED_AGAIN = "refused and repeated"
    STOPPED_EARLY = "stopped too early"
    ASKED_LATE = "asked too late"
    GAVE_UP = "planner gave up"
    SAID_NOTHING = "said nothing of use"
    CRASHED = "crashed"
    OTHER = "another step"


@dataclass(frozen=True, slots=True)
class Culprit:
    """The step that lost a session, and whose it was; the end's step follows the last one."""

    step: int
    role: Role
    kind: Kind


def find_culprit(runs: Counterfactuals, moment: int) -> Culprit:
    """Return whose step it was that followed the last good moment."""
    step, role = moment, runs.actor(moment)
    if role is Role.FOLLOWER:
        told = runs.utterance_before(step)
        if told is not None and runs.follower_differs(told, step) is None:
            step, role = told, Role.COMMANDER
    if role is Role.COMMANDER and _is_excused(runs, step):
        step, role = _last_of_follower(runs, step) or (step, role)
    return Culprit(step, role, _kind(runs, step, role))


def _is_excused(runs: Counterfactuals, step: int) -> bool:
    differs = runs.commander_differs
    return differs is None or differs > step


def _last_of_follower(runs: Counterfactuals, step: int) -> tuple[int, Role] | None:
    """Return the last step of its own before this with which the Follower alone lost the session.

    It is not what the Follower was told, and with an able one in its place the same Commander, who
    remembers all, would have solved the task from there.
    """
    until = step - 1
    while until >= 0:
        told = next((i for i in range(until, -1, -1) if is_told(runs.log[i])), -1)
        differs = runs.follower_differs(told, until) if told >= 0 else None
        if differs is not None:
            found = runs.go_on_with_memory(differs)
            if found is not None and found.success:
                return differs, Role.FOLLOWER
        until = told - 1
    return None


def is_told(done: Interaction) -> bool:
    """Return whether the Commander says something."""
    return done.verb is Verb.TEXT and done.role is Role.COMMANDER


def _kind(runs: Counterfactuals, step: int, role: Role) -> Kind:
    if step == runs.last:
        is_stop = runs.timeline.end in (SessionEnd.GAVE_UP, SessionEnd.SUCCESS)
        return Kind.STOPPED_EARLY if is_stop else Kind.CRASHED
    done = runs.log[step]
    if role is Role.COMMANDER:
        return _kind_of_words(runs, step, language.hear(done.text))
    if done.success is False and _was_refused_before(runs.log[:step], done):
        return Kind.REFUSED_AGAIN
    told = runs.utterance_before(step)
    if told is None:
        return Kind.ASKED_LATE
    if done.verb is Verb.TEXT or done.verb in MOTION_VERBS:
        return Kind.MISSED_UTTERANCE
    wanted = [each.action for each in _steps_of(runs.log[told].text)]
    return _kind_of_click(Action(done.verb, done.click), wanted)


def _kind_of_click(did: Action, wanted: list[Action]) -> Kind:
    if did.verb not in {each.verb for each in wanted}:
        return Kind.MISSED_UTTERANCE
    return Kind.WRONG_PLACE if did.verb is Verb.PLACE else Kind.WRONG_OBJECT


def _kind_of_words(runs: Counterfactuals, step: int, said: language.Meaning) -> Kind:
    if isinstance(said, language.GiveUp):
        return Kind.GAVE_UP
    if isinstance(said, language.TaskDone):
        return Kind.STOPPED_EARLY
    acts = [each for each in runs.log[step + 1 :] if each.role is Role.FOLLOWER]
    refused = next((each for each in acts if each.success is False), None)
    if refused is not None and _was_refused_before(runs.log[:step], refused):
        return Kind.REFUSED_AGAIN
    told = [each for each in _steps_of(runs.log[step].text) if each.click is not None]
    result = runs.go_on(step)
    words = [each.text for each in result.interactions[step:] if is_told(each)]
    able = [each for text in words for each in _steps_of(text) if each.click is not None]
    if not told:
        return Kind.SAID_NOTHING
    for mine, theirs in zip(told, able, strict=False):
        if (mine.verb, mine.object_type) != (theirs.verb, theirs.object_type):
            is_place = mine.verb is theirs.verb is Verb.PLACE
            return Kind.WRONG_PLACE if is_place else Kind.WRONG_OBJECT
    return Kind.OTHER


def _was_refused_before(log: tuple[Interaction, ...], refused: Interaction) -> bool:
    """Return whether the last click before this one was the same kind of action, and refused."""
    verb = refused.verb
    acts = (each for each in reversed(log) if each.role is Role.FOLLOWER and each.verb is verb)
    last = next(acts, None)
    return last is not None and last.success is False


def _steps_of(text: str) -> tuple[PrimitiveStep, ...]:
    """Return the primitives that an utterance asks for, none in other wordings."""
    heard = language.hear(text)
    return heard.steps if isinstance(heard, language.Stretch) else ()
