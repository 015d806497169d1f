"""The light Follower that remembers the whole session, trained on what people did.

It reads everything said and done so far, the newest first, walks, and clicks; after every
interaction it reads the history again.  People did not report failures, so it does not
either: it only avoids what failed from the same place.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from tatc.follower.learned import InputMode
from tatc.follower.learned.light import network, network_inference, network_inputs
from tatc.follower.protocol import FrameSource, HistoryEvent, PastAction
from tatc.home.actions import INTERACTION_VERBS, Action, Click, Role, Utterance, Verb, can_cut
from tatc.home.agent_traits import AgentTraits
from tatc.home.observation import Observation
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear, say

MAX_FAILED_CLICKS = 2
"""How many clicks of one verb may fail from one place before the verb is ruled out."""
MAX_CONSECUTIVE_MOTIONS = 60
"""The number of motions in a row after which it gives up and asks."""
MAX_ACTIONS_PER_INSTRUCTION = 200
"""The number of actions since the last utterance after which it gives up and asks."""
REPEAT_PENALTY = 1.0
"""Subtracted from the logit of an action for each time it was taken in the same pose, and
from that of an interaction for each time it was done to the same object type."""
INTERACTION_BONUS = 1.5
"""Added to the logit of an interaction: a needless one costs an action, and a missing one
the session."""
ASK_PENALTY = 3.0
"""Subtracted from the logit of a question: people often speak before they are done."""
MAX_EVENTS = 12
"""The number of latest events that the text holds, at most."""
FIRST_INSTRUCTIONS_KEPT = 2
"""The number of the Commander's first utterances that the text holds, however old."""
MAX_WORDS_PER_UTTERANCE = 25
"""The number of words of one utterance that the text holds, at most."""
EMPTY_HAND = "nothing"
"""The word for an empty hand, in place of the held object's type."""
_WORD_PATTERN = re.compile(r"[a-z0-9]+")
_STEP_BY_QUARTER = ((0, 1), (1, 0), (0, -1), (-1, 0))  # right and ahead, by quarter turns right
_QUARTERS_BY_VERB = {Verb.FORWARD: 0, Verb.PAN_RIGHT: 1, Verb.BACKWARD: 2, Verb.PAN_LEFT: 3}
_TURN_QUARTERS = {Verb.TURN_RIGHT: 1, Verb.TURN_LEFT: 3}
_TILT_STEPS = {Verb.LOOK_UP: 1, Verb.LOOK_DOWN: -1}


