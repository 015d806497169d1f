"""The table of settings: what is added there is asked for, handed on, kept and printed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tatc.base.json_fields import FieldError
from tatc.session.agents.session_setup import SETUP_DEFAULTS, SessionSetup, setup_identity
from tatc.session.agents.settings import (
    SETTINGS,
    agent_settings,
    check_identity,
    command_words,
    phrases_of_identity,
    settings_in_identity,
)

PATIENT = '''
"""A setting that tatc does not have, and a Follower that takes it."""

from tatc.follower import RuleFollower
from tatc.home.actions import Action, Role, Verb
from tatc.home.agent_traits import AgentTraits
from tatc.session.agents.settings import SETTINGS, Setting

SETTINGS["patience"] = Setting(
    name="patience",
    kind=int,
    least=0,
    metavar="TURNS",
    help="How long a patient Follower waits.",
    role=Role.FOLLOWER,
    is_argument=True,
    phrase="patience of {} turns",
)


class Patient(RuleFollower):
    traits = AgentTraits(settings=("patience",))

    def __init__(self, patience=5):
        super().__init__()
        self.patience = patience

    def act(self, observation):
        return Action(Verb.STOP) if self.patience == 3 else super().act(observation)
'''
MAIN = """
import json, sys
import patient
from tests.command_line import run_tatc
done = [run_tatc(*words) for words in json.loads(sys.argv[1])]
print(json.dumps([(each.exit_code, each.stdout, each.stderr) for each in done]))
"""


def _tatc(folder: Path, *commands: tuple[str, ...]) -> list[Any]:
    """Return status, stdout and stderr of commands in a process that knows of the new setting."""
    (folder / "patient.py").write_text(PATIENT, encoding="utf-8")
    command = [sys.executable, "-c", MAIN, json.dumps(commands)]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def test_a_setting_that_is_added_to_the_table_is_everywhere(tmp_path: Path) -> None:
    place = ("--room", "kitchen-01")
    given = ("--follower", "patient:Patient", "--patience", "3")
    saved = ("--save-records", "none", "--out", "run")
    *helped, ran, evaluated, report, again, refused = _tatc(
        tmp_path,
        *((command, "--help") for command in ("run", "eval", "debug")),
        ("run", "coffee", *place, *given, "--save", "one.game.json"),
        ("eval", *place, "--tasks", "coffee", *given, *saved),
        ("report", "run"),
        ("debug", "--record", "one.game.json", "--print", *given[:2]),
        ("run", "coffee", "--patience", "3", "--no-save"),
    )
    for _, text, _ in helped:
        assert "--patience TURNS" in text and "How long a patient Follower waits." in text
    assert ran[0] == 1, ran  # it stops at once
    record = json.loads((tmp_path / "one.game.json").read_text("utf-8"))
    assert record["tatc"]["options"]["patience"] == 3
    assert evaluated[0] == 0, evaluated
    row = json.loads((tmp_path / "run" / "results.jsonl").read_text("utf-8"))
    assert (row["patience"], row["questions"]) == (3, None)
    assert "patience of 3 turns" in report[1]
    assert "--follower patient:Patient --patience 3" in " ".join(report[1].split())
    assert again[0] == 1, again
    why = "--patience: the Follower rule takes no such setting (leave it out)"
    assert refused == [2, "", f"error: {why}\n"]


GIVEN: dict[str, Any] = {
    "follower": "listener",
    "questions": 2,
    "speaker_seed": 5,
    "typos": 0.25,
    "goals": "folder/mine.jsonl",
}


def test_an_identity_holds_what_a_command_needs_to_run_the_setup_again() -> None:
    setup = SessionSetup(commander="speaker").with_settings(**GIVEN)
    identity = json.loads(json.dumps(setup_identity(setup)))
    assert identity["speaking"] == {"seed": 5, "partial": 0.3, "typo_rate": 0.25}
    check_identity(identity)
    assert settings_in_identity(identity) == setup.settings
    assert command_words(identity, default_of=SETUP_DEFAULTS) == [
        *("--commander", "speaker", "--follower", "listener", "--questions", "2"),
        *("--speaker-seed", "5", "--typos", "0.25", "--goals", "folder/mine.jsonl"),
    ]
    plain = setup_identity(SessionSetup())
    assert command_words(plain, default_of=SETUP_DEFAULTS) == []
    assert phrases_of_identity(plain) == {}
    assert (plain["questions"], plain["speaking"], "goals" in plain) == (None, None, False)


def test_a_setting_of_a_group_brings_the_others() -> None:
    assert SessionSetup().with_settings(typos=0.1).get("speaker_seed") == 0
    assert SessionSetup().with_settings(speaker_seed=3).get("typos") == 0.0
    assert SessionSetup().with_settings(typos=None, questions=None) == SessionSetup()


def test_settings_are_added_to_those_that_were_given() -> None:
    setup = SessionSetup().with_settings(questions=2).with_settings(goals="mine.jsonl")
    assert (setup.get("questions"), setup.get("goals")) == (2, "mine.jsonl")
    assert setup.with_settings(questions=None).settings == (("goals", "mine.jsonl"),)


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        ({"questions": -1}, "questions"),
        ({"questions": "two"}, "questions"),
        ({"speaking": {"seed": 1, "typo_rate": 3}}, "speaking.typo_rate"),
        ({"goals": 3}, "goals"),
    ],
)
def test_an_impossible_setting_is_named(setup: dict[str, Any], field: str) -> None:
    with pytest.raises(FieldError) as fault:
        check_identity(setup)
    assert fault.value.field == field


def test_each_setting_of_agents_says_who_takes_it() -> None:
    for each in agent_settings():
        assert SETTINGS[each.name] is each
        assert each.role is not None and each.phrase and each.help.endswith(".")
