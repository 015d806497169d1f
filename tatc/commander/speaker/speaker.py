"""The Commander `speaker`: a simulated user that knows the task and speaks as people do.

It says the task when the Follower first speaks, may leave details out or correct itself,
answers what the Follower asks from what a Commander may know, and says what the progress check
misses when the Follower believes that it is done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from math import atan2, degrees, hypot
from random import Random
from zlib import crc32

from tatc.commander.oracle import CommanderView, Decision, Oracle
from tatc.commander.speaker.wordings import Request, request_for
from tatc.home import actions, agent_traits, state, type_facts
from tatc.language import asks_which
from tatc.language.object_names import location_words, words_for_type
from tatc.language.understanding import clause_reader, goals, tokens
from tatc.tdl import ProblemKey, Progress, Task
from tatc.tdl.properties import is_of_type_or_class, parent_receptacles_of

_MAX_PLACES_PER_TYPE = 3  # told at once
_MAX_TYPES_PLACED = 4  # types whose places are told at once
MAX_MISSING = 2  # what is said to be missing at once, at most: people do not list everything
_END_WORDS = frozenset("done finished complete completed miss missed satisfied anything".split())
_GOAL_PHRASES = ("what shall", "what should", "what can", "what would you like", "what is my")
WHOLE_FOODS = frozenset(type_facts.WHOLE_TYPE_BY_PIECE.values())  # food that a knife cuts
THANKS = "That is all, thank you!"
_MAX_UTTERANCES = 40  # of one session; a user loses patience
_FALSE_STARTS = (
    "Please open the window. Sorry, I mean something else. ", "Hello! ", "Hi there. ", "", "", "",
)  # fmt: skip
_NEIGHBOURS = {
    row[k]: row[max(0, k - 1) : k] + row[k + 1 : k + 2]
    for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
    for k in range(len(row))
}
"""For each letter those beside it on a keyboard."""
_LEAST_LETTERS = 4  # that a word must have to be misspelled


SHARE_LEFT_OUT = 0.3  # the share of details that a simulated user leaves out until it is asked


@dataclass(frozen=True, slots=True)
class SpeakingStyle:
    """How a simulated user speaks.

    `partial` is the share of details that it leaves out until it is asked, `typo_rate` the share
    of longer words that it misspells.  `seed`, the start and the task decide what is drawn.
    """

    seed: int = 0
    partial: float = SHARE_LEFT_OUT
    typo_rate: float = 0.0


class SpeakerCommander:
    """A Commander that uses free wordings, each drawn by a seed."""

    traits = agent_traits.AgentTraits(settings=("speaker_seed", "typos"))

    def __init__(
        self, speaker_seed: int = 0, typos: float = 0.0, *, partial: float = SHARE_LEFT_OUT
    ) -> None:
        """Make a Commander that speaks in this style, once `begin` is called."""
        self._style = SpeakingStyle(speaker_seed, partial, typos)
        self._decisions: list[Decision] = []

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Start a new session; what it will say is drawn from the start and the task."""
        self._start = oracle.snapshot()
        body = self._start.follower
        key = f"{self._style.seed} {task.name} {task.params} {body.position} {body.yaw}"
        self._random = Random(crc32(key.encode()))
        self._oracle, self._task = oracle, task
        self._request: Request = request_for(task, self._random)
        self._said_details: set[str] = set()
        self._has_opened = self._is_checking = self._has_ended = False
        self._asked_which: str | None = None
        self._last_words = ""
        self._needed: tuple[ProblemKey, ...] = ()
        self._decisions = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        return tuple(self._decisions)

    def act(self, view: CommanderView) -> actions.Action:
        """Say the task, answer or check; Stop when the task is done or patience has run out."""
        if self._has_ended or len(self._decisions) >= _MAX_UTTERANCES:
            return actions.Action(actions.Verb.STOP)
        if view.progress is not None:
            self._needed = tuple(view.progress.problem_keys())
        if view.progress is not None and self._is_checking:
            return self._give_feedback(view.progress)
        if view.progress is not None and self._asked_which is not None:
            return self._say(self._tell_apart(self._asked_which), "says which is meant")
        if view.progress is not None:
            return self._tell_places(view.progress)
        if not self._has_opened:
            self._has_opened = True
            return self._say(self._opening(), "asks for the task")
        said = [each.text for each in view.utterances if each.speaker is actions.Role.FOLLOWER]
        heard = hear_question(" ".join(said))
        self._is_checking = heard.asks_about in (Topic.END, Topic.NOTHING)
        asks_which = heard.asks_about == Topic.WHICH
        self._asked_which = heard.things if asks_which else None
        if self._is_checking or asks_which or heard == FollowerQuestion(Topic.WHERE):
            return actions.Action(actions.Verb.OPEN_PROGRESS_CHECK)
        return self._say(self._answer(heard), f"answers about {heard.asks_about}")

    def _say(self, text: str, reason: str) -> actions.Action:
        if text == self._last_words:  # and it was not enough
            text = f"{text} {self._tell_apart('')}"
        self._last_words = text
        text = misspell(text, self._style.typo_rate, self._random)
        self._decisions.append(Decision(text, None, "", "", reason, (), 0))
        return actions.Action(actions.Verb.TEXT, text=text)

    def _opening(self) -> str:
        """Return the request with those details that are not left out, in any order."""
        details = list(self._request.details)
        self._random.shuffle(details)
        told = [each for each in details if self._random.random() >= self._style.partial]
        self._said_details.update(about for about, _ in told)
        start = self._random.choice(_FALSE_STARTS)
        return start + " ".join([self._request.sentence, *(text for _, text in told)])

    def _answer(self, heard: "FollowerQuestion") -> str:
        if heard.asks_about == goals.OpenPart.GOAL:
            return self._request.words
        if heard.asks_about == Topic.WHERE:
            return self._places().where(heard.things)
        for about, text in self._request.details:
            if about == heard.asks_about:
                self._said_details.add(about)
                return text
        return self._request.sentence  # it was all said

    def _tell_apart(self, kind: str) -> str:
        """Return where the Follower sees what is meant of a type, or what is needed first."""
        needed = [each.object_id for each in self._needed]
        return self._places().which(kind, needed) or self._request.words

    def _tell_places(self, progress: Progress) -> actions.Action:
        """Say where those things are that the task still needs."""
        if progress.success:
            return self._give_feedback(progress)
        needed = dict.fromkeys(each.object_type for each in progress.problem_keys())
        if any(each in WHOLE_FOODS for each in needed):
            needed["Knife"] = None
        known = self._places()
        places = [known.where(each) for each in list(needed)[:_MAX_TYPES_PLACED]]
        return self._say(" ".join(places) or progress.description, "says where things are")

    def _give_feedback(self, progress: Progress) -> actions.Action:
        self._is_checking = False
        if progress.success:
            self._has_ended = True
            return self._say(THANKS, "the task is done")
        details = [text for about, text in self._request.details if about not in self._said_details]
        self._said_details.update(about for about, _ in self._request.details)
        missing = missing_words(progress, self._places())
        told = " ".join([*details, missing]).strip() or self._request.words
        return self._say(f"Not yet. {told}", "says what is missing")

    def _places(self) -> "Places":
        return Places(self._start, self._oracle.snapshot())


