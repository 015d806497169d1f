"""`--speaker-seed` and `--typos`: what they change, and where they are kept."""

import json
from pathlib import Path

import pytest

from tatc.evaluation.runs.run_conditions import conditions_of_run
from tatc.home.actions import Role
from tatc.session.records import read_record
from tatc.session.timeline import read_finished_session
from tests.command_line import run_tatc

TALKING = (
    "water plant",
    "--room",
    "kitchen-01",
    "--commander",
    "speaker",
    "--follower",
    "listener",
)


def _opening_words(*words: str | Path) -> str:
    path = words[-1]
    done = run_tatc("run", *TALKING, *words[:-1], "--save", path)
    assert done.exit_code in (0, 1), done.output
    said = (each.text for each in read_record(Path(path)).interactions if each.text)
    roles = [each.role for each in read_record(Path(path)).interactions[:2]]
    assert roles == [Role.FOLLOWER, Role.COMMANDER]
    return [*said][1]


def test_seed_and_typos_change_the_words_and_are_kept(tmp_path: Path) -> None:
    plain = _opening_words("--quiet", tmp_path / "plain.json")
    misspelled = _opening_words("--typos", "1", tmp_path / "typos.json")
    other = _opening_words("--speaker-seed", "5", "--typos", "0", tmp_path / "other.json")
    assert len({plain, misspelled, other}) == 3
    record = read_record(tmp_path / "other.json")
    assert dict(record.options).items() >= {"speaker_seed": 5, "typos": 0.0}.items()
    finished = read_finished_session(tmp_path / "other.json")
    assert finished.setup.settings == (("speaker_seed", 5), ("typos", 0.0))
    assert read_finished_session(tmp_path / "plain.json").setup.settings == ()


def test_rows_and_reports_name_them(tmp_path: Path) -> None:
    given = [
        "--room",
        "kitchen-01",
        "--tasks",
        "coffee",
        *TALKING[3:],
        "--out",
        str(tmp_path / "r"),
    ]
    done = run_tatc("eval", *given, "--speaker-seed", "2", "--typos", "0.1")
    assert done.exit_code == 0, done.output
    [row] = map(json.loads, (tmp_path / "r" / "results.jsonl").read_text().splitlines())
    assert (row["speaker_seed"], row["typos"]) == (2, 0.1)
    run = json.loads((tmp_path / "r" / "run.json").read_text())
    assert "speaker seed 2, typos 0.1" in conditions_of_run(run["options"])


@pytest.mark.parametrize("words", [("--speaker-seed", "1"), ("--typos", "0.5")])
def test_other_commanders_have_no_such_words(words: tuple[str, str]) -> None:
    done = run_tatc("run", "coffee", *words, "--no-save")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        "error: --speaker-seed, --typos: the Commander rule is no simulated user, whose words are "
        "drawn (leave them out, or name --commander speaker)\n"
    )


@pytest.mark.parametrize(("field", "value"), [("speaker_seed", "x"), ("typos", "often")])
def test_a_record_with_a_strange_style_is_refused_in_one_line(
    tmp_path: Path, field: str, value: str
) -> None:
    _opening_words("--speaker-seed", "5", tmp_path / "sound.json")
    document = json.loads((tmp_path / "sound.json").read_text())
    document["tatc"]["options"][field] = value
    (tmp_path / "strange.json").write_text(json.dumps(document))
    done = run_tatc("debug", "--record", tmp_path / "strange.json", "--print")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert f"tatc.options.{field}: " in done.stderr
