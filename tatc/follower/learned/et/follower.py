"""The Follower that acts by E.T.'s predictions.

It differs from the published system where that has a gap or needs what is not available:

- TEACh has no E.T. for TATC.  Here it asks for an instruction before anything was said,
  and where it predicts Text or action 0, which officially has no name.
- A segmentation camera replaces its Mask R-CNN: it clicks the largest instance of the
  predicted class, not the one with the best score.  Classes without a label in its
  detector are clicked at random, as officially, and so are classes that are not in view.
- Its history is the session's: everything said, seen and done from the start.  In an EDH
  instance it is the instance's, as officially; there a question ends the instance.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import torch
from torch import Tensor

from tatc.base.errors import BadInput
from tatc.follower.learned import InputMode
from tatc.follower.learned.et import resnet, vocabulary as et_vocabulary
from tatc.follower.learned.et.checkpoint import VOCABULARY_FILE, read_checkpoint, read_vocabulary
from tatc.follower.learned.et.network import ET, FEATURE_SHAPE, Logits
from tatc.follower.protocol import FrameSource, HistoryEvent, PastAction
from tatc.follower.random_follower import MAX_RANDOM_COORDINATE
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role, Utterance, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.home.observation import Observation
from tatc.language import GiveUp, InstructionRequest, TaskDone, hear, say

VISUAL_ENCODER_FILE = "visual.pth"
"""The name of the visual encoder's weights, in the checkpoint's folder."""
MASK_SIDE_PIXELS = 300  # the side of the masks in pixels: a mask's pixel is three of TEACh's frame
FeatureExtractor = Callable[[Observation], Tensor]
"""Returns the features of an observation's frame, (512, 7, 7)."""


def official_follower_factory(path: Path) -> Callable[[InputMode], "OfficialFollower"]:
    """Return a function that makes Followers of a checkpoint in the official layout.

    `data.vocab` must be in the same folder and, for input modes with frames, `visual.pth`.
    """
    checkpoint = read_checkpoint(path)
    words = read_vocabulary(checkpoint, path.with_name(VOCABULARY_FILE))
    network = checkpoint.build_network()
    encoders: list[resnet.ResNet50] = []

    def make(input_mode: InputMode) -> OfficialFollower:
        if input_mode is InputMode.LANGUAGE_ONLY:
            generator = torch.Generator().manual_seed(1)  # without vision, E.T. is trained on noise

            def noise(_: Observation) -> Tensor:
                return torch.rand(FEATURE_SHAPE, generator=generator)

            return OfficialFollower(network, words, noise, uses_masks=False)
        if input_mode is InputMode.FRAME_BLANK:
            return OfficialFollower(network, words, lambda _: torch.zeros(FEATURE_SHAPE))
        if not encoders:
            encoders.append(resnet.read_resnet(path.with_name(VISUAL_ENCODER_FILE)))
        hears = input_mode is not InputMode.VISION_ONLY
        extract = partial(_frame_features, encoders[0])
        return OfficialFollower(network, words, extract, needs_frames=True, reads_language=hears)

    return make


