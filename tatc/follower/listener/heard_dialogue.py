"""What the Follower has heard so far, and what it takes it to mean."""

import re
from collections.abc import Callable, Collection, Iterable

from tatc.home.actions import Role, Utterance
from tatc.language.understanding import PlaceHint, Understanding, further_task, understand
from tatc.language.understanding.alfred.directive_goal import DirectiveReader
from tatc.language.understanding.goal import ReadBy
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.memory import MemoryEntry, name_given_in
from tatc.language.understanding.model_reader import DialogueReader
from tatc.tdl import Task

_CLOSING = re.compile(
    r"\b(thanks?|done|great|good|perfect|finished|all set|that'?s (it|all)|nothing|bye)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\b(not|n't|missing|still|but|more|another|also|need|forgot)\b", re.IGNORECASE
)


class HeardDialogue:
    """The utterances of both agents, understood anew whenever the Commander has spoken."""

    def __init__(self, read: DialogueReader = understand) -> None:
        """Start before anything was said; `read` says what it means."""
        self._read = read
        self.readings: list[ReadBy] = []
        self._utterances: list[Utterance] = []
        self._newest: list[Utterance] = []
        self.understood: Understanding | None = None

    def hear(self, utterances: Iterable[Utterance]) -> bool:
        """Take utterances in; return whether the Commander said anything."""
        new = list(utterances)
        self._utterances += new
        said = [each for each in new if each.speaker is Role.COMMANDER]
        if said:
            self._newest = said
            self.understood = self._understand(self._utterances)
        return bool(said)

    def read_in_home(self, home: Collection[str]) -> bool:
        """Understand all words by the types of what was seen; return whether the task changes."""
        if not isinstance(self._read, DirectiveReader):
            return False
        before = None if self.understood is None else self.understood.goal
        found = self._read.read_in_home(self._utterances, home)
        if found.goal is None or (before and found.goal.library_task == before.library_task):
            return False
        self.understood = found
        return True

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
        goal = None if self.understood is None else self.understood.goal
        return None if goal is None else goal.task

    @property
    def goal_words(self) -> tuple[str, ...]:
        """What was understood, in words; empty where nothing was."""
        goal = None if self.understood is None else self.understood.goal
        if goal is None:
            return ()
        return goal_lines(goal.content) or (goal.task.definition.description,)

    def memory_entry(self, name: str | None) -> MemoryEntry | None:
        """Return the dialogue and what it means, to be remembered under a name.

        Without a `name` it is the one that the dialogue gives; None where there is none, or no
        goal.
        """
        name = name or name_given_in(self._utterances)
        goal = None if self.understood is None else self.understood.goal
        if name is None or goal is None:
            return None
        return MemoryEntry(name, tuple(self._utterances), goal.content)

    @property
    def newest_task(self) -> Task | None:
        """The task of the Commander's newest words alone, None where they ask for nothing."""
        goal = self._understand(self._newest).goal
        return None if goal is None else goal.task

    def further_task(self, is_done: Callable[[Task], bool]) -> Task | None:
        """Return what the newest words ask for beyond what all words do and is done, or None."""
        goal = None if self.understood is None else self.understood.goal
        if goal is None or not is_done(goal.task):
            return None
        return further_task(goal, self._understand(self._newest).goal, is_done)

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

    def _understand(self, utterances: list[Utterance]) -> Understanding:
        found = self._read(utterances)
        self.readings.append(found.read_by)
        return found

    @property
    def open_questions(self) -> tuple[str, ...]:
        """What the words leave open, as questions."""
        asked = () if self.understood is None else self.understood.questions
        return tuple(each.text for each in asked)

    def open_question(self) -> str:
        """Return what to ask where nothing was understood."""
        return next(iter(self.open_questions), "What should I do?")
