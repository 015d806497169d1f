"""Fast Downward as a second engine: a program of the user's own, run as a process.

It is licensed under the GPL, so nothing of it is imported; it reads two files and
writes a plan.  It plans optimally (A* with LM-cut) and proves what cannot be solved.
"""

import re
import subprocess
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from tatc.errors import MissingProgram
from tatc.planners.pddl.problem import Step, Verdict

PROGRAMS = ("fast-downward", "fast-downward.py", "fast-downward.sif")
"""Names it is looked for under on PATH."""

_SECONDS = 60.0
_PROVEN = (10, 11, 12)  # its exit codes for a task that has no plan
_SEARCH = ("--search", "astar(lmcut())")


def fast_downward(domain: str, problem: str) -> tuple[Verdict, tuple[Step, ...], str]:
    """Return Fast Downward's verdict, its plan, and a reason.

    Raises:
        MissingProgram: it is not on PATH.

    """
    program = next((path for name in PROGRAMS if (path := which(name))), None)
    if program is None:
        raise MissingProgram(
            "Fast Downward", f"put {PROGRAMS[0]!r} on PATH, or plan without it"
        )
    with TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "domain.pddl").write_text(domain, "utf-8")
        (at / "problem.pddl").write_text(problem, "utf-8")
        command = [program, "--plan-file", "plan", "domain.pddl", "problem.pddl"]
        try:
            done = subprocess.run(
                [*command, *_SEARCH],
                cwd=at,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Verdict.SPENT, (), f"Fast Downward took over {_SECONDS:.0f} s"
        if (at / "plan").exists():
            steps = _read((at / "plan").read_text("utf-8"))
            return Verdict.FOUND, steps, f"{len(steps)} steps"
        if done.returncode in _PROVEN:
            return Verdict.UNSOLVABLE, (), "Fast Downward proved it"
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["nothing"]
        why = f"Fast Downward ended with status {done.returncode}: {said[0]}"
        return Verdict.SPENT, (), why


def _read(plan: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    for line in plan.splitlines():
        if found := re.fullmatch(r"\(([^()]+)\)", line.strip()):
            name, *args = found[1].split()
            steps.append(Step(name, tuple(args)))
    return tuple(steps)
