"""The light Follower that recalls the whole session: it has learned from people.

It reads what was said and done, the newest first, walks, and clicks; after every
interaction it reads anew.  A failure is not reported, as people's were not: what failed
is not tried again from the same place.
"""

from collections import Counter
from collections.abc import Sequence

import torch

from tatc.actions import (
    INTERACTIONS,
    KNIVES,
    Action,
    Click,
    Observation,
    Role,
    Utterance,
    Verb,
)
from tatc.follower.et.light.aiming import Aim, Aiming
from tatc.follower.et.light.history import ASK, IMPOSSIBLE, MOST_ACTIONS, VERBS
from tatc.follower.et.light.mind import Mind
from tatc.follower.et.light.network import Scores
from tatc.follower.et.light.recall import NOTHING, held, recalled
from tatc.follower.et.light.sight import KNOWN
from tatc.follower.et.light.weights import Light
from tatc.follower.et.light.whereabouts import Whereabouts
from tatc.follower.et.named import Form
from tatc.follower.protocol import Deed, Event, Frames
from tatc.language import Done, GiveUp, Question, hear, say

MOST_TRIES = 2
"""Clicks of one verb that may fail from one place."""
MOST_WALKED = 60
"""Motions in a row after which it holds that it cannot find what it seeks."""
MOST_DONE = 200
"""Actions upon the last words after which it holds that it has done what it could."""
TIRING = 1.0
"""How much less likely an action becomes each time it is done in the same place, and a
deed each time it is done at all."""
BOLDNESS = 1.5
"""How much likelier an interaction is than it was with people: one that fails costs a
try, and one that is left out costs the session."""
RELUCTANCE = 3.0
"""How much less likely it is to be done: people often speak in the midst of things."""


class RecallingFollower:
    """A Follower that does what people did who had heard and done the same."""

    draws = False

    def __init__(self, light: Light, form: Form = Form.FULL) -> None:
        """Take a network that recalls, and what it may see."""
        self._mind = Mind(light, form)
        self._hears = form is not Form.VISION_ONLY
        self._aiming = Aiming(light.classes, light.deeds)
        self.begin()

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self.enter((), tuple)

    def enter(self, events: Sequence[Event], frames: Frames) -> None:
        """Begin after these events, the oldest first; it does not look back."""
        self._events = list(events)
        self._doing: Action | None = None
        self._noun = ""
        self._acted = False  # whether it has done what it was told in part
        self._count = 0  # of its actions since it was told
        self._deeds: Counter[tuple[Verb, str]] = Counter()  # since then
        self._settle()

    def act(self, seen: Observation) -> Action:
        """Return the next action, or a question when it has done what it was told."""
        if self._doing is not None and seen.last is not None:
            self._take_in(self._doing, seen.last.success)
        self._doing = None
        if seen.utterances:
            if any(_is_end(said) for said in seen.utterances):
                return Action(Verb.STOP)
            self._events += seen.utterances
            self._acted = False
            self._count = 0
            self._deeds.clear()
            self._settle()
        tired = self._walked >= MOST_WALKED or self._count >= MOST_DONE
        if tired or not self._was_told():
            return self._ask()
        return self._decide(seen)

    def _settle(self) -> None:
        """Read what is recalled by now, and walk from here."""
        self._walked = 0
        self._at = Whereabouts()
        self._done_at: Counter[tuple[Whereabouts, Verb]] = Counter()
        self._failed: Counter[Verb] = Counter()
        self._refused: list[Click] = []
        self._mind.listen(recalled(self._events, hears=self._hears))

    def _was_told(self) -> bool:
        return any(
            isinstance(event, Utterance) and event.speaker is Role.COMMANDER
            for event in self._events
        )

    def _ask(self) -> Action:
        self._walked = self._count = 0
        return Action(Verb.TEXT, text=say(Question()))

    def _take_in(self, doing: Action, success: bool) -> None:
        """Learn from how an action went."""
        if not success:
            self._mind.undo()
            self._failed[doing.verb] += 1
            if doing.click is not None:
                self._refused.append(doing.click)
        elif doing.click is not None:
            self._events.append(Deed(doing.verb, self._noun))
            self._deeds[doing.verb, self._noun] += 1
            self._acted = True
            self._settle()
        else:
            self._walked += 1
            self._at = self._at.after(doing.verb)
            self._failed.clear()
            self._refused.clear()
            if len(self._mind.done) >= MOST_ACTIONS - 1:
                self._mind.listen(recalled(self._events, hears=self._hears))

    def _decide(self, seen: Observation) -> Action:
        scores = self._mind.look(seen)
        odds, aims = scores.actions[0, -1], self._aims(scores, seen)
        for i, verb in enumerate(VERBS):
            odds[i] -= TIRING * self._done_at[self._at, verb]
            odds[i] += aims[verb].odds + BOLDNESS if verb in aims else 0.0
            if self._is_barred(verb) or (verb in INTERACTIONS and verb not in aims):
                odds[i] = -torch.inf
        odds[VERBS.index(ASK)] -= RELUCTANCE
        verb = VERBS[int(odds.argmax())]
        if verb is ASK:
            return self._ask()
        self._count += 1
        self._mind.do(verb)
        self._done_at[self._at, verb] += 1
        click = None
        if verb in INTERACTIONS:
            self._noun = aims[verb].noun
            click = self._mind.point(self._noun, scores, seen, self._refused)
        self._doing = Action(verb, click)
        return self._doing

    def _aims(self, scores: Scores, seen: Observation) -> dict[Verb, Aim]:
        """Return what each verb would be for, those left out that are for nothing."""
        view, logits = self._mind.in_view(seen), scores.classes[0, -1, KNOWN:]
        tired = {deed: TIRING * count for deed, count in self._deeds.items()}
        aims = ((v, self._aiming.at(v, logits, view, tired)) for v in INTERACTIONS)
        return {verb: aim for verb, aim in aims if aim is not None}

    def _is_barred(self, verb: Verb) -> bool:
        if verb is ASK:
            return not self._acted
        holds = held(self._events)
        if verb in IMPOSSIBLE[holds != NOTHING] or (
            verb is Verb.SLICE and holds not in KNIVES
        ):
            return True
        most = MOST_TRIES if verb in INTERACTIONS else 1
        return self._failed[verb] >= most


def _is_end(said: Utterance) -> bool:
    heard = hear(said.text)
    return said.speaker is Role.COMMANDER and isinstance(heard, Done | GiveUp)
