"""A light network in use: it has heard a text, looks, and weighs what to do next."""

from collections.abc import Sequence

import torch
from torch import Tensor

from tatc.actions import Click, Observation, Verb
from tatc.follower.et.light import pointing
from tatc.follower.et.light.history import past
from tatc.follower.et.light.network import GRID, Language, Scores, Steps
from tatc.follower.et.light.sight import KNOWN, SENSOR, blank, class_map
from tatc.follower.et.light.weights import Light
from tatc.follower.et.light.words import numbered, read
from tatc.follower.et.named import Form


class Mind:
    """A network, what it has heard, and what it has seen and done since."""

    def __init__(self, light: Light, form: Form) -> None:
        """Take a network, and what it may see."""
        self._light, self._form = light, form
        self._looks = form in (Form.FULL, Form.VISION_ONLY)
        self._words = numbered(light.words)
        self._classes = {name: i for i, name in enumerate(light.classes, KNOWN)}
        self._told: Language | None = None
        self._read: Tensor | None = None
        self._looked: Tensor | None = None
        self._wholes: list[Tensor] = []
        self.done: list[Verb] = []

    def listen(self, text: str) -> None:
        """Read a text, and forget what was seen and done before."""
        found = read(text, self._words)
        rows = (found.words, found.phrases, found.places, found.counts)
        self._told = Language(*(torch.tensor([row]) for row in rows))
        with torch.no_grad():
            self._read = self._light.network.read(self._told)
        self._wholes, self.done = [], []

    def look(self, seen: Observation) -> Scores:
        """Return what the network makes of the view; a text was read before."""
        with torch.no_grad():
            return self._look(seen)

    def do(self, verb: Verb) -> None:
        """Remember the last view, and what is done upon it."""
        assert self._looked is not None
        self._wholes.append(self._looked)
        self.done.append(verb)

    def undo(self) -> None:
        """Forget the last view and what was done upon it: it did not work."""
        self._wholes.pop()
        self.done.pop()

    def noun(self, scores: Scores) -> str:
        """Return the likeliest type."""
        return self._light.classes[int(scores.classes[0, -1, KNOWN:].argmax())]

    def in_view(self, seen: Observation) -> frozenset[str] | None:
        """Return the types in view; None where it does not look."""
        if not self._looks or seen.segments is None:
            return None
        view = seen.segments(pointing.SENSORS[0])
        return None if view is None else frozenset(view.types)

    def point(
        self, noun: str, scores: Scores, seen: Observation, refused: Sequence[Click]
    ) -> Click:
        """Return where to click on a type: a guess where none is in view."""
        cells = torch.softmax(scores.cells[0, -1].double(), dim=0)
        heat = cells.reshape(GRID, GRID).numpy()
        sees = self._form is not Form.LANGUAGE_ONLY
        for size in pointing.SENSORS if sees and seen.segments is not None else ():
            view = None if seen.segments is None else seen.segments(size)
            if view is not None and noun in view.types:
                click = pointing.click_on(view, noun, heat, refused)
                return click or pointing.hottest(heat)
        return pointing.hottest(heat)

    def _look(self, seen: Observation) -> Scores:
        network = self._light.network
        assert self._told is not None and self._read is not None
        view = None
        if self._looks and seen.segments is not None:
            view = seen.segments(SENSOR)
        found = blank() if view is None else class_map(view, self._classes)
        looked = network.look(torch.tensor(found.astype(int))[None])
        self._looked = looked.whole
        before = past(self.done)
        rows = (before.actions, before.runs, before.repeats)
        actions, runs, repeats = (torch.tensor([row]) for row in rows)
        steps = Steps(actions, runs, repeats, torch.empty(0))
        whole = torch.stack([*self._wholes, looked.whole], dim=1)
        parts = looked.parts[:, None].expand(-1, whole.shape[1], -1, -1)
        return network.decide(self._read, self._told, steps, whole, parts)
