"""Sound files of understanding: a dialogue, a memory, and a model's kept answer."""

import json
from pathlib import Path

from tatc.language.llm import ChatClient, ModelSettings
from tatc.language.llm.chat_client import AnswerCache
from tatc.language.llm.chat_request import ChatAnswer
from tatc.language.understanding import understand
from tatc.language.understanding.goal_json import content_json
from tatc.language.understanding.model_reader import ModelReader
from tatc.language.understanding.named_goals import NamedGoal, NamedGoals, write_goals
from tatc.language.understanding.understand import read_dialogue_file

DIALOGUE, MEMORY = Path("dialogue.txt"), Path("memory.jsonl")
ANSWERS = "answers"
MODEL, BASE_URL = "no-model", "http://localhost/v1"
_LINES = """Commander: a salad with two slices of tomato, please. The knife is in the drawer.
Follower: on a plate?
Commander: yes. call it the Sunday salad
"""


def make_understanding_files(folder: Path) -> None:
    """Make the files in the current folder; nothing is sent anywhere."""
    DIALOGUE.write_text(_LINES)
    utterances = read_dialogue_file(DIALOGUE)
    goal = understand(utterances).goal
    if goal is None:
        raise RuntimeError("the dialogue of the corpus has no goal")
    memory = NamedGoals((NamedGoal("Sunday salad", utterances, goal.content),))
    write_goals(memory, MEMORY)
    client = ChatClient(ModelSettings(MODEL, BASE_URL, cache=ANSWERS, offline=True))
    text = json.dumps({"goal": content_json(goal.content), "evidence": []})
    request = ModelReader(client).request(utterances)
    AnswerCache(ANSWERS).keep(request, ChatAnswer(text, 700, 50))
