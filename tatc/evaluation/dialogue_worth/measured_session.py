"""One session under a condition of dialogue: what the agents hear of one another, and counts."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from tatc.commander import Commander, CommanderView, Decision
from tatc.commander.oracle import Oracle
from tatc.evaluation.dialogue_worth.stated_facts import Fact, FactRelation, stated_facts
from tatc.home import actions, percepts, refusals
from tatc.language.llm.chat_request import estimate_tokens
from tatc.session.agents.agents import ExternalCommander
from tatc.session.session_types import SessionEvent
from tatc.session.text_world.follower_interface import TEXT_VIEW_SIDE_PIXELS
from tatc.sim import perception, protocol
from tatc.tdl import Progress, Task


class DialogueCondition(StrEnum):
    """What is said and heard.

    `SILENT`: the Follower is told the task's one line, and the session ends when it speaks.
    `ONE_WAY`: the Commander hears nothing of what the Follower says.
    """

    SILENT = "silent"
    ONE_WAY = "one-way"
    TWO_WAY = "two-way"


class ErrorType(StrEnum):
    """Kinds of mistakes.

    `WRONG_ORDER`: something had to be done before, such as freeing the hand.  `MISSING_STEP`: a
    goal condition was unmet when the session ended.  `AFFORDANCE`: the object does not afford the
    action.  `ADDITIONAL_STEP`: it was so already.  `PERCEPTION`: the click met nothing, or what it
    met was hidden or too far.  `SPACE`: the body, a door or what is held had no room.
    """

    WRONG_ORDER = "wrong order"
    MISSING_STEP = "missing step"
    AFFORDANCE = "affordance"
    ADDITIONAL_STEP = "additional step"
    PERCEPTION = "perception"
    SPACE = "space"
    OTHER = "other"


ERROR_TYPE_BY_CODE = {
    refusals.RefusalCode(code): ErrorType(kind)
    for kind, codes in refusals.TABLE["mistakes"].items()
    for code in codes
}
"""The kind of mistake of each refusal code."""


@dataclass(frozen=True, slots=True)
class SessionMeasures:
    """What was counted in one session.

    `group` is the place and the task: the sessions of one group differ in their seed alone.  Words
    and tokens are those that the other agent heard.  `conflicts` are interactions that undid a met
    goal condition.  `facts` were stated in `messages`; `novel_facts` the hearer had neither seen
    nor heard; `belief_messages` stated a novel fact about an object of an unmet goal condition.
    `errors` counts mistakes by their kind.  `crash` says why the session crashed, "" if it did not,
    and `skipped` why it could not start.
    """

    key: str
    group: str
    success: bool = False
    steps: int = 0
    words: int = 0
    tokens: int = 0
    goal_conditions_met: int = 0
    goal_conditions: int = 0
    conflicts: int = 0
    facts: int = 0
    novel_facts: int = 0
    messages: int = 0
    belief_messages: int = 0
    errors: tuple[tuple[str, int], ...] = ()
    crash: str = ""
    skipped: str = ""


COUNTED = (
    "steps", "words", "tokens", "conflicts", "facts", "novel_facts", "messages", "belief_messages",
)  # fmt: skip
"""The counts of `SessionMeasures` that a meter adds up event by event."""


class SessionMeter:
    """Watches one session and counts."""

    def __init__(self, sim: protocol.Simulator, task: Task, condition: DialogueCondition) -> None:
        """Watch a session in a simulator; call `begin` once it has started."""
        self._sim, self._task, self._condition = sim, task, condition
        self._counts: Counter[str] = Counter()
        self._errors: Counter[ErrorType] = Counter()
        self._told: set[tuple[actions.Role, Fact]] = set()
        self._types_seen: set[str] = set()
        self._types_in_view: frozenset[str] = frozenset()
        self._progress: Progress | None = None
        self._perception: perception.Perception | None = None

    def begin(self) -> None:
        """Take the start of the session as seen."""
        start = self._sim.snapshot()
        level, side = percepts.PerceptionLevel.MASKS, TEXT_VIEW_SIDE_PIXELS
        self._perception = perception.Perception(self._sim, level, start.follower, side)
        self._progress = self._task.check(start)
        self._look()

    def watch(self, event: SessionEvent) -> None:
        """Count one logged action."""
        done = event.interaction
        if done.verb is actions.Verb.TEXT:
            self._hear(done.role, done.text)
        elif done.role is actions.Role.FOLLOWER and done.verb in actions.PRIMITIVE_VERBS:
            self._counts["steps"] += 1
            if event.result is not None and event.result.refusal_code is not None:
                self._errors[ERROR_TYPE_BY_CODE[event.result.refusal_code]] += 1
            elif done.verb in actions.INTERACTION_VERBS:
                self._check()
            self._look()

    def measures(self, key: str, group: str, final: Progress) -> SessionMeasures:
        """Return what was counted in a session that ended with a check's result."""
        total = final.goal_conditions_total
        met = min(final.goal_conditions_satisfied, total)
        errors = self._errors + Counter({ErrorType.MISSING_STEP: total - met})
        return SessionMeasures(
            key,
            group,
            success=final.success,
            goal_conditions_met=met,
            goal_conditions=total,
            errors=tuple(sorted((kind.value, count) for kind, count in errors.items())),
            **{name: self._counts[name] for name in COUNTED},  # pyright: ignore[reportArgumentType]
        )

    def _hear(self, speaker: actions.Role, text: str) -> None:
        if speaker is actions.Role.FOLLOWER and self._condition is not DialogueCondition.TWO_WAY:
            return
        facts = stated_facts(text, speaker)
        novel = [fact for fact in facts if self._is_novel(speaker, fact)]
        self._told.update((speaker, fact) for fact in facts)
        unmet = self._unmet_types()
        self._counts["words"] += len(text.split())
        self._counts["tokens"] += estimate_tokens(text)
        self._counts["messages"] += 1
        self._counts["facts"] += len(facts)
        self._counts["novel_facts"] += len(novel)
        self._counts["belief_messages"] += any(fact.subject in unmet for fact in novel)

    def _is_novel(self, speaker: actions.Role, fact: Fact) -> bool:
        """Return whether the hearer had neither seen nor heard a fact.

        The Follower sees where a thing is once one of its type is in view, and what it is in once
        both have been.  The Commander sees all but why an action was refused.
        """
        if (speaker, fact) in self._told:
            return False
        if speaker is actions.Role.FOLLOWER:
            return fact.relation is FactRelation.REFUSES
        if fact.relation is FactRelation.PART_OF_VIEW:
            return fact.subject not in self._types_in_view
        if fact.relation is FactRelation.IN:
            return not {fact.subject, fact.value} <= self._types_seen
        return True

    def _unmet_types(self) -> frozenset[str]:
        if self._progress is None or self._progress.success:
            return frozenset()
        steps = (step for part in self._progress.subgoals for step in part.steps)
        unmet = {step.object_type for step in steps if not step.success}
        return frozenset(unmet | {key.object_type for key in self._progress.problem_keys()})

    def _check(self) -> None:
        before, now = self._progress, self._task.check(self._sim.snapshot())
        if before is not None:
            lost = now.goal_conditions_satisfied < before.goal_conditions_satisfied
            self._counts["conflicts"] += lost
        self._progress = now

    def _look(self) -> None:
        view = None if self._perception is None else self._perception.view()
        types = () if view is None else (percept.object_type for percept in view.percepts)
        self._types_in_view = frozenset(types)
        self._types_seen |= self._types_in_view


class DeafCommander:
    """A Commander that is told nothing of what the Follower says."""

    def __init__(self, commander: Commander) -> None:
        """Wrap a Commander."""
        self._commander = commander

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""
        self._commander.begin(oracle, task)

    def act(self, view: CommanderView) -> actions.Action:
        """Let the Commander act, without the words."""
        return self._commander.act(CommanderView((), view.progress))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The Commander's."""
        return self._commander.decisions


class MuteCommander(ExternalCommander):
    """A Commander that never says anything: it ends the session when it should speak."""


def commander_under(condition: DialogueCondition, commander: Commander) -> Commander:
    """Return the Commander as it takes part under a condition."""
    match condition:
        case DialogueCondition.SILENT:
            return MuteCommander()
        case DialogueCondition.ONE_WAY:
            return DeafCommander(commander)
        case DialogueCondition.TWO_WAY:
            return commander
