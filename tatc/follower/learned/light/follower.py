"""The light Follower that carries out one utterance after another as its network says."""

from pathlib import Path

import torch

from tatc.follower.learned import InputMode
from tatc.follower.learned.light.checkpoint import LightModel, read_light_checkpoint
from tatc.follower.learned.light.network_inference import LightPolicy
from tatc.follower.learned.light.network_inputs import (
    ASK_VERB,
    HAND_FULL_AFTER,
    IMPOSSIBLE_VERBS,
    MAX_ACTIONS_PER_UTTERANCE,
    NETWORK_VERBS,
)
from tatc.home.actions import (
    INTERACTION_VERBS,
    Action,
    Click,
    FailureReport,
    PrimitiveStep,
    Role,
    Verb,
    round_click,
)
from tatc.home.agent_traits import AgentTraits
from tatc.home.observation import Observation, ObservedResult
from tatc.home.refusals import RefusalCode
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear, say


class LightFollower:
    """A Follower that takes the actions that a light network scores highest."""

    traits = AgentTraits(draws=False)

    def __init__(self, model: LightModel, input_mode: InputMode = InputMode.FULL) -> None:
        """Make a Follower of a model that reads utterances."""
        self._policy = LightPolicy(model, input_mode)
        self._reads_language = input_mode is not InputMode.VISION_ONLY
        self.begin()

    @classmethod
    def load(cls, path: Path, input_mode: InputMode = InputMode.FULL) -> "LightFollower":
        """Return a Follower of the model in a file."""
        return cls(read_light_checkpoint(path), input_mode)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._has_instruction = False  # and has not carried it out yet
        self._current_step: PrimitiveStep | None = None
        self._refused_clicks: list[Click] = []
        self._is_hand_full: bool | None = None  # None until the first Pickup or Place

    def act(self, observation: Observation) -> Action:
        """Return the next action: a primitive action, a question or a report."""
        done, self._current_step = self._current_step, None
        if done is not None and observation.last_result is not None:
            if not observation.last_result.success:
                return self._report_failure(done, observation.last_result)
            self._refused_clicks.clear()
            self._is_hand_full = HAND_FULL_AFTER.get(done.verb, self._is_hand_full)
        texts = [u.text for u in observation.utterances if u.speaker is Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in texts):
            return Action(Verb.STOP)
        if texts:
            self._policy.read_instruction(" ".join(texts) if self._reads_language else "")
            self._has_instruction = True
        is_spent = len(self._policy.past_verbs) + 1 >= MAX_ACTIONS_PER_UTTERANCE
        if is_spent or not self._has_instruction:
            self._has_instruction = False
            return _text_action(InstructionRequest())
        return self._decide(observation)

    def _report_failure(self, failed: PrimitiveStep, result: ObservedResult) -> Action:
        self._has_instruction = False
        if failed.click is not None:
            self._refused_clicks.append(failed.click)
        reason = result.refusal_code or RefusalCode.UNKNOWN
        return _text_action(FailureReport(failed, reason.value))

    def _decide(self, observation: Observation) -> Action:
        scores = self._policy.score_actions(observation)
        logits = scores.actions[0, -1]
        if not self._policy.past_verbs:
            logits[NETWORK_VERBS.index(ASK_VERB)] = -torch.inf  # it was asked to do something
        for impossible in IMPOSSIBLE_VERBS.get(self._is_hand_full, ()):
            logits[NETWORK_VERBS.index(impossible)] = -torch.inf
        verb = NETWORK_VERBS[int(logits.argmax())]
        if verb is ASK_VERB:
            self._has_instruction = False
            return _text_action(InstructionRequest())
        self._policy.append_action(verb)
        if verb not in INTERACTION_VERBS:
            self._current_step = PrimitiveStep(verb)
            return Action(verb)
        object_type = self._policy.best_object_type(scores)
        click = self._policy.choose_click(object_type, scores, observation, self._refused_clicks)
        self._current_step = PrimitiveStep(verb, object_type, round_click(click))
        return Action(verb, click)


def _text_action(meaning: InstructionRequest | FailureReport) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