class HistoryFollower:
    """A Follower that does what people did after the same history."""

    traits = AgentTraits(draws=False)

    def __init__(
        self, model: network_inference.LightModel, input_mode: InputMode = InputMode.FULL
    ) -> None:
        """Make a Follower of a model that reads histories (`LightNetworkSizes.recalls`)."""
        self._policy = network_inference.LightPolicy(model, input_mode)
        self._reads_language = input_mode is not InputMode.VISION_ONLY
        self._targets = TargetChooser(model.classes, model.verb_object_pairs)
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.begin_after((), tuple)

    def begin_after(self, events: Sequence[HistoryEvent], frames: FrameSource) -> None:
        """Begin after these events, the oldest first; past frames are not needed."""
        self._events = list(events)
        self._last_action: Action | None = None
        self._last_object_type = ""
        self._has_acted = False  # whether an interaction succeeded since the last utterance
        self._action_count = 0  # since the last utterance
        self._interaction_counts: Counter[tuple[Verb, str]] = Counter()  # since then, too
        self._restart_from_history()

    def act(self, observation: Observation) -> Action:
        """Return the next action, or a question when it is done or gives up."""
        if self._last_action is not None and observation.last_result is not None:
            self._record_result(self._last_action, observation.last_result.success)
        self._last_action = None
        if observation.utterances:
            told = (said for said in observation.utterances if said.speaker is Role.COMMANDER)
            if any(isinstance(hear(said.text), TaskDone | GiveUp) for said in told):
                return Action(Verb.STOP)
            self._events += observation.utterances
            self._has_acted = False
            self._action_count = 0
            self._interaction_counts.clear()
            self._restart_from_history()
        gives_up = (
            self._motion_count >= MAX_CONSECUTIVE_MOTIONS
            or self._action_count >= MAX_ACTIONS_PER_INSTRUCTION
        )
        told = (event for event in self._events if isinstance(event, Utterance))
        if gives_up or not any(each.speaker is Role.COMMANDER for each in told):
            return self._ask()
        return self._decide(observation)

    def _restart_from_history(self) -> None:
        """Read the history again; odometry and failures start from here."""
        self._motion_count = 0
        self._odometry = Odometry()
        self._verb_counts_by_pose: Counter[tuple[Odometry, Verb]] = Counter()
        self._failure_counts: Counter[Verb] = Counter()
        self._refused_clicks: list[Click] = []
        self._read_history()

    def _read_history(self) -> None:
        text = history_text(self._events, include_words=self._reads_language)
        self._policy.read_instruction(text)

    def _ask(self) -> Action:
        self._motion_count = self._action_count = 0
        return Action(Verb.TEXT, text=say(InstructionRequest()))

    def _record_result(self, action: Action, success: bool) -> None:
        """Take the outcome of the last action into the history."""
        if not success:
            self._policy.drop_last_action()
            self._failure_counts[action.verb] += 1
            if action.click is not None:
                self._refused_clicks.append(action.click)
        elif action.click is not None:
            self._events.append(PastAction(action.verb, self._last_object_type))
            self._interaction_counts[action.verb, self._last_object_type] += 1
            self._has_acted = True
            self._restart_from_history()
        else:
            self._motion_count += 1
            self._odometry = self._odometry.after(action.verb)
            self._failure_counts.clear()
            self._refused_clicks.clear()
            if len(self._policy.past_verbs) >= network_inputs.MAX_ACTIONS_PER_UTTERANCE - 1:
                self._read_history()

    def _decide(self, observation: Observation) -> Action:
        scores = self._policy.score_actions(observation)
        logits, targets = (scores.actions[0, -1], self._target_choices(scores, observation))
        for i, verb in enumerate(network_inputs.NETWORK_VERBS):
            logits[i] -= REPEAT_PENALTY * self._verb_counts_by_pose[self._odometry, verb]
            logits[i] += targets[verb].logit_change + INTERACTION_BONUS if verb in targets else 0.0
            if self._is_ruled_out(verb) or (verb in INTERACTION_VERBS and verb not in targets):
                logits[i] = -torch.inf
        logits[network_inputs.NETWORK_VERBS.index(network_inputs.ASK_VERB)] -= ASK_PENALTY
        verb = network_inputs.NETWORK_VERBS[int(logits.argmax())]
        if verb is network_inputs.ASK_VERB:
            return self._ask()
        self._action_count += 1
        self._policy.append_action(verb)
        self._verb_counts_by_pose[self._odometry, verb] += 1
        click = None
        if verb in INTERACTION_VERBS:
            self._last_object_type = targets[verb].object_type
            click = self._policy.choose_click(
                self._last_object_type, scores, observation, self._refused_clicks
            )
        self._last_action = Action(verb, click)
        return self._last_action

    def _target_choices(
        self, scores: network.ActionScores, observation: Observation
    ) -> "dict[Verb, TargetChoice]":
        """Return the target of each interaction verb; verbs without a target are left out."""
        in_view = self._policy.types_in_view(observation)
        logits = scores.classes[0, -1, network_inputs.FIRST_NAMED_CLASS :]
        counts = self._interaction_counts.items()
        penalties = {interaction: REPEAT_PENALTY * count for interaction, count in counts}
        choices = (
            (verb, self._targets.choose(verb, logits, in_view, penalties))
            for verb in INTERACTION_VERBS
        )
        return {verb: choice for verb, choice in choices if choice is not None}

    def _is_ruled_out(self, verb: Verb) -> bool:
        if verb is network_inputs.ASK_VERB:
            return not self._has_acted
        held = held_type(self._events)
        cannot_cut = verb is Verb.SLICE and not can_cut(held)
        if cannot_cut or verb in network_inputs.IMPOSSIBLE_VERBS[held != EMPTY_HAND]:
            return True
        max_failures = MAX_FAILED_CLICKS if verb in INTERACTION_VERBS else 1
        return self._failure_counts[verb] >= max_failures


