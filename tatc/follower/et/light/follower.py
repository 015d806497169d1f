"""The light Follower in a session: hears, looks, acts, asks, reports.

It learns what to do; what it says is the protocol's: it asks when the network says
that it has done what it was told, and reports an action that failed.
"""

from pathlib import Path

import torch

from tatc.actions import (
    INTERACTIONS,
    Action,
    ActionResult,
    Click,
    Observation,
    Role,
    Verb,
)
from tatc.follower.et.light.history import ASK, HAND, IMPOSSIBLE, MOST_ACTIONS, VERBS
from tatc.follower.et.light.mind import Mind
from tatc.follower.et.light.weights import Light, read_light
from tatc.follower.et.named import Form
from tatc.language import Done, GiveUp, Question, Report, Step, hear, say, spoken_click


class LightFollower:
    """A Follower that does what a light network makes of what it hears and sees."""

    draws = False

    def __init__(self, light: Light, form: Form = Form.FULL) -> None:
        """Take a network, and what it may see."""
        self._mind = Mind(light, form)
        self._hears = form is not Form.VISION_ONLY
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
        self._told = False  # whether there is something to carry out
        self._doing: Step | None = None
        self._refused: list[Click] = []
        self._holds: bool | None = None  # whether the hand does, once it is known

    def act(self, seen: Observation) -> Action:
        """Return the next action: a primitive, a question or a report."""
        doing, self._doing = self._doing, None
        if doing is not None and seen.last is not None:
            if not seen.last.success:
                return self._report(doing, seen.last)
            self._refused.clear()
            self._holds = HAND.get(doing.verb, self._holds)
        told = [u.text for u in seen.utterances if u.speaker is Role.COMMANDER]
        if any(isinstance(hear(text), Done | GiveUp) for text in told):
            return Action(Verb.STOP)
        if told:
            self._mind.listen(" ".join(told) if self._hears else "")
            self._told = True
        if not self._told or len(self._mind.done) + 1 >= MOST_ACTIONS:
            self._told = False
            return _spoken(Question())
        return self._decide(seen)

    def _report(self, doing: Step, last: ActionResult) -> Action:
        self._told = False
        if doing.click is not None:
            self._refused.append(doing.click)
        why = last.message or last.hint or "it did not work"
        return _spoken(Report(doing, " ".join(why.split())))

    def _decide(self, seen: Observation) -> Action:
        scores = self._mind.look(seen)
        actions = scores.actions[0, -1]
        if not self._mind.done:
            actions[VERBS.index(ASK)] = -torch.inf  # it was asked to do something
        for barred in IMPOSSIBLE.get(self._holds, ()):
            actions[VERBS.index(barred)] = -torch.inf
        verb = VERBS[int(actions.argmax())]
        if verb is ASK:
            self._told = False
            return _spoken(Question())
        self._mind.do(verb)
        if verb not in INTERACTIONS:
            self._doing = Step(verb)
            return Action(verb)
        noun = self._mind.noun(scores)
        click = self._mind.point(noun, scores, seen, self._refused)
        self._doing = Step(verb, noun, spoken_click(click))
        return Action(verb, click)


def _spoken(meaning: Question | Report) -> Action:
    return Action(Verb.TEXT, text=say(meaning))
