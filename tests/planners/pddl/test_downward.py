"""Fast Downward: a program of the user's own, or a clear word that it is missing."""

import shutil

import pytest

from tatc.errors import MissingProgram
from tatc.planners.pddl import downward
from tatc.planners.pddl.language import replay
from tatc.planners.pddl.planner import Engine, solve
from tatc.planners.pddl.problem import Verdict
from tests.planners.pddl.kitchens import PROBLEMS, TOAST


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that puts a program of this text on PATH, alone."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def put(script: str) -> None:
        path = tmp_path / downward.PROGRAMS[0]
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    return put


def test_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgram, match="Fast Downward, which was not found"):
        solve(TOAST, engine=Engine.FAST_DOWNWARD)


def test_its_plan_is_read(program):
    program(
        "test -f domain.pddl && test -f problem.pddl || exit 33\n"
        "printf '(open fridge)\\n(take loaf fridge)\\n; cost = 2 (unit cost)\\n' > plan"
    )
    solution = solve(TOAST, engine=Engine.FAST_DOWNWARD)
    assert solution.verdict is Verdict.FOUND
    assert [str(s) for s in solution.steps] == ["(open fridge)", "(take loaf fridge)"]


@pytest.mark.parametrize(
    ("script", "verdict", "why"),
    [
        ("exit 11", Verdict.UNSOLVABLE, "proved"),
        ("echo out of memory >&2; exit 22", Verdict.SPENT, "22: out of memory"),
    ],
)
def test_no_plan_has_a_reason(program, script, verdict, why):
    program(script)
    solution = solve(TOAST, engine=Engine.FAST_DOWNWARD)
    assert solution.verdict is verdict
    assert why in solution.reason


@pytest.mark.skipif(
    not any(map(shutil.which, downward.PROGRAMS)), reason="no Fast Downward on PATH"
)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_real_one_plans_for_the_household(name):
    best = solve(PROBLEMS[name], engine=Engine.FAST_DOWNWARD)
    assert replay(PROBLEMS[name].text(), best.steps).valid
    assert len(best.steps) <= len(solve(PROBLEMS[name]).steps)
