"""Makes mutants of a folder and counts how many of them the tests kill.

    python -m benchmarks.mutants --folder tatc/evaluation/scoring --sample 150 --seed 1

cosmic-ray's operators make the mutants, a seed draws a sample of them, and each is tried with the
tests that run its line, the quickest first, for some seconds at most.  Those that no test kills
are written to a file of differences below `--out`, for somebody to read: either a test is missing,
or the mutant behaves as the original does and belongs into `benchmarks/mutants/equivalent.json`
with a reason.

Each result is kept at once.  The same command goes on where another one stopped, and `--again`
tries those that survived with the tests as they are now.
"""

import argparse
import hashlib
import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from benchmarks.mutants.covering_tests import measure_tests
from benchmarks.mutants.forked_pytest import TIMED_OUT, TestChoice, import_libraries, run_forked
from benchmarks.mutants.mutations import Mutant, draw_mutants, list_mutations
from benchmarks.mutants.warm_pytest import CannotReplace, WarmTests

ROOT = Path(__file__).parents[2]
_IMMUTABLE = "tests/test_immutable_values.py"
TESTS_BY_FOLDER: Mapping[str, tuple[str, ...]] = {
    "tatc/evaluation/scoring": ("tests/evaluation/scoring", _IMMUTABLE),
    "tatc/session": ("tests/session", _IMMUTABLE),
    "tatc/session/records": ("tests/session/records", _IMMUTABLE),
    "tatc/commander/policies": (
        "tests/commander/test_policy_plans.py",
        "tests/commander/test_policies.py",
        "tests/commander/test_own_property.py",
    ),
    "tatc/planners/grid.py": ("tests/planners/test_grid.py", _IMMUTABLE),
    "tatc/tdl": ("tests/tdl", _IMMUTABLE),
}
KILLED, SURVIVED, TIMED_OUT_NAME = "killed", "survived", "timed out"
_PASSED = (0, 5)  # all passed; or the mutant made none of them
SLACK_SECONDS, SLOWDOWN = 3.0, 4.0
"""A test may take so many times as long as without a mutation, and some seconds."""
START_SECONDS = 30.0
"""Processor time until the first test runs, with a loop without end in what is imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How the tests of a folder did on a sample of its mutants.

    `killed_percent` counts those timed out as killed; `low` and `high` are the 95 % Wilson
    interval.
    """

    folder: str
    seed: int
    mutants: int
    sample: int
    killed: int
    timed_out: int
    survived: int
    killed_percent: float
    low: float
    high: float


class Trials:
    """What tries the mutants of one folder: its tests, measured and collected once."""

    def __init__(self, folder: str, test_paths: Sequence[str], seconds: float) -> None:
        """Measure the tests; a mutant gets the quickest, of so many seconds together.

        Raises:
            RuntimeError: tests fail without a mutation, and would seem to kill every mutant.

        """
        self._covering = measure_tests(ROOT, folder, test_paths)
        self._seconds = seconds
        import_libraries(self._covering.libraries)
        self._warm = WarmTests(ROOT, test_paths)
        file = min(self._covering.tests_by_line)
        tests = self._covering.within(seconds, self._covering.quickest_first)
        status = self._run_forked(tests, file, (ROOT / file).read_text("utf-8"))
        if status != 0:
            raise RuntimeError(f"the tests of {folder} fail without a mutation: status {status}")

    @property
    def left_out(self) -> Sequence[str]:
        """The tests that fail without a mutation."""
        return self._covering.failed

    def close(self) -> None:
        """End the process that has the tests."""
        self._warm.close()

    def try_mutant(self, mutant: Mutant) -> tuple[str, int]:
        """Return the outcome of a mutant, and how many tests there were for it."""
        file, line = mutant.mutation.file, mutant.mutation.line
        tests = self._covering.within(self._seconds, self._covering.tests_of(ROOT, file, line))
        if not tests:
            return SURVIVED, 0
        if self._covering.runs_on_import(ROOT, file, line):
            status = self._run_forked(tests, file, mutant.source)
        else:
            try:
                limits, seconds = self._limits(tests)
                status = self._warm.run(ROOT / file, mutant.source, limits, seconds)
            except CannotReplace:
                status = self._run_forked(tests, file, mutant.source)
        if status == TIMED_OUT:
            return TIMED_OUT_NAME, len(tests)
        return (SURVIVED if status in _PASSED else KILLED), len(tests)

    def _run_forked(self, tests: Sequence[str], file: str, source: str) -> int | None:
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        limits, seconds = self._limits(tests)
        choice = TestChoice(limits)
        replaced = (file, source)
        return run_forked(ROOT, list(files), [choice], replaced=replaced, seconds=seconds)[0]

    def _limits(self, tests: Sequence[str]) -> tuple[dict[str, float], float]:
        """Return the processor time that each test may take, and all of them."""
        needed = {test: self._covering.seconds_by_test[test] for test in tests}
        limits = {test: SLACK_SECONDS + SLOWDOWN * needed[test] for test in tests}
        return limits, START_SECONDS + SLOWDOWN * sum(needed.values())