class OfficialFollower:
    """A Follower that takes the actions that E.T. predicts."""

    def __init__(
        self,
        network: ET,
        vocabulary: et_vocabulary.Vocabulary,
        extract_features: FeatureExtractor,
        *,
        uses_masks: bool = True,
        needs_frames: bool = False,
        reads_language: bool = True,
    ) -> None:
        """Make a Follower of a network in evaluation mode and of its vocabulary.

        `uses_masks` says whether clicks use masks (else they are random), `needs_frames` whether
        `extract_features` needs the observation's frame, and `reads_language` whether the network
        gets the words of the dialogue.
        """
        self._network, self._vocabulary = network, vocabulary
        self._extract_features = extract_features
        self._uses_masks, self._reads_language = uses_masks, reads_language
        self.traits = AgentTraits(draws=needs_frames)
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._random = Random(1)
        self._dialogue: list[Utterance] = []
        self._features: list[Tensor] = []
        self._action_ids: list[int] = []

    def begin_after(self, events: Sequence[HistoryEvent], frames: FrameSource) -> None:
        """Begin after these events; the frames of the past actions become its history."""
        self.begin()
        self._dialogue = [each for each in events if isinstance(each, Utterance)]
        past_actions = [each for each in events if isinstance(each, PastAction)]
        drawn = frames() if self.traits.draws else [None] * len(past_actions)
        if len(drawn) != len(past_actions):
            why = f"{len(drawn)} frames for {len(past_actions)} actions of the history"
            raise BadInput(why, fix="give one frame for each action")
        for past_action, frame in zip(past_actions, drawn, strict=True):
            name = past_action.verb.value
            if name not in self._vocabulary.variant.actions:
                raise BadInput(f"E.T. knows no action {name}", fix="leave it out")
            self._action_ids.append(self._vocabulary.variant.actions.index(name))
            self._features.append(self._extract_features(Observation((), None, lambda f=frame: f)))

    def act(self, observation: Observation) -> Action:
        """Return the predicted action, or a question where the network predicts none."""
        self._dialogue += observation.utterances
        for utterance in observation.utterances:
            if isinstance(hear(utterance.text), TaskDone | GiveUp):
                return Action(Verb.STOP)
        if not self._dialogue:
            return self._ask()
        with torch.inference_mode():
            return self._decide(observation)

    def _decide(self, observation: Observation) -> Action:
        self._features.append(self._extract_features(observation))
        logits = self._predict()
        number = int(logits.actions[0, -1].argmax())
        self._action_ids.append(number)
        name = self._vocabulary.variant.actions[number : number + 1]
        verb = next((v for v in (*MOTION_VERBS, *INTERACTION_VERBS) if (v.value,) == name), None)
        if number == 0 or name in ((Verb.STOP.value,), ()):
            return self._ask()
        if verb is None:
            return Action(Verb.NAVIGATION)  # the world refuses it, as TEACh's runner does
        if verb not in INTERACTION_VERBS:
            return Action(verb)
        return Action(verb, self._choose_click(int(logits.classes[0, -1].argmax()), observation))

    def _predict(self) -> Logits:
        said = self._dialogue if self._reads_language else ()
        tokens = et_vocabulary.dialogue_tokens(said, self._vocabulary.variant)
        words = self._vocabulary.token_ids(tokens)
        frames = torch.stack(self._features)[None]
        actions = torch.tensor([[*self._action_ids, 0]])
        lengths = torch.tensor([len(self._features)])
        return self._network(torch.tensor([words]), frames, actions, lengths)

    def _choose_click(self, class_id: int, observation: Observation) -> Click:
        """Return the centre of the largest instance's mask, or a random point without one."""
        kind, view = et_vocabulary.ET_OBJECT_CLASSES[class_id], None
        is_detected = self._uses_masks and kind in et_vocabulary.DETECTOR_LABELS
        if is_detected and observation.segments is not None:
            view = observation.segments(MASK_SIDE_PIXELS)
        if view is not None and kind in view.types:
            masks = [view.pixels == i for i, each in enumerate(view.types) if each == kind]
            rows, columns = np.nonzero(max(masks, key=np.count_nonzero))
            size = len(view.pixels)
            return Click(float(columns.mean()) / size, float(rows.mean()) / size)
        x, y = (self._random.uniform(0.0, MAX_RANDOM_COORDINATE) for _ in range(2))
        return Click(x, y)

    def _ask(self) -> Action:
        text = say(InstructionRequest())
        self._dialogue.append(Utterance(Role.FOLLOWER, text, 0.0))
        return Action(Verb.TEXT, text=text)


def _frame_features(encoder: resnet.ResNet50, observation: Observation) -> Tensor:
    frame = None if observation.frame is None else observation.frame()
    if frame is None:
        fix = "use et-frame-blank, or a world that draws frames"
        raise BadInput("E.T. needs frames, and there are none", fix=fix)
    return resnet.resnet_features(encoder, frame)
