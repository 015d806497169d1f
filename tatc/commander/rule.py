"""The rule Commander: progress check, problem key, policy, skills, stretch, words.

Asked what to do, it checks the progress, takes the problem keys in order, and asks the
policy of each for plans; the first plan that can be drafted from what is known is
said.  It plans every stretch anew from the Follower's present pose, so that a surprise
costs a stretch and not the session.
"""

from tatc.actions import Action, Role, Utterance, Verb
from tatc.commander.decision import Decision
from tatc.commander.draft import Draft, Plan
from tatc.commander.knowledge import Knowledge
from tatc.commander.order import in_order
from tatc.commander.policies import policy_of
from tatc.commander.protocol import CommanderView, Oracle
from tatc.commander.recovery import Said, learn
from tatc.errors import UsageError
from tatc.language import Done, GiveUp, Message, Report, Stretch, hear, say
from tatc.tdl import ProblemKey, Progress

PLANS_TRIED = 24
"""Plans drafted for one utterance at most; then the Commander gives up."""


class RuleCommander:
    """A Commander that plans with handcrafted policies."""

    def __init__(self) -> None:
        """Wait for `begin`."""
        self._known: Knowledge | None = None
        self._said: tuple[Said, ...] = ()
        self._lesson = ""
        self._ended = False
        self._decisions: list[Decision] = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Why each utterance of this session was made, in order."""
        return tuple(self._decisions)

    def begin(self, oracle: Oracle) -> None:
        """Forget everything: a new session starts in the oracle's home."""
        self._known = Knowledge(oracle)
        self._said = ()
        self._lesson = ""
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
        self._lesson = ""
        for utterance in utterances:
            heard = hear(utterance.text)
            if utterance.speaker is Role.FOLLOWER and isinstance(heard, Report):
                self._lesson = learn(heard, self._said, known)

    def _decide(self, progress: Progress, known: Knowledge) -> Message:
        if progress.success:
            return self._end(Done(), "the task is complete")
        known.refresh()
        refused: list[str] = []
        keys = in_order(progress.problem_keys(), known)
        for key in keys:
            plans = self._plans(key, known)
            for plan in plans[: PLANS_TRIED - len(refused)]:
                draft = Draft(known)
                trouble = draft.run(plan)
                if draft.steps and (trouble is None or trouble.passes):
                    return self._speak(draft, key, plan, refused)
                refused.append(f"{_names(plan)}: {trouble or 'nothing to add'}")
            if not plans:
                refused.append(f"{key.property_name} of {key.object_id}: no plan")
        why = refused[0] if refused else "the progress check names nothing to change"
        return self._end(GiveUp(why), why, tuple(refused))

    def _plans(self, key: ProblemKey, known: Knowledge) -> tuple[Plan, ...]:
        policy = policy_of(key.property_name)
        return () if policy is None else policy(key, known)

    def _speak(
        self, draft: Draft, key: ProblemKey, plan: Plan, refused: list[str]
    ) -> Message:
        message = Stretch(tuple(draft.steps))
        self._said = tuple(
            Said(step, attempt, pose)
            for step, attempt, pose in zip(
                draft.steps, draft.targets, draft.poses, strict=True
            )
        )
        self._decisions.append(
            Decision(
                utterance=say(message),
                problem_key=key,
                policy=key.property_name,
                skill=_names(plan),
                reason=self._lesson,
                alternatives=tuple(refused),
                cost=len(draft.steps),
            )
        )
        return message

    def _end(
        self, message: Message, why: str, refused: tuple[str, ...] = ()
    ) -> Message:
        self._ended = True
        self._said = ()
        words = say(message)
        self._decisions.append(Decision(words, None, "", "", why, refused, 0))
        return message


def _names(plan: Plan) -> str:
    return ", ".join(repr(skill) for skill in plan)
