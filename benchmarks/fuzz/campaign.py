"""Many cases in processes that stay; one that dies or hangs is a finding, and is replaced."""

import faulthandler
import os
import sys
from collections.abc import Generator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from benchmarks.fuzz.case import WHOLE_PROCESS_EVERY, CaseResult, is_whole_process, run_case
from benchmarks.fuzz.corpus import KINDS, make_corpus
from benchmarks.fuzz.limits import CASE_SECONDS
from benchmarks.fuzz.outcomes import Outcome
from benchmarks.fuzz.targets import Target, targets_here
from tatc.base.process_pool import ProcessPool, Report, WorkerDied

_QUEUED_PER_WORKER = 4


def make_corpus_here(root: Path, targets: tuple[Target, ...]) -> None:
    """Make the folders that these targets need."""
    kinds = {target.kind for target in targets} | {"games"}  # which other folders copy
    make_corpus(root, {name: make for name, make in KINDS.items() if name in kinds})


def run_campaign(
    corpus: Path,
    seed: int,
    first: int,
    count: int,
    *,
    workers: int,
    whole_every: int = WHOLE_PROCESS_EVERY,
) -> Generator[CaseResult]:
    """Yield what comes of each case, in the order in which they end.

    Args:
        corpus: the folder of sound files.
        seed: draws the cases.
        first: the number of the first case.
        count: how many cases there are.
        workers: how many processes run them.
        whole_every: one case in so many runs as a process of its own.

    """
    with TemporaryDirectory(prefix="tatc-fuzz-") as name:
        root = Path(name)
        if workers == 1:
            one = _CaseRunner(seed, whole_every, corpus, root)
            yield from (one(index, lambda told: None) for index in range(first, first + count))
            return
        make = partial(_CaseRunner, seed, whole_every, corpus, root)
        with ProcessPool(make, workers) as pool:
            indices = iter(range(first, first + count))
            open_cases: dict[Future[CaseResult], int] = {}
            while True:
                room = workers * _QUEUED_PER_WORKER - len(open_cases)
                open_cases |= {pool.submit(index): index for index in islice(indices, room)}
                if not open_cases:
                    return
                for done in wait(open_cases, return_when=FIRST_COMPLETED).done:
                    yield _result(done, open_cases.pop(done))


def _result(done: "Future[CaseResult]", index: int) -> CaseResult:
    try:
        return done.result()
    except WorkerDied as death:
        kind, _, reader = str(death.last_report).partition(": ")
        outcome = Outcome.HANG if death.seconds > CASE_SECONDS else Outcome.TRACEBACK
        return CaseResult(index, kind, reader, False, outcome, str(death))


class _CaseRunner:
    """Runs cases in one process, in a folder of its own."""

    def __init__(self, seed: int, whole_every: int, corpus: Path, root: Path) -> None:
        self._seed, self._whole_every, self._corpus = seed, whole_every, corpus
        self._folder = Path(mkdtemp(dir=root)) / "case"
        self._targets = targets_here()
        if "torch" in sys.modules or any(each.kind == "training" for each in self._targets):
            import torch

            torch.set_num_threads(1)
        sys.stdin = open(os.devnull)  # the process's own brings the cases
        faulthandler.enable()

    def __call__(self, index: int, report: Report) -> CaseResult:
        is_whole = is_whole_process(index, self._whole_every)
        return run_case(
            self._seed, index, self._targets, self._corpus, self._folder, report, is_whole=is_whole
        )
