"""Whose step lost a session: the one at the point of no return, or the one that it follows from.

A Follower that does what it was told is not to blame for it, and a Commander is not that did all
along what an able one would have done: then the blame goes to the other agent.
"""

from dataclasses import dataclass
from enum import StrEnum

from tatc import language
from tatc.evaluation.blame.counterfactuals import Counterfactuals, action_of
from tatc.evaluation.blame.point_of_no_return import last_good_moment
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


def find_culprit(runs: Counterfactuals, moment: int, *, every_step: bool = False) -> Culprit:
    """Return whose step it was that followed the last good moment."""
    step, role = moment, runs.actor(moment)
    told = runs.utterance_before(step) if role is Role.FOLLOWER else None
    if told is not None:
        own = _own_steps(runs, told, step)
        step, role = (own[-1], role) if own else (told, Role.COMMANDER)
    if role is Role.COMMANDER and _is_excused(runs, step):
        found = _last_of_follower(runs, step, every_step=every_step)
        step, role = (step, role) if found is None else (found, Role.FOLLOWER)
    return Culprit(step, role, _kind(runs, step, role))


def _own_steps(runs: Counterfactuals, told: int, until: int) -> list[int]:
    """Return the Follower's steps up to this one that are none of those it was told to take.

    What it was told and does later, after a step of its own, is not its own.
    """
    differs = runs.follower_differs(told, until)
    wanted = [each.action for each in _steps_of(runs.log[told].text)]
    found: list[int] = []
    for at in range(told + 1, until + 1):
        if at < runs.last and wanted and action_of(runs.log[at]) == wanted[0]:
            wanted.pop(0)
        elif differs is not None and at >= differs:
            found.append(at)
    return found


def _is_excused(runs: Counterfactuals, step: int) -> bool:
    differs = runs.commander_differs
    return differs is None or differs > step


def _last_of_follower(runs: Counterfactuals, step: int, *, every_step: bool) -> int | None:
    """Return the last step of its own before this with which the Follower alone lost the session.

    It is not what the Follower was told, and with an able one in its place the same Commander, who
    remembers all, would have solved the task from there.
    """

    def is_mended(own: int) -> bool:
        found = runs.go_on_with_memory(own)
        return found is not None and found.success

    until = step - 1
    while until >= 0:
        told = next((i for i in range(until, -1, -1) if is_told(runs.log[i])), -1)
        own = _own_steps(runs, told, until) if told >= 0 else []
        if own and is_mended(own[0]):
            last = last_good_moment(
                lambda at: is_mended(own[at]), len(own) - 1, every_step=every_step
            )
            return own[last.moment or 0]
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
