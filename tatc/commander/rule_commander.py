"""The rule Commander: it words the stretches that a `RulePlanner` plans.

Whenever the Follower has spoken, the Commander checks the progress and says the next stretch.
`stretch_wording` chooses the words; a Follower that cannot see its target is told the primitives.
"""

from dataclasses import replace

from tatc.base.errors import UsageError
from tatc.commander.knowledge import Knowledge
from tatc.commander.oracle import CommanderView, Decision, Oracle
from tatc.commander.rule_planner import NoStretch, PlannedStretch, RulePlanner, WhyNoStretch
from tatc.commander.stretch_wording import steps_answering, word_stretch
from tatc.home.actions import Action, FailureReport, PrimitiveStep, Role, Utterance, Verb
from tatc.language import CannotSee, GiveUp, Meaning, Stretch, TaskDone, Wording, hear, say
from tatc.planners.pddl.problem import SearchEngine
from tatc.tdl import Task


class RuleCommander:
    """A Commander that plans with handcrafted policies and falls back on PDDL."""

    knowledge_class = Knowledge
    """The class of its knowledge of the home; a subclass may set another."""
    uses_policies = True
    """Whether policies plan; if not, PDDL plans everything (`PddlCommander`)."""
    uses_fallback = True
    """Whether PDDL plans where the policies cannot (`PoliciesOnlyCommander` does without)."""
    search_engine = SearchEngine.HFF
    """What searches for plans in PDDL (`FastDownwardCommander` has another)."""

    def __init__(self, wording: Wording = Wording.ACTIONS) -> None:
        """Make a Commander that speaks in this wording, once `begin` is called."""
        self._wording = wording
        self._planner: RulePlanner | None = None
        self._unseen_question: CannotSee | None = None
        self._has_ended = False
        self._decisions: list[Decision] = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        return tuple(self._decisions)

    @property
    def has_ended(self) -> bool:
        """Whether it has said that the task is done or that it gives up."""
        return self._has_ended

    @property
    def stretch(self) -> tuple[PrimitiveStep, ...]:
        """The primitives that the last utterance stands for, in any wording."""
        return tuple(each.step for each in self._planner.last_steps) if self._planner else ()

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
        self._has_ended = False
        self._decisions.clear()

    def act(self, view: CommanderView) -> Action:
        """Return a progress check, or after it the next utterance; Stop at the end."""
        if self._planner is None:
            raise UsageError("the Commander acts before it begins", fix="call begin")
        if self._has_ended:
            return Action(Verb.STOP)
        if view.progress is None:
            self._listen(view.utterances, self._planner)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        found = self._planner.next_stretch(view.progress)
        text = self._end(found) if isinstance(found, NoStretch) else self._say(found, self._planner)
        return Action(Verb.TEXT, text=text)

    def choose_words(self, stretch: PlannedStretch) -> Meaning:
        """Return what to say for a stretch; a subclass may word it otherwise."""
        return word_stretch(self._wording, stretch)

    def _listen(self, utterances: tuple[Utterance, ...], planner: RulePlanner) -> None:
        self._unseen_question = None
        for utterance in utterances:
            meaning = hear(utterance.text) if utterance.speaker is Role.FOLLOWER else None
            if isinstance(meaning, FailureReport):
                planner.learn(meaning)
            elif isinstance(meaning, CannotSee):
                self._unseen_question = meaning

    def _say(self, stretch: PlannedStretch, planner: RulePlanner) -> str:
        if self._unseen_question is None:
            text = say(self.choose_words(stretch))
        else:
            planner.last_steps = steps_answering(self._unseen_question, stretch.steps)
            text = say(Stretch(tuple(each.step for each in planner.last_steps)))
        cost = len(planner.last_steps)
        self._decisions.append(replace(stretch.decision, utterance=text, cost=cost))
        return text

    def _end(self, found: NoStretch) -> str:
        is_done = found.why is WhyNoStretch.TASK_COMPLETE
        text = say(TaskDone() if is_done else GiveUp(found.explanation))
        self._has_ended = True
        self._decisions.append(replace(found.decision, utterance=text))
        return text


# Rule Commanders that plan with PDDL alone, in one of two engines, or with policies alone.


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    uses_policies = False


class FastDownwardCommander(PddlCommander):
    """A Commander that plans whole tasks in PDDL, with Fast Downward as the engine."""

    search_engine = SearchEngine.FAST_DOWNWARD


class PoliciesOnlyCommander(RuleCommander):
    """A Commander without the PDDL fallback: where its policies have no plan, it gives up."""

    uses_fallback = False
