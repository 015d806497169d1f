"""Splits of rooms, tasks and seeds: apart from each other, and the same for ever."""

import json
from hashlib import sha256
from importlib.resources import files

import pytest

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session.start import load_split, split_names
from tatc.sim.rooms import ithor_names, room_names

ITHOR = "ithor_"
CONTENT = {
    False: "16b1af5a88735577373ddca94d5bb0aca0df8fc696d936a3de7b8eda001f9ba8",
    True: "7512f247f29dbf82d7c3e9f5ff2adbc6ebe2760a8cf74e24b49c40042476a9d8",
}
"""The SHA-256 of the splits of generated rooms, and of AI2-THOR's scenes, as JSON: a split that
changes needs another name, not another hash here."""


@pytest.mark.parametrize("is_ithor", CONTENT)
def test_a_name_stands_for_the_same_for_ever(is_ithor: bool) -> None:
    table = json.loads(files("tatc.session").joinpath("splits.json").read_text("utf-8"))
    splits = {
        name: it for name, it in table["splits"].items() if name.startswith(ITHOR) is is_ithor
    }
    data = json.dumps(table | {"splits": splits})
    assert sha256(data.encode()).hexdigest() == CONTENT[is_ithor]


@pytest.mark.parametrize("group", ["", ITHOR])
def test_test_splits_share_no_start_with_training(group: str) -> None:
    train = load_split(f"{group}train")
    names = [name for name in split_names() if name.startswith(ITHOR) is bool(group)]
    for name in names[1:]:
        other = load_split(name)
        assert other.first_seed > train.last_seed and other.is_ithor is bool(group)
        if "unseen" in name or name.endswith("test_tasks"):
            assert other.first_room > train.last_room
    held_out = load_split(f"{group}test_tasks")
    assert not {*held_out.tasks} & {*train.tasks}
    assert {*train.tasks, *held_out.tasks} == {*TEACH_TASKS}
    rooms = {name.rpartition("-")[0] for name in room_names()}
    assert {kind for _, kinds in train.kinds_by_task for kind in kinds} == rooms


@pytest.mark.parametrize("name", split_names())
def test_numbers_draw_starts_of_the_split(name: str) -> None:
    split = load_split(name)
    one, two, again = (split.draw(number) for number in (1, 2, 1))
    assert one.scene.initial == again.scene.initial and one.task.name == again.task.name
    assert one.session_id != two.session_id
    for start in (one, two):
        room = start.room or ""
        assert start.task.name in split.tasks
        assert room in (ithor_names() if split.is_ithor else room_names())
        assert split.first_seed <= start.seed <= split.last_seed
        number = ithor_names().index(room) % 30 + 1 if split.is_ithor else int(room[-2:])
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
