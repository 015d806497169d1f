"""What a shell completes, asked as bash asks, and that the answers are names that exist."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tatc.base.errors import MissingProgram
from tatc.commands.options.shared_options import (
    complete_commander,
    complete_follower,
    complete_room,
    complete_task,
)
from tatc.session.agents.agents import commander_factory, follower_factory
from tatc.sim.rooms import shipped_names
from tatc.tdl import shipped_library

HEAVY = {"numpy", "scipy", "networkx", "torch"}


def _complete(line: str) -> list[str]:
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-m", "tatc"],
        env=os.environ
        | {
            "_TATC_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tatc co", ["compare"]),
        ("tatc run --task clean", ["clean-all-x", "clean-x"]),
        ("tatc run coffee --room kitchen-0", [f"kitchen-0{n}" for n in range(1, 10)]),
        ("tatc run coffee --room FloorPlan40", [f"FloorPlan40{n}" for n in range(1, 10)]),
        ("tatc debug --follower e", ["et"]),
        ("tatc compare --follower ra", ["random"]),
    ],
)
def test_names_are_completed(line: str, found: list[str]):
    assert [name for name in _complete(line) if name in found] == found


def test_what_is_completed_exists():
    assert len({shipped_library().find(name).id for name in complete_task("")}) == len(
        shipped_library().names()
    )
    assert set(complete_room("")) >= set(shipped_names())
    for name in complete_commander(""):
        try:
            assert commander_factory(name)
        except MissingProgram:  # a name that is known, whose program is not installed
            assert name == "fast-downward"
    for name in set(complete_follower("")) - {"et"}:
        assert follower_factory(name)


def test_completing_imports_nothing_of_the_world():
    code = """
import sys
from tatc.commands.options import shared_options as completion
names = [getattr(completion, "complete_" + each)("") for each in sys.argv[1:]]
assert all(names)
print(*{name.partition(".")[0] for name in sys.modules})
"""
    agents = ["task", "room", "commander", "follower"]
    done = subprocess.run(
        [sys.executable, "-c", code, *agents], capture_output=True, text=True, check=True
    )
    assert not HEAVY & set(done.stdout.split())


def test_bash_completes_with_the_script_that_is_shown():
    code = """
    script=$("$0" --show-completion; exit $?)
    eval "$script"
    COMP_WORDS=(tatc run sal) COMP_CWORD=2
    _tatc_completion "$0"
    echo "${COMPREPLY[@]}"
    """
    tatc = str(Path(sys.executable).with_name("tatc"))
    done = subprocess.run(["bash", "-c", code, tatc], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "salad\n"), done.stderr
