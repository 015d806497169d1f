"""The rule Commander: it words the stretches of a `RulePlanner`, in actions, steps or goals.

Whenever the Follower has spoken, the Commander checks the progress and says the next stretch; a
Follower that cannot see its target is told the primitives, and one that looked in vain the steps.
"""

from dataclasses import replace
from math import atan2, degrees as degrees_of

from tatc import language
from tatc.base.errors import UsageError
from tatc.commander.knowledge import Knowledge
from tatc.commander.oracle import CommanderView, Decision, Oracle
from tatc.commander.plan_builder import PlannedStep, PlannedSteps, Skill
from tatc.commander.rule_planner import NoStretch, PlannedStretch, RulePlanner
from tatc.commander.skills.appliances import Empty, HeatIn, HeatOn, OpenClose, PourOn, Rinse, Switch
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.hold import Hold, Open, PlaceIn, PutDown, Reveal, SetAside
from tatc.home.actions import Action, FailureReport, Role, Utterance, Verb
from tatc.home.camera.clicks import eye_at
from tatc.home.camera.rays import Eye, pixel_of
from tatc.home.state import ObjectState
from tatc.home.type_facts import SINK_TYPES
from tatc.planners import properties, snapshot_view
from tatc.planners.pddl.problem import SearchEngine
from tatc.tdl import Task

_BEARING_STEP = 5  # whole degrees to which a direction is told
_SINGLE_OBJECT_GOALS: dict[type, language.GoalVerb] = {
    Hold: language.GoalVerb.GET,
    SetAside: language.GoalVerb.CLEAR,
    Open: language.GoalVerb.LEAVE_OPEN,
    Reveal: language.GoalVerb.UNCOVER,
    Empty: language.GoalVerb.EMPTY,
    Cut: language.GoalVerb.CUT,
}


