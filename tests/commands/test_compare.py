"""`tatc compare`: the same sessions, in pairs, and what it says of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tatc.evaluation.dialogue_worth import sessions
from tatc.evaluation.dialogue_worth.measured_session import SessionMeasures
from tatc.session.start import SessionStart
from tests.command_line import run_tatc

SESSIONS = ("--room", "kitchen-01", "--tasks", "coffee,114", "--seeds", "1,2")
PAIR = ("--follower", "rule", "--follower", "random")


def _compare(out: Path, *words: str) -> dict[str, Any]:
    given = ["compare", *SESSIONS, "--out", str(out), "--json", *words]
    done = run_tatc(*given)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("compared")
    return out, _compare(out, *PAIR)


def test_the_better_one_wins_every_session(compared: tuple[Path, dict[str, Any]]) -> None:
    _, found = compared
    assert set(found["followers"]) == {"rule", "random"}
    rule, chance = found["followers"]["rule"], found["followers"]["random"]
    assert (rule["sessions"], rule["success_rate"]) == (4, 1.0)
    assert chance["success_rate"] == 0.0
    pair = found["paired"]
    assert (pair["first"], pair["second"]) == ("rule", "random")
    assert pair["difference"] == 1.0
    assert pair["p"] == pytest.approx(2 / 2**4)
    assert len(pair["first_alone"]) == 4 and not pair["second_alone"]


def test_the_same_command_goes_on_and_changes_nothing(
    compared: tuple[Path, dict[str, Any]],
) -> None:
    out, found = compared
    assert _compare(out, *PAIR) == found


def test_one_follower_at_two_grains_stands_under_two_names(tmp_path: Path) -> None:
    twice = ("--follower", "rule", "--follower", "rule")
    found = _compare(tmp_path, *twice, *"--wording actions --wording steps --limit 1".split())
    assert set(found["followers"]) == {"rule (actions)", "rule (steps)"}
    assert "rule hears actions and rule hears steps" in found["paired"]["warning"]


@pytest.mark.parametrize("words", [PAIR, ("--dialogue", "silent")])
def test_the_folder_of_a_run_is_no_place_for_a_comparison(
    compared: tuple[Path, dict[str, Any]], words: tuple[str, ...]
) -> None:
    run = next(compared[0].iterdir())
    before = sorted(run.iterdir())
    for more in ((), ("--force",)):
        done = run_tatc("compare", *SESSIONS, *words, *more, "--out", run)
        assert done.exit_code == 2 and "holds a run of `tatc eval`" in done.stderr
    assert sorted(run.iterdir()) == before


def test_text_and_page_tell_the_same(compared: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out, found = compared
    page = tmp_path / "both.html"
    words = ["compare", *SESSIONS, *PAIR, "--out", str(out), "--html", str(page)]
    done = run_tatc(*words)
    assert done.exit_code == 0
    first_line = done.stdout.splitlines()[0]
    assert first_line == f"{found['pairs'][0]['verdict']}."
    assert first_line.startswith("rule (actions) solved 4 of 4, random (actions) 0 of 4: ")
    assert "rule (actions) minus random (actions): +100.0 points" in done.stdout
    assert "Padmakumar" not in done.stdout, "no figure of TEACh's stands here"
    html = page.read_text("utf-8")
    assert "<script" not in html and "http-equiv" not in html
    for key in found["paired"]["first_alone"]:
        assert key in html
    assert first_line in html


def test_conditions_of_dialogue_are_compared_in_one_table(tmp_path: Path) -> None:
    arguments = ["compare", "--room", "kitchen-01", "--tasks", "coffee", "--dialogue"]
    done = run_tatc(*arguments, "silent,two-way", "--json", "--out", tmp_path)
    assert done.exit_code == 0
    silent, two_way = json.loads(done.stdout)["dialogue"]
    assert [silent["condition"], two_way["condition"]] == ["silent", "two-way"]
    assert (silent["success"], two_way["success"]) == (0.0, 1.0)


def test_a_comparison_of_dialogue_continues_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[str] = []

    def measure(start: SessionStart, *rest: Any) -> SessionMeasures:
        if len(ended) == 1 and "interrupted" not in ended:
            ended.append("interrupted")
            raise KeyboardInterrupt
        ended.append(rest[-2])
        return SessionMeasures(*rest[-2:], success=True, errors=(("other", 1),))

    monkeypatch.setattr(sessions, "measure_session", measure)
    words = ["compare", "--room", "kitchen-01", "--tasks", "coffee", "--seeds", "1-3", "--dialogue"]
    words += ["two-way", "--follower", "random", "--commander", "mute", "--json"]
    words += ["--out", str(tmp_path)]
    first = run_tatc(*words)
    assert "the same command continues" in first.stderr
    (kept,) = tmp_path.glob("*.jsonl")
    kept.write_bytes(kept.read_bytes() + b'{"key": "torn')
    again = run_tatc(*words)
    assert len(set(ended)) == len(ended) == 4
    (row,) = json.loads(again.stdout)["dialogue"]
    assert (row["pair"], row["sessions"], row["errors"]["other"]) == ("mute + random", 3, 3)
    assert run_tatc(*words).stdout == again.stdout
    assert len(ended) == 4
    more = run_tatc(*words, "--seeds", "2-4")
    assert json.loads(more.stdout)["dialogue"][0]["sessions"] == 3
    assert len(ended) == 5, "only the seed that is new was run"
    assert run_tatc(*words, "--force").stdout == again.stdout
    assert len(ended) == 8
