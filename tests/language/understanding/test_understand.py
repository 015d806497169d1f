"""Written dialogues mean what they must; whatever is typed, there is a goal or a question."""

import pytest
from hypothesis import given, strategies as st

from tatc.home.actions import Role, Utterance
from tatc.language.understanding import understand
from tatc.tdl import Task
from tests.language.understanding.written_dialogues import (
    WrittenDialogue,
    heard,
    meaning_of,
    written_dialogues,
)

WORDS = st.sampled_from(
    "put place all the a one any no not two 3 slices of slice cook toast tomato potatoes bread "
    "lettuce coffee plate bowl mug sink sofa remote on in next to is it them and then , . ? sorry "
    "instead without breakfast salad sandwich clean wash dirty plant water boil more".split()
)
SPOKEN = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=25).map(" ".join))
DIALOGUES = st.lists(st.tuples(st.sampled_from(Role), SPOKEN), max_size=8)


WRITTEN = written_dialogues()


@pytest.mark.parametrize("dialogue", WRITTEN, ids=lambda each: each.line[:60])
def test_it_means_what_it_must(dialogue: WrittenDialogue) -> None:
    assert meaning_of(dialogue.utterances) == dialogue.meaning


def test_there_are_300_about_every_task_and_none_twice() -> None:
    assert len(WRITTEN) >= 300
    assert len({each.line for each in WRITTEN}) == len(WRITTEN)
    tasks = {
        "Boil X", "Breakfast", "Clean All X", "Coffee", "N Cooked Slices Of X In Y",
        "N Slices Of X In Y", "Plate Of Toast", "Put All X In One Y", "Put All X On Y", "Salad",
        "Sandwich", "Water Plant",
    }  # fmt: skip
    assert not [task for task in tasks if not any(d.meaning.startswith(task) for d in WRITTEN)]


@given(DIALOGUES)
def test_there_is_a_goal_or_a_question_and_the_evidence_was_said(
    dialogue: list[tuple[Role, str]],
) -> None:
    utterances = [Utterance(role, text, float(k)) for k, (role, text) in enumerate(dialogue)]
    found = understand(utterances)
    assert 0 <= found.confidence <= 1
    assert found.goal is not None or found.questions
    assert found.goal is None or isinstance(found.goal.task, Task)
    for evidence in found.evidence:
        for span, words in zip(evidence.spans, evidence.words, strict=True):
            assert utterances[span.utterance].text[span.start : span.end] == words
            assert utterances[span.utterance].speaker is Role.COMMANDER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\x00\x1b[31m\x07",
        "Bitte stell die Tassen in den Schrank",
        "把所有的杯子放进水槽",
        "the quick brown fox",
        "slice the sofa",
        "\u0130\u0130\u0130 \ud800",
        "???",
    ],
)
def test_what_asks_for_nothing_gives_a_question(text: str) -> None:
    found = heard(text)
    assert found.goal is None
    assert [each.about for each in found.questions] == ["goal"]


def test_ten_thousand_words_are_read() -> None:
    found = heard("please put all the remotes on the sofa", "so " * 10_000)
    assert found.goal is not None
    assert heard("put the mug on the table and " * 2_500).questions is not None


def test_only_the_commander_asks_for_anything() -> None:
    assert heard("F: I will make a coffee now").goal is None


def test_a_starred_word_replaces_the_one_most_like_it() -> None:
    found = heard("please soil the potato", "boil*")
    assert found.goal is not None and found.goal.library_task == ("Boil X", ("Potato",))
    assert heard("water the plan", "*plant").goal is not None
    assert heard("boil*").goal is None


def test_landmarks_are_hints_and_no_ingredients() -> None:
    found = heard("make a lettuce sandwich", "the knife is behind the tomato, by the coffee pot")
    assert found.goal is not None and found.goal.library_task == ("Sandwich", ("1", "0"))
    places = {(hint.things, hint.relation, hint.place) for hint in found.hints}
    assert {("Knife", "near", "Tomato"), ("Knife", "near", "CoffeeMachine")} <= places
    assert [each.place for each in found.hints if each.things == "Knife"][-1] == "CoffeeMachine"


def test_what_was_true_of_one_pose_is_no_hint() -> None:
    found = heard("slice a tomato, it is in the fridge, and the knife, next to the sink")
    places = {(hint.things, hint.relation, hint.place) for hint in found.hints}
    assert places == {("Tomato", "on", "Fridge"), ("Knife", "near", "Sink")}
    assert heard("put the mug in the sink", "it is to your left", "behind you").hints == ()


def test_doubt_lowers_confidence() -> None:
    sure = heard("put two slices of tomato on a plate")
    vague = heard("slice the tomato")
    assert sure.confidence > vague.confidence
    assert {each.about for each in vague.questions} == {"count of Tomato", "container"}


@pytest.mark.parametrize(
    ("words", "about"),
    [
        ("Make me a coffee. Actually no, make tea.", "no tea"),
        ("coffee with milk please", "no milk"),
        ("make a sandwich", "filling"),
        ("make a salad", "filling"),
    ],
)
def test_what_cannot_be_had_or_was_not_said_is_asked_about(words: str, about: str) -> None:
    found = heard(words)
    assert about in {each.about for each in found.questions}
    assert found.confidence < heard("make a coffee").confidence
    assert not heard("not tea, coffee please").questions, "what is denied is not asked about"


def test_the_number_in_what_colours_a_terminal_is_no_number_of_things() -> None:
    found = heard("make me a \x1b[31m coffee")
    assert found.goal is not None and found.goal.library_task == ("Coffee", ())