@dataclass(frozen=True, slots=True)
class Odometry:
    """A pose relative to the start: grid steps, quarter turns to the right (0 to 3), looks up."""

    right: int = 0
    ahead: int = 0
    quarter_turns: int = 0
    tilts: int = 0

    def after(self, verb: Verb) -> "Odometry":
        """Return the pose after a successful motion; other verbs leave it unchanged."""
        if verb in _QUARTERS_BY_VERB:
            right, ahead = _STEP_BY_QUARTER[(self.quarter_turns + _QUARTERS_BY_VERB[verb]) % 4]
            return replace(self, right=self.right + right, ahead=self.ahead + ahead)
        if verb in _TURN_QUARTERS:
            return replace(self, quarter_turns=(self.quarter_turns + _TURN_QUARTERS[verb]) % 4)
        return replace(self, tilts=self.tilts + _TILT_STEPS.get(verb, 0))


@dataclass(frozen=True, slots=True)
class TargetChoice:
    """An object type, and what is added to the logit of the verb for it."""

    object_type: str
    logit_change: float


class TargetChooser:
    """Chooses the object type for a verb: one that people applied it to and that is in view.

    The smaller the share of the probability that falls on types in view, the less likely the verb.
    """

    def __init__(
        self, classes: Sequence[str], verb_object_pairs: Collection[tuple[str, str]]
    ) -> None:
        """Choose among the network's classes; without pairs of (verb, type), all are allowed."""
        self._classes = tuple(classes)
        self._verb_object_pairs = frozenset(verb_object_pairs)

    def choose(
        self,
        verb: Verb,
        logits: Tensor,
        types_in_view: Collection[str] | None,
        repeat_penalties: Mapping[tuple[Verb, str], float],
    ) -> TargetChoice | None:
        """Return the best target of an interaction verb; None if it has none.

        `logits` are those of the object types, (types,), and `types_in_view` is None if they are
        not known.  `repeat_penalties` are subtracted for interactions that were already done.
        """
        kinds, pairs = self._classes, self._verb_object_pairs
        plausible = [i for i, k in enumerate(kinds) if not pairs or (verb.value, k) in pairs]
        in_view = [i for i in plausible if types_in_view is None or kinds[i] in types_in_view]
        if not in_view:
            return None
        share = torch.logsumexp(logits[in_view], 0) - torch.logsumexp(logits[plausible], 0)
        penalties = [repeat_penalties.get((verb, kinds[i]), 0.0) for i in in_view]
        best = int((logits[in_view] - torch.tensor(penalties)).argmax())
        return TargetChoice(kinds[in_view[best]], float(share) - penalties[best])


def history_text(events: Sequence[HistoryEvent], *, include_words: bool = True) -> str:
    """Return a history (oldest event first) as text; without `include_words`, only who spoke.

    First comes what the hand holds, then a phrase for each event but motions, the newest first, so
    that a phrase's number says how long ago it was.  Spelling is lower-case letters and digits.
    """
    known = [e for e in events if isinstance(e, Utterance) or e.verb in INTERACTION_VERBS]
    return ", ".join([f"holding {held_type(known)}", *_event_phrases(known, include_words)])


def held_type(events: Sequence[HistoryEvent]) -> str:
    """Return the type of the object in the hand after these events, or `EMPTY_HAND`."""
    for event in reversed(events):
        if isinstance(event, PastAction) and event.verb in network_inputs.HAND_FULL_AFTER:
            is_full = network_inputs.HAND_FULL_AFTER[event.verb]
            return event.object_type or EMPTY_HAND if is_full else EMPTY_HAND
    return EMPTY_HAND


def _event_phrases(events: Sequence[HistoryEvent], include_words: bool) -> Iterator[str]:
    early = (event for event in events[:-MAX_EVENTS] if isinstance(event, Utterance))
    first = [event for event in early if event.speaker is Role.COMMANDER]
    for event in reversed([*first[:FIRST_INSTRUCTIONS_KEPT], *events[-MAX_EVENTS:]]):
        if isinstance(event, Utterance):
            text = event.text.lower().replace("'", "") if include_words else ""
            words = _WORD_PATTERN.findall(text)[:MAX_WORDS_PER_UTTERANCE]
            who = "told" if event.speaker is Role.COMMANDER else "said"
            yield " ".join((who, *words))
        else:
            yield f"did {event.verb} {event.object_type}".lower()
