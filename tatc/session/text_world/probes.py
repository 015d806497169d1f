"""Probes: at some moments a model is asked what it believes, and answers are scored afterwards.

A Follower is asked when it was told something, a Commander when it has checked the progress.  What
is asked follows from what the model has just read; what is true is found in the states of the
session once it is over, so that neither agent can learn it.  A probe is named by its kind and, for
some kinds, by the type of object that it is about: "where Mug".
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tatc.home import actions, assets, percepts, state
from tatc.language import InteractionPhrase, PhraseStretch, hear
from tatc.language.llm import answer_text, chat_request
from tatc.language.understanding.tokens import longest_phrase
from tatc.session.records import ModelCallEnd, Record
from tatc.session.text_world import follower_interface, reading, tools
from tatc.session.text_world.wording import phrase
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception

MAX_PROBES = 20  # the most probes of an agent in a session
_KINDS = ("where", "wants", "seen", "holds")


class Prober:
    """Says when the model that plays an agent is asked, and what, from what it reads."""

    def __init__(self, role: actions.Role) -> None:
        """Begin a session of an agent."""
        self._read = self._when_told if role is actions.Role.FOLLOWER else self._when_checked
        self._asked = 0
        self._last_type = ""

    def due(self, told: reading.Reading) -> tuple[str, ...]:
        """Return the names of the probes of this moment, none if it is no moment for them."""
        found = tuple(self._read(told))[: MAX_PROBES - self._asked]
        self._asked += len(found)
        return found

    def _when_told(self, told: reading.Reading) -> Iterator[str]:
        for words in _lines(told, "observation", "heard"):
            self._last_type = _last_movable_type(words) or self._last_type
            if self._last_type:
                yield f"where {self._last_type}"
            if _wanted(words):
                yield "wants"

    def _when_checked(self, told: reading.Reading) -> Iterator[str]:
        unmet = _lines(told, "commander", "unmet")
        missing = [*dict.fromkeys(line.partition(":")[0].rpartition("_")[0] for line in unmet)]
        if _lines(told, "commander", "progress"):
            if missing:
                yield f"seen {missing[self._asked // 2 % len(missing)]}"  # each in turn
            yield "holds"


def _lines(told: reading.Reading, section: str, name: str) -> list[str]:
    """Return what follows the first words of a phrase, in each line that begins with them.

    No words of others can begin a line: they are told in one that says that they were heard.
    """
    start = phrase(section, name).partition("{")[0]
    lines = told.changes.splitlines()
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


def _last_movable_type(words: str) -> str:
    """Return the type of what is named last that can be picked up, "" for none."""
    rest, last, known = re.findall("[a-z]+", words.casefold()), "", assets.known_object_types()
    while rest:
        size, senses = longest_phrase(rest) or (1, None)
        named = known.get(senses.by_kind.get("thing", "")) if senses else None
        last = named.name if named and named.affordances.pickupable else last
        rest = rest[size:]
    return last


def _wanted(words: str) -> str:
    """Return the first thing that a Commander's words ask for, such as "pick_up Mug".

    It is "" for free words: what they ask for is not known, so that no answer could be scored.
    """
    meaning = hear(words)
    phrases = meaning.phrases if isinstance(meaning, PhraseStretch) else ()
    names = {verb: name for name, verb in tools.INTERACTION_VERBS_BY_ACTION.items()}
    asked = (each for each in phrases if isinstance(each, InteractionPhrase))
    return next((f"{names[each.verb]} {each.object_type}" for each in asked), "")


def with_probe(request: chat_request.ChatRequest, probe: str) -> chat_request.ChatRequest:
    """Return a request that asks a probe in place of a call.

    The question ends the newest message: some servers refuse two messages of one side in a row.
    """
    *older, newest = request.messages
    kind, _, about = probe.partition(" ")
    asked = f"{phrase('probes', 'before')} {phrase('probes', kind).format(about=about)}"
    newest = replace(newest, text=f"{newest.text}\n\n{asked}")
    return replace(request, messages=(*older, newest), schema=None)


# Scores, when a session is over.


def score_probes(record: Record, states: Sequence[state.Snapshot]) -> dict[str, int]:
    """Return for each kind how many probes were answered, and how many rightly: "where right".

    `states` are those of the session, the start first.  An answer that is not one of the words
    that were asked for is wrong.  What an endpoint did not answer does not count.
    """
    found, seen = Counter[str](), _seen_types(record.scene, states)
    for call in record.model_calls:
        kind, _, about = call.probe.partition(" ")
        if kind in _KINDS and call.end is ModelCallEnd.ANSWERED and call.step < len(states):
            now, is_seen = states[call.step], about in seen[call.step]
            said = [e.text for e in record.interactions[: call.step] if (e.role, e.verb) == _TOLD]
            held = now.held_object()
            true = {
                "where": [*_places(now, about), *(() if is_seen else ("unknown",))],
                "wants": [_wanted(said[-1]) if said else ""],
                "seen": ["yes" if is_seen else "no"],
                "holds": ["nothing" if held is None else held.objectType],
            }
            answer = _plain(call.text)
            found[f"{kind} asked"] += 1
            found[f"{kind} right"] += answer != "" and answer in map(_plain, true[kind])
    return dict(found)


_TOLD = actions.Role.COMMANDER, actions.Verb.TEXT


def _places(now: state.Snapshot, object_type: str) -> Iterator[str]:
    """Yield in or on what each object of a type is."""
    for obj in now.of_type(object_type):
        around = [now.get(name) for name in obj.parentReceptacles or ()]
        places = [each.objectType for each in around if each is not None]
        yield from ["hand"] if obj.isPickedUp else places or ["nothing"]


def _seen_types(scene: state.Scene, states: Sequence[state.Snapshot]) -> list[set[str]]:
    """Return for each state the types of all that the Follower has had in view until then."""
    sim, found = EmbeddedSimulator(), [set[str]()]
    sim.reset(scene)
    side = follower_interface.TEXT_VIEW_SIDE_PIXELS
    eyes = Perception(sim, percepts.PerceptionLevel.TRUTH, scene.initial.follower, side)
    for now in states:
        sim.restore(now)
        view = eyes.view()
        found.append(found[-1] | {each.object_type for each in (view.percepts if view else ())})
    return found[1:]


_FILLERS = frozenset("a an answer in is it on the".split())


def _plain(answer: str) -> str:
    """Return an answer as all ways to write it have in common: "In the Mug_3." is "mug"."""
    said = re.findall(r"[^\W\d_]+", answer_text.without_thought(answer).casefold())
    return "".join(word for word in said if word not in _FILLERS)
