"""Kills commands at random moments, and compares what they leave with an undisturbed run.

Each of `tatc eval`, `compare`, `fidelity`, `instances` and `train` runs undisturbed once.  Then it
is killed (SIGKILL) several times at random moments, each time started again as it was, and at last
left to end.  What it then has written must be the same bytes, timings apart:

    python benchmarks/kills.py --games games/ --kills 100 --seed 1

`fidelity` and `instances` need `--games`; `train` needs the extra `learned`.  It prints one line
for each command, and ends with status 1 if any ended otherwise.
"""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

Contents = Mapping[str, bytes]

KILLS_A_ROUND = 5
"""After so many kills, the command is left to end."""
MAX_SECONDS = 600
_TATC = (sys.executable, "-m", "tatc")
_UNSTABLE_NAMES = ("timings.jsonl", ".done.jsonl")  # times; what is done, line by line
_SESSIONS = ("--room", "kitchen-01", "--tasks", "coffee,Clean All X", "--seeds", "1-2")
_FOLLOWERS = ("--follower", "rule", "--follower", "random")
_TRAINING = "--lessons 4 --rounds 2 --batches 2 --held-out 1"


@dataclass(frozen=True, slots=True)
class Command:
    """A command to kill: its words, and whether what it prints belongs to its results."""

    words: Sequence[str]
    is_output_compared: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """How the kills of one command went."""

    kills: int
    running: int
    rounds: int
    faults: tuple[str, ...]


def commands(games: Path | None) -> dict[str, Command]:
    """Return the commands by name; each runs in a folder of its own and writes to `out`."""
    found = {
        "eval": Command(("eval", *_SESSIONS, "--workers", "2", "--out", "out")),
        "compare": Command(("compare", *_SESSIONS, *_FOLLOWERS, "--workers", "2", "--out", "out")),
    }
    if games is not None:
        path = str(games.resolve())
        found["fidelity"] = Command(("fidelity", path, "--workers", "2", "--json"), True)
        found["instances"] = Command(
            ("instances", path, "--kind", "edh", "--workers", "2", "--out", "out")
        )
    if find_spec("torch") is not None:
        training = ("--width", "32", "--workers", "2")
        found["train"] = Command(("train", "--out", "out", *_TRAINING.split(), *training))
    return found


def kill_at_random(command: Command, kills: int, random: Random, folder: Path) -> Tally:
    """Kill a command so often, and compare what it leaves after each round."""
    start = perf_counter()
    wanted = _run_to_end(command, folder / "whole")
    seconds = perf_counter() - start
    faults: list[str] = []
    running = rounds = 0
    for done in range(0, kills, KILLS_A_ROUND):
        rounds += 1
        here = folder / f"round-{rounds}"
        for _ in range(min(KILLS_A_ROUND, kills - done)):
            running += _kill_once(command, here, random.uniform(0, seconds), random.random() < 0.5)
        try:
            found = _run_to_end(command, here)
        except RuntimeError as fault:
            faults.append(f"round {rounds}: {fault}")
            continue
        differing = sorted(n for n in wanted | found if wanted.get(n) != found.get(n))
        if differing:
            faults.append(f"round {rounds}: other bytes in {', '.join(differing)}")
    return Tally(kills, running, rounds, tuple(faults))


def _kill_once(command: Command, folder: Path, after: float, whole_group: bool) -> bool:
    """Kill a command after some seconds, alone or with its workers; return whether it ran."""
    with _start(command, folder) as process:
        sleep(after)
        was_running = process.poll() is None
        if whole_group and was_running:
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.communicate()
    return was_running


def _run_to_end(command: Command, folder: Path) -> Contents:
    """Run a command to its end and return what it leaves.

    Raises:
        RuntimeError: it fails, or does not end.

    """
    with _start(command, folder) as process:
        try:
            stdout, stderr = process.communicate(timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired as fault:
            os.killpg(process.pid, signal.SIGKILL)
            raise RuntimeError(f"no end in {MAX_SECONDS} s") from fault
    if process.returncode not in (0, 1) or b"Traceback" in stderr:
        raise RuntimeError(f"status {process.returncode}: {stderr.decode()[-500:]}")
    printed = {"stdout": stdout} if command.is_output_compared else {}
    return printed | dict(_written(folder / "out"))


def _start(command: Command, folder: Path) -> "subprocess.Popen[bytes]":
    folder.mkdir(parents=True, exist_ok=True)
    own = {name: str(folder / "home") for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME")}
    own["OMP_NUM_THREADS"] = "1"  # the sums of training come out in one order
    return subprocess.Popen(
        [*_TATC, *command.words],
        cwd=folder,
        env=os.environ | own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _written(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in _UNSTABLE_NAMES:
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def main(tell: Callable[[str], object] = lambda line: sys.stdout.write(f"{line}\n")) -> int:
    """Kill the commands that the options name; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=Path, help="recorded games, as few as three")
    parser.add_argument("--kills", type=int, default=100, help="for all commands together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="the name of one command")
    given = parser.parse_args()
    chosen = commands(given.games)
    if given.only is not None:
        if given.only not in chosen:
            parser.error(f"--only: name one of {', '.join(chosen)}")
        chosen = {given.only: chosen[given.only]}
    shares = [given.kills // len(chosen)] * len(chosen)
    shares[0] += given.kills - sum(shares)
    failed = False
    for (name, command), share in zip(chosen.items(), shares, strict=True):
        with TemporaryDirectory() as folder:
            tally = kill_at_random(command, share, Random(f"{given.seed} {name}"), Path(folder))
        tell(
            f"{name}: {tally.kills} kills, {tally.running} of a run under way; "
            f"{tally.rounds - len(tally.faults)} of {tally.rounds} ended the same"
        )
        for fault in tally.faults:
            tell(f"  {fault}")
        failed = failed or bool(tally.faults)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