class RuleCommander:
    """A Commander that plans with handcrafted policies and falls back on PDDL."""

    knowledge_class = Knowledge
    """The class of its knowledge of the home; a subclass may set another."""
    uses_policies = True  # whether policies plan; if not, PDDL plans everything (`PddlCommander`)
    uses_fallback = True
    """Whether PDDL plans where the policies cannot (`PoliciesOnlyCommander` does without)."""
    search_engine = SearchEngine.HFF
    """What searches for plans in PDDL (`FastDownwardCommander` has another)."""

    def __init__(self, wording: language.Wording = language.Wording.ACTIONS) -> None:
        """Make a Commander that speaks in this wording, once `begin` is called."""
        self._wording = wording
        self._planner: RulePlanner | None = None
        self._unseen_question: language.CannotSee | None = None
        self.has_ended = False  # whether it has said that the task is done or that it gives up
        self._asks_which = False
        self._last_words, self._times_said = "", 0
        self._asked_how = set[str]()  # words, after each of which a Follower looked in vain
        self._decisions: list[Decision] = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        return tuple(self._decisions)

    @property
    def stretch(self) -> PlannedSteps:
        """The steps that the last utterance stands for, in any wording."""
        return self._planner.last_steps if self._planner else ()

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session of a task in the oracle's home, and forget the last one."""
        self._planner = RulePlanner(
            self.knowledge_class(oracle),
            task,
            uses_policies=self.uses_policies,
            uses_fallback=self.uses_fallback,
            engine=self.search_engine,
        )
        self._unseen_question = None
        self._asks_which = self.has_ended = False
        self._last_words, self._times_said = "", 0
        self._asked_how.clear()
        self._decisions.clear()

    def act(self, view: CommanderView) -> Action:
        """Return a progress check, after it the next utterance, and Stop once it has ended."""
        if self._planner is None:
            raise UsageError("the Commander acts before it begins", fix="call begin")
        if self.has_ended:
            return Action(Verb.STOP)
        if view.progress is None:
            self._listen(view.utterances, self._planner)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        found = self._planner.next_stretch(view.progress)
        text = self._end(found) if isinstance(found, NoStretch) else self._say(found, self._planner)
        return Action(Verb.TEXT, text=text)

    def choose_words(self, stretch: PlannedStretch) -> language.Meaning:
        """Return what to say for a stretch; a subclass may word it otherwise."""
        return word_stretch(self._wording, stretch)

    def _listen(self, utterances: tuple[Utterance, ...], planner: RulePlanner) -> None:
        self._unseen_question = None
        heard = (each.text for each in utterances if each.speaker is Role.FOLLOWER)
        self._asks_which = any(map(language.asks_which, heard))
        for utterance in utterances:
            meaning = language.hear(utterance.text) if utterance.speaker is Role.FOLLOWER else None
            if isinstance(meaning, FailureReport):
                planner.learn(meaning)
            elif isinstance(meaning, language.CannotSee) and meaning.needs_help:
                self._asked_how.add(meaning.words)
            elif isinstance(meaning, language.CannotSee):
                self._unseen_question = meaning
                planner.take_back()

    def _say(self, stretch: PlannedStretch, planner: RulePlanner) -> str:
        if self._unseen_question is None:
            text = self._words_for(stretch)
        else:
            planner.tell_part(steps_answering(self._unseen_question, stretch.steps))
            text = language.say(language.Stretch(tuple(each.step for each in planner.last_steps)))
        cost = len(planner.last_steps)
        self._decisions.append(replace(stretch.decision, utterance=text, cost=cost))
        return text

    def _words_for(self, stretch: PlannedStretch) -> str:
        """Return words for a stretch.

        Goals for which a Follower looked in vain are told in steps.  In `bearings` words differ
        from the last ones, also where the stretch is still the same, and a Follower that asks which
        thing is meant is told the direction of each.
        """
        texts = [language.say(self.choose_words(stretch))]
        if texts[0] in self._asked_how:
            texts = [language.say(word_stretch(language.Wording.STEPS, stretch))]
        if self._wording is language.Wording.BEARINGS:
            again = word_stretch(self._wording, stretch, always=True)
            others = (again, word_stretch(language.Wording.GOALS, stretch))
            texts = [*dict.fromkeys((*texts, *map(language.say, others)))]
        is_again = texts[0] == self._last_words
        self._last_words = texts[0]
        self._times_said = self._times_said + 1 if is_again else int(self._asks_which)
        return texts[self._times_said % len(texts)]

    def _end(self, found: NoStretch) -> str:
        end = language.TaskDone() if found.is_complete else language.GiveUp(found.explanation)
        text = language.say(end)
        self.has_ended = True
        self._decisions.append(replace(found.decision, utterance=text))
        return text


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    uses_policies = False


class FastDownwardCommander(PddlCommander):
    """A Commander that plans whole tasks in PDDL, with Fast Downward as the engine."""

    search_engine = SearchEngine.FAST_DOWNWARD


class PoliciesOnlyCommander(RuleCommander):
    """A Commander without the PDDL fallback: where its policies have no plan, it gives up."""

    uses_fallback = False


def word_stretch(
    wording: language.Wording, stretch: PlannedStretch, *, always: bool = False
) -> language.Stretch | language.PhraseStretch | language.GoalStretch:
    """Return a stretch in words; steps replace goals where a skill has no goal in the language.

    In `bearings` a direction is told where another object of the type is in view, or `always`.
    """
    if wording is language.Wording.GOALS:
        goals = [_goal_of_skill(skill, stretch) for skill in stretch.plan]
        if all(goals):
            return language.GoalStretch(tuple(goal for goal in goals if goal is not None))
    if wording is language.Wording.ACTIONS:
        return language.Stretch(tuple(each.step for each in stretch.steps))
    phrases = [_phrase_for_step(each, stretch.view) for each in stretch.steps]
    if wording is language.Wording.BEARINGS:
        told = zip(phrases, stretch.steps, strict=True)
        phrases = [_with_bearing(phrase, step, stretch.view, always) for phrase, step in told]
    return language.PhraseStretch(language.merge_motions(phrases))


