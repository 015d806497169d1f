"""Fast Downward: a program of the user's own, or a clear word that it is missing."""

import shutil

import pytest

from tatc.errors import MissingProgram
from tatc.planners.pddl import fast_downward
from tatc.planners.pddl.pddlpy_adapter import validate_plan
from tatc.planners.pddl.planner import SearchEngine, solve_problem
from tatc.planners.pddl.problem import SearchVerdict
from tests.planners.pddl.household_problems import PROBLEMS, TOAST_PROBLEM


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return a function that puts a program of this text on PATH, alone."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    def put(script: str) -> None:
        path = tmp_path / fast_downward.PROGRAM_NAMES[0]
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    return put


def test_missing_program_raises(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgram, match="Fast Downward, which was not found"):
        solve_problem(TOAST_PROBLEM, engine=SearchEngine.FAST_DOWNWARD)


def test_plan_is_read(program):
    program(
        "test -f domain.pddl && test -f problem.pddl || exit 33\n"
        "printf '(open fridge)\\n(take loaf fridge)\\n; cost = 2 (unit cost)\\n' > plan"
    )
    solution = solve_problem(TOAST_PROBLEM, engine=SearchEngine.FAST_DOWNWARD)
    assert solution.verdict is SearchVerdict.PLAN_FOUND
    assert [str(s) for s in solution.steps] == ["(open fridge)", "(take loaf fridge)"]


@pytest.mark.parametrize(
    ("script", "verdict", "why"),
    [
        ("exit 11", SearchVerdict.UNSOLVABLE, "proved"),
        ("echo out of memory >&2; exit 22", SearchVerdict.BUDGET_SPENT, "22: out of memory"),
    ],
)
def test_missing_plan_has_reason(program, script, verdict, why):
    program(script)
    solution = solve_problem(TOAST_PROBLEM, engine=SearchEngine.FAST_DOWNWARD)
    assert solution.verdict is verdict
    assert why in solution.reason


@pytest.mark.skipif(
    not any(map(shutil.which, fast_downward.PROGRAM_NAMES)), reason="no Fast Downward on PATH"
)
@pytest.mark.parametrize("name", PROBLEMS)
def test_installed_fast_downward_plans(name):
    best = solve_problem(PROBLEMS[name], engine=SearchEngine.FAST_DOWNWARD)
    assert validate_plan(PROBLEMS[name].pddl_text(), best.steps).is_valid
    assert len(best.steps) <= len(solve_problem(PROBLEMS[name]).steps)
