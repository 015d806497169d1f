"""The rule Commander: progress check, problem key, policy, skills, stretch, words.

Asked what to do, it checks the progress, takes the problem keys in order, and asks the
policy of each for plans; the first plan that can be drafted from what is known is
said.  Where no plan can, the PDDL fallback plans what is left of the task, and goes on
until it has nothing more to say; then what stands in the way is set aside.  Every
stretch is planned anew from the Follower's present pose, so that a surprise costs a
stretch and not the session.  How a stretch is worded is `wording`'s business; a
Follower that cannot see what was meant is told it in primitives.
"""

from itertools import islice

from tatc.actions import Action, Role, Utterance, Verb
from tatc.commander import unnamed
from tatc.commander.decision import Decision
from tatc.commander.draft import Draft, Plan
from tatc.commander.fallback import Fallback
from tatc.commander.knowledge import Knowledge
from tatc.commander.memory import AGAIN, REPEATS
from tatc.commander.order import in_order
from tatc.commander.policies import policy_of
from tatc.commander.protocol import CommanderView, Oracle
from tatc.commander.recovery import Said, alternatives, kind_of, learn
from tatc.commander.refused import Refused, names
from tatc.commander.trouble import Reason, Trouble
from tatc.commander.wording import wanted, worded
from tatc.errors import UsageError
from tatc.language import (
    Done,
    GiveUp,
    Meaning,
    Report,
    Step,
    Stretch,
    Unseen,
    Wording,
    hear,
    say,
)
from tatc.tdl import ProblemKey, Progress, Task

PLANS_TRIED = 40
"""Plans drafted for one problem key, or one trouble, at most."""
UNNAMED = ProblemKey("", "", "a", "unnamed", None)
"""Stands for what a progress check leaves out."""
PLANNED = ProblemKey("", "", "a", "pddl", None)
"""Stands for what the fallback plans: the whole task."""


