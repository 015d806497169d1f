"""Damaged files of every kind that tatc reads, in thousands, and what tatc makes of them.

An outcome is right if the command answers or says in one line what is wrong; a traceback, a
hang, more than 1 GB of memory and a wrong exit are findings.  Each finding is printed with the
command that repeats it.
"""

import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter

from benchmarks.fuzz.campaign import make_corpus_here, run_campaign
from benchmarks.fuzz.case import CaseResult, is_whole_process, run_case
from benchmarks.fuzz.outcomes import Outcome
from benchmarks.fuzz.targets import targets_here
from tatc.base.errors import TatcError
from tatc.commands.text.output import progress_counter, remark
from tatc.home.camera.compiled_views import VIEWS_BEFORE_COMPILED
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, room_names, start_state

DEFAULT_COUNT = 500
_SAY_EVERY = 1000  # cases, for logs, which have no progress bar
_VIEW_PIXELS = 8
_MAX_PRINTED = 40  # findings that differ


def run(
    games: Path | None = None,
    *,
    seed: int = 1,
    count: int = DEFAULT_COUNT,
    case: int | None = None,
    workers: int | None = None,
) -> Iterator[tuple[str, float, str]]:
    """Yield how many cases had each outcome; `games` is not used, since nothing recorded is.

    Args:
        games: not used.
        seed: draws the cases.
        count: how many cases to run.
        case: the number of one case to repeat, with its whole traceback; its files are kept.
        workers: how many processes to use; one for each core if None.

    Raises:
        TatcError: there were findings.

    """
    if case is not None:
        results = iter((_repeat(seed, case),))
        count = 1
    else:
        results = _campaign(seed, count, workers or os.cpu_count() or 1)
    start, outcomes, findings = perf_counter(), Counter[Outcome](), Counter[tuple[str, str]]()
    with progress_counter(count, "cases") as done:
        for result in results:
            outcomes[result.outcome] += 1
            done(result.kind)
            if outcomes.total() % _SAY_EVERY == 0:
                remark(f"{outcomes.total()} of {count} cases")
            if result.outcome.is_finding:
                _print_finding(result, seed, findings)
    for outcome in Outcome:
        yield outcome.value, outcomes[outcome], "cases"
    yield "time", perf_counter() - start, "s"
    found = sum(outcomes[each] for each in Outcome if each.is_finding)
    if found:
        fix = "each is named above with the command that repeats it"
        raise TatcError(f"{found} of {count} cases are findings", fix=fix)


def _campaign(seed: int, count: int, workers: int) -> Iterator[CaseResult]:
    _compile_kernels()
    with TemporaryDirectory(prefix="tatc-fuzz-corpus-") as name:
        make_corpus_here(Path(name), targets_here())
        yield from run_campaign(Path(name), seed, 0, count, workers=workers)


def _compile_kernels() -> None:
    """Draw as many views as numba waits for: compiling may take longer than any case may."""
    sim = EmbeddedSimulator()
    sim.reset(start_state(load_room(room_names()[0]), 1))
    for _ in range(VIEWS_BEFORE_COMPILED + 1):
        sim.trace_view(_VIEW_PIXELS)


def _print_finding(result: CaseResult, seed: int, findings: "Counter[tuple[str, str]]") -> None:
    """Print a finding, if none of its kind at its place has been printed yet."""
    key = (result.outcome.value, result.why.rpartition(" at ")[2])
    findings[key] += 1
    if findings[key] == 1 and len(findings) <= _MAX_PRINTED:
        whole = " (as a process of its own)" if result.is_whole else ""
        remark(f"{result.outcome}: {result.kind}: {result.reader}{whole}: {result.why}")
        remark(f"  repeat: python -m benchmarks fuzz --seed {seed} --case {result.index}")


def _repeat(seed: int, case: int) -> CaseResult:
    """Run one case in a folder that stays, and say where it is and what the case printed."""
    targets, root = targets_here(), Path(mkdtemp(prefix="tatc-fuzz-"))
    make_corpus_here(root / "corpus", targets)
    folder = root / "case"
    whole = is_whole_process(case)
    result = run_case(seed, case, targets, root / "corpus", folder, is_whole=whole)
    sys.stderr.write(result.stderr)
    remark(f"files: cd {shlex.quote(str(folder))} && {result.reader}")
    return result
