"""Maps as archives, and the one that tatc ships: what is in it, and where it serves."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from tatc.session import worlds
from tatc.session.timeline import Timeline
from tatc.sim.maps import map_archive, recorded_map
from tests.command_line import run_tatc
from tests.sim.maps.test_recorded_map import GAMES_EVIDENCE

SET_ASIDE = (3, 16, 27, 205, 223, 317, 408, 419)
IN_PLAN = ("run", "coffee", "--room", "FloorPlan1", "--seed", "0")


def _shipped_plans() -> dict[str, recorded_map.RecordedMap]:
    with ZipFile(map_archive.SHIPPED_FILE) as archive:
        names = [name.removesuffix(".json") for name in archive.namelist()]
    found = {plan: map_archive.read_plan(map_archive.SHIPPED_FILE, plan) for plan in names}
    return {plan: part for plan, part in found.items() if part is not None}


def test_the_shipped_map_is_whole_and_keeps_games_apart() -> None:
    plans = _shipped_plans()
    assert len(plans) == 90 and not {f"FloorPlan{number}" for number in SET_ASIDE} & plans.keys()
    games = [game for plan, part in plans.items() for game in part.content.visited[plan]]
    assert len(games) == len(set(games)) == 1274
    whole: Any = [{}, {}, {}]
    for plan, part in plans.items():
        content = part.content
        for kept, of in zip(
            whole, (content.visited, content.refused, content.evidence), strict=True
        ):
            assert of.keys() <= {plan}
            kept |= of
    assert recorded_map.MapContent(*whole).hash == plans["FloorPlan1"].hash
    part, (game, *_) = (
        plans["FloorPlan1"],
        sorted(plans["FloorPlan1"].content.visited["FloorPlan1"]),
    )
    assert part.without_games(game).evidence_for("FloorPlan1") != part.evidence_for("FloorPlan1")
    assert part.without_games(game).hash == part.hash


def test_the_shipped_map_holds_what_the_games_show(
    sample_games: list[Path], tmp_path: Path
) -> None:
    """The command that makes it, on some of its games, makes just what it holds of these."""
    out, without = tmp_path / "some.zip", ",".join(map(str, SET_ASIDE))
    words = ("maps", "build", *sample_games[:14], "--without-plans", without, "--name", "shipped")
    for name in ("some.zip", "again.zip"):
        made = run_tatc(*words, "--out", tmp_path / name)
        assert made.exit_code == 0, made.stderr
    assert out.read_bytes() == (tmp_path / "again.zip").read_bytes()
    shipped = _shipped_plans()
    with ZipFile(out) as archive, ZipFile(map_archive.SHIPPED_FILE) as whole:
        assert archive.read("NOTICE.txt") == whole.read("NOTICE.txt")
        plans = [name[:-5] for name in archive.namelist()][2:]
    assert len(plans) > 5
    for plan in plans:
        some = map_archive.read_plan(out, plan)
        assert some is not None
        content, held = some.content, shipped[plan].content
        for game in content.visited[plan]:
            assert content.visited[plan][game] == held.visited[plan][game]
            for each, of in ((content.refused, held.refused), (content.evidence, held.evidence)):
                assert each.get(plan, {}).get(game) == of.get(plan, {}).get(game)


def test_an_archive_comes_back_plan_by_plan(tmp_path: Path) -> None:
    people, path = recorded_map.build_recorded_map("people", GAMES_EVIDENCE), tmp_path / "p.zip"
    map_archive.write_map(people, path)
    part = map_archive.read_plan(path, "FloorPlan1")
    assert part is not None and (part.name, part.hash) == ("people", people.hash)
    assert part.content == people.content
    assert [map_archive.read_plan(path, name) for name in ("FloorPlan2", "map", "../a")] == [
        None
    ] * 3
    assert worlds.load_map_for(str(path), "FloorPlan1", "a") == part.without_games("a")
    assert worlds.name_and_hash_of_named(str(path)) == ("people", people.hash)


def _record(path: Path, *options: str) -> dict[str, Any]:
    done = run_tatc(*IN_PLAN, "--save", path, "--force", *options)
    assert done.exit_code == 0, done.stderr
    return json.loads(path.read_text())["tatc"]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ((), "shipped"),
        (("--no-map",), "boxes"),
        (("--map", "boxes"), "boxes"),
        (("--map", "p.zip"), "people"),
    ],
)
def test_it_serves_in_ithors_plans_unless_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    people = recorded_map.build_recorded_map("people", GAMES_EVIDENCE)
    map_archive.write_map(people, tmp_path / "p.zip")
    path = tmp_path / "a.game.json"
    own = _record(path, *options)
    named = worlds.name_and_hash_of_named(options[-1] if name == "people" else name)
    assert (own["map"], own["map_hash"]) == named
    given = options if name == "people" else ()
    assert "the same results" in run_tatc("replay", path, "--verify", *given).stdout
    assert Timeline.of(path, floor_map=given[-1] if given else "shipped").divergences == ()
    evaluated = run_tatc("eval", *IN_PLAN[2:4], "--tasks", "coffee", "--out", "run", *options)
    assert evaluated.exit_code == 0, evaluated.stderr
    row = json.loads(Path("run/results.jsonl").read_text())
    assert row["map"] == " ".join(named).rstrip()
    identity = json.loads(Path("run/run.json").read_text())
    assert (identity["map"], identity["map_hash"]) == named


def test_a_record_of_before_is_replayed_without_a_map(tmp_path: Path) -> None:
    path = tmp_path / "a.game.json"
    _record(path, "--no-map")
    document = json.loads(path.read_text())
    del document["tatc"]["map"], document["tatc"]["map_hash"]
    path.write_text(json.dumps(document))
    assert "the same results" in run_tatc("replay", path, "--verify").stdout
    assert Timeline.of(path).setup.floor_map == "boxes"


def test_both_options_together_are_refused() -> None:
    done = run_tatc(*IN_PLAN, "--no-map", "--map", "p.zip", "--no-save")
    assert done.exit_code == 2 and "--no-map does not go with --map" in done.stderr


def _damaged(data: bytes, damage: str) -> bytes:
    middle = len(data) // 2
    return {
        "cut": data[:middle],
        "empty": b"",
        "changed": data[:60] + bytes(60) + data[120:],
        "json": b'{"format": "tatc-floor-map-1"}',
    }[damage]


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "json"])
def test_a_damaged_file_is_one_line_and_other_rooms_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    path = tmp_path / "damaged.zip"
    path.write_bytes(_damaged(map_archive.SHIPPED_FILE.read_bytes(), damage))
    named = run_tatc(*IN_PLAN, "--no-save", "--map", path)
    assert named.exit_code == 2 and named.stderr.count("\n") == 1
    assert "tatc maps build GAMES... --out FILE" in named.stderr
    monkeypatch.setattr(map_archive, "SHIPPED_FILE", path)
    shipped = run_tatc(*IN_PLAN, "--no-save")
    assert shipped.exit_code == 2 and shipped.stderr.count("\n") == 1
    assert "install tatc again" in shipped.stderr
    path.unlink()
    other = run_tatc("run", "coffee", "--room", "kitchen-01", "--no-save")
    assert other.exit_code == 0 and other.stderr == ""


@pytest.mark.parametrize(
    ("entries", "compression", "why"),
    [
        ({"map.json": "{}"}, ZIP_BZIP2, "format: should be 'tatc-map-archive-1'"),
        ({"a.json": "{}"}, ZIP_BZIP2, "no item named 'map.json'"),
        ({"map.json": "{}"}, ZIP_DEFLATED, "its entry map.json is none of a map's"),
    ],
)
def test_another_archive_is_no_map(
    tmp_path: Path, entries: dict[str, str], compression: int, why: str
) -> None:
    path = tmp_path / "other.zip"
    with ZipFile(path, "w", compression) as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    done = run_tatc(*IN_PLAN, "--no-save", "--map", path)
    assert done.exit_code == 2 and why in done.stderr and "tatc maps build" in done.stderr
