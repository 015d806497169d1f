"""The Follower that carries out one utterance after another as its pointing network says."""

from tatc.follower.learned import InputMode
from tatc.follower.learned.checkpoint import PointingModel
from tatc.follower.learned.pointing import policy
from tatc.follower.learned.pointing.decision import MAX_ACTIONS
from tatc.home import actions, agent_traits, refusals
from tatc.home.observation import Observation, ObservedResult
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear, say

VIEW_SIDE_PIXELS = 150
"""Pixels along each side of its views; at 100, one in 25 of the things that it is to act on cannot
be seen."""
MAX_BUMPS = 3
"""Blocked steps in one utterance after which it reports the next one."""


class PointingFollower:
    """A Follower that points at what it has seen."""

    traits = agent_traits.AgentTraits(
        perceives=True, masks_only=True, view_side_pixels=VIEW_SIDE_PIXELS, draws=False
    )

    def __init__(self, model: PointingModel, mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model."""
        self._policy = policy.PointingPolicy(model, mode)
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.memory = self._policy.new_memory()
        self._has_instruction = False  # and has not carried it out yet
        self._bumps = 0
        self.choice: policy.Choice | None = None
        """The last decision."""

    def act(self, observation: Observation) -> actions.Action:
        """Return the next action: a primitive action, a question or a report."""
        result = observation.last_result
        failed = None if result is None else self.memory.note_result(result.success)
        texts = [u.text for u in observation.utterances if u.speaker is actions.Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in texts):
            return actions.Action(actions.Verb.STOP)
        if texts:
            self._policy.read(" ".join(texts))
            self.memory.begin_utterance(" ".join(texts))
            self._has_instruction, self._bumps = True, 0
        elif failed is not None and result is not None and self._has_instruction:
            verb, instance, click = failed
            self._bumps += 1
            if instance is not None or self._bumps > MAX_BUMPS:
                kind = None if instance is None else instance.object_type
                said = None if click is None else actions.round_click(click)
                return self._report(actions.PrimitiveStep(verb, kind, said), result)
        view = observation.percepts() if observation.percepts is not None else None
        if not self._has_instruction or view is None or len(self.memory.done) >= MAX_ACTIONS:
            return self._ask()
        self.choice = choice = self._policy.decide(self.memory, self.memory.look(view))
        if choice.verb is actions.Verb.TEXT:
            return self._ask()
        self.memory.act(choice.verb, choice.instance, choice.click)
        return actions.Action(choice.verb, choice.click)

    def _ask(self) -> actions.Action:
        self._has_instruction = False
        return actions.Action(actions.Verb.TEXT, text=say(InstructionRequest()))

    def _report(self, failed: actions.PrimitiveStep, result: ObservedResult) -> actions.Action:
        self._has_instruction = False
        reason = (result.refusal_code or refusals.RefusalCode.UNKNOWN).value
        report = actions.FailureReport(failed, reason)
        return actions.Action(actions.Verb.TEXT, text=say(report))
