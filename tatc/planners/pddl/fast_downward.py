"""Fast Downward as a second engine, where the user has installed it.

Fast Downward is licensed under the GPL, so nothing of it is imported: it runs as a process,
reads two files and writes a plan.  It plans optimally (A* with LM-cut) and proves that a
problem has no plan.
"""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from tatc.base.errors import MissingProgram
from tatc.planners.pddl.problem import PddlProblem, PlanStep, SearchVerdict, domain_text

PROGRAM_NAMES = ("fast-downward", "fast-downward.py", "fast-downward.sif")
"""Names under which it is looked for on PATH."""
PACKAGE_NAME = "up_fast_downward"
"""The package on PyPI that brings the program; it is not imported either."""

_TIMEOUT_SECONDS = 60.0
_UNSOLVABLE_EXIT_CODES = (10, 11, 12)  # no plan; 12 proves it because this search is complete


def find_fast_downward() -> tuple[str, ...]:
    """Return the command for Fast Downward, on PATH or of the package; else MissingProgram."""
    program = next((path for name in PROGRAM_NAMES if (path := which(name))), None)
    if program is not None:
        return (program,)
    package = find_spec(PACKAGE_NAME)
    if package is not None and package.origin is not None:
        return sys.executable, str(Path(package.origin).parent / "downward" / PROGRAM_NAMES[1])
    fix = f"`pip install up-fast-downward`, or put {PROGRAM_NAMES[0]!r} on PATH"
    raise MissingProgram("Fast Downward", fix)


def plan_with_fast_downward(
    problem: PddlProblem,
) -> tuple[SearchVerdict, tuple[PlanStep, ...], str]:
    """Return Fast Downward's verdict, its plan (() for none), and the reason in words."""
    program = find_fast_downward()
    with TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "domain.pddl").write_text(domain_text(), "utf-8")
        (at / "problem.pddl").write_text(problem.pddl_text(), "utf-8")
        command = [*program, "--plan-file", "plan", "domain.pddl", "problem.pddl"]
        try:
            done = subprocess.run(
                [*command, "--search", "astar(lmcut())"],
                cwd=at,
                capture_output=True,
                text=True,
                timeout=_TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            why = f"Fast Downward took over {_TIMEOUT_SECONDS:.0f} s"
            return SearchVerdict.BUDGET_SPENT, (), why
        if (at / "plan").exists():
            plan = (at / "plan").read_text("utf-8")
            lines = map(str.split, re.findall(r"^\(([^()\n]+)\)", plan, re.MULTILINE))
            steps = tuple(PlanStep(name, tuple(args)) for name, *args in lines)
            return SearchVerdict.PLAN_FOUND, steps, f"steps: {len(steps)}"
        if done.returncode in _UNSOLVABLE_EXIT_CODES:
            return SearchVerdict.UNSOLVABLE, (), "Fast Downward proved it"
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["nothing"]
        why = f"Fast Downward ended with status {done.returncode}: {said[0]}"
        return SearchVerdict.BUDGET_SPENT, (), why
