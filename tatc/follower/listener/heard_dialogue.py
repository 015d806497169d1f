"""What the Follower has heard, the goal that it takes from it, and what it says itself."""

import re
from collections.abc import Callable, Collection, Iterable
from enum import StrEnum

from tatc.follower.listener.belief import BelievedGoal, GoalSource
from tatc.follower.listener.instance_tracking import affordances_of
from tatc.home.actions import Role, Utterance
from tatc.home.state import ObjectState
from tatc.language.object_names import words_for_type
from tatc.language.understanding import Goal, PlaceHint, Understanding, further_task, understand
from tatc.language.understanding.alfred.directive_goal import DirectiveReader
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.goals import COUNT_PREFIX, UNAVAILABLE_PREFIX, OpenPart
from tatc.language.understanding.named_goals import NamedGoal, name_given_in
from tatc.language.understanding.understand import DialogueReader
from tatc.tdl import Task

DONE_WORDS = "I think that is done. Is anything missing?"
"""What the Follower says when it takes its goal for done."""
FAILED_WORDS = "I could not do all of it. Where should I look?"
"""What the Follower says when nothing is left to try, and it has found all that it needs."""
PUT_DOWN_WORDS = "put down what is held"  # what a stretch is for that empties the hand
MAX_WANTED_NAMED = 3  # types that are named where several are looked for, at most
RESERVED_REPORTS = 2  # how many reports are left to make after a question about the goal
_PARTS_OF_MEALS = (OpenPart.FILLING, OpenPart.CONTAINER, OpenPart.TABLE)
_WORTH_ASKING = (COUNT_PREFIX, UNAVAILABLE_PREFIX, *_PARTS_OF_MEALS)
"""Parts that are wrong if they are guessed wrongly; one place for all things never is."""
_CLOSING = re.compile(
    r"\b(thanks?|done|great|good|perfect|finished|all set|that'?s (it|all)|nothing|bye)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\b(not|n't|missing|still|but|more|another|also|need|forgot)\b", re.IGNORECASE
)


class ListenerEnd(StrEnum):
    """Why the Follower stopped."""

    NO_GOAL = "no goal was understood"
    NO_PERCEPTS = "the session gives no percepts"
    DONE = "the goal is done, as far as seen"
    NOTHING_LEFT = "nothing is left to try"
    GOODBYE = "the person has said goodbye"
    BUDGET = "the budget of decisions is spent"


class HeardDialogue:
    """The utterances of both agents, understood anew whenever the Commander has spoken."""

    def __init__(self, read: DialogueReader = understand) -> None:
        """Start before anything was said; `read` says what it means."""
        self._read = read
        self._utterances: list[Utterance] = []
        self._newest: list[Utterance] = []
        self.understood: Understanding | None = None
        self.is_answered = True  # whether anybody answers; where nobody would, nothing is asked
        self._asked: set[str] = set()

    @property
    def _goal(self) -> Goal | None:
        return None if self.understood is None else self.understood.goal

    def hear(self, utterances: Iterable[Utterance]) -> bool:
        """Take utterances in; return whether the Commander said anything."""
        new = list(utterances)
        self._utterances += new
        said = [each for each in new if each.speaker is Role.COMMANDER]
        if said:
            self._newest = said
            self.understood = self._read(self._utterances)
        return bool(said)

    def read_in_home(self, home: Collection[str]) -> bool:
        """Understand all words by the types of what was seen; return whether the task changes."""
        if not isinstance(self._read, DirectiveReader):
            return False
        before = self._goal
        found = self._read(self._utterances, home)
        if found.goal is None or (before and found.goal.library_task == before.library_task):
            return False
        self.understood = found
        return True

    def begins_anew(self, utterance: Utterance) -> bool:
        """Return whether words ask for something by themselves, and add to nothing before."""
        return self._read([utterance]).goal is not None and not _OPENING.search(utterance.text)

    def say(self, text: str) -> None:
        """Note what the Follower itself says: the next words may answer it."""
        self._utterances.append(Utterance(Role.FOLLOWER, text, 0.0))

    @property
    def own_words(self) -> tuple[str, ...]:
        """What the Follower itself has said, oldest first."""
        return tuple(each.text for each in self._utterances if each.speaker is Role.FOLLOWER)

    @property
    def task(self) -> Task | None:
        """The task that was understood, None where there is none."""
        return None if self._goal is None else self._goal.task

    @property
    def goal_words(self) -> tuple[str, ...]:
        """What was understood, in words; empty where nothing was."""
        if self._goal is None:
            return ()
        return goal_lines(self._goal.content) or (self._goal.task.definition.description,)

    def memory_entry(self, name: str | None) -> NamedGoal | None:
        """Return the dialogue under a name (by default its own); None without a name or goal."""
        name = name or name_given_in(self._utterances)
        if name is None or self._goal is None:
            return None
        return NamedGoal(name, tuple(self._utterances), self._goal.content)

    @property
    def newest_task(self) -> Task | None:
        """The task of the Commander's newest words alone, None where they ask for nothing."""
        goal = self._read(self._newest).goal
        return None if goal is None else goal.task

    def further_task(self, is_done: Callable[[Task], bool]) -> Task | None:
        """Return what the newest words ask for beyond what all words do and is done, or None."""
        goal = self._goal
        if goal is None or not is_done(goal.task):
            return None
        return further_task(goal, self._read(self._newest).goal, is_done)

    @property
    def hints(self) -> tuple[PlaceHint, ...]:
        """Where things are, as the Commander said."""
        return () if self.understood is None else self.understood.hints

    @property
    def has_heard(self) -> bool:
        """Whether the Commander has said anything."""
        return bool(self._newest)

    @property
    def closes(self) -> bool:
        """Whether the newest words only say that all is well."""
        text = " ".join(each.text for each in self._newest)
        return bool(_CLOSING.search(text)) and not _OPENING.search(text)

    @property
    def open_questions(self) -> tuple[str, ...]:
        """What the words leave open, as questions."""
        asked = () if self.understood is None else self.understood.questions
        return tuple(each.text for each in asked)

    def next_question(self, questions_left: int) -> str | None:
        """Return what to ask about the goal, None for nothing; nothing is asked twice."""
        if self.understood is None or not self.is_answered or questions_left <= RESERVED_REPORTS:
            return None
        for question in self.understood.questions:
            if question.about not in self._asked and question.about.startswith(_WORTH_ASKING):
                self._asked.add(question.about)
                return question.text
        return None


