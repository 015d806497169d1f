"""Whose step lost a session: the one at the point of no return, or the one that it follows from.

Until that point, all could still become well.
A Follower that did what it was told is not to blame: the utterance is.  A Commander that did all
along what an able one would have done is not to blame either: the Follower's last own step is.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from tatc import language
from tatc.evaluation.blame.counterfactuals import BudgetSpent, Counterfactuals, action_of
from tatc.home.actions import MOTION_VERBS, PrimitiveStep, Role, Verb
from tatc.session.records import Interaction, SessionEnd

_GUARD_PROBES = 4


class LastGoodMoment(NamedTuple):
    """The last good moment; None if none is known.  It is not final if the budget was spent."""

    moment: int | None
    is_final: bool = True


def last_good_moment(
    is_good: Callable[[int], bool], last: int, *, every_step: bool
) -> LastGoodMoment:
    """Return the last moment from 0 to `last` that is good.

    With `every_step`, each is tried, from the end on.  Else the search goes back in strides that
    double, and bisects the last one.  Then it tries some of the moments that it skipped: a state
    that was lost may be won again.
    """
    known: dict[int, bool] = {}

    def look(moment: int) -> bool:
        known[moment] = known[moment] if moment in known else is_good(moment)
        return known[moment]

    strides = (max(0, last + 1 - (1 << i)) for i in range((last + 1).bit_length() + 1))
    try:
        found = next((m for m in (range(last, -1, -1) if every_step else strides) if look(m)), None)
        while found is not None and not every_step:
            bad = min(m for m in (*known, last + 1) if m > found and not known.get(m))
            while bad - found > 1:
                middle = (found + bad) // 2
                found, bad = (middle, bad) if look(middle) else (found, middle)
            left = [m for m in range(found + 1, last) if m not in known]
            again = next(filter(look, left[:: -max(1, len(left) // _GUARD_PROBES)]), None)
            if again is None:
                break
            found = again
        return LastGoodMoment(found)
    except BudgetSpent:
        return LastGoodMoment(max((m for m, good in known.items() if good), default=None), False)


class Kind(StrEnum):
    """What kind of step it was."""

    WRONG_OBJECT = "wrong object"
    WRONG_PLACE = "wrong place"
    MISSED_UTTERANCE = "missed utterance"
    REFUSED_AGAIN = "refused and repeated"
    STOPPED_EARLY = "stopped too early"
    ASKED_LATE = "asked too late"
    GAVE_UP = "planner gave up"
    OF_NO_USE = "words of no use"
    CRASHED = "crashed"
    OTHER = "another step"


def find_culprit(runs: Counterfactuals, moment: int, *, every_step: bool) -> tuple[int, Role]:
    """Return the step that followed from the last good moment, or that it followed from."""
    step, role = moment, runs.actor(moment)
    told = runs.told_before(step) if role is Role.FOLLOWER else None
    if told is not None:
        own = _own_steps(runs, told, step)
        step, role = (own[-1], role) if own else (told, Role.COMMANDER)
    if role is Role.COMMANDER and runs.commander_differs > step:
        found = _last_of_follower(runs, step, every_step)
        return (step, role) if found is None else (found, Role.FOLLOWER)
    return step, role


def _own_steps(runs: Counterfactuals, told: int, until: int) -> list[int]:
    """Return the Follower's steps after an utterance, up to one, that it was not told to take.

    Words after the first such step, in which it reports what came of that, are left out.
    """
    differs = runs.follower_differs(told, until)
    wanted, found = [each.action for each in _steps_of(runs.log[told].text)], list[int]()
    for at in range(told + 1, until + 1):
        done = None if at == runs.last else action_of(runs.log[at])
        if wanted and done == wanted[0]:
            wanted.pop(0)
        elif (
            differs is not None
            and at >= differs
            and not (found and done is not None and done.verb is Verb.TEXT)
        ):
            found.append(at)
    return found


def _last_of_follower(runs: Counterfactuals, step: int, every_step: bool) -> int | None:
    """Return the last step of its own with which the Follower alone lost the session.

    With an able one in its place from there, the Commander, who remembers all, would have come to
    success.
    """
    own: list[int] = []

    def is_mended(at: int) -> bool:
        found = runs.go_on_with_memory(own[at])
        return found is not None and found.success

    spoken = [i for i in range(step) if _is_told(runs.log[i])]
    for told, following in zip(reversed(spoken), reversed([*spoken[1:], step]), strict=True):
        own = _own_steps(runs, told, following - 1)
        if own and is_mended(0):
            return own[last_good_moment(is_mended, len(own) - 1, every_step=every_step).moment or 0]
    return None


def _is_told(done: Interaction) -> bool:
    return done.verb is Verb.TEXT and done.role is Role.COMMANDER


def kind_of(runs: Counterfactuals, step: int, role: Role) -> Kind:
    """Return which kind of step a culprit's is."""
    if step == runs.last:
        is_stop = runs.timeline.end in (SessionEnd.GAVE_UP, SessionEnd.SUCCESS)
        return Kind.STOPPED_EARLY if is_stop else Kind.CRASHED
    done, before = runs.log[step], runs.log[:step]
    if role is Role.COMMANDER:
        return _kind_of_words(runs, step)
    if done.success is False and _was_refused(before, done.verb):
        return Kind.REFUSED_AGAIN
    told = runs.told_before(step)
    if told is None:
        return Kind.ASKED_LATE
    wanted = {each.verb for each in _steps_of(runs.log[told].text)}
    if done.verb in (Verb.TEXT, *MOTION_VERBS) or done.verb not in wanted:
        return Kind.MISSED_UTTERANCE
    return Kind.WRONG_PLACE if done.verb is Verb.PLACE else Kind.WRONG_OBJECT


def _kind_of_words(runs: Counterfactuals, step: int) -> Kind:
    said = language.hear(runs.log[step].text)
    if isinstance(said, language.GiveUp):
        return Kind.GAVE_UP
    if isinstance(said, language.TaskDone):
        return Kind.STOPPED_EARLY
    refused = (each for each in runs.log[step:] if each.click is not None and not each.success)
    first = next(refused, None)
    if first is not None and _was_refused(runs.log[:step], first.verb):
        return Kind.REFUSED_AGAIN
    ours = [each for each in _steps_of(runs.log[step].text) if each.click is not None]
    if not ours:
        return Kind.OF_NO_USE
    words = (each.text for each in runs.go_on(step).interactions[step:] if _is_told(each))
    theirs = (each for text in words for each in _steps_of(text) if each.click is not None)
    for mine, other in zip(ours, theirs, strict=False):
        if (mine.verb, mine.object_type) != (other.verb, other.object_type):
            is_place = mine.verb is other.verb is Verb.PLACE
            return Kind.WRONG_PLACE if is_place else Kind.WRONG_OBJECT
    return Kind.OTHER


def _was_refused(log: tuple[Interaction, ...], verb: Verb) -> bool:
    """Return whether the Follower's last action of this kind was refused."""
    acts = (each for each in reversed(log) if each.role is Role.FOLLOWER and each.verb is verb)
    last = next(acts, None)
    return last is not None and last.success is False


def _steps_of(text: str) -> tuple[PrimitiveStep, ...]:
    """Return the primitives that an utterance asks for, none in other wordings."""
    heard = language.hear(text)
    return heard.steps if isinstance(heard, language.Stretch) else ()
