"""Splits of rooms, tasks and seeds: apart from each other, and the same for ever."""

from hashlib import sha256
from importlib.resources import files

import pytest

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session.start import load_split, split_names
from tatc.sim.rooms import room_names

CONTENT = "cd3f64eabf67d8ca491398196e5ef19a98c5784e985d7bf7953e497832c7c9d1"
"""The SHA-256 of the table: a split that changes needs another name, not another hash here."""


def test_a_name_stands_for_the_same_for_ever() -> None:
    data = files("tatc.session").joinpath("splits.json").read_text("utf-8")
    assert sha256(data.encode()).hexdigest() == CONTENT


def test_test_splits_share_no_start_with_training() -> None:
    train = load_split("train")
    for name in split_names():
        other = load_split(name)
        if name == "train":
            continue
        assert other.first_seed > train.last_seed
        if "unseen" in name or name == "test_tasks":
            assert other.first_room > train.last_room
    assert not {*load_split("test_tasks").tasks} & {*train.tasks}
    assert {*train.tasks, *load_split("test_tasks").tasks} == {*TEACH_TASKS}
    rooms = {name.rpartition("-")[0] for name in room_names()}
    assert {kind for _, kinds in train.kinds_by_task for kind in kinds} == rooms


@pytest.mark.parametrize("name", split_names())
def test_numbers_draw_starts_of_the_split(name: str) -> None:
    split = load_split(name)
    one, two, again = (split.draw(number) for number in (1, 2, 1))
    assert one.scene.initial == again.scene.initial and one.task.name == again.task.name
    assert one.session_id != two.session_id
    for start in (one, two):
        assert start.task.name in split.tasks and start.room in room_names()
        assert split.first_seed <= start.seed <= split.last_seed
        number = int((start.room or "").rpartition("-")[2])
        assert split.first_room <= number <= split.last_room


def test_a_split_whose_rooms_hold_no_task_gives_up_after_a_hundred_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []

    def refuse(*given: object) -> None:
        drawn.append(1)
        raise BadInput("cannot be done there")

    monkeypatch.setattr("tatc.session.start.start_from_room", refuse)
    with pytest.raises(BadInput, match="no start was found in 100 draws"):
        load_split("train").draw(1)
    assert len(drawn) == 100


def test_an_unknown_split_is_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'valid_seen'"):
        load_split("valid-seen")
