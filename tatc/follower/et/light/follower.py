"""The light Follower in a session: hears, looks, acts, asks, reports.

It learns what to do; what it says is the protocol's: it asks when the network says
that it has done what it was told, and reports an action that failed.
"""

from pathlib import Path

import torch

from tatc.actions import INTERACTION_VERBS, Action, ActionResult, Click, Observation, Role, Verb
from tatc.follower.et.input_modes import InputMode
from tatc.follower.et.light.action_history import (
    ASK_VERB,
    HAND_FULL_AFTER,
    IMPOSSIBLE_VERBS,
    MAX_ACTIONS_PER_UTTERANCE,
    NETWORK_VERBS,
)
from tatc.follower.et.light.checkpoint import LightModel, read_light_checkpoint
from tatc.follower.et.light.network_inference import LightPolicy
from tatc.language import (
    FailureReport,
    GiveUp,
    InstructionRequest,
    PrimitiveStep,
    TaskDone,
    hear,
    round_click,
    say,
)


class LightFollower:
    """A Follower that does what a light network makes of what it hears and sees."""

    draws = False

    def __init__(self, model: LightModel, input_mode: InputMode = InputMode.FULL) -> None:
        """Take a network, and what it may see."""
        self._policy = LightPolicy(model, input_mode)
        self._reads_language = input_mode is not InputMode.VISION_ONLY
        self.begin()

    @classmethod
    def load(cls, path: Path, input_mode: InputMode = InputMode.FULL) -> "LightFollower":
        """Read a network from a file.

        Raises:
            BadInput: it is none.

        """
        return cls(read_light_checkpoint(path), input_mode)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._has_instruction = False  # whether there is something to carry out
        self._current_step: PrimitiveStep | None = None
        self._refused_clicks: list[Click] = []
        self._is_hand_full: bool | None = None  # whether the hand does, once it is known

    def act(self, observation: Observation) -> Action:
        """Return the next action: a primitive, a question or a report."""
        doing, self._current_step = self._current_step, None
        if doing is not None and observation.last_result is not None:
            if not observation.last_result.success:
                return self._report(doing, observation.last_result)
            self._refused_clicks.clear()
            self._is_hand_full = HAND_FULL_AFTER.get(doing.verb, self._is_hand_full)
        told = [u.text for u in observation.utterances if u.speaker is Role.COMMANDER]
        if any(isinstance(hear(text), TaskDone | GiveUp) for text in told):
            return Action(Verb.STOP)
        if told:
            self._policy.read_instruction(" ".join(told) if self._reads_language else "")
            self._has_instruction = True
        if (
            not self._has_instruction
            or len(self._policy.past_verbs) + 1 >= MAX_ACTIONS_PER_UTTERANCE
        ):
            self._has_instruction = False
            return _text_action(InstructionRequest())
        return self._decide(observation)

    def _report(self, doing: PrimitiveStep, last: ActionResult) -> Action:
        self._has_instruction = False
        if doing.click is not None:
            self._refused_clicks.append(doing.click)
        why = last.message or last.hint or "it did not work"
        return _text_action(FailureReport(doing, " ".join(why.split())))

    def _decide(self, observation: Observation) -> Action:
        scores = self._policy.score_actions(observation)
        actions = scores.actions[0, -1]
        if not self._policy.past_verbs:
            actions[NETWORK_VERBS.index(ASK_VERB)] = -torch.inf  # it was asked to do something
        for barred in IMPOSSIBLE_VERBS.get(self._is_hand_full, ()):
            actions[NETWORK_VERBS.index(barred)] = -torch.inf
        verb = NETWORK_VERBS[int(actions.argmax())]
        if verb is ASK_VERB:
            self._has_instruction = False
            return _text_action(InstructionRequest())
        self._policy.append_action(verb)
        if verb not in INTERACTION_VERBS:
            self._current_step = PrimitiveStep(verb)
            return Action(verb)
        noun = self._policy.best_object_type(scores)
        click = self._policy.choose_click(noun, scores, observation, self._refused_clicks)
        self._current_step = PrimitiveStep(verb, noun, round_click(click))
        return Action(verb, click)


def _text_action(meaning: InstructionRequest | FailureReport) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
