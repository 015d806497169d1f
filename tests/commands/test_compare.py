"""`tatc compare`: the same sessions, in pairs, and what it says of them."""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest

import tatc
from tatc.session.records import read_record
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


def test_the_folder_of_a_run_is_no_place_for_a_comparison(
    compared: tuple[Path, dict[str, Any]],
) -> None:
    run = next(compared[0].iterdir())
    before = sorted(run.iterdir())
    for more in ((), ("--force",)):
        done = run_tatc("compare", *SESSIONS, *PAIR, *more, "--out", run)
        assert done.exit_code == 2 and "holds a run of `tatc eval`" in done.stderr
    assert sorted(run.iterdir()) == before


def test_text_and_page_tell_the_same(compared: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out, found = compared
    page = tmp_path / "both.html"
    words = ["compare", *SESSIONS, *PAIR, "--out", str(out), "--html", str(page)]
    done = run_tatc(*words)
    assert done.exit_code == 0
    first_line, *others = done.stdout.splitlines()
    assert first_line == f"{found['pairs'][0]['verdict']}."
    assert first_line.startswith("rule (actions) solved 4 of 4, random (actions) 0 of 4: ")
    assert "rule (actions) minus random (actions): +100.0 points" in done.stdout
    assert "Padmakumar" not in done.stdout, "no figure of TEACh's stands here"
    html = page.read_text("utf-8")
    assert "http-equiv" not in html and "src=" not in html and str(tmp_path) not in html
    for finding in found["paired"]["findings"]:
        said = f"{finding[0].upper()}{finding[1:]}."
        assert said in others and escape(said) in html
    assert "nothing can be concluded" in html and "about 6 would show 100.0 points" in html
    for key in found["paired"]["first_alone"]:
        assert key in html
    links = set(re.findall(r'href="both-sessions/session.html\?s=(\w+)&amp;vs=(\w+)#', html))
    assert first_line in html and len(links) == 4
    for name in (name for pair in links for name in pair):
        assert (tmp_path / "both-sessions/data/session" / f"{name}.js").is_file()
        read_record(tmp_path / "both-sessions/records" / f"{name}.game.json.gz")
    assert f"tatc debug --record both-sessions/records/{links.pop()[1]}.game.json.gz" in html
    assert run_tatc(*words).exit_code == 2 and run_tatc(*words, "--force").exit_code == 0


POLICY = """
from tatc.commander.policies import policy

@policy("isToggled", override=True)
def never(key, known):
    return ()
"""


def test_policies_and_kept_runs_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (own := tmp_path / "mine").mkdir()
    (own / "mine.py").write_text(POLICY)
    chosen = ("--room", "kitchen-01", "--tasks", "coffee")
    worded = run_tatc("compare", "rule,mine", *chosen, "--json")
    assert list(json.loads(worded.stdout)["followers"]) == ["rule", "rule + mine"]
    named = run_tatc("compare", *chosen, "--policies", "mine", "--json")
    assert json.loads(named.stdout)["pairs"] == json.loads(worded.stdout)["pairs"]
    both = run_tatc("compare", "rule,speaker+listener", *chosen, "--json")
    assert list(json.loads(both.stdout)["followers"]) == ["rule", "speaker + listener"]
    # An evaluation of the same sessions has a folder of its own, and changed code another one.
    evaluated = ("eval", *chosen, "--policies", "mine")
    first = run_tatc(*evaluated)
    assert first.exit_code == 0 and "never taken: your plans for isToggled" in first.stdout
    (own / "mine.py").write_text(POLICY + "# changed\n")
    changed = run_tatc(*evaluated)
    assert changed.exit_code == 0 and "your own code has changed: a new run" in changed.stderr
    for seeds, out in (("1,2", "a"), ("2-4", "b")):
        assert run_tatc("eval", *chosen, "--seeds", seeds, "--out", out).exit_code == 0
    kept = json.loads(run_tatc("compare", "a", "b", "--json").stdout)
    assert kept["paired"]["sessions"] == 1
    assert [len(kept["paired"][f"only_in_{side}"]) for side in ("first", "second")] == [1, 2]
    assert "left out, as only a ran them: kitchen-01_coffee_1" in kept["paired"]["findings"]
    assert tatc.compare_runs("a", "b").pairs[0].paired.sessions == 1
    assert run_tatc("compare", "a").exit_code == run_tatc("compare", "a", "b", "x").exit_code == 2


def test_a_side_that_nobody_plays_is_refused_with_the_nearest_agents() -> None:
    refused = run_tatc("compare", "rule,listner", "--rooms", "--limit", "2")
    assert "unknown Follower or Commander 'listner' (did you mean 'listener'" in refused.stderr