def results_of_folder(
    folder: str, given: argparse.Namespace, tell: Callable[[str], object]
) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant of the sample with its outcome, from the kept results or from a trial."""
    path = given.out / f"{folder.replace('/', '-')}.jsonl"
    kept = _read_results(path, again=given.again)
    trials: Trials | None = None
    mutations = list_mutations(ROOT, folder)
    tell(f"{folder}: {len(mutations)} mutants")
    try:
        for number, mutant in enumerate(draw_mutants(ROOT, mutations, given.seed, given.sample), 1):
            key = _result_key(mutant)
            if key not in kept:
                if trials is None:
                    tests = given.tests or TESTS_BY_FOLDER[folder]
                    trials = Trials(folder, tests, given.seconds)
                    for name in trials.left_out:
                        tell(f"  left out, since it fails without a mutation: {name}")
                kept[key], count = trials.try_mutant(mutant)
                entry = {"key": key, "outcome": kept[key], "tests": count}
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry | asdict(mutant.mutation)) + "\n")
                tell(f"  {number}: {kept[key]}, {count} tests: {_one_line(mutant)}")
            yield mutant, kept[key]
    finally:
        if trials is not None:
            trials.close()


def score_of(folder: str, seed: int, mutants: int, results: Sequence[tuple[Mutant, str]]) -> Score:
    """Return the score of a sample."""
    counts = Counter(outcome for _, outcome in results)
    tried, killed = len(results), len(results) - counts[SURVIVED]
    interval: Any = binomtest(killed, tried).proportion_ci(method="wilson")
    return Score(
        folder=folder,
        seed=seed,
        mutants=mutants,
        sample=tried,
        killed=counts[KILLED],
        timed_out=counts[TIMED_OUT_NAME],
        survived=counts[SURVIVED],
        killed_percent=round(100 * killed / tried, 1),
        low=round(100 * interval.low, 1),
        high=round(100 * interval.high, 1),
    )


def _read_results(path: Path, *, again: bool) -> dict[str, str]:
    """Return the outcomes kept so far; without those that survived, if they are tried again."""
    if not path.exists():
        return {}
    # The last line may be cut off.
    lines = [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    found = {entry["key"]: entry["outcome"] for entry in map(json.loads, lines)}
    return {key: outcome for key, outcome in found.items() if not (again and outcome == SURVIVED)}


def _result_key(mutant: Mutant) -> str:
    text = "\n".join((mutant.mutation.file, mutant.source))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _one_line(mutant: Mutant) -> str:
    where = f"{mutant.mutation.file}:{mutant.mutation.line}"
    return f"{where}: {mutant.before} -> {mutant.after}".replace("\n", " ")


def _tell_on_stderr(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main() -> int:
    """Try the mutants that the options name; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--folder", action="append", help=f"again for more; default: {', '.join(TESTS_BY_FOLDER)}"
    )
    parser.add_argument("--tests", action="append", help="instead of the folder's own tests")
    parser.add_argument("--sample", type=int, help="how many mutants a folder; default: all")
    parser.add_argument("--seed", type=int, default=1, help="draws the sample")
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="of tests for each mutant; default: 5"
    )
    parser.add_argument("--again", action="store_true", help="try again what survived before")
    parser.add_argument("--out", type=Path, default=Path("mutants"), help="folder of results")
    parser.add_argument("--json", action="store_true", help="print one JSON object a folder")
    given = parser.parse_args()
    folders = given.folder or list(TESTS_BY_FOLDER)
    for folder in folders:
        if folder not in TESTS_BY_FOLDER and not given.tests:
            parser.error(f"--folder {folder}: name its tests with --tests")
    given.out.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to end the fork too
    try:
        for folder in folders:
            _report_folder(folder, given)
    except KeyboardInterrupt:
        _tell_on_stderr("interrupted; the same command goes on")
        return 130
    return 0


def _report_folder(folder: str, given: argparse.Namespace) -> None:
    mutants = len(list_mutations(ROOT, folder))
    results = list(results_of_folder(folder, given, _tell_on_stderr))
    survivors = [mutant for mutant, outcome in results if outcome == SURVIVED]
    path = given.out / f"{folder.replace('/', '-')}-survivors.diff"
    path.write_text("\n".join(each.diff for each in survivors), "utf-8")
    score = score_of(folder, given.seed, mutants, results)
    if given.json:
        sys.stdout.write(json.dumps(asdict(score)) + "\n")
        return
    sys.stdout.write(
        f"{folder}: {score.killed_percent} % of {score.sample} killed "
        f"({score.low} to {score.high} %), seed {score.seed}: {score.killed} by a failure, "
        f"{score.timed_out} by the time limit; {score.survived} survived ({path})\n"
    )


if __name__ == "__main__":
    sys.exit(main())
