"""A Follower that reads the text world and nothing else: what grounding in words alone is worth.

    tatc run coffee --follower examples.text_reader:TextReader --wording bearings
    tatc benchmark --follower examples.text_reader:TextReader --wording bearings --out reader.json

It plays as a language model does: it reads lines such as "Cabinet_12 40 left lower, closed" and
"Heard: open the lower left cabinet (40 degrees left)", and answers with calls of tools.  About a
hundred lines of rules are enough for instructions in steps, so a model should do no worse.
"""

import re
from collections import deque
from dataclasses import dataclass

from tatc.home.actions import Verb
from tatc.language import (
    GiveUp,
    InteractionPhrase,
    MotionPhrase,
    PhraseStretch,
    TaskDone,
    hear,
    say,
)
from tatc.language.object_names import words_for_type
from tatc.session.text_world import TextFollower
from tatc.session.text_world.reading import Reading
from tatc.session.text_world.tools import MAX_STEPS_PER_MOVE, ToolSpec

Call = tuple[str, dict[str, object]]

OBJECT = re.compile(
    r"(?P<name>(?P<type>\w+)_\d+) (?:(?P<degrees>\d+) (?P<side>left|right)|ahead)"
    r"(?: (?P<third>upper|lower))?(?:, .*)?"
)
MOTIONS = {
    Verb.FORWARD: ("move", "forward"),
    Verb.BACKWARD: ("move", "backward"),
    Verb.PAN_LEFT: ("move", "left"),
    Verb.PAN_RIGHT: ("move", "right"),
    Verb.TURN_LEFT: ("turn", "left"),
    Verb.TURN_RIGHT: ("turn", "right"),
    Verb.LOOK_UP: ("look", "up"),
    Verb.LOOK_DOWN: ("look", "down"),
}
ACTIONS = {
    Verb.PICKUP: "pick_up",
    Verb.PLACE: "place",
    Verb.OPEN: "open",
    Verb.CLOSE: "close",
    Verb.TOGGLE_ON: "switch_on",
    Verb.TOGGLE_OFF: "switch_off",
    Verb.SLICE: "slice",
    Verb.POUR: "pour",
}
SIDE_DEGREES = 18  # beyond which something lies in the left or right third of the view


@dataclass(frozen=True)
class Seen:
    """One object in reach, as its line describes it; degrees are to the right positive."""

    name: str
    degrees: int
    third: str

    def misfit(self, phrase: InteractionPhrase) -> float:
        """Return how badly this fits what was said; 0 is best."""
        misfit = 0.0
        if phrase.bearing is not None:
            misfit += abs(self.degrees - phrase.bearing)
        elif phrase.region is not None:
            side = (self.degrees > SIDE_DEGREES) - (self.degrees < -SIDE_DEGREES)
            told = ("right" in phrase.region) - ("left" in phrase.region)
            misfit += 30 * abs(side - told)
        if phrase.region is not None:
            third = next((each for each in ("upper", "lower") if each in phrase.region), "")
            misfit += 20 * (third != self.third)
        return misfit


class Rules:
    """Chooses the calls."""

    def begin(self) -> None:
        """Forget everything: a new session starts."""
        self._to_do: deque[MotionPhrase | InteractionPhrase] = deque()
        self._doing = ""

    def choose(self, reading: Reading, tools: tuple[ToolSpec, ...]) -> tuple[object, object]:
        """Return the next call, from the text alone."""
        lines = reading.whole.splitlines()
        told = {start: rest for start, _, rest in (line.partition(": ") for line in lines)}
        if "failed" in told.get("Last", "") and self._doing:
            doing, self._doing = self._doing, ""
            self._to_do.clear()
            why = told["Last"].rpartition(": ")[2]
            return "say", {"words": f"I could not {doing}: {why}"}
        if heard := told.get("Heard"):
            meaning = hear(heard)
            if isinstance(meaning, TaskDone | GiveUp):
                return "stop", {}
            phrases = meaning.phrases if isinstance(meaning, PhraseStretch) else ()
            self._to_do = deque(phrases)
        if not self._to_do:
            return "ask", {}
        return self._call(self._to_do.popleft(), lines)

    def _call(self, phrase: MotionPhrase | InteractionPhrase, lines: list[str]) -> Call:
        if isinstance(phrase, MotionPhrase):
            name, direction = MOTIONS[phrase.verb]
            times = min(phrase.times, MAX_STEPS_PER_MOVE) if name == "move" else 1
            if phrase.times > times:
                self._to_do.appendleft(MotionPhrase(phrase.verb, phrase.times - times))
            self._doing = say(PhraseStretch((MotionPhrase(phrase.verb),)))
            return name, {"direction": direction} | ({"times": times} if name == "move" else {})
        found = [
            Seen(
                each["name"],
                int(each["degrees"] or 0) * (-1 if each["side"] == "left" else 1),
                each["third"] or "",
            )
            for line in lines
            if (each := OBJECT.fullmatch(line)) and each["type"] == phrase.object_type
        ]
        words = words_for_type(phrase.object_type)
        if not found:
            self._to_do.clear()
            return "say", {"words": f"I see no {words}. What should I do?"}
        best = min(found, key=lambda each: each.misfit(phrase))
        self._doing = say(PhraseStretch((InteractionPhrase(phrase.verb, phrase.object_type),)))
        return "do", {"action": ACTIONS[phrase.verb], "object": best.name}


class TextReader(TextFollower):
    """The Follower that plays by these rules."""

    def __init__(self) -> None:
        """Start a Follower; a session begins with `begin`."""
        super().__init__(Rules())
