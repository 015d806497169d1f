"""Examples from recorded games: people's words, and what was done upon them."""

from pathlib import Path

import pytest

from tatc.actions import Role, Verb
from tatc.api import run
from tatc.follower.et.light.history import MOST_ACTIONS, VERBS
from tatc.records import write_record
from tatc.training.collecting import numbered_classes
from tatc.training.examples import NO_CLICK
from tatc.training.recorded import examples_of


@pytest.fixture(scope="module")
def record():
    return run("coffee")


@pytest.fixture(scope="module")
def examples(record, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("games") / "coffee.game.json"
    write_record(record, path)
    return examples_of(path, numbered_classes())


def test_an_example_is_what_was_done_between_words(record, examples):
    done = [d for d in record.interactions if d.role is Role.FOLLOWER]
    said = [d for d in record.interactions if d.role is Role.COMMANDER and d.text]
    verbs = [VERBS[n] for each in examples for n in each.actions.tolist()]
    assert [v for v in verbs if v is not Verb.TEXT] == [
        d.verb for d in done if d.verb is not Verb.TEXT
    ]
    assert [each.texts[0] for each in examples] == [d.text for d in said][:-1]
    for each in examples:
        assert VERBS[each.actions[-1]] is Verb.TEXT
        assert len(each) <= MOST_ACTIONS
        assert len(each.maps) == len(each)
        assert len(set(each.texts)) == 1


def test_what_was_clicked_is_named(examples):
    classes = [n for each in examples for n in each.classes.tolist() if n != NO_CLICK]
    assert numbered_classes()["Mug"] in classes
    assert numbered_classes()["CoffeeMachine"] in classes


def test_a_file_that_is_no_game_gives_none(tmp_path: Path):
    path = tmp_path / "no.game.json"
    path.write_text("{}", encoding="utf-8")
    assert examples_of(path, numbered_classes()) == ()
