"""More than 300 dialogues written for the tests mean what their authors meant."""

from collections import Counter

import pytest

from tests.language.understanding.written_dialogues import (
    WrittenDialogue,
    meaning_of,
    written_dialogues,
)

DIALOGUES = written_dialogues()


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda each: each.line[:60])
def test_it_means_what_it_must(dialogue: WrittenDialogue) -> None:
    assert meaning_of(dialogue.utterances) == dialogue.meaning


def test_there_are_300_about_every_task_and_none_twice() -> None:
    assert len(DIALOGUES) >= 300
    assert not [line for line, n in Counter(each.line for each in DIALOGUES).items() if n > 1]
    tasks = {
        "Boil X", "Breakfast", "Clean All X", "Coffee", "N Cooked Slices Of X In Y",
        "N Slices Of X In Y", "Plate Of Toast", "Put All X In One Y", "Put All X On Y", "Salad",
        "Sandwich", "Water Plant",
    }  # fmt: skip
    assert not [task for task in tasks if not any(d.meaning.startswith(task) for d in DIALOGUES)]
