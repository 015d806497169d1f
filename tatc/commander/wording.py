"""How the Commander puts a stretch into words, at the grain it is asked to speak at."""

from collections.abc import Sequence

from tatc.actions import Verb
from tatc.commander.draft import Draft, Plan, Skill
from tatc.commander.memory import Try
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import HeatIn, HeatOn
from tatc.commander.skills.hold import Hold, Open, PutDown, Reveal, SetAside
from tatc.commander.skills.place import PlaceIn
from tatc.commander.skills.switch import Swing, Switch
from tatc.commander.skills.water import Empty, PourOn, Rinse
from tatc.language import (
    Aim,
    Aims,
    AimVerb,
    Deed,
    Side,
    Step,
    Stretch,
    Told,
    Unseen,
    Walk,
    Wording,
    hear,
    side_of,
    walks,
)
from tatc.planners.fittings import SINKS
from tatc.tdl import ProblemKey


def worded(
    wording: Wording,
    steps: Sequence[Step],
    draft: Draft,
    plan: Plan,
    key: ProblemKey,
) -> Stretch | Told | Aims:
    """Return what to say for the first steps of a draft, made by a plan for a key.

    A plan with a skill that has no aim in the language is worded in steps.
    """
    if wording is Wording.GOALS:
        aims = [_aim(skill, draft, key) for skill in plan]
        if all(aims):
            return Aims(tuple(aim for aim in aims if aim is not None))
    if wording is Wording.ACTIONS:
        return Stretch(tuple(steps))
    targets = draft.targets[: len(steps)]
    return Told(walks(map(_phrase, steps, targets, [draft] * len(steps))))


def wanted(asked: Unseen, steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps that answer a Follower who cannot see: to the next click.

    One that was told a goal gets them all.
    """
    if not isinstance(hear(asked.words), Told):
        return steps
    clicks = (i for i, step in enumerate(steps, 1) if step.click is not None)
    return steps[: next(clicks, len(steps))]


def _phrase(step: Step, attempt: Try | None, draft: Draft) -> Walk | Deed:
    if step.click is None or step.noun is None or attempt is None:
        return Walk(step.verb)
    _, object_id, held, _ = attempt
    if step.verb in (Verb.PLACE, Verb.POUR):
        other = _type(held, draft)
    elif step.verb in (Verb.PICKUP, Verb.SLICE):
        other = _whereabouts(object_id, draft)
    else:
        other = None
    return Deed(step.verb, step.noun, other, _side(step, draft))


def _side(step: Step, draft: Draft) -> Side | None:
    """Return where in the view it is, if its type alone does not tell."""
    assert step.noun is not None
    assert step.click is not None
    alone = len(draft.known.snapshot.of_type(step.noun)) == 1
    return None if alone else side_of(step.click)


def _whereabouts(object_id: str, draft: Draft) -> str | None:
    thing = draft.known.snapshot.get(object_id)
    parents = () if thing is None else draft.known.parents(thing)
    return parents[0].objectType if parents else None


def _type(object_id: str, draft: Draft) -> str | None:
    thing = draft.known.snapshot.get(object_id)
    return None if thing is None else thing.objectType


def _aim(skill: Skill, draft: Draft, key: ProblemKey) -> Aim | None:
    verb, *names = _named(skill, draft, key)
    nouns = [_type(name, draft) for name in names[: verb.places]] if verb else []
    if verb is None or not all(nouns) or len(nouns) != verb.places:
        return None
    return Aim(verb, *(noun for noun in nouns if noun is not None))


def _named(
    skill: Skill, draft: Draft, key: ProblemKey
) -> tuple[AimVerb | None, *tuple[str, ...]]:
    """Return the aim of a skill, and the ids of the objects that its words name."""
    match skill:
        case PlaceIn(thing, place):
            return AimVerb.BRING, thing, place
        case HeatOn(thing, place) | HeatIn(thing, place):
            brews = _type(place, draft) == "CoffeeMachine"
            return (AimVerb.BREW if brews else AimVerb.HEAT), thing, place
        case PourOn(vessel, target):
            drains = _type(target, draft) in SINKS
            return (AimVerb.EMPTY_INTO if drains else AimVerb.WATER), vessel, target
        case Rinse(thing):
            fills = "illed" in key.property_name
            return (AimVerb.FILL if fills else AimVerb.WASH), thing
        case Switch(thing, on):
            return (AimVerb.SWITCH_ON if on else AimVerb.SWITCH_OFF), thing
        case Swing(thing, is_open):
            return (AimVerb.LEAVE_OPEN if is_open else AimVerb.LEAVE_CLOSED), thing
        case _:
            return _of_one_thing(skill, draft)


def _of_one_thing(
    skill: Skill, draft: Draft
) -> tuple[AimVerb | None, *tuple[str, ...]]:
    match skill:
        case Hold(thing):
            return AimVerb.GET, thing
        case PutDown():
            held = draft.known.snapshot.held()
            return AimVerb.PUT_DOWN, "" if held is None else held.objectId
        case SetAside(thing):
            return AimVerb.CLEAR, thing
        case Open(thing):
            return AimVerb.LEAVE_OPEN, thing
        case Reveal(thing):
            return AimVerb.UNCOVER, thing
        case Empty(thing):
            return AimVerb.EMPTY, thing
        case Cut(thing):
            return AimVerb.CUT, thing
        case _:
            return (None,)