class GoalChoice:
    """Which goal the Follower does: one given, one edited, or what it heard; `task` may be None."""

    def __init__(self) -> None:
        """Begin without a goal."""
        self._given: Task | None = None
        self.begin()

    def begin(self) -> None:
        """Forget all but the goal that was given: a new session starts."""
        self._edited: Goal | None = None
        self._source = GoalSource.EDITED
        self.task = self._given

    @property
    def is_fixed(self) -> bool:
        """Whether the goal was given or edited, so that words do not change it."""
        return self._given is not None or self._edited is not None

    def give(self, task: Task) -> None:
        """Take a goal as given in every session, whatever is said."""
        self._given = self.task = task

    def edit(self, goal: Goal, source: GoalSource = GoalSource.EDITED) -> None:
        """Take a goal for the rest of the session, whatever is said."""
        self._edited, self.task, self._source = goal, goal.task, source

    def take_from(self, dialogue: HeardDialogue, *, newest: bool) -> None:
        """Take the goal that the words mean, unless one was given or edited.

        With `newest` it is what the newest words ask for, if they ask for anything by themselves:
        who takes over a session stops after its newest instruction.
        """
        if not self.is_fixed:
            self.task = (dialogue.newest_task if newest else None) or dialogue.task

    def take_in_home(self, dialogue: HeardDialogue, seen: Iterable[ObjectState]) -> bool:
        """Take what the words mean in a home with what was seen; return whether that is new."""
        if self.is_fixed or not dialogue.read_in_home(tuple(each.objectType for each in seen)):
            return False
        self.task = dialogue.task
        return True

    def take_further(self, dialogue: HeardDialogue, is_done: Callable[[Task], bool]) -> None:
        """Take what was asked for after a report, where all else is done as far as known."""
        if not self.is_fixed:
            self.task = dialogue.further_task(is_done) or self.task

    def believed(self, dialogue: HeardDialogue) -> BelievedGoal | None:
        """Return the goal with the words that it rests on, None if there is none."""
        if self.task is None:
            return None
        if self._edited is not None:
            return BelievedGoal(self.task, self._source, self._edited.content)
        if self._given is not None:
            return BelievedGoal(self.task, GoalSource.GIVEN)
        understood = dialogue.understood
        goal = None if understood is None else understood.goal
        if understood is None or goal is None or goal.task is not self.task:
            return BelievedGoal(self.task, GoalSource.UNDERSTOOD)
        evidence, confidence = understood.evidence, understood.confidence
        return BelievedGoal(self.task, GoalSource.UNDERSTOOD, goal.content, evidence, confidence)


def lost_words(missing: frozenset[str]) -> str:
    """Return how the Follower asks for what it cannot find, "" where nothing is missing.

    Of several types it names one that people carry, by its shortest name: a knife, not slices.
    """
    names = sorted(missing, key=lambda name: (not affordances_of(name).pickupable, len(name), name))
    if not names:
        return ""
    return f"I cannot find any {words_for_type(names[0])}. Where should I look?"


def search_words(wanted: frozenset[str]) -> str:
    """Return what a look is for: "look for apple or bread"."""
    names = sorted(wanted)[:MAX_WANTED_NAMED]
    return "look for " + " or ".join(words_for_type(each) for each in names)
