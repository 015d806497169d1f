"""Which sessions a run holds: rooms, tasks and seeds, and games, each once, none in silence."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.base.errors import BadInput, UnknownName
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.rows import SessionJob
from tatc.evaluation.runs.session_selection import game_headings, sample_jobs, select_sessions
from tatc.evaluation.scoring.published_results import TEACH_TASKS
from tatc.session.records import record_bytes, write_record
from tatc.sim.rooms import format_room, load_room
from tatc.tdl import shipped_library
from tests.session.records.sample_record import sample_record

LIBRARY = shipped_library()
SIZES = st.dictionaries(st.sampled_from(TEACH_TASKS), st.integers(1, 30), min_size=1)


def _jobs(sizes: dict[str, int]) -> list[SessionJob]:
    return [
        SessionJob(f"{task} {i}", task, "kitchen-01", "Kitchen")
        for task, size in sizes.items()
        for i in range(size)
    ]


@given(SIZES, st.integers(1, 200), st.integers(0, 5))
def test_a_sample_has_each_task_in_proportion(sizes: dict[str, int], limit: int, seed: int) -> None:
    jobs = _jobs(sizes)
    taken = sample_jobs(jobs, limit, seed)
    total = len(jobs)
    assert len(taken) == min(limit, total) == len({job.key for job in taken})
    for task, count in Counter(job.task for job in taken).items():
        assert abs(count - sizes[task] * min(limit, total) / total) < 1
    assert set(sample_jobs(jobs[::-1], limit, seed)) == set(taken)


def test_the_seed_draws_another_sample() -> None:
    jobs = _jobs({"Coffee": 50})
    assert set(sample_jobs(jobs, 10, 1)) != set(sample_jobs(jobs, 10, 2))


def test_rooms_times_tasks_times_seeds() -> None:
    options = EvalOptions(rooms=("kitchen-01", "bathroom-01"), seeds=(3, 9))
    jobs = select_sessions(options).jobs
    assert len(jobs) == 2 * len(TEACH_TASKS) * 2
    assert [job.key for job in jobs] == sorted(job.key for job in jobs)
    assert {job.kind for job in jobs} == {"Kitchen", "Bathroom"}


def test_rooms_of_files_are_told_apart_by_their_names(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.json", tmp_path / "other.json"
    text = format_room(load_room("kitchen-01"))
    mine.write_text(text.replace('"kitchen-01"', '"attic"'))
    other.write_text(text)
    both = EvalOptions(rooms=(str(mine), "kitchen-01"), tasks=("coffee",))
    jobs = select_sessions(both).jobs
    assert [(job.place, job.room) for job in jobs] == [
        ("attic", str(mine)),
        ("kitchen-01", "kitchen-01"),
    ]
    assert [job.initial_row().source for job in jobs] == [str(mine), None]
    with pytest.raises(BadInput, match="holds a room kitchen-01, as "):
        select_sessions(EvalOptions(rooms=(str(other), "kitchen-01")))


def test_shards_are_all_of_it_and_share_nothing() -> None:
    whole = select_sessions(EvalOptions(rooms=("kitchen-01",))).jobs
    parts = [
        select_sessions(EvalOptions(rooms=("kitchen-01",), shard=(i, 5))).jobs for i in range(1, 6)
    ]
    assert sorted(job.key for part in parts for job in part) == [j.key for j in whole]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_games_by_task_and_plan(sample_games: list[Path]) -> None:
    games = (str(sample_games[0].parent),)
    everything = select_sessions(EvalOptions(games=games))
    assert len(everything.jobs) == len(sample_games) and not everything.skipped_rows
    coffee = select_sessions(EvalOptions(games=games, tasks=("coffee",))).jobs
    assert {job.task for job in coffee} == {"Coffee"} and len(coffee) == 4
    plan = coffee[0].place.removeprefix("FloorPlan")
    only = select_sessions(EvalOptions(games=games, only_plans=(plan,))).jobs
    without = select_sessions(EvalOptions(games=games, without_plans=(plan,))).jobs
    assert {job.place for job in only} == {coffee[0].place}
    assert len(only) + len(without) == len(sample_games)


def test_what_is_no_game_is_a_row_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "broken.game.json").write_text('{"tasks": [')
    chosen = select_sessions(EvalOptions(games=(str(tmp_path),)))
    assert not chosen.jobs
    [row] = chosen.skipped_rows
    assert row.key == "broken.game.json" and "not JSON" in row.skipped


def test_names_that_do_not_exist() -> None:
    with pytest.raises(UnknownName, match="did you mean 'Coffee'"):
        select_sessions(EvalOptions(tasks=("cofee",)))
    with pytest.raises(BadInput):
        select_sessions(EvalOptions(rooms=("kitchen-77",)))
    with pytest.raises(BadInput, match="no session is left"):
        select_sessions(EvalOptions(rooms=("kitchen-01",), only_plans=("5",)))


def ids_or_faults(folder: Path) -> list[str]:
    """Return what comes of each file of a folder: its game, or why it is left out."""
    results = game_headings([str(folder)])
    return [head.one_line if isinstance(head, BadInput) else head.game_id for _, head in results]


def test_a_copy_is_passed_over(tmp_path: Path) -> None:
    for name in ("a.game.json", "b.game.json.gz"):
        write_record(sample_record(), tmp_path / name)
    assert ids_or_faults(tmp_path) == ["0123456789abcdef_0123"]


def test_another_game_of_the_same_name_is_said(tmp_path: Path) -> None:
    write_record(sample_record(), tmp_path / "a.game.json")
    changed = json.loads(record_bytes(sample_record())) | {"comments": "another"}
    (tmp_path / "b.game.json").write_text(json.dumps(changed))
    first, second = ids_or_faults(tmp_path)
    assert first == "0123456789abcdef_0123"
    assert second.startswith(f"{tmp_path / 'b.game.json'}: calls itself {first}, as ")
    assert second.endswith("(name one of the two)")


@pytest.mark.parametrize("name", ["../evil", "a/b", "a\\b", "..", "nul\0"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    document = json.loads(record_bytes(sample_record()))
    document["tasks"][0]["episodes"][0]["episode_id"] = name
    (tmp_path / "a.game.json").write_text(json.dumps(document))
    [why] = ids_or_faults(tmp_path)
    assert "episodes[0].episode_id: should be a printable name without slashes" in why
