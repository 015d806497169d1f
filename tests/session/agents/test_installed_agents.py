"""Agents that installed packages offer as entry points."""

from pathlib import Path

import pytest

from tatc.session.agents.agent_names import commander_names, follower_names
from tests.command_line import run_tatc

AGENTS = """
from tatc.commander import RuleCommander
from tatc.follower import RuleFollower


class Obedient(RuleFollower):
    pass


class Brief(RuleCommander):
    pass


class Silent:
    pass
"""
ENTRY_POINTS = """
[tatc.followers]
obedient = offered_agents:Obedient
rule = offered_agents:Silent
silent = offered_agents:Silent

[tatc.commanders]
brief = offered_agents:Brief
"""


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package as pip does, but for its metadata alone."""
    metadata = tmp_path / "offered_agents-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: offered-agents\nVersion: 1.0\n"
    )
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "offered_agents.py").write_text(AGENTS)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_they_are_named_like_those_of_tatc() -> None:
    assert "obedient" in follower_names() and "brief" in commander_names()
    agents = ("--follower", "obedient", "--commander", "brief")
    done = run_tatc("run", "coffee", "--no-save", *agents)
    assert done.exit_code == 0, done.output


def test_a_name_of_tatc_stays_with_tatc() -> None:
    assert run_tatc("run", "coffee", "--follower", "rule", "--no-save", "--quiet").exit_code == 0


def test_what_is_no_agent_is_refused_in_one_line() -> None:
    done = run_tatc("run", "coffee", "--follower", "silent", "--no-save")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "offered_agents:Silent: is no Follower" in done.stderr
    assert "docs/tutorial/follower.md" in done.stderr
