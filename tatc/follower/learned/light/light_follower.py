"""The light Follower that carries out one utterance after another as its network says."""

from pathlib import Path

import torch

from tatc.follower.learned import InputMode
from tatc.follower.learned.light import network_inference, network_inputs
from tatc.follower.learned.light.checkpoint import LightModel, read_light_checkpoint
from tatc.home import actions, agent_traits, refusals
from tatc.home.observation import Observation, ObservedResult
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear, say


class LightFollower:
    """A Follower that takes the actions that a light network scores highest."""

    traits = agent_traits.AgentTraits(draws=False)

    def __init__(self, model: LightModel, input_mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model that reads utterances."""
        self._policy = network_inference.LightPolicy(model, input_mode)
        self._reads_language = input_mode is not InputMode.VISION_ONLY
        self.begin()

    @classmethod
    def load(cls, path: Path, input_mode: InputMode = InputMode.FULL) -> "LightFollower":
        """Return a Follower of the model in a file."""
        return cls(read_light_checkpoint(path), input_mode)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._has_instruction = False  # and has not carried it out yet
        self._current_step: actions.PrimitiveStep | None = None
        self._refused_clicks: list[actions.Click] = []
        self._is_hand_full: bool | None = None  # None until the first Pickup or Place

    def act(self, observation: Observation) -> actions.Action:
        """Return the next action: a primitive action, a question or a report."""
        done, self._current_step = self._current_step, None
        if done is not None and observation.last_result is not None:
            if not observation.last_result.success:
                return self._report_failure(done, observation.last_result)
            self._refused_clicks.clear()
            self._is_hand_full = network_inputs.HAND_FULL_AFTER.get(done.verb, self._is_hand_full)
        texts = [u.text for u in observation.utterances if u.speaker is actions.Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in texts):
            return actions.Action(actions.Verb.STOP)
        if texts:
            self._policy.read_instruction(" ".join(texts) if self._reads_language else "")
            self._has_instruction = True
        is_spent = len(self._policy.past_verbs) + 1 >= network_inputs.MAX_ACTIONS_PER_UTTERANCE
        if is_spent or not self._has_instruction:
            self._has_instruction = False
            return _text_action(InstructionRequest())
        return self._decide(observation)

    def _report_failure(
        self, failed: actions.PrimitiveStep, result: ObservedResult
    ) -> actions.Action:
        self._has_instruction = False
        if failed.click is not None:
            self._refused_clicks.append(failed.click)
        reason = result.refusal_code or refusals.RefusalCode.UNKNOWN
        return _text_action(actions.FailureReport(failed, reason.value))

    def _decide(self, observation: Observation) -> actions.Action:
        scores = self._policy.score_actions(observation)
        logits = scores.actions[0, -1]
        verbs, ask_verb = network_inputs.NETWORK_VERBS, network_inputs.ASK_VERB
        if not self._policy.past_verbs:
            logits[verbs.index(ask_verb)] = -torch.inf  # it was asked to do something
        for impossible in network_inputs.IMPOSSIBLE_VERBS.get(self._is_hand_full, ()):
            logits[verbs.index(impossible)] = -torch.inf
        verb = verbs[int(logits.argmax())]
        if verb is ask_verb:
            self._has_instruction = False
            return _text_action(InstructionRequest())
        self._policy.append_action(verb)
        if verb not in actions.INTERACTION_VERBS:
            self._current_step = actions.PrimitiveStep(verb)
            return actions.Action(verb)
        object_type = self._policy.best_object_type(scores)
        click = self._policy.choose_click(object_type, scores, observation, self._refused_clicks)
        self._current_step = actions.PrimitiveStep(verb, object_type, actions.round_click(click))
        return actions.Action(verb, click)


def _text_action(meaning: InstructionRequest | actions.FailureReport) -> actions.Action:
    return actions.Action(actions.Verb.TEXT, text=say(meaning))
