"""Training, in miniature: lessons, a cache, epochs that repeat and resume."""

import json
import os
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from safetensors.torch import load_file

from tatc.apps.training import example_collection
from tatc.apps.training.example_collection import (
    EXAMPLE_SOURCES,
    EpisodeRange,
    ExampleCache,
    class_ids,
    collect_episode_examples,
)
from tatc.apps.training.examples import (
    LIGHT_OBJECT_CLASSES,
    NO_CLICK,
    Example,
    pack_examples,
    unpack_examples,
)
from tatc.apps.training.light_fitting import FittingOptions
from tatc.apps.training.light_training import (
    EPOCHS_FILE,
    FOLLOWER_FILE,
    STATE_FILE,
    TrainingCallbacks,
    TrainingOptions,
    train_light,
)
from tatc.base.errors import BadInput
from tatc.follower.learned.light.network_inputs import NETWORK_VERBS, action_history, encode_text
from tatc.home.actions import Verb
from tatc.language import Wording

TINY = TrainingOptions(
    lessons=2, epochs=1, rounds=1, round_lessons=1, round_epochs=1, held_out=1, width=16
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> ExampleCache:
    return ExampleCache(tmp_path_factory.mktemp("cache"), 100)


@pytest.fixture(scope="module")
def examples(cache: ExampleCache) -> tuple[Example, ...]:
    return collect_episode_examples(TINY.episodes_of_stage(0), cache)


def equal(one: Example, two: Example) -> bool:
    pairs = ((getattr(one, k), getattr(two, k)) for k in Example.__slots__)
    return all(np.array_equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("name", ["actions", "classes", "cells", "maps", "lengths"])
@pytest.mark.parametrize("value", [30_000, -2])
def test_examples_with_ids_that_the_network_has_not_are_made_again(name, value, examples):
    arrays = pack_examples(examples)
    arrays[name] = arrays[name].astype(np.int16)
    arrays[name].flat[0] = value if name != "maps" else 250
    with pytest.raises(ValueError, match=r"out of range|different lengths"):
        list(unpack_examples(arrays))


def test_an_example_is_one_utterance_with_what_it_asks_for(examples):
    assert len(examples) > 3
    for example in examples:
        assert len(example.texts) == len(Wording)
        verbs = [NETWORK_VERBS[number] for number in example.actions.tolist()]
        assert Verb.TEXT not in verbs[:-1]  # the question; a failure comes without it
        assert example.maps.shape == (len(example), 32, 32)
        clicked = example.cells != NO_CLICK
        assert np.array_equal(clicked, example.classes != NO_CLICK)
        assert (example.cells < 64).all()
        assert (example.classes < len(LIGHT_OBJECT_CLASSES) + 2).all()


def test_runs_of_what_was_done_are_the_phrases_that_were_said(examples):
    """A whole stretch, in primitives and in steps: the last run is the last phrase."""
    whole = [each for each in examples if NETWORK_VERBS[each.actions[-1]] is Verb.TEXT]
    assert whole
    for example in whole:
        verbs = [NETWORK_VERBS[number] for number in example.actions[:-1].tolist()]
        for wording in (Wording.ACTIONS, Wording.STEPS):
            text = example.texts[tuple(Wording).index(wording)]
            if len(text.split()) < 100:
                assert action_history(verbs).runs[-1] == encode_text(text, {}).phrases[-1] + 1


def test_the_same_lessons_give_the_same_examples(examples, tmp_path: Path):
    again = collect_episode_examples(TINY.episodes_of_stage(0), ExampleCache(tmp_path, 100))
    assert all(map(equal, examples, again))
    kept = unpack_examples(pack_examples(examples))
    assert all(map(equal, examples, kept))


def test_a_cache_is_bounded_and_made_anew_where_inputs_or_bytes_change(examples, tmp_path: Path):
    cache = ExampleCache(tmp_path, 100)
    assert cache.find(("a",)) is None
    cache.store(("a",), examples)
    assert cache.find(("b",)) is None
    found = cache.find(("a",))
    assert found is not None and all(map(equal, examples, found))
    path = cache.path_for(("a",))
    whole = path.read_bytes()
    for damaged in (b"damaged", b"", whole[:-9], whole[: len(whole) // 2], whole[9:]):
        path.write_bytes(damaged)
        assert cache.find(("a",)) is None
    small = ExampleCache(tmp_path, 0)
    small.store(("c",), examples)
    assert list(tmp_path.glob("*.npz")) == [small.path_for(("c",))]


def test_a_cache_knows_the_sources_of_all_that_makes_examples():
    used = (getattr(each, "__module__", "") for each in vars(example_collection).values())
    makers = {name for name in used if name.startswith("tatc.apps.training.")}
    makers.remove(example_collection.__name__)
    files = {f"{name.removeprefix('tatc.').replace('.', '/')}.py" for name in makers}
    assert files and files <= set(EXAMPLE_SOURCES)


def test_a_cache_takes_no_more_memory_than_examples_do(examples, tmp_path: Path):
    """A small file may claim arrays of any size, and unpack to gigabytes."""
    cache = ExampleCache(tmp_path, 100)
    path, arrays = cache.path_for(("a",)), pack_examples(examples)
    np.savez_compressed(path, **(arrays | {"maps": np.zeros((300_000, 32, 32), np.uint8)}))
    assert path.stat().st_size < 1_000_000
    assert cache.find(("a",)) is None
    np.savez_compressed(path, **(arrays | {"actions": np.zeros(1 << 28, np.int16)}))
    assert cache.find(("a",)) is None
    for name in arrays:
        np.savez_compressed(path, **(arrays | {name: arrays[name][:-1]}))
        found = cache.find(("a",))
        assert found is None or name == "texts"
    path.unlink()
    os.mkfifo(path)
    assert cache.find(("a",)) is None


def test_a_training_repeats_and_resumes_exactly(cache: ExampleCache, tmp_path: Path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    train_light(whole, TINY, cache)

    class Stop(Exception):
        pass

    def stop(number: int, total: int) -> None:
        if number == 2:
            raise Stop

    with pytest.raises(Stop):
        train_light(broken, TINY, cache, callbacks=TrainingCallbacks(on_epoch_start=stop))
    assert (broken / STATE_FILE).exists()
    train_light(broken, TINY, cache)
    one, two = (load_file(folder / FOLLOWER_FILE) for folder in (whole, broken))
    assert all((one[name] == two[name]).all() for name in one)
    rows = [(f / EPOCHS_FILE).read_text("utf-8").splitlines() for f in (whole, broken)]
    assert rows[0] == rows[1] and len(rows[0]) == 2
    assert json.loads(rows[0][0])["validations"][1]["grain"] == "steps"
    # Done already: nothing is fitted again.
    before = (whole / STATE_FILE).stat().st_mtime_ns
    train_light(whole, TINY, cache)
    assert (whole / STATE_FILE).stat().st_mtime_ns == before


def test_another_training_in_the_folder_or_a_damaged_state_is_refused(
    cache: ExampleCache, tmp_path: Path
):
    options = TrainingOptions(**(asdict(TINY) | {"rounds": 0}))
    train_light(tmp_path, options, cache)
    with pytest.raises(BadInput, match="holds another training"):
        train_light(tmp_path, TrainingOptions(**(asdict(options) | {"seed": 2})), cache)
    (tmp_path / STATE_FILE).write_bytes(b"damaged")
    with pytest.raises(BadInput, match="cannot be resumed from"):
        train_light(tmp_path, options, cache)


def test_the_rate_falls_to_a_rest():
    plan = FittingOptions(10)
    rates = [plan.learning_rate_in(epoch) for epoch in range(10)]
    assert rates[0] == plan.learning_rate and rates == sorted(rates, reverse=True)
    assert plan.learning_rate_in(10) == pytest.approx(0.05 * plan.learning_rate)


def test_courses_of_different_stages_and_seeds_share_no_lesson():
    other = TrainingOptions(**(asdict(TINY) | {"seed": 2}))
    stages = (TINY.episodes_of_stage(0), TINY.episodes_of_stage(1), other.episodes_of_stage(0))
    first, *others = (set(stage.seed_chunks()[0]) for stage in stages)
    assert all(first.isdisjoint(each) for each in others)
    assert [len(c) for c in EpisodeRange(0, 25).seed_chunks()] == [10, 10, 5]
    assert min(class_ids().values()) == 2