class RuleCommander:
    """A Commander that plans with handcrafted policies, and falls back on PDDL."""

    knowledge = Knowledge
    """How it knows the home; who knows it otherwise overrides it."""
    policies = True
    """Whether policies plan; else the PDDL fallback plans all (`PddlCommander`)."""

    def __init__(self, wording: Wording = Wording.ACTIONS) -> None:
        """Wait for `begin`; speak at the grain of `wording`."""
        self._wording = wording
        self._asked: Unseen | None = None
        self._known: Knowledge | None = None
        self._fallback: Fallback | None = None
        self._fallen_back = False
        self._said: tuple[Said, ...] = ()
        self._lesson = ""
        self._ended = False
        self._decisions: list[Decision] = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Why each utterance of this session was made, in order."""
        return tuple(self._decisions)

    @property
    def ended(self) -> bool:
        """Whether it has said its last: that all is done, or that it gives up."""
        return self._ended

    @property
    def stretch(self) -> tuple[Step, ...]:
        """The primitives that were meant by what was said last, however worded."""
        return tuple(said.step for said in self._said)

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Forget everything: a new session of this task starts in the oracle's home."""
        self._known = self.knowledge(oracle)
        self._fallback = Fallback(task)
        self._fallen_back = not self.policies
        self._said = ()
        self._lesson = ""
        self._asked = None
        self._ended = False
        self._decisions.clear()

    def act(self, view: CommanderView) -> Action:
        """Check the progress when the Follower has spoken; then say what comes next.

        Raises:
            UsageError: `begin` was not called.

        """
        if self._known is None:
            raise UsageError("the Commander acts before it begins", fix="call begin")
        if self._ended:
            return Action(Verb.STOP)
        if view.progress is None:
            self._listen(view.utterances, self._known)
            return Action(Verb.OPEN_PROGRESS_CHECK)
        return Action(Verb.TEXT, text=say(self._decide(view.progress, self._known)))

    def _listen(self, utterances: tuple[Utterance, ...], known: Knowledge) -> None:
        known.refresh()
        self._lesson, self._asked = "", None
        for utterance in utterances:
            if utterance.speaker is not Role.FOLLOWER:
                continue
            match hear(utterance.text):
                case Report() as report:
                    self._lesson = learn(report, self._said, known)
                case Unseen() as asked:
                    self._asked = asked
                case _:
                    pass

    def _decide(self, progress: Progress, known: Knowledge) -> Meaning:
        if progress.success:
            return self._end(Done(), "the task is complete")
        known.refresh()
        refused = Refused()
        keys = in_order(progress.problem_keys(), known)
        for way in (self._plan, self._recover, self._dare, self._anew):
            spoken = way(keys, known, refused)
            if spoken is not None:
                return spoken
        why = refused.why()
        return self._end(GiveUp(why), why, refused.lines())

    def _plan(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, refused: Refused
    ) -> Meaning | None:
        """Say what policies or fallback plan; the one that spoke last comes first."""
        if self._fallen_back and (spoken := self._fall_back(known, refused)):
            return spoken
        if self.policies and (spoken := self._follow_policies(keys, known, refused)):
            self._fallen_back = False
            return spoken
        if not self._fallen_back and (spoken := self._fall_back(known, refused)):
            self._fallen_back = True
            return spoken
        return None

    def _follow_policies(
        self,
        keys: tuple[ProblemKey, ...],
        known: Knowledge,
        refused: Refused,
        *,
        bold: bool = False,
    ) -> Meaning | None:
        for key in keys:
            policy = policy_of(key.property_name)
            if policy is None:
                trouble = Trouble(Reason.UNACHIEVABLE, key.object_id)
                refused.add(key, (), trouble)
                continue
            plans = policy(key, known)
            if spoken := self._try(key, plans, known, refused, bold=bold):
                return spoken
        if not keys:
            return self._try(UNNAMED, unnamed.plans(known), known, refused)
        return None

    def _fall_back(self, known: Knowledge, refused: Refused) -> Meaning | None:
        assert self._fallback is not None
        found = self._fallback.draft(known)
        for trouble in found.troubles:
            refused.add(PLANNED, (), trouble)
        if found.draft is None:
            return None
        return self._speak(found.draft, PLANNED, found.plan, found.refused)

    def _recover(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, refused: Refused
    ) -> Meaning | None:
        """Take away what put every plan in trouble, first keys first."""
        for key, trouble in refused.troubles():
            plans = alternatives(trouble, key, known)
            if spoken := self._try(key, plans, known, refused, repeats=AGAIN):
                known.memory.recovered[kind_of(trouble, known)] += 1
                known.memory.first.add(key.object_type)
                return spoken
        return None

    def _dare(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, refused: Refused
    ) -> Meaning | None:
        """Try what should not work by what is foreseen: that may be wrong."""
        if not self.policies:
            return None
        return self._follow_policies(keys, known, refused, bold=True)

    def _anew(
        self, keys: tuple[ProblemKey, ...], known: Knowledge, refused: Refused
    ) -> Meaning | None:
        """Forget what was refused, for some of it may have been chance."""
        if not known.memory.forget():
            return None
        known.refresh()
        return self._plan(keys, known, refused)

    def _try(
        self,
        key: ProblemKey,
        plans: tuple[Plan, ...],
        known: Knowledge,
        refused: Refused,
        *,
        bold: bool = False,
        repeats: int = REPEATS,
    ) -> Meaning | None:
        """Say the first plan that can be drafted; None where none can."""
        for plan in plans[:PLANS_TRIED]:
            if known.memory.spoken[plan] >= repeats:
                refused.add(key, plan, Trouble(Reason.IN_VAIN))
                continue
            draft = Draft(known, bold=bold)
            trouble = draft.run(plan)
            if draft.steps and (trouble is None or trouble.passes):
                known.memory.spoken[plan] += 1
                return self._speak(draft, key, plan, refused.lines())
            refused.add(key, plan, trouble)
        return None

    def _speak(
        self, draft: Draft, key: ProblemKey, plan: Plan, refused: tuple[str, ...]
    ) -> Meaning:
        if self._asked is None:
            steps = tuple(draft.steps)
            meaning = self.word(steps, draft, plan, key)
        else:
            steps = tuple(wanted(self._asked, draft.steps))
            meaning = Stretch(steps)
        said = zip(draft.steps, draft.targets, draft.poses, draft.points, strict=True)
        self._said = tuple(Said(*each) for each in islice(said, len(steps)))
        self._decisions.append(
            Decision(
                utterance=say(meaning),
                problem_key=key if key.object_id else None,
                policy=key.property_name,
                skill=names(plan),
                reason=self._lesson,
                alternatives=refused,
                cost=len(steps),
            )
        )
        return meaning

    def word(
        self, steps: tuple[Step, ...], draft: Draft, plan: Plan, key: ProblemKey
    ) -> Meaning:
        """Return what to say for a draft's steps; who speaks otherwise overrides it."""
        return worded(self._wording, steps, draft, plan, key)

    def _end(
        self, meaning: Meaning, why: str, refused: tuple[str, ...] = ()
    ) -> Meaning:
        self._ended = True
        self._said = ()
        words = say(meaning)
        self._decisions.append(Decision(words, None, "", "", why, refused, 0))
        return meaning


class PddlCommander(RuleCommander):
    """A Commander that plans whole tasks in PDDL, without any policy."""

    policies = False
