"""E.T. behind the `Follower` protocol.

Where the published system leaves a gap, or needs what is not to be had, this differs:

- TEACh has no E.T. for TATC.  Here it asks before anything was said, and where it
  predicts action 0, which officially has no name, or Text.
- A segmentation camera stands in for its Mask R-CNN: the largest instance of the
  predicted class for the best scored one.  Classes that its detector has no label for
  are clicked at random, as officially; so are those not in view.
- The history is that of the session: everything said, seen and done from its start.
  In an EDH instance it is the instance's, as officially; there a question ends it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import torch
from torch import Tensor

from tatc.actions import (
    INTERACTIONS,
    MOTIONS,
    Action,
    Click,
    Observation,
    Role,
    Utterance,
    Verb,
)
from tatc.errors import BadInput
from tatc.follower.et.named import Form
from tatc.follower.et.official.checkpoint import (
    VOCABULARY,
    read_checkpoint,
    read_vocabulary,
)
from tatc.follower.et.official.names import CLASSES, DETECTED
from tatc.follower.et.official.network import ET, FEATURES, Logits
from tatc.follower.et.official.resnet import ResNet50, features, read_resnet
from tatc.follower.et.official.vocabulary import Vocabulary, tokens_of
from tatc.follower.protocol import Deed, Event, Frames
from tatc.language import Done, GiveUp, Question, hear, say

VISUAL = "visual.pth"
"""The file of the visual encoder's weights beside a checkpoint."""
SENSOR = 300
"""Pixels a side of the masks: three of TEACh's frame each."""
WIDEST = 0.99
"""The largest coordinate of a click at random."""

Look = Callable[[Observation], Tensor]
"""Gives the features of what is seen."""


def official(path: Path) -> Callable[[Form], "OfficialFollower"]:
    """Return what makes Followers of a checkpoint in the official layout.

    Beside it lie `data.vocab` and, for all that look, `visual.pth`.

    Raises:
        BadInput: one of the files is not there, or not what it should be.

    """
    checkpoint = read_checkpoint(path)
    words = read_vocabulary(checkpoint, path.with_name(VOCABULARY))
    network = checkpoint.network()
    encoders: list[ResNet50] = []

    def make(form: Form) -> OfficialFollower:
        if form is Form.LANGUAGE_ONLY:
            return OfficialFollower(network, words, _noise(), sees=False)
        if form is Form.FRAME_BLANK:
            return OfficialFollower(network, words, lambda _: torch.zeros(FEATURES))
        if not encoders:
            encoders.append(read_resnet(path.with_name(VISUAL)))
        hears = form is not Form.VISION_ONLY
        look = _sight(encoders[0])
        return OfficialFollower(network, words, look, draws=True, hears=hears)

    return make


class OfficialFollower:
    """A Follower that does what E.T. predicts."""

    def __init__(
        self,
        network: ET,
        words: Vocabulary,
        look: Look,
        *,
        sees: bool = True,
        draws: bool = False,
        hears: bool = True,
    ) -> None:
        """Take a network, its words, and what makes features of what is seen.

        `sees` says whether clicks find their masks; else they are drawn at random.
        `draws` says whether `look` needs a frame; `hears` whether it reads the words.
        """
        self._network, self._words, self._look = network, words, look
        self._sees, self._hears, self.draws = sees, hears, draws
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._random = Random(1)
        self._dialogue: list[Utterance] = []
        self._frames: list[Tensor] = []
        self._actions: list[int] = []

    def enter(self, events: Sequence[Event], frames: Frames) -> None:
        """Begin after these events: what was said, and what was seen and done.

        Raises:
            BadInput: there is not a frame for each deed, or it knows no such action.

        """
        self.begin()
        self._dialogue = [each for each in events if isinstance(each, Utterance)]
        deeds = [each for each in events if isinstance(each, Deed)]
        shown = frames() if self.draws else [None] * len(deeds)
        if len(shown) != len(deeds):
            why = f"{len(shown)} frames for {len(deeds)} actions of the history"
            raise BadInput(why, fix="give each of its frames")
        for deed, frame in zip(deeds, shown, strict=True):
            name = deed.verb.value
            if name not in self._words.variant.actions:
                raise BadInput(f"E.T. knows no action {name}", fix="leave it out")
            self._actions.append(self._words.variant.actions.index(name))
            self._frames.append(self._look(Observation((), None, lambda f=frame: f)))

    def act(self, seen: Observation) -> Action:
        """Return the action that is predicted, or a question where that is none."""
        self._dialogue += seen.utterances
        for utterance in seen.utterances:
            if isinstance(hear(utterance.text), Done | GiveUp):
                return Action(Verb.STOP)
        if not self._dialogue:
            return self._ask()
        with torch.inference_mode():
            return self._decide(seen)

    def _decide(self, seen: Observation) -> Action:
        self._frames.append(self._look(seen))
        logits = self._predict()
        number = int(logits.actions[0, -1].argmax())
        self._actions.append(number)
        name = self._words.variant.actions[number : number + 1]
        verb = next((v for v in (*MOTIONS, *INTERACTIONS) if (v.value,) == name), None)
        if number == 0 or name in ((Verb.STOP.value,), ()):
            return self._ask()
        if verb is None:
            return Action(
                Verb.NAVIGATION
            )  # the world refuses it, as TEACh's runner does
        if verb not in INTERACTIONS:
            return Action(verb)
        return Action(verb, self._point(int(logits.classes[0, -1].argmax()), seen))

    def _predict(self) -> Logits:
        said = self._dialogue if self._hears else ()
        words = self._words.numbers(tokens_of(said, self._words.variant))
        frames = torch.stack(self._frames)[None]
        actions = torch.tensor([[*self._actions, 0]])
        lengths = torch.tensor([len(self._frames)])
        return self._network(torch.tensor([words]), frames, actions, lengths)

    def _point(self, number: int, seen: Observation) -> Click:
        """Return the middle of the largest instance's mask, else a point at random."""
        view = None
        if self._sees and CLASSES[number] in DETECTED and seen.segments is not None:
            view = seen.segments(SENSOR)
        if view is not None and CLASSES[number] in view.types:
            masks = [
                view.pixels == i
                for i, kind in enumerate(view.types)
                if kind == CLASSES[number]
            ]
            rows, columns = np.nonzero(max(masks, key=np.count_nonzero))
            size = len(view.pixels)
            return Click(float(columns.mean()) / size, float(rows.mean()) / size)
        x, y = (self._random.uniform(0.0, WIDEST) for _ in range(2))
        return Click(x, y)

    def _ask(self) -> Action:
        text = say(Question())
        self._dialogue.append(Utterance(Role.FOLLOWER, text, 0.0))
        return Action(Verb.TEXT, text=text)


def _noise() -> Look:
    """Return what sees noise, as E.T. without vision does in training."""
    generator = torch.Generator().manual_seed(1)
    return lambda _: torch.rand(FEATURES, generator=generator)


def _sight(encoder: ResNet50) -> Look:
    def look(seen: Observation) -> Tensor:
        frame = None if seen.frame is None else seen.frame()
        if frame is None:
            fix = "use et-frame-blank, or a world that draws frames"
            raise BadInput("E.T. needs frames, and there are none", fix=fix)
        return features(encoder, frame)

    return look
