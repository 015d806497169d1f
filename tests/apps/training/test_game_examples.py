"""Examples from recorded games: what was said and done, and what was done next."""

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from tatc.apps.training.examples import (
    LIGHT_OBJECT_CLASSES,
    MIN_PAIR_COUNT,
    NO_CLICK,
    class_ids,
    examples_of_game,
    frequent_verb_object_pairs,
)
from tatc.apps.training.light_fitting import LEARNING_RATE, learning_rate_in, mirror_example
from tatc.apps.training.light_training import (
    EPOCHS_FILE,
    FOLLOWER_FILE,
    STATE_FILE,
    TrainingOptions,
    train_light,
)
from tatc.apps.training.training_folder import TrainingWatch
from tatc.base.errors import BadInput
from tatc.follower.learned.checkpoint import read_checkpoint
from tatc.follower.learned.light.network import LightNetwork
from tatc.follower.learned.pointing.network_inputs import MAX_ACTIONS_PER_UTTERANCE, NETWORK_VERBS
from tatc.home.actions import INTERACTION_VERBS, Role, Verb
from tatc.session.records import read_record


@pytest.fixture(scope="module")
def examples(game: Path):
    return examples_of_game(game, class_ids())


def test_an_example_is_a_walk_and_what_it_leads_to(game: Path, examples):
    done = [d for d in read_record(game).interactions if d.role is Role.FOLLOWER and d.success]
    verbs = [NETWORK_VERBS[n] for each in examples for n in each.actions.tolist()]
    assert [v for v in verbs if v is not Verb.TEXT] == [
        d.verb for d in done if d.verb is not Verb.TEXT
    ]
    for each in examples:
        *walk, last = (NETWORK_VERBS[n] for n in each.actions.tolist())
        assert not any(v in INTERACTION_VERBS or v is Verb.TEXT for v in walk)
        assert len(each.maps) == len(each) <= MAX_ACTIONS_PER_UTTERANCE
        assert (each.classes[-1] != NO_CLICK) == (last in INTERACTION_VERBS)


def test_what_was_said_and_done_is_recalled_the_newest_first(examples):
    texts = [each.text for each in examples]
    assert texts[0].startswith("holding nothing, told ")
    held = next(each for each in texts if each.startswith("holding Mug"))
    assert held.startswith("holding Mug, did pickup mug, ")
    assert held.endswith(", said what should i do next")


def test_what_was_clicked_is_named_and_what_is_often_done_to_it_is_noted(examples):
    classes = [n for each in examples for n in each.classes.tolist() if n != NO_CLICK]
    assert {class_ids()["Mug"], class_ids()["CoffeeMachine"]} <= set(classes)
    found = frequent_verb_object_pairs(examples * MIN_PAIR_COUNT, LIGHT_OBJECT_CLASSES)
    assert ("Pickup", "Mug") in found and ("Pickup", "Fridge") not in found
    assert not set(frequent_verb_object_pairs(examples[:1], LIGHT_OBJECT_CLASSES)) - set(found)


def test_a_mirror_shows_left_as_right_and_itself_undone(examples):
    for each in examples:
        other, again = mirror_example(each), mirror_example(mirror_example(each))
        assert np.array_equal(other.maps[:, :, 0], each.maps[:, :, -1])
        for name in ("actions", "classes", "cells", "maps"):
            assert np.array_equal(getattr(each, name), getattr(again, name))
        assert again.text == each.text
        turned = [NETWORK_VERBS[n] for n in each.actions.tolist()].count(Verb.TURN_LEFT)
        seen = [NETWORK_VERBS[n] for n in other.actions.tolist()]
        assert seen.count(Verb.TURN_RIGHT) == turned


def test_a_follower_is_trained_on_games_and_validated_on_other_plans(
    game: Path, examples, tmp_path: Path
):
    options = TrainingOptions(games=(str(game),), epochs=1, width=16)
    path = train_light(tmp_path / "run", options)
    assert json.loads((tmp_path / "run" / EPOCHS_FILE).read_text())["validation"] == []
    light = read_checkpoint(path, LightNetwork)
    assert light.network.sizes.recalls
    assert "told" in light.words
    assert all(
        interaction in light.verb_object_pairs
        for interaction in frequent_verb_object_pairs(examples, light.classes)
    )
    with pytest.raises(BadInput, match="the games gave no example"):
        train_light(tmp_path / "apart", replace(options, held_out_plans=("kitchen-01",)))


def test_a_file_that_is_no_game_is_named_and_the_others_are_used(
    game: Path, examples, tmp_path: Path
):
    bad = [tmp_path / f"{name}.game.json" for name in ("no", "cut", "pipe")]
    bad[0].write_text("{}", encoding="utf-8")
    bad[1].write_bytes(gzip.compress(game.read_bytes())[:-20])
    os.mkfifo(bad[2])
    skipped, lines = list[str](), list[str]()
    watch = TrainingWatch(on_skipped=skipped.append, on_result=lines.append)
    options = TrainingOptions(games=(*map(str, bad[:2]), str(game)), epochs=1, width=16)
    train_light(tmp_path / "run", options, watch=watch)
    for line, why in zip(skipped, ("not a game", "cut off"), strict=True):
        assert why in line
    assert lines[0].startswith("epoch 1: loss ")
    skipped.clear()
    options = replace(options, games=(str(tmp_path), str(game)), epochs=0)
    train_light(tmp_path / "run2", options, watch=watch)
    assert len(skipped) == 2, "a search of the folder passes over the pipe"


def test_a_training_on_games_repeats_and_resumes_exactly(game: Path, tmp_path: Path):
    options = TrainingOptions(games=(str(game),), epochs=2, width=8)
    whole, broken = tmp_path / "whole", tmp_path / "broken"

    class Stop(Exception):
        pass

    def stop(label: str, total: int) -> None:
        if label == "epoch 2":
            raise Stop

    train_light(whole, options)
    with pytest.raises(Stop):
        train_light(broken, options, watch=TrainingWatch(on_start=stop))
    train_light(broken, options, workers=2)
    files = [[f / name for f in (whole, broken)] for name in (FOLLOWER_FILE, EPOCHS_FILE)]
    assert all(one.read_bytes() == two.read_bytes() for one, two in files)
    with pytest.raises(BadInput, match="holds another training"):
        train_light(whole, replace(options, seed=2))
    (whole / STATE_FILE).write_bytes(b"damaged")
    with pytest.raises(BadInput, match="cannot be resumed from"):
        train_light(whole, options)


def test_the_rate_falls_to_a_rest():
    rates = [learning_rate_in(epoch, 10) for epoch in range(10)]
    assert rates[0] == LEARNING_RATE and rates == sorted(rates, reverse=True)
    assert learning_rate_in(10, 10) == pytest.approx(0.05 * LEARNING_RATE)