class Topic(StrEnum):
    """What a Follower asks about besides the parts of the goal; NOTHING where it asks nothing."""

    WHERE = "where"
    WHICH = "which"
    END = "end"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class FollowerQuestion:
    """What an utterance of the Follower asks.

    `asks_about` is an `OpenPart` of the goal, the `count_part` of a food, or another `Topic`.
    `things` is the type or class that it is about; "" for none ("where should I look?").
    """

    asks_about: str
    things: str = ""


def hear_question(text: str) -> FollowerQuestion:
    """Return what the Follower asks; any text is accepted."""
    lower = text.lower()
    clauses = clause_reader.read_clauses(tokens.read_terms(text, 0))
    marks = {mark for clause in clauses for mark in clause.marks}
    named = [phrase.what for clause in clauses for phrase in clause.phrases if phrase.what]
    if "how_many" in marks and named:
        food = "Bread" if named[-1] == "toast" else named[-1]
        return FollowerQuestion(goals.count_part(food), named[-1])
    if "plate or a bowl" in lower or "plate or bowl" in lower:
        return FollowerQuestion(goals.OpenPart.CONTAINER)
    if "where shall i serve" in lower:
        return FollowerQuestion(goals.OpenPart.TABLE)
    if "same place" in lower:
        return FollowerQuestion(goals.OpenPart.ONE_PLACE)
    if asks_which(text):
        return FollowerQuestion(Topic.WHICH, named[-1] if named else "")
    if "where" in marks or lower.rpartition(". ")[2].startswith("where "):
        return FollowerQuestion(Topic.WHERE, named[-1] if named else "")
    if any(phrase in lower for phrase in _GOAL_PHRASES):
        return FollowerQuestion(goals.OpenPart.GOAL)
    if _END_WORDS & set(lower.replace("?", " ").replace(".", " ").replace(",", " ").split()):
        return FollowerQuestion(Topic.END)
    return FollowerQuestion(Topic.NOTHING)


