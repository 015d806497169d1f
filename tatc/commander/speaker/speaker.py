"""The Commander `speaker`: a simulated user that knows the task and speaks as people do.

It says the task when the Follower first speaks, may leave details out or correct itself,
answers what the Follower asks from what a Commander may know, and says what the progress check
misses when the Follower believes that it is done.
"""

from dataclasses import dataclass
from random import Random
from zlib import crc32

from tatc.commander.decision import Decision
from tatc.commander.oracle import Oracle
from tatc.commander.protocol import CommanderView
from tatc.commander.speaker.feedback import missing_words
from tatc.commander.speaker.follower_questions import FollowerQuestion, Topic, hear_question
from tatc.commander.speaker.places import Places
from tatc.commander.speaker.typos import misspell
from tatc.commander.speaker.wordings import Request, request_for
from tatc.home.actions import Action, Role, Verb
from tatc.home.types.facts import WHOLE_TYPE_BY_PIECE
from tatc.language.understanding.open_parts import OpenPart
from tatc.tdl import Progress, Task

WHOLE_FOODS = frozenset(WHOLE_TYPE_BY_PIECE.values())
"""Food that a knife cuts."""
_MOST_PLACES = 4  # told at once
THANKS = "That is all, thank you!"
_MAX_UTTERANCES = 40  # of one session; a user loses patience
_FALSE_STARTS = (
    "Please open the window. Sorry, I mean something else. ",
    "Hello! ",
    "Hi there. ",
    "",
    "",
    "",
)


@dataclass(frozen=True, slots=True)
class SpeakingStyle:
    """How a simulated user speaks.

    `partial` is the share of details that it leaves out until it is asked, `typo_rate` the share
    of longer words that it misspells.  `seed` is added to what the start and the task give.
    """

    seed: int = 0
    partial: float = 0.3
    typo_rate: float = 0.0


class SpeakerCommander:
    """A Commander that uses free wordings, each drawn by a seed."""

    def __init__(self, style: SpeakingStyle = SpeakingStyle()) -> None:
        """Make a Commander that speaks in this style, once `begin` is called."""
        self._style = style
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
        self._decisions = []

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The reasons for this session's utterances, in order."""
        return tuple(self._decisions)

    def act(self, view: CommanderView) -> Action:
        """Open, answer or check; Stop when the task is done, or patience is."""
        if self._has_ended or len(self._decisions) >= _MAX_UTTERANCES:
            return Action(Verb.STOP)
        if view.progress is not None and self._is_checking:
            return self._give_feedback(view.progress)
        if view.progress is not None:
            return self._tell_places(view.progress)
        if not self._has_opened:
            self._has_opened = True
            return self._say(self._opening(), "asks for the task")
        said = [each.text for each in view.utterances if each.speaker is Role.FOLLOWER]
        heard = hear_question(" ".join(said))
        self._is_checking = heard.asks_about in (Topic.END, Topic.NOTHING)
        if self._is_checking or heard == FollowerQuestion(Topic.WHERE):
            return Action(Verb.OPEN_PROGRESS_CHECK)
        return self._say(self._answer(heard), f"answers about {heard.asks_about}")

    def _say(self, text: str, reason: str) -> Action:
        text = misspell(text, self._style.typo_rate, self._random)
        self._decisions.append(Decision(text, None, "", "", reason, (), 0))
        return Action(Verb.TEXT, text=text)

    def _opening(self) -> str:
        """Return the request with those details that are not left out, in any order."""
        details = list(self._request.details)
        self._random.shuffle(details)
        told = [each for each in details if self._random.random() >= self._style.partial]
        self._said_details.update(about for about, _ in told)
        start = self._random.choice(_FALSE_STARTS)
        return start + " ".join([self._request.sentence, *(text for _, text in told)])

    def _answer(self, heard: FollowerQuestion) -> str:
        if heard.asks_about == OpenPart.GOAL:
            return self._request.words
        if heard.asks_about == Topic.WHERE:
            return self._places().where(heard.things)
        for about, text in self._request.details:
            if about == heard.asks_about:
                self._said_details.add(about)
                return text
        return self._request.sentence  # it was all said

    def _tell_places(self, progress: Progress) -> Action:
        """Say where those things are that the task still needs."""
        if progress.success:
            return self._give_feedback(progress)
        needed = dict.fromkeys(each.object_type for each in progress.problem_keys())
        if any(each in WHOLE_FOODS for each in needed):
            needed["Knife"] = None
        known = self._places()
        places = [known.where(each) for each in list(needed)[:_MOST_PLACES]]
        text = " ".join(places) or progress.description
        return self._say(text, "says where things are")

    def _give_feedback(self, progress: Progress) -> Action:
        self._is_checking = False
        if progress.success:
            self._has_ended = True
            return self._say(THANKS, "the task is done")
        details = [text for about, text in self._request.details if about not in self._said_details]
        self._said_details.update(about for about, _ in self._request.details)
        missing = missing_words(progress, self._places())
        told = " ".join([*details, missing]).strip() or self._request.words
        return self._say(f"Not yet. {told}", "says what is missing")

    def _places(self) -> Places:
        return Places(self._start, self._oracle.snapshot())
