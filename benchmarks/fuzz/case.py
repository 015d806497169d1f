"""One case: a target, drawn damage to its files, and one of its readers run over them."""

import os
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.fuzz.in_process import run_command, run_function
from benchmarks.fuzz.mutate_file import mutate_file
from benchmarks.fuzz.outcomes import Ending, Outcome, classify
from benchmarks.fuzz.targets import FILE, Reader, Target
from benchmarks.fuzz.whole_process import run_process

WHOLE_PROCESS_EVERY = 40
"""One case in so many runs as a process of its own."""
_DROPPED_SHARES = {"viewer": 0.8, "agents": 1.0}  # a request is best told from few others
_HOME_VARIABLES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")


def is_whole_process(index: int, every: int = WHOLE_PROCESS_EVERY) -> bool:
    """Whether the case of this number runs as a process of its own, if one in `every` does."""
    return index % every == every - 1


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case."""

    index: int
    kind: str
    reader: str
    is_whole: bool
    outcome: Outcome
    why: str
    stderr: str = ""


def run_case(
    seed: int,
    index: int,
    targets: Sequence[Target],
    corpus: Path,
    folder: Path,
    on_start: Callable[[str], object] = lambda name: None,
    *,
    is_whole: bool = False,
) -> CaseResult:
    """Draw a case and run it in a folder, which is emptied first.

    Args:
        seed: draws the cases.
        index: the number of the case.
        targets: to draw from.
        corpus: the folder of sound files.
        folder: to work in.
        on_start: called with the name of what is read, and by what.
        is_whole: whether a command runs as a process of its own.

    """
    rng = Random(f"{seed}/{index}")
    target = rng.choices(targets, [each.weight for each in targets])[0]
    reader = rng.choices(target.readers, [each.weight for each in target.readers])[0]
    copy_target(target, corpus, folder)
    paths = sorted(path for pattern in target.files for path in folder.glob(pattern))
    path = rng.choice(paths)
    dropped = _DROPPED_SHARES.get(target.kind, 0.0)
    for other in paths if dropped else ():
        if other != path and rng.random() < dropped:
            other.unlink()
    mutate_file(path, rng)
    on_start(f"{target.kind}: {reader.name}")
    is_whole = is_whole and bool(reader.words)
    return run_reader(index, target, reader, path, folder, is_whole=is_whole)


def copy_target(target: Target, corpus: Path, folder: Path) -> None:
    """Copy the sound files of a target into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(corpus / target.kind, folder)


def run_reader(
    index: int, target: Target, reader: Reader, path: Path, folder: Path, *, is_whole: bool
) -> CaseResult:
    """Run a reader over the files of a folder; `path` is the one that may be damaged."""
    name = str(path.relative_to(folder))
    words = [name if word == FILE else word for word in reader.words]
    with _home_in(folder / "home"), chdir(folder):
        target.arrange(folder)
        ending = _run(reader, words, is_whole=is_whole)
    outcome, why = classify(ending, reader.statuses, is_json=reader.is_json)
    told = ending.stderr if outcome.is_finding else ""
    command = f"tatc {' '.join(words)}" if words else reader.name
    return CaseResult(index, target.kind, command, is_whole, outcome, why, told)


def _run(reader: Reader, words: Sequence[str], *, is_whole: bool) -> Ending:
    if reader.function is not None:
        return run_function(reader.function)
    run = run_process if is_whole else run_command
    return run(words, reader.stdin)


@contextmanager
def _home_in(folder: Path) -> Generator[None]:
    """Let tatc keep its data, caches and settings in a folder while the block runs."""
    before = {name: os.environ.get(name) for name in _HOME_VARIABLES}
    os.environ.update(dict.fromkeys(_HOME_VARIABLES, str(folder)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
