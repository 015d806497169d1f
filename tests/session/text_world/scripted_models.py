"""Models that make coffee as either agent: they read texts and answer with tool calls.

Each is a generator of calls that is sent what a model would read.
"""

import re
from collections.abc import Generator

from tatc.home.actions import Role, Verb
from tatc.language import MotionPhrase, PhraseStretch, hear
from tatc.session.text_world.tools import INTERACTION_VERBS_BY_ACTION
from tests.session.text_world.sessions import Call

Script = Generator[Call, str, None]

ACTION_OF_VERB = {verb: name for name, verb in INTERACTION_VERBS_BY_ACTION.items()}
MOTIONS: dict[Verb, Call] = {
    Verb.FORWARD: ("move", {"direction": "forward"}),
    Verb.BACKWARD: ("move", {"direction": "backward"}),
    Verb.PAN_LEFT: ("move", {"direction": "left"}),
    Verb.PAN_RIGHT: ("move", {"direction": "right"}),
    Verb.TURN_LEFT: ("turn", {"direction": "left"}),
    Verb.TURN_RIGHT: ("turn", {"direction": "right"}),
    Verb.LOOK_UP: ("look", {"direction": "up"}),
    Verb.LOOK_DOWN: ("look", {"direction": "down"}),
}
IN_REACH = re.compile(r"^((\w+)_\d+) (?:ahead|(\d+) (left|right))( upper| lower)?(.*)", re.M)
MAX_MUGS = 3
"""Mugs that are tried, one after the other."""
MIDDLE_DEGREES = 18  # on either side, of the middle third of the view


class Reach:
    """What is in reach, put together from what each text says has changed."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[str, ...]] = {}

    def read(self, text: str) -> None:
        """Take in a text, whole or of changes."""
        if "as before" not in text and "New or changed" not in text and "No longer" not in text:
            self._lines.clear()
        left = re.search(r"^No longer in view: (.*)", text, re.M)
        for line in re.findall(r"out of reach: (.*)", text):
            for handle in re.findall(r"(\w+_\d+) \d+ m", line):
                self._lines.pop(handle, None)
        for handle in left[1].split(", ") if left else ():
            self._lines.pop(handle, None)
        self._lines |= {found[0]: found for found in IN_REACH.findall(text)}

    def find(self, object_type: str, region: str, unwanted: str = "") -> str | None:
        """Return one of a type, one in that part of the view if there is one.

        One in the `unwanted` state, such as open, is left out.
        """
        found: list[tuple[bool, int, str]] = []
        for number, (handle, kind, degrees, side, height, state) in enumerate(self._lines.values()):
            across = side if int(degrees or 0) > MIDDLE_DEGREES else ""
            place = " ".join(word for word in (height.strip(), across) if word) or "middle"
            if kind == object_type and (not unwanted or unwanted not in re.findall(r"\w+", state)):
                found.append((place != region, number, handle))
        return min(found)[2] if found else None


def play_follower() -> Script:
    """Ask, and do what the Commander describes until it says that all is done."""
    reach, text = Reach(), ""
    for _ in range(25):
        heard = (yield "ask", {}).rpartition("Heard: ")[2]
        if "We are done" in heard or "We have to stop" in heard:
            break
        meaning = hear(heard)
        assert isinstance(meaning, PhraseStretch), heard
        reach.read((yield "view", {}))
        for phrase in meaning.phrases:
            if isinstance(phrase, MotionPhrase):
                for _ in range(phrase.times):
                    reach.read((yield MOTIONS[phrase.verb]))
                continue
            done_already = "open" if phrase.verb is Verb.OPEN else ""
            wanted = phrase.object_type, str(phrase.region or ""), done_already
            handle = reach.find(*wanted) or (yield from look_for(reach, *wanted))
            if handle is None:
                break
            text = yield "do", {"action": ACTION_OF_VERB[phrase.verb], "object": handle}
            reach.read(text)
            if "failed" in text or "refused" in text:
                break
    yield "stop", {}


def look_for(
    reach: Reach, object_type: str, region: str, unwanted: str
) -> Generator[Call, str, str | None]:
    """Look down and up until an object shows; return its name, or None."""
    for direction in ("down", "up", "up", "down"):
        reach.read((yield "look", {"direction": direction}))
        handle = reach.find(object_type, region, unwanted)
        if handle is not None:
            return handle
    return None


def play_commander() -> Script:
    """Check, search, and tell the Follower what to do, with another mug if one is in the way."""
    names: dict[str, str] = {}
    for _ in range(MAX_MUGS):
        answer = yield "check", {}
        if "The task is complete." in answer:
            break
        mug = re.findall(r"Mug_\d+", answer)[0]
        yield from open_around(mug)
        for kind in ("CoffeeMachine", "SinkBasin", "Faucet"):
            answer = yield "search", {"type": names.get(kind, kind)}
            found = re.search(rf"({kind}_\d+) is (?:in or on (\w+_\d+))?", answer)
            assert found is not None
            names[kind] = found[1]
            if kind == "CoffeeMachine" and found[2]:
                names["around the machine"] = found[2]
        yield from make_coffee(mug, names)
    yield "stop", {}


def open_around(mug: str) -> Script:
    """Have what shuts a mug in opened, and switched off before if it must be."""
    shut = re.search(r"in or on (\w+_\d+), which is closed", (yield "search", {"type": mug}))
    if shut is None:
        return
    heard = yield "tell", {"action": "open", "object": shut[1]}
    if "must be off" in heard:
        yield "tell", {"action": "switch_off", "object": shut[1]}
        yield "tell", {"action": "open", "object": shut[1]}


def make_coffee(mug: str, names: dict[str, str]) -> Script:
    """Have a mug rinsed and filled; if another stands in the machine, that one is filled."""
    machine, sink, tap = names["CoffeeMachine"], names["SinkBasin"], names["Faucet"]
    steps = [("pick_up", mug), ("place", sink), ("switch_on", tap), ("switch_off", tap)]
    steps += [("pick_up", mug), ("pour", sink), ("switch_off", machine)]
    for action, target in steps:
        yield "tell", {"action": action, "object": target}
    heard = yield "tell", {"action": "place", "object": machine}
    if "no free position" in heard and "around the machine" in names:
        yield "tell", {"action": "place", "object": names["around the machine"]}
    yield "tell", {"action": "switch_on", "object": machine}


SCRIPTS = {Role.FOLLOWER: play_follower, Role.COMMANDER: play_commander}
