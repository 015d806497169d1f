"""`--speaker-seed` and `--typos`: what they change, and where they are kept."""

import json
from pathlib import Path

import pytest

from tatc.evaluation.runs.run_conditions import conditions_of_run
from tatc.home.actions import Role
from tatc.session.records import read_record
from tatc.session.timeline import read_finished_session
from tests.command_line import run_tatc

ROOM = ("--room", "kitchen-01")
TALKING = (*ROOM, "--commander", "speaker", "--follower", "listener")


def _opening_words(path: Path, *options: str) -> str:
    """Run a session with these options, saved at `path`; return the Commander's first words."""
    done = run_tatc("run", "water plant", *TALKING, *options, "--save", path)
    assert done.exit_code in (0, 1), done.output
    asked, told = [each for each in read_record(path).interactions if each.text][:2]
    assert (asked.role, told.role) == (Role.FOLLOWER, Role.COMMANDER)
    return told.text


def test_seed_and_typos_change_the_words_and_are_kept(tmp_path: Path) -> None:
    plain = _opening_words(tmp_path / "plain.json", "--quiet")
    misspelled = _opening_words(tmp_path / "typos.json", "--typos", "1")
    other = _opening_words(tmp_path / "other.json", "--speaker-seed", "5", "--typos", "0")
    assert len({plain, misspelled, other}) == 3
    record = read_record(tmp_path / "other.json")
    assert dict(record.options).items() >= {"speaker_seed": 5, "typos": 0.0}.items()
    finished = read_finished_session(tmp_path / "other.json")
    assert finished.setup.settings == (("speaker_seed", 5), ("typos", 0.0))
    assert read_finished_session(tmp_path / "plain.json").setup.settings == ()


def test_rows_and_reports_name_them(tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = ["--tasks", "coffee", *TALKING, "--out", out, "--speaker-seed", "2", "--typos", "0.1"]
    done = run_tatc("eval", *given)
    assert done.exit_code == 0, done.output
    [row] = map(json.loads, (out / "results.jsonl").read_text().splitlines())
    assert (row["speaker_seed"], row["typos"]) == (2, 0.1)
    run = json.loads((out / "run.json").read_text())
    assert "speaker seed 2, typos 0.1" in conditions_of_run(run["options"])


@pytest.mark.parametrize("words", [("--speaker-seed", "1"), ("--typos", "0.5")])
def test_other_commanders_have_no_such_words(words: tuple[str, str]) -> None:
    done = run_tatc("run", "coffee", *words, "--no-save")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: --speaker-seed, --typos: the Commander rule is no simulated user, whose words are "
        "drawn (leave them out, or name --commander speaker)\n"
    )


def test_a_record_with_a_strange_style_is_refused_in_one_line(tmp_path: Path) -> None:
    sound, strange = tmp_path / "sound.json", tmp_path / "strange.json"
    assert run_tatc("run", "coffee", *ROOM, "--save", sound, "--quiet").exit_code == 0
    for field, value in (("speaker_seed", "x"), ("typos", "often")):
        document = json.loads(sound.read_text())
        document["tatc"]["options"] |= {"commander": "speaker", field: value}
        strange.write_text(json.dumps(document))
        done = run_tatc("debug", "--record", strange, "--print")
        assert done.exit_code == 2 and done.stderr.count("\n") == 1
        assert f"tatc.options.{field}: " in done.stderr
