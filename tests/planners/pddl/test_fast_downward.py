"""Fast Downward: a program of the user's own, or a clear word that it is missing."""

import pytest

from benchmarks.plan_validation import validate_plan
from tatc.base.errors import MissingProgram
from tatc.planners.pddl import fast_downward
from tatc.planners.pddl.planner import solve_problem
from tatc.planners.pddl.problem import SearchEngine, SearchVerdict
from tests.command_line import run_tatc
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


@pytest.fixture
def no_program(tmp_path, monkeypatch):
    """Leave neither a program on PATH nor the package that brings one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(fast_downward, "PACKAGE_NAME", "no_such_package")


@pytest.mark.usefixtures("no_program")
def test_missing_program_is_one_line_that_names_the_package():
    done = run_tatc("run", "coffee", "--planner", "fast-downward", "--no-save")
    assert done.exit_code == 2
    assert "pip install up-fast-downward" in done.stderr


@pytest.mark.usefixtures("no_program")
def test_missing_program_raises():
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


def _is_installed() -> bool:
    try:
        return bool(fast_downward.find_fast_downward())
    except MissingProgram:
        return False


needs_program = pytest.mark.skipif(not _is_installed(), reason="Fast Downward is not installed")


@needs_program
def test_installed_fast_downward_plans_a_session():
    options = ("--planner", "fast-downward", "--no-save", "--quiet")
    done = run_tatc("run", "water plant", "--room", "kitchen-01", *options)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Success")


@needs_program
@pytest.mark.parametrize("name", PROBLEMS)
def test_installed_fast_downward_plans(name):
    best = solve_problem(PROBLEMS[name], engine=SearchEngine.FAST_DOWNWARD)
    assert validate_plan(PROBLEMS[name].pddl_text(), best.steps).is_valid
    assert len(best.steps) <= len(solve_problem(PROBLEMS[name]).steps)
