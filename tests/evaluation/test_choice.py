"""Which sessions a run holds."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatc.errors import BadInput, UnknownName
from tatc.evaluation.choice import choose, sample
from tatc.evaluation.jobs import Job
from tatc.evaluation.options import Options
from tatc.scoring.published import BENCHMARK
from tatc.sim.rooms import load_room, write_room
from tatc.tdl import shipped_library

LIBRARY = shipped_library()
SIZES = st.dictionaries(st.sampled_from(BENCHMARK), st.integers(1, 30), min_size=1)


def _jobs(sizes: dict[str, int]) -> list[Job]:
    return [
        Job(f"{task} {i}", task, "kitchen-01", "Kitchen")
        for task, size in sizes.items()
        for i in range(size)
    ]


@given(SIZES, st.integers(1, 200), st.integers(0, 5))
def test_a_sample_has_each_task_in_proportion(
    sizes: dict[str, int], limit: int, seed: int
) -> None:
    jobs = _jobs(sizes)
    taken = sample(jobs, limit, seed)
    total = len(jobs)
    assert len(taken) == min(limit, total) == len({job.key for job in taken})
    for task, count in Counter(job.task for job in taken).items():
        assert abs(count - sizes[task] * min(limit, total) / total) < 1
    assert set(sample(jobs[::-1], limit, seed)) == set(taken)


def test_the_seed_draws_another_sample() -> None:
    jobs = _jobs({"Coffee": 50})
    assert set(sample(jobs, 10, 1)) != set(sample(jobs, 10, 2))


def test_rooms_times_tasks_times_seeds() -> None:
    options = Options(rooms=("kitchen-01", "bathroom-01"), seeds=(3, 9))
    jobs = choose(options, LIBRARY).jobs
    assert len(jobs) == 2 * len(BENCHMARK) * 2
    assert [job.key for job in jobs] == sorted(job.key for job in jobs)
    assert {job.kind for job in jobs} == {"Kitchen", "Bathroom"}


def test_rooms_of_files_are_told_apart_by_their_names(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.json", tmp_path / "other.json"
    text = write_room(load_room("kitchen-01"))
    mine.write_text(text.replace('"kitchen-01"', '"attic"'))
    other.write_text(text)
    both = Options(rooms=(str(mine), "kitchen-01"), tasks=("coffee",))
    jobs = choose(both, LIBRARY).jobs
    assert [(job.place, job.room) for job in jobs] == [
        ("attic", str(mine)),
        ("kitchen-01", "kitchen-01"),
    ]
    assert [job.row().source for job in jobs] == [str(mine), None]
    with pytest.raises(BadInput, match="holds a room kitchen-01, as "):
        choose(Options(rooms=(str(other), "kitchen-01")), LIBRARY)


def test_shards_are_all_of_it_and_share_nothing() -> None:
    whole = choose(Options(rooms=("kitchen-01",)), LIBRARY).jobs
    parts = [
        choose(Options(rooms=("kitchen-01",), shard=(i, 5)), LIBRARY).jobs
        for i in range(1, 6)
    ]
    assert sorted(job.key for part in parts for job in part) == [j.key for j in whole]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_games_by_task_and_plan(sample_games: list[Path]) -> None:
    games = (str(sample_games[0].parent),)
    everything = choose(Options(games=games), LIBRARY)
    assert len(everything.jobs) == len(sample_games) and not everything.refused
    coffee = choose(Options(games=games, tasks=("coffee",)), LIBRARY).jobs
    assert {job.task for job in coffee} == {"Coffee"} and len(coffee) == 4
    plan = coffee[0].place.removeprefix("FloorPlan")
    only = choose(Options(games=games, only_plans=(plan,)), LIBRARY).jobs
    without = choose(Options(games=games, without_plans=(plan,)), LIBRARY).jobs
    assert {job.place for job in only} == {coffee[0].place}
    assert len(only) + len(without) == len(sample_games)


def test_what_is_no_game_is_a_row_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "broken.game.json").write_text('{"tasks": [')
    chosen = choose(Options(games=(str(tmp_path),)), LIBRARY)
    assert not chosen.jobs
    [row] = chosen.refused
    assert row.key == "broken.game.json" and "not JSON" in row.skipped


def test_names_that_do_not_exist() -> None:
    with pytest.raises(UnknownName, match="did you mean 'Coffee'"):
        choose(Options(tasks=("cofee",)), LIBRARY)
    with pytest.raises(BadInput):
        choose(Options(rooms=("kitchen-77",)), LIBRARY)
    with pytest.raises(BadInput, match="no session is left"):
        choose(Options(rooms=("kitchen-01",), only_plans=("5",)), LIBRARY)