def steps_answering(asked: language.CannotSee, steps: PlannedSteps) -> PlannedSteps:
    """Return those of a stretch's steps that a Follower who cannot see its target is told.

    These are the steps up to the next click; after a stretch worded in goals, all steps.
    """
    if not isinstance(language.hear(asked.words), language.PhraseStretch):
        return steps
    clicks = (i for i, each in enumerate(steps, 1) if each.step.click is not None)
    return steps[: next(clicks, len(steps))]


def _phrase_for_step(
    planned: PlannedStep, view: snapshot_view.SnapshotView
) -> language.MotionPhrase | language.InteractionPhrase:
    step = planned.step
    if step.click is None or step.object_type is None or planned.action_key is None:
        return language.MotionPhrase(step.verb)
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
    side = None if is_only_one else language.view_region_of(step.click)
    return language.InteractionPhrase(step.verb, step.object_type, other, side)


def _with_bearing(
    phrase: language.MotionPhrase | language.InteractionPhrase,
    planned: PlannedStep,
    view: snapshot_view.SnapshotView,
    always: bool,
) -> language.MotionPhrase | language.InteractionPhrase:
    click, key = planned.step.click, planned.action_key
    if isinstance(phrase, language.MotionPhrase) or click is None or key is None:
        return phrase
    eye = eye_at(planned.pose, view.snapshot.follower)
    others = (t for t in view.snapshot.of_type(phrase.object_type) if t.objectId != key[1])
    if not (always or any(_is_in_frame(eye, each) for each in others)):
        return phrase
    x, _, z = eye.ray(*pixel_of(click))
    degrees = (degrees_of(atan2(x, z)) - eye.yaw + 180.0) % 360.0 - 180.0
    return replace(phrase, bearing=round(degrees / _BEARING_STEP) * _BEARING_STEP)


def _is_in_frame(eye: Eye, obj: ObjectState) -> bool:
    x, y, depth = eye.project(obj.box.center)
    return 0.0 < depth and 0.0 <= x < 1.0 and 0.0 <= y < 1.0


def _object_type(object_id: str, view: snapshot_view.SnapshotView) -> str | None:
    obj = view.get(object_id)
    return None if obj is None else obj.objectType


def _goal_of_skill(skill: Skill, stretch: PlannedStretch) -> language.SpokenGoal | None:
    verb, *names = _goal_and_objects(skill, stretch)
    nouns = [_object_type(name, stretch.view) for name in names[: verb.noun_count]] if verb else []
    if verb is None or not all(nouns) or len(nouns) != verb.noun_count:
        return None
    return language.SpokenGoal(verb, *(noun for noun in nouns if noun is not None))


def _goal_and_objects(
    skill: Skill, stretch: PlannedStretch
) -> tuple[language.GoalVerb | None, *tuple[str, ...]]:
    """Return the goal verb of a skill (None if it has none) and its objects' ids."""
    verbs = language.GoalVerb
    match skill:
        case PlaceIn(obj, place):
            return verbs.BRING, obj, place
        case HeatOn(obj, place) | HeatIn(obj, place):
            brews = _object_type(place, stretch.view) == "CoffeeMachine"
            return (verbs.BREW if brews else verbs.HEAT), obj, place
        case PourOn(vessel, target):
            drains = _object_type(target, stretch.view) in SINK_TYPES
            return (verbs.EMPTY_INTO if drains else verbs.WATER), vessel, target
        case Rinse(obj):
            fills = properties.facts_of(stretch.decision.policy).is_filling
            return (verbs.FILL if fills else verbs.WASH), obj
        case Switch(obj, on):
            return (verbs.SWITCH_ON if on else verbs.SWITCH_OFF), obj
        case OpenClose(obj, is_open):
            return (verbs.LEAVE_OPEN if is_open else verbs.LEAVE_CLOSED), obj
        case PutDown():
            held = stretch.view.snapshot.held_object()
            return language.GoalVerb.PUT_DOWN, "" if held is None else held.objectId
        case Hold(obj) | SetAside(obj) | Open(obj) | Reveal(obj) | Empty(obj) | Cut(obj):
            return _SINGLE_OBJECT_GOALS[type(skill)], obj
        case _:
            return (None,)
