"""Code that changes while a session is open: loaded anew, compared, or refused."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tatc.apps.debugger.code_reloading import CodeReloader
from tatc.base.errors import BadInput
from tatc.commander.policies import policy_of
from tatc.session.agents.session_setup import SessionSetup
from tests.apps.debugger.debug_sessions import start_debugger, write_follower, write_later

POLICY = """
from tatc.commander.policies import policy
from tatc.commander.policies.shipped import brew_coffee

@policy("simbotIsFilledWithCoffee", override=True)
def fill(key, known):
    {body}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("mine", None)  # the next test has another of this name


def _write_policy(folder: Path, body: str) -> Path:
    path = folder / "policies" / "coffee.py"
    path.parent.mkdir(exist_ok=True)
    write_later(path, POLICY.format(body=body))
    return path.parent


def test_the_first_step_that_changes_is_shown(folder: Path):
    write_follower(folder, "LOOK_DOWN")
    debugger = start_debugger(SessionSetup(follower="mine:Mine"))
    debugger.go_to(12)
    write_follower(folder, "TURN_LEFT")
    assert debugger.reload() == "reload 1: step 2 changes (mine)"
    assert debugger.at == 2
    assert debugger.moment.interaction.verb == "Turn Left"
    assert debugger.branches[0].moments[2].interaction.verb == "Look Down"


def test_nothing_changes_without_a_change():
    debugger = start_debugger()
    debugger.go_to(9)
    told = debugger.reload()
    assert told == "reload 1: nothing changes up to step 9 (no file has changed)"
    assert debugger.at == 9


def test_a_policy_of_ones_own_is_loaded_anew(folder: Path):
    policies = _write_policy(folder, "return ()")
    debugger = start_debugger(policies=(policies,))
    debugger.go_to(5)
    first = debugger.moment.decision
    assert first is not None and first.policy == "pddl"
    _write_policy(folder, "return brew_coffee(key, known)")
    told = debugger.reload()
    assert "(coffee.py)" in told
    debugger.go_to(5)
    now = debugger.moment.decision
    assert now is not None and now.policy == "simbotIsFilledWithCoffee"
    debugger.close()


def test_a_fault_in_a_policy_leaves_all_as_it_was(folder: Path):
    other = start_debugger()
    debugger = start_debugger(policies=(_write_policy(folder, "return ()"),))
    mine = policy_of("simbotIsFilledWithCoffee")
    debugger.go_to(5)
    _write_policy(folder, "return (")
    with pytest.raises(BadInput, match=r"coffee\.py: cannot be imported: SyntaxError"):
        debugger.reload()
    assert policy_of("simbotIsFilledWithCoffee") is mine
    assert len(debugger.branches) == 1 and debugger.at == 5
    other.close()
    assert policy_of("simbotIsFilledWithCoffee") is mine, "another debugger takes none away"
    debugger.close()
    assert policy_of("simbotIsFilledWithCoffee") is not mine


def test_a_fault_in_an_agent_names_its_file_and_line(folder: Path):
    write_follower(folder, "LOOK_DOWN")
    debugger = start_debugger(SessionSetup(follower="mine:Mine"))
    debugger.go_to(4)
    write_follower(folder, "LOOK_DOWN) +")
    with pytest.raises(BadInput, match=r"mine\.py line 15: cannot be loaded: Syntax"):
        debugger.reload()
    debugger.go_to(8)
    assert debugger.at == 8


def test_what_needs_a_changed_module_is_loaded_after_it(folder: Path):
    (folder / "far.py").write_text("WORD = 'one'\n")
    (folder / "near.py").write_text("from far import WORD\nTWICE = WORD * 2\n")
    sys.path.insert(0, str(folder))
    try:
        import near  # pyright: ignore[reportMissingImports]

        reloader = CodeReloader()
        (folder / "far.py").write_text("WORD = 'two'\n")
        os.utime(folder / "far.py", ns=(5, 5))
        assert reloader.reload() == ("far",)
        assert near.TWICE == "twotwo"
        assert reloader.reload() == ()
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("far", None)
        sys.modules.pop("near", None)
