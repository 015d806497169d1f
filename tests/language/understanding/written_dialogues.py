"""The dialogues written for the tests, each with what it must mean."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tatc.home.actions import Role, Utterance
from tatc.language.understanding import Understanding, understand
from tatc.language.understanding.goal_json import goal_lines
from tatc.language.understanding.goal_tasks import COMPOSED_TASK_NAME

_FILE = Path(__file__).parent / "dialogues.txt"
_FOLLOWER = "F:"


@dataclass(frozen=True)
class WrittenDialogue:
    meaning: str
    line: str

    @property
    def utterances(self) -> tuple[Utterance, ...]:
        return spoken(*self.line.split(" / "))


def spoken(*texts: str) -> tuple[Utterance, ...]:
    """Return utterances of the Commander, and of the Follower where a text begins with "F:"."""
    return tuple(
        Utterance(
            Role.FOLLOWER if text.startswith(_FOLLOWER) else Role.COMMANDER,
            text.removeprefix(_FOLLOWER).strip(),
            float(k),
        )
        for k, text in enumerate(texts)
    )


def heard(*texts: str) -> Understanding:
    return understand(spoken(*texts))


def meaning_of(utterances: Sequence[Utterance]) -> str:
    """Return what is understood, as a heading of the file writes it."""
    goal = understand(utterances).goal
    if goal is None:
        return "none"
    if goal.library_task is None or goal.task.name == COMPOSED_TASK_NAME:
        return "= " + "; ".join(goal_lines(goal.content))
    name, params = goal.library_task
    shown = [each for k, each in enumerate(params) if not (name.startswith("Put All") and k == 1)]
    return " ".join([name, *shown])


def written_dialogues() -> list[WrittenDialogue]:
    found: list[WrittenDialogue] = []
    meaning = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            meaning = line.removeprefix("# ")
        elif line and not line.startswith(";"):
            found.append(WrittenDialogue(meaning, line))
    return found
