"""How the Commander words a stretch: in actions, steps or goals."""

from tatc.commander.plan_builder import PlannedStep, PlannedSteps, Skill
from tatc.commander.rule_planner import PlannedStretch
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.heat import HeatIn, HeatOn, OpenClose, Switch
from tatc.commander.skills.hold import Hold, Open, PlaceIn, PutDown, Reveal, SetAside
from tatc.commander.skills.water import Empty, PourOn, Rinse
from tatc.home.actions import Verb
from tatc.home.type_facts import SINK_TYPES
from tatc.language import (
    CannotSee,
    GoalStretch,
    GoalVerb,
    InteractionPhrase,
    MotionPhrase,
    PhraseStretch,
    SpokenGoal,
    Stretch,
    Wording,
    hear,
    merge_motions,
    view_region_of,
)
from tatc.planners.properties import facts_of
from tatc.planners.snapshot_view import SnapshotView

_SINGLE_OBJECT_GOALS: dict[type, GoalVerb] = {
    Hold: GoalVerb.GET,
    SetAside: GoalVerb.CLEAR,
    Open: GoalVerb.LEAVE_OPEN,
    Reveal: GoalVerb.UNCOVER,
    Empty: GoalVerb.EMPTY,
    Cut: GoalVerb.CUT,
}


def word_stretch(
    wording: Wording, stretch: PlannedStretch
) -> Stretch | PhraseStretch | GoalStretch:
    """Return a stretch in words; steps replace goals where a skill has no goal in the language."""
    if wording is Wording.GOALS:
        goals = [_goal_of_skill(skill, stretch) for skill in stretch.plan]
        if all(goals):
            return GoalStretch(tuple(goal for goal in goals if goal is not None))
    if wording is Wording.ACTIONS:
        return Stretch(tuple(each.step for each in stretch.steps))
    view = stretch.view
    return PhraseStretch(merge_motions(_phrase_for_step(each, view) for each in stretch.steps))


def steps_answering(asked: CannotSee, steps: PlannedSteps) -> PlannedSteps:
    """Return the steps for one who cannot see: to the next click, after a goal stretch all."""
    if not isinstance(hear(asked.words), PhraseStretch):
        return steps
    clicks = (i for i, each in enumerate(steps, 1) if each.step.click is not None)
    return steps[: next(clicks, len(steps))]


def _phrase_for_step(planned: PlannedStep, view: SnapshotView) -> MotionPhrase | InteractionPhrase:
    step = planned.step
    if step.click is None or step.object_type is None or planned.action_key is None:
        return MotionPhrase(step.verb)
    _, object_id, held, _ = planned.action_key
    if step.verb in (Verb.PLACE, Verb.POUR):
        other = _object_type(held, view)
    elif step.verb in (Verb.PICKUP, Verb.SLICE):
        obj = view.get(object_id)
        parents = () if obj is None else view.receptacles_of(obj)
        other = parents[0].objectType if parents else None
    else:
        other = None
    is_only_one = len(view.snapshot.of_type(step.object_type)) == 1
    side = None if is_only_one else view_region_of(step.click)
    return InteractionPhrase(step.verb, step.object_type, other, side)


def _object_type(object_id: str, view: SnapshotView) -> str | None:
    obj = view.get(object_id)
    return None if obj is None else obj.objectType


def _goal_of_skill(skill: Skill, stretch: PlannedStretch) -> SpokenGoal | None:
    verb, *names = _goal_and_objects(skill, stretch)
    nouns = [_object_type(name, stretch.view) for name in names[: verb.noun_count]] if verb else []
    if verb is None or not all(nouns) or len(nouns) != verb.noun_count:
        return None
    return SpokenGoal(verb, *(noun for noun in nouns if noun is not None))


def _goal_and_objects(
    skill: Skill, stretch: PlannedStretch
) -> tuple[GoalVerb | None, *tuple[str, ...]]:
    """Return the goal verb of a skill (None if it has none) and its objects' ids."""
    match skill:
        case PlaceIn(obj, place):
            return GoalVerb.BRING, obj, place
        case HeatOn(obj, place) | HeatIn(obj, place):
            brews = _object_type(place, stretch.view) == "CoffeeMachine"
            return (GoalVerb.BREW if brews else GoalVerb.HEAT), obj, place
        case PourOn(vessel, target):
            drains = _object_type(target, stretch.view) in SINK_TYPES
            return (GoalVerb.EMPTY_INTO if drains else GoalVerb.WATER), vessel, target
        case Rinse(obj):
            fills = facts_of(stretch.decision.policy).is_filling
            return (GoalVerb.FILL if fills else GoalVerb.WASH), obj
        case Switch(obj, on):
            return (GoalVerb.SWITCH_ON if on else GoalVerb.SWITCH_OFF), obj
        case OpenClose(obj, is_open):
            return (GoalVerb.LEAVE_OPEN if is_open else GoalVerb.LEAVE_CLOSED), obj
        case PutDown():
            held = stretch.view.snapshot.held_object()
            return GoalVerb.PUT_DOWN, "" if held is None else held.objectId
        case Hold(obj) | SetAside(obj) | Open(obj) | Reveal(obj) | Empty(obj) | Cut(obj):
            return _SINGLE_OBJECT_GOALS[type(skill)], obj
        case _:
            return (None,)
