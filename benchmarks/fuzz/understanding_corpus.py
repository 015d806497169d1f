"""Sound files of understanding: a dialogue and a memory."""

from pathlib import Path

from tatc.language.understanding import understand
from tatc.language.understanding.named_goals import NamedGoal, NamedGoals, write_goals
from tatc.language.understanding.understand import read_dialogue_file

DIALOGUE, MEMORY = Path("dialogue.txt"), Path("memory.jsonl")
_LINES = """Commander: a salad with two slices of tomato, please. The knife is in the drawer.
Follower: on a plate?
Commander: yes. call it the Sunday salad
"""


def make_understanding_files(folder: Path) -> None:
    """Make the files in the current folder."""
    DIALOGUE.write_text(_LINES)
    utterances = read_dialogue_file(DIALOGUE)
    goal = understand(utterances).goal
    if goal is None:
        raise RuntimeError("the dialogue of the corpus has no goal")
    memory = NamedGoals((NamedGoal("Sunday salad", utterances, goal.content),))
    write_goals(memory, MEMORY)