class Places:
    """Tells places in a home, given how it was at the start and how it is now.

    A drawer that opens may leave behind what was in it at the start, and is then no receptacle of
    it any more.  People still say that it is in the drawer.
    """

    def __init__(self, start: state.Snapshot, now: state.Snapshot) -> None:
        """Take the home at the start and now."""
        self._start, self._now = start, now

    def where(self, things: str) -> str:
        """Return sentences on where things of a type or class are, or that this is not known.

        Things that lie open come first; if the Follower holds one, only that is said.
        """
        name = words_for_type(things)
        found = self._things(things)
        if not found and things in type_facts.KNIFE_TYPES:
            found = self._things(*type_facts.KNIFE_TYPES)  # any of them cuts
        if any(each.isPickedUp for each in found):
            return f"You hold the {name}."
        holders = [holder for each in found if (holder := self._holder(each)) is not None]
        holders.sort(key=lambda each: each.affordances.openable)
        places = [*dict.fromkeys(location_words(each.objectType) for each in holders)]
        if not places:
            return f"I do not know where a {name} is."
        first, *others = places[:_MAX_PLACES_PER_TYPE]
        return f"The {name} is {first}." + "".join(f" There is one {each}." for each in others)

    def which(self, kind: str, needed: Sequence[str]) -> str:
        """Return where, from the Follower, that thing of a kind is which is or holds a needed one.

        With an empty kind it is the first needed thing, or what holds it; "" if there is none.
        """
        things = [obj for name in needed if (obj := self._now.get(name)) and not obj.isPickedUp]
        around = [holder for each in things if (holder := self._holder(each)) is not None]
        others = self._things(kind) if kind else []
        meant = (each for each in (*things, *around) if not kind or is_of_type_or_class(each, kind))
        found = next(chain(meant, others), None)
        return "" if found is None else _words_for_direction(found, self._now.follower)

    def of_object(self, object_id: str) -> tuple[str, str] | None:
        """Return words for an object and its place; None where nothing holds it."""
        obj = self._now.get(object_id)
        holder = None if obj is None or obj.isPickedUp else self._holder(obj)
        if obj is None or holder is None:
            return None
        return words_for_type(obj.objectType), location_words(holder.objectType)

    def _things(self, *kinds: str) -> list[state.ObjectState]:
        objects = self._now.objects
        return [obj for obj in objects if any(is_of_type_or_class(obj, kind) for kind in kinds)]

    def _holder(self, obj: state.ObjectState) -> state.ObjectState | None:
        parents = parent_receptacles_of(obj, self._now)
        before = self._start.get(obj.objectId)
        if not parents and before is not None and before.position == obj.position:
            parents = parent_receptacles_of(before, self._start)
        return next((found for each in parents if (found := self._now.get(each))), None)


def _words_for_direction(obj: state.ObjectState, follower: state.AgentState) -> str:
    """Return where an object is from a Follower's body, to 10 degrees and 10 centimetres."""
    x, z = obj.position[0] - follower.position[0], obj.position[2] - follower.position[2]
    turn = round((degrees(atan2(x, z)) - follower.yaw + 180.0) % 360.0 - 180.0, -1)
    side = f"{abs(turn):.0f} degrees to your {'left' if turn < 0 else 'right'}"
    where = side if turn else "straight ahead of you"
    name = words_for_type(obj.objectType)
    return f"The {name} that I mean is {where}, {hypot(x, z):.1f} metres away."


def missing_words(progress: Progress, places: Places) -> str:
    """Return what a progress check misses and where it is; "" if no place is known."""
    said = dict.fromkeys(_missing_thing(key, places) for key in progress.problem_keys())
    return " ".join([words for words in said if words][:MAX_MISSING])


def _missing_thing(key: ProblemKey, places: Places) -> str:
    """Return words for one thing; "" for slices, which the Follower has cut itself."""
    if key.object_type in type_facts.WHOLE_TYPE_BY_PIECE:
        return ""
    found = places.of_object(key.object_id)
    if found is None:
        return ""
    thing, place = found
    if key.property_name == "isDirty":
        return f"The {thing} {place} is still dirty."
    return f"There is still a {thing} {place}."


def misspell(text: str, rate: float, random: Random) -> str:
    """Return a text with one slip in this share of its words of four letters or more.

    A slip swaps two letters, leaves one out, doubles one, or hits the key beside it; the first
    letter stays.
    """
    words = text.split(" ")
    for i, word in enumerate(words):
        if sum(each.isalpha() for each in word) >= _LEAST_LETTERS and random.random() < rate:
            words[i] = _slip(word, random)
    return " ".join(words)


def _slip(word: str, random: Random) -> str:
    places = [k for k in range(1, len(word)) if word[k].isalpha()]
    if not places:
        return word
    k = random.choice(places)
    before, letter, after = word[:k], word[k], word[k + 1 :]
    match random.randrange(4):
        case 0 if after[:1].isalpha():
            return before + after[0] + letter + after[1:]
        case 1:
            return before + after
        case 2:
            return before + letter + letter + after
        case _:
            return before + random.choice(_NEIGHBOURS.get(letter.lower(), letter)) + after
