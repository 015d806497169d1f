"""Training, in miniature: lessons, a cache, epochs that repeat and resume."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from safetensors.torch import load_file

from tatc.actions import Verb
from tatc.errors import BadInput
from tatc.follower.et.light.history import VERBS, past
from tatc.follower.et.light.words import read
from tatc.language import Wording
from tatc.training.cache import Cache
from tatc.training.collecting import CLASSES, Course, collect, numbered_classes
from tatc.training.examples import GRAINS, NO_CLICK, Example, packed, unpacked
from tatc.training.fit import Plan
from tatc.training.school import EPOCHS, FOLLOWER, STATE, Options, Watch, train

TINY = Options(
    lessons=2,
    epochs=1,
    rounds=1,
    round_lessons=1,
    round_epochs=1,
    held_out=1,
    width=16,
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"), 100)


@pytest.fixture(scope="module")
def examples(cache: Cache) -> tuple[Example, ...]:
    return collect(TINY.course(0), cache)


def equal(one: Example, two: Example) -> bool:
    pairs = ((getattr(one, k), getattr(two, k)) for k in Example.__slots__)
    return all(np.array_equal(a, b) for a, b in pairs)


def test_an_example_is_one_utterance_with_what_it_asks_for(examples):
    assert len(examples) > 3
    for example in examples:
        assert len(example.texts) == len(GRAINS)
        verbs = [VERBS[number] for number in example.actions.tolist()]
        assert Verb.TEXT not in verbs[:-1]  # the question; a failure comes without it
        assert example.maps.shape == (len(example), 32, 32)
        clicked = example.cells != NO_CLICK
        assert np.array_equal(clicked, example.classes != NO_CLICK)
        assert (example.cells < 64).all()
        assert (example.classes < len(CLASSES) + 2).all()


def test_runs_of_what_was_done_are_the_phrases_that_were_said(examples):
    """A whole stretch, in primitives and in steps: the last run is the last phrase."""
    whole = [each for each in examples if VERBS[each.actions[-1]] is Verb.TEXT]
    assert whole
    for example in whole:
        verbs = [VERBS[number] for number in example.actions[:-1].tolist()]
        for wording in (Wording.ACTIONS, Wording.STEPS):
            text = example.texts[GRAINS.index(wording)]
            if len(text.split()) < 100:
                assert past(verbs).runs[-1] == read(text, {}).phrases[-1] + 1


def test_the_same_lessons_give_the_same_examples(examples, tmp_path: Path):
    again = collect(TINY.course(0), Cache(tmp_path, 100))
    assert all(map(equal, examples, again))
    kept = unpacked(packed(examples))
    assert all(map(equal, examples, kept))


def test_a_cache_is_bounded_and_made_anew_where_inputs_or_bytes_change(
    examples, tmp_path: Path
):
    cache, made = Cache(tmp_path, 100), []

    def make() -> tuple[Example, ...]:
        made.append(1)
        return examples

    for key in (("a",), ("a",), ("b",)):
        assert all(map(equal, examples, cache.get(key, make)))
    assert len(made) == 2
    cache.path(("a",)).write_bytes(b"damaged")
    cache.get(("a",), make)
    assert len(made) == 3
    small = Cache(tmp_path, 0)
    small.keep(("c",), examples)
    assert list(tmp_path.glob("*.npz")) == [small.path(("c",))]


def test_a_training_repeats_and_resumes_exactly(cache: Cache, tmp_path: Path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    train(whole, TINY, cache)

    class Stop(Exception):
        pass

    def stop(number: int, total: int) -> None:
        if number == 2:
            raise Stop

    with pytest.raises(Stop):
        train(broken, TINY, cache, watch=Watch(epoch=stop))
    assert (broken / STATE).exists()
    train(broken, TINY, cache)
    one, two = (load_file(folder / FOLLOWER) for folder in (whole, broken))
    assert all((one[name] == two[name]).all() for name in one)
    rows = [(f / EPOCHS).read_text("utf-8").splitlines() for f in (whole, broken)]
    assert rows[0] == rows[1] and len(rows[0]) == 2
    assert json.loads(rows[0][0])["validations"][1]["grain"] == "steps"
    # Done already: nothing is fitted again.
    before = (whole / STATE).stat().st_mtime_ns
    train(whole, TINY, cache)
    assert (whole / STATE).stat().st_mtime_ns == before


def test_another_training_in_the_folder_or_a_damaged_state_is_refused(
    cache: Cache, tmp_path: Path
):
    options = Options(**(asdict(TINY) | {"rounds": 0}))
    train(tmp_path, options, cache)
    with pytest.raises(BadInput, match="holds another training"):
        train(tmp_path, Options(**(asdict(options) | {"seed": 2})), cache)
    (tmp_path / STATE).write_bytes(b"damaged")
    with pytest.raises(BadInput, match="cannot be gone on from"):
        train(tmp_path, options, cache)


def test_without_examples_there_is_no_training(cache: Cache, tmp_path: Path):
    options = Options(**(asdict(TINY) | {"lessons": 0}))
    with pytest.raises(BadInput, match="no example came of the lessons"):
        train(tmp_path, options, cache)


def test_the_rate_falls_to_a_rest():
    plan = Plan(10)
    rates = [plan.rate_in(epoch) for epoch in range(10)]
    assert rates[0] == plan.rate and rates == sorted(rates, reverse=True)
    assert plan.rate_in(10) == pytest.approx(0.05 * plan.rate)


def test_courses_of_different_stages_and_seeds_share_no_lesson():
    seeds = [set(c) for c in (TINY.course(0).chunks()[0], TINY.course(1).chunks()[0])]
    other = Options(**(asdict(TINY) | {"seed": 2})).course(0).chunks()[0]
    assert not seeds[0] & seeds[1] and not seeds[0] & set(other)
    assert [len(c) for c in Course(0, 25).chunks()] == [10, 10, 5]
    assert min(numbered_classes().values()) == 2
