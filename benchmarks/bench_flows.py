"""Files of tatc that a flow runs through, from what a user gives to what comes of it.

A file counts if one of its functions is called while the flow runs (`sys.setprofile`); to be
imported is not enough.  Each flow runs in a process of its own, where nothing is cached.

    python -m benchmarks flows
    python benchmarks/bench_flows.py run  # the files of one flow, by name
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import tatc

PACKAGE = f"{Path(tatc.__file__).parent}/"
FLOWS = {
    "run": "tatc run coffee, to the first word",
    "row": "tatc eval, from a game to its row of scores",
    "click": "words typed to a listener, to its first click",
    "moment": "tatc debug, from a record to a step that it shows",
}
TATC = (sys.executable, "-m", "tatc")
COFFEE = ("--room", "kitchen-01")


def run(games: Path | None) -> Iterator[tuple[str, float, str]]:
    """Yield how many files each flow runs through."""
    for flow, what in FLOWS.items():
        words = [sys.executable, __file__, flow]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        yield what, len(done.stdout.splitlines()), "files"


def files_called(
    flow: Callable[[], object], end: Callable[[str, str], bool] | None = None
) -> set[str]:
    """Return the files of tatc whose functions `flow` calls, until `end` holds of a call.

    `end` is asked with the file, from the package's folder on, and the function's name; None
    lets the flow go on to its end.
    """
    called: set[str] = set()
    arrived = end is None

    def watch(frame: FrameType, event: str, argument: object) -> None:
        nonlocal arrived
        code = frame.f_code
        if (
            (arrived and end is not None)
            or event != "call"
            or not code.co_filename.startswith(PACKAGE)
        ):
            return
        if code.co_flags & CO_OPTIMIZED and not _is_importing(frame):
            name = code.co_filename.removeprefix(PACKAGE)
            called.add(name)
            arrived = end is None or end(name, code.co_name)

    sys.setprofile(watch)
    try:
        flow()
    finally:
        sys.setprofile(None)
    if not arrived:
        raise SystemExit("the flow never came to its end")
    return called


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module of tatc is being imported by what calls this frame."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "<module>" and code.co_filename.startswith(PACKAGE):
            return True
        frame = frame.f_back
    return False


def _trace(flow: str) -> set[str]:
    from typer.testing import CliRunner

    from tatc.cli import app

    def command(*words: str, typed: str = "") -> Callable[[], object]:
        return lambda: CliRunner().invoke(app, words, input=typed)

    if flow == "run":
        return files_called(command("run", "coffee", "--no-save"), _is_said)
    if flow == "click":
        words = ("run", "coffee", *COFFEE, "--commander", "me", "--follower", "listener")
        typed = "please make a cup of coffee\n" + 9 * "\n"
        return files_called(command(*words, "--no-save", typed=typed), _is_click)
    with TemporaryDirectory() as folder:
        record = f"{folder}/coffee.game.json"
        words = [*TATC, "run", "coffee", *COFFEE, "--quiet", "--save", record]
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        if flow == "row":
            return files_called(lambda: _run_game(record), _is_row)
        return files_called(command("debug", "--record", record, "--at", "3", "--print"))


def _is_said(file: str, name: str) -> bool:
    return name == "say" and file.startswith("language/")


def _is_click(file: str, name: str) -> bool:
    return name == "step_on_object"


def _is_row(file: str, name: str) -> bool:
    return name == "to_json" and file.endswith("rows.py")


def _run_game(record: str) -> None:
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.run_evaluation import runner_for
    from tatc.evaluation.runs.session_selection import select_sessions

    options = EvalOptions(games=(record,))
    [job] = select_sessions(options).jobs
    runner_for(options).run(job).row.to_json()


if __name__ == "__main__":
    print(*sorted(_trace(sys.argv[1])), sep="\n")  # noqa: T201
