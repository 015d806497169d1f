"""How often `tatc blame` finds the agent and the step of a fault that was planted.

A fault of one of 21 kinds is planted at a known step of a known agent, in sessions of TEACh's 12
tasks (`benchmarks/blame/`).  The folder `out` keeps their records and `truth.json`; the same seed
writes the same bytes.  A record names neither the faulty agent nor the fault, so that other methods
can be measured on the set.  What was found of each session is kept beside it as it comes, and not
worked out again there: measure another version of tatc in another folder.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.blame.planting import Found, plant_and_blame, save_truth
from tatc.base.errors import TatcError
from tatc.base.process_pool import map_in_processes
from tatc.commands.text.output import progress_counter

_TOLERANCE = 2


def run(
    games: Path | None = None,
    *,
    seed: int = 1,
    count: int = 42,
    workers: int | None = None,
    out: Path | None = None,
) -> Iterator[tuple[str, float, str]]:
    """Yield the shares found, over all sessions, by how the truth is known, and by kind."""
    with TemporaryDirectory(prefix="tatc-blame-") as name:
        folder = out or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        work = partial(plant_and_blame, seed, folder)
        found: list[Found] = []
        with progress_counter(count, "sessions") as done:
            for each in map_in_processes(work, range(count), workers or os.cpu_count() or 1, _died):
                found.append(each)
                done(each.truth.kind)
        save_truth([each.truth for each in found], folder)
    yield from _figures("all", found)
    for how in ("planted", "every-step", "healed"):
        yield from _figures(
            f"truth {how}", [each for each in found if each.truth.worked_out == how]
        )
    by_kind: defaultdict[str, list[Found]] = defaultdict(list)
    for each in found:
        by_kind[each.truth.kind].append(each)
    for kind, some in by_kind.items():
        yield from _figures(kind, some)
    seconds = [each.seconds for each in found]
    if seconds:
        yield "a session, mean", sum(seconds) / len(seconds), "s of processor time"
        yield "a session, longest", max(seconds), "s of processor time"
        most = max(each.continuations for each in found)
        yield "continuations for a session, most", most, ""


def _died(number: int, why: str) -> Found:
    raise TatcError(why, where=f"session {number}")


def _figures(name: str, found: Sequence[Found]) -> Iterator[tuple[str, float, str]]:
    def share(is_right: Callable[[Found], bool]) -> float:
        return 100 * sum(map(is_right, found)) / len(found)

    def off(each: Found) -> int:
        return 10**9 if each.step is None else abs(each.step - each.truth.step)

    if not found:
        return
    yield f"{name}: sessions", len(found), ""
    yield f"{name}: agent", share(lambda each: each.agent == each.truth.agent), "%"
    yield f"{name}: step", share(lambda each: off(each) == 0), "%"
    yield f"{name}: step within two", share(lambda each: off(each) <= _TOLERANCE), "%"
