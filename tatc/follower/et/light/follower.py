"""The light Follower in a session: hears, looks, acts, asks, reports.

It learns what to do; what it says is the protocol's: it asks when the network says
that it has done what it was told, and reports an action that failed.
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from tatc.actions import (
    INTERACTIONS,
    Action,
    ActionResult,
    Click,
    Observation,
    Role,
    Verb,
)
from tatc.follower.et.light import pointing
from tatc.follower.et.light.history import ASK, MOST_ACTIONS, VERBS, past
from tatc.follower.et.light.network import GRID, Language, Scores, Steps
from tatc.follower.et.light.sight import KNOWN, SENSOR, blank, class_map
from tatc.follower.et.light.weights import Light, read_light
from tatc.follower.et.light.words import numbered, read
from tatc.follower.et.named import Form
from tatc.language import Done, GiveUp, Question, Report, Step, hear, say, spoken_click

_HAND = {Verb.PICKUP: True, Verb.PLACE: False}
"""What the hand holds something after."""
_IMPOSSIBLE: Mapping[bool | None, tuple[Verb, ...]] = {
    True: (Verb.PICKUP,),
    False: (Verb.PLACE, Verb.POUR, Verb.SLICE),
}
"""What a full hand cannot do, and an empty one."""


class LightFollower:
    """A Follower that does what a light network makes of what it hears and sees."""

    def __init__(self, light: Light, form: Form = Form.FULL) -> None:
        """Take a network, and what it may see."""
        self._light, self._form = light, form
        self._words = numbered(light.words)
        self._classes = {name: i for i, name in enumerate(light.classes, KNOWN)}
        self.begin()

    @classmethod
    def load(cls, path: Path, form: Form = Form.FULL) -> "LightFollower":
        """Read a network from a file.

        Raises:
            BadInput: it is none.

        """
        return cls(read_light(path), form)

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._told: Language | None = None
        self._read: Tensor | None = None
        self._doing: Step | None = None
        self._done: list[Verb] = []
        self._wholes: list[Tensor] = []
        self._refused: list[Click] = []
        self._holds: bool | None = None  # whether the hand does, once it is known

    def act(self, seen: Observation) -> Action:
        """Return the next action: a primitive, a question or a report."""
        doing, self._doing = self._doing, None
        if doing is not None and seen.last is not None:
            if not seen.last.success:
                return self._report(doing, seen.last)
            self._refused.clear()
            self._holds = _HAND.get(doing.verb, self._holds)
        told = [u.text for u in seen.utterances if u.speaker is Role.COMMANDER]
        if any(isinstance(hear(text), Done | GiveUp) for text in told):
            return Action(Verb.STOP)
        if told:
            self._listen(" ".join(told))
        if self._told is None or len(self._done) + 1 >= MOST_ACTIONS:
            self._told = None
            return _spoken(Question())
        with torch.inference_mode():
            return self._decide(self._told, seen)

    def _report(self, doing: Step, last: ActionResult) -> Action:
        self._told = None
        if doing.click is not None:
            self._refused.append(doing.click)
        why = last.message or last.hint or "it did not work"
        return _spoken(Report(doing, " ".join(why.split())))

    def _listen(self, text: str) -> None:
        found = read(text, self._words)
        rows = (found.words, found.phrases, found.places, found.counts)
        self._told = Language(*(torch.tensor([row]) for row in rows))
        with torch.inference_mode():
            self._read = self._light.network.read(self._told)
        self._done, self._wholes = [], []

    def _decide(self, told: Language, seen: Observation) -> Action:
        scores = self._scores(told, seen)
        actions = scores.actions[0, -1]
        if not self._done:
            actions[VERBS.index(ASK)] = -torch.inf  # it was asked to do something
        for barred in _IMPOSSIBLE.get(self._holds, ()):
            actions[VERBS.index(barred)] = -torch.inf
        verb = VERBS[int(actions.argmax())]
        if verb is ASK:
            self._told = None
            return _spoken(Question())
        self._done.append(verb)
        if verb not in INTERACTIONS:
            self._doing = Step(verb)
            return Action(verb)
        noun, click = self._point(scores, seen)
        self._doing = Step(verb, noun, spoken_click(click))
        return Action(verb, click)

    def _scores(self, told: Language, seen: Observation) -> Scores:
        network = self._light.network
        assert self._read is not None
        view = None
        if self._form is Form.FULL and seen.segments is not None:
            view = seen.segments(SENSOR)
        found = blank() if view is None else class_map(view, self._classes)
        looked = network.look(torch.tensor(found.astype(int))[None])
        self._wholes.append(looked.whole)
        before = past(self._done)
        rows = (before.actions, before.runs, before.repeats)
        actions, runs, repeats = (torch.tensor([row]) for row in rows)
        steps = Steps(actions, runs, repeats, torch.empty(0))
        whole = torch.stack(self._wholes, dim=1)
        parts = looked.parts[:, None].expand(-1, len(self._wholes), -1, -1)
        return network.decide(self._read, told, steps, whole, parts)

    def _point(self, scores: Scores, seen: Observation) -> tuple[str, Click]:
        """Return the type and where to click on it: a guess where none is in view."""
        cells = torch.softmax(scores.cells[0, -1].double(), dim=0)
        heat = cells.reshape(GRID, GRID).numpy()
        noun = self._light.classes[int(scores.classes[0, -1, KNOWN:].argmax())]
        sees = self._form is not Form.LANGUAGE_ONLY
        for size in pointing.SENSORS if sees and seen.segments is not None else ():
            view = None if seen.segments is None else seen.segments(size)
            if view is not None and noun in view.types:
                click = pointing.click_on(view, noun, heat, self._refused)
                return noun, click or pointing.hottest(heat)
        return noun, pointing.hottest(heat)


def _spoken(meaning: Question | Report) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
