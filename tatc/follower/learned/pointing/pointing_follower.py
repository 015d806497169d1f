"""The Follower that carries out one utterance after another as its pointing network says."""

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import decision, policy
from tatc.home import actions, agent_traits, percepts, refusals
from tatc.home.observation import Observation
from tatc.language import CannotSee, GiveUp, InstructionRequest, Meaning, TaskDone, hear, say

VIEW_SIDE_PIXELS = 150
"""Pixels along each side of its views; at 100, one in 25 of the things that it is to act on cannot
be seen."""
MAX_BUMPS = 1
"""Blocked steps in one utterance after which it reports the next one, whatever it would do."""
_PASSING_REFUSALS = frozenset(map(refusals.RefusalCode, refusals.TABLE["passing"]))
"""Refusals that another place, click or moment may lift; any other is the thing's own."""


class PointingFollower:
    """A Follower that points at what it has seen."""

    traits = agent_traits.AgentTraits(
        perceives=True, masks_only=True, view_side_pixels=VIEW_SIDE_PIXELS, draws=False
    )

    max_bumps, max_actions, reports_failures = MAX_BUMPS, decision.MAX_ACTIONS, True

    def __init__(self, model: policy.PointingModel, mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model."""
        self._policy = policy.PointingPolicy(model, mode)
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.memory = self._policy.new_memory()
        self._has_instruction = False  # and has not carried it out yet
        self._bumps = 0

    def act(self, observation: Observation) -> actions.Action:
        """Return the next action: a primitive action, a question or a report."""
        result = observation.last_result
        failed = None
        if result is not None:
            fits = result.refusal_code in _PASSING_REFUSALS
            failed = self.memory.note_result(result.success, fits=fits)
        texts = [u.text for u in observation.utterances if u.speaker is actions.Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in texts):
            return actions.Action(actions.Verb.STOP)
        if texts:
            self.read(" ".join(texts))
        meaning: Meaning = InstructionRequest()
        is_reported = self.reports_failures and self._has_instruction
        if not texts and failed is not None and result is not None and is_reported:
            verb, instance, click = failed
            kind = None if instance is None else instance.object_type
            said = None if click is None else actions.round_click(click)
            reason = (result.refusal_code or refusals.RefusalCode.UNKNOWN).value
            meaning = actions.FailureReport(actions.PrimitiveStep(verb, kind, said), reason)
            self._bumps += 1
            if instance is not None or self._bumps > self.max_bumps:
                return self.say(meaning)
        view = observation.percepts() if observation.percepts is not None else None
        if not self._has_instruction or view is None or len(self.memory.done) >= self.max_actions:
            return self.say(InstructionRequest())
        choice = self.choose(view)
        if choice.verb is actions.Verb.TEXT:
            return self.say(CannotSee(self.memory.text, True) if choice.needs_help else meaning)
        self.memory.act(choice.verb, choice.instance, choice.click)
        return actions.Action(choice.verb, choice.click)

    def read(self, text: str) -> None:
        """Begin to carry out a text."""
        self._policy.read(text)
        self.memory.begin_utterance(text)
        self._has_instruction, self._bumps = True, 0

    def choose(self, view: percepts.View) -> policy.Choice:
        """Return what to do in a view."""
        return self._policy.decide(self.memory, self.memory.look(view))

    def say(self, meaning: Meaning) -> actions.Action:
        """Return the action that says this, and wait for an instruction."""
        self._has_instruction = False
        return actions.Action(actions.Verb.TEXT, text=say(meaning))
