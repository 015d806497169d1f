"""Opening a run of 2,000 sessions in the viewer, and how large its pages are."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tatc.evaluation.choice import choose
from tatc.evaluation.folder import RunFolder
from tatc.evaluation.identity import identity
from tatc.evaluation.one import Done, Runner
from tatc.evaluation.options import Keep, Options
from tatc.tdl import shipped_library
from tatc.viewer import scripts
from tatc.viewer.app import pages
from tatc.viewer.listing import listing
from tatc.viewer.opened import Opener
from tatc.viewer.shelf import open_shelf

SESSIONS = 2000
TASK = "breakfast"
"""The longest of the tasks, so that its page is the largest."""


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield how long the list and a session take to open, and their sizes."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "run"
        _make(folder)
        begin = perf_counter()
        shelf = open_shelf([folder])
        told = scripts.script("sessions", listing(shelf.entries, live=True))
        yield f"list of {SESSIONS} sessions", 1e3 * (perf_counter() - begin), "ms"
        yield "its page", (len(told) + _pages()) / 1e6, "MB"
        begin = perf_counter()
        story = Opener(shipped_library()).open(shelf.entries[0]).story
        yield "a session", 1e3 * (perf_counter() - begin), "ms"
        yield "its moments", float(len(story["moments"])), "moments"
        yield "its page", (len(scripts.script("", story)) + _pages()) / 1e6, "MB"


def _make(folder: Path) -> None:
    """Run one session and write a run in which it stands 2,000 times."""
    options = Options(rooms=("kitchen-04",), tasks=(TASK,), keep=Keep.ALL)
    chosen = choose(options, shipped_library())
    runner = Runner(options)
    try:
        done = runner.run(chosen.jobs[0])
    finally:
        runner.close()
    run = RunFolder(folder)
    run.begin(identity(options, chosen))
    run.add(done, 0.0)
    for i in range(1, SESSIONS):
        run.add(Done(replace(done.row, key=f"{done.row.key}-{i}"), 0.0), 0.0)


def _pages() -> int:
    """Return the bytes of all files of the pages together."""
    return sum(map(len, pages().values()))
