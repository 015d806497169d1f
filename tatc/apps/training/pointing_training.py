"""A whole training of a pointing Follower, in a folder from which it resumes.

Training goes in rounds.  While the network is fitted in one round, other processes make the lessons
of the next one, with the network of the round before as the student, and let that play sessions in
held-out rooms.  Which lessons a round learns from depends on the options alone, and not on how long
anything takes.  The folder holds `train.json` (the options), `state.pt` (the state to resume from),
the lessons and students of each round, `rounds.jsonl` (their results), and `follower.safetensors`,
the Follower of the last round.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import torch

from tatc.apps.training import lessons, pointing_fitting, samples, training_folder
from tatc.apps.training.examples import LIGHT_OBJECT_CLASSES, class_ids
from tatc.apps.training.training_folder import TrainingWatch
from tatc.base import code_identity, errors, files, process_pool, version
from tatc.commander import RuleCommander
from tatc.follower.learned import checkpoint
from tatc.follower.learned.pointing import policy
from tatc.follower.learned.pointing.network import PointingNetwork
from tatc.follower.learned.pointing.pointing_follower import PointingFollower
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session import loop
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

STATE_FILE, ROUNDS_FILE, FOLLOWER_FILE = "state.pt", "rounds.jsonl", "follower.safetensors"
HELD_OUT_FIRST_SEED = 9_000_000
"""The seed of the first held-out lesson, whose rooms are not trained in."""
LESSONS_PER_JOB = 10
STUDENT_SHARE = 0.7
"""The share of the utterances that the student carries out."""
GOALS_SHARE = 0.6
"""The share of the utterances that are told in goals."""
PLAYED_WORDINGS = (Wording.STEPS, Wording.GOALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingOptions:
    """What to train; equal options give equal weights on one kind of machine.

    There are `lessons` and `batches` in each of the `rounds`; `held_out` lessons and sessions of
    each wording show after each round what was learned.
    """

    lessons: int = 150
    rounds: int = 20
    batches: int = 1500
    held_out: int = 20
    width: int = 64
    seed: int = 1


@dataclass(frozen=True, slots=True)
class _Job:
    """Lessons of these seeds to make and keep in `out`; without it, sessions to play there."""

    seeds: range
    student: Path | None
    out: Path | None = None


_Started = tuple[_Job, "Future[dict[str, int]] | None"]
"""A job and its result to come; None where there are no workers."""


def train_pointing(
    out: Path,
    options: PointingOptions,
    *,
    workers: int = 1,
    force: bool = False,
    watch: TrainingWatch = TrainingWatch(),
    on_round: Callable[[], None] = lambda: None,
) -> Path:
    """Train a pointing Follower in a folder, or resume there; return its checkpoint.

    So many `workers` make lessons beside the process that fits; without any, it does that itself,
    in between.  A training that is done goes on if it is given more rounds.  `force` discards
    another one in the folder; `on_round` is called when `read_rounds` has something new.
    """
    old = (STATE_FILE, ROUNDS_FILE, FOLLOWER_FILE, "student-*.safetensors", "lessons-*.npz")
    kept = {name: value for name, value in asdict(options).items() if name != "rounds"}
    with training_folder.held_training_folder(out, kept, old, force=force):
        return _Trainer(out, options, watch, on_round).run(workers)


class _Trainer:
    def __init__(
        self,
        out: Path,
        options: PointingOptions,
        watch: TrainingWatch,
        on_round: Callable[[], None],
    ) -> None:
        self._out, self._options, self._watch, self._on_round = out, options, watch, on_round
        self._seconds: list[float] = []
        self._lessons: list[samples.LessonUtterance] = []
        self._pool: process_pool.ProcessPool[_Job, dict[str, int]] | None = None

    def run(self, workers: int) -> Path:
        options = self._options
        torch.set_num_threads(1)  # sums in one order: the same bytes in every run
        words = samples.known_words(LIGHT_OBJECT_CLASSES)
        pointing_fitting.seed_torch(options.seed)
        model = checkpoint.new_model(
            PointingNetwork, words, LIGHT_OBJECT_CLASSES, width=options.width
        )
        fitter = pointing_fitting.PointingFitter(
            model, options.batches, options.rounds, options.seed
        )
        if (self._out / STATE_FILE).exists():
            fitter.resume(self._out / STATE_FILE)
        make = partial(_worker, 1)
        with process_pool.ProcessPool(make, workers) if workers else nullcontext() as self._pool:
            self._train(fitter)
        return self._write_follower(fitter.model)

    def _train(self, fitter: pointing_fitting.PointingFitter) -> None:
        first, last = fitter.epochs_done, self._options.rounds
        held_out_jobs = self._jobs(-1)
        now = [*held_out_jobs, *(job for number in range(first + 1) for job in self._jobs(number))]
        if first < last:
            self._wait("first lessons", self._submit(now))
            held_out = self._read(held_out_jobs)
            for number in range(first):
                self._lessons += self._read(self._jobs(number))
        for number in range(first, last):
            start = monotonic()
            self._lessons += self._read(self._jobs(number))
            played = self._submit(self._play_jobs(number - 1))
            ahead = self._submit(self._jobs(number + 1) if number + 1 < last else [])
            self._watch.on_start(f"round {number + 1}", self._options.batches)
            result = fitter.run_round(self._lessons, held_out, self._watch.on_done)
            checkpoint.write_checkpoint(fitter.model, self._student_file(number))
            self._wait("lessons ahead", ahead)
            self._note_played(number - 1, played)
            fitter.save(self._out / STATE_FILE)
            self._seconds.append(monotonic() - start)
            report = {"number": number + 1, "lessons": (number + 1) * self._options.lessons}
            self._note({**report, **asdict(result), "seconds": round(self._seconds[-1], 1)})
            left = (last - number - 1) * sum(self._seconds) / len(self._seconds) / 60
            line = f"round {number + 1} of {last}: {result.line}; about {left:.0f} minutes left"
            self._watch.on_result(line)
            self._write_follower(fitter.model)
        if first < last:
            self._note_played(last - 1, self._submit(self._play_jobs(last - 1)))

    def _play_jobs(self, number: int) -> list[_Job]:
        """Return the held-out sessions of the student of a round."""
        count = self._options.held_out if number >= 0 else 0
        seeds = range(HELD_OUT_FIRST_SEED, HELD_OUT_FIRST_SEED + count)
        return [_Job(each, self._student_file(number)) for each in _chunks(seeds, 2)]

    def _note_played(self, number: int, started: "list[_Started]") -> None:
        """Note how many held-out sessions the student of a round solved, and of how many."""
        if not started:
            return
        found = self._wait(f"held-out sessions of round {number + 1}", started)
        total = {name: sum(each.get(name, 0) for each in found) for name in found[0]}
        played = total.pop("played")
        self._note({"number": number + 1, "solved": total, "played": played})
        told = ", ".join(f"{count} told in {wording}" for wording, count in total.items())
        self._watch.on_result(f"round {number + 1} solved, of {played} held-out sessions: {told}")

    def _note(self, report: Mapping[str, Any]) -> None:
        line = json.dumps(report) + "\n"
        files.append_text(line, self._out / ROUNDS_FILE, fix="make room there")
        self._on_round()

    def _jobs(self, number: int) -> list[_Job]:
        """Return what makes the lessons of a round, or of what is held out (-1)."""
        options = self._options
        if number < 0:
            seeds = range(HELD_OUT_FIRST_SEED, HELD_OUT_FIRST_SEED + options.held_out)
            student, name = None, "held-out"
        else:
            start = (options.seed * 1000 + number) * options.lessons
            seeds, name = range(start, start + options.lessons), f"{number:03}"
            student = self._student_file(number - 2) if number >= 2 else None
        return [
            _Job(each, student, self._out / f"lessons-{name}-{i:03}.npz")
            for i, each in enumerate(_chunks(seeds, LESSONS_PER_JOB))
        ]

    def _student_file(self, number: int) -> Path:
        return self._out / f"student-{number:03}.safetensors"

    def _submit(self, jobs: Sequence[_Job]) -> "list[_Started]":
        """Let the workers start what is not done yet."""
        missing = [job for job in jobs if job.out is None or not job.out.exists()]
        return [(job, self._pool.submit(job) if self._pool else None) for job in missing]

    def _wait(self, label: str, started: "Sequence[_Started]") -> list[dict[str, int]]:
        """Return the results; what no worker has begun is done here, the last first."""
        if started:
            self._watch.on_start(label, len(started))
        found = list[dict[str, int]]()
        for job, future in reversed(started):
            try:
                is_ours = future is None or future.cancel()
                found.append(do_job(job) if is_ours or future is None else future.result())
            except process_pool.WorkerDied as death:
                self._watch.on_skipped(f"{label}: {death}")
            self._watch.on_done(1)
        return found

    def _read(self, jobs: Sequence[_Job]) -> list[samples.LessonUtterance]:
        found = list[samples.LessonUtterance]()
        for job in jobs:
            if job.out is not None and job.out.exists():
                found += samples.read_utterances(job.out)
        if not found:
            raise errors.BadInput("the lessons gave no sample", fix="give more --lessons")
        return found

    def _write_follower(self, model: checkpoint.PointingModel) -> Path:
        rounds = read_rounds(self._out)
        told = asdict(self._options)
        options = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in told.items())
        card = {"tatc": version.__version__, "commit": code_identity.git_commit() or "unknown"}
        card |= {"command": f"tatc train {options}", "rounds done": str(len(rounds))}
        for name, solved in rounds[-1].get("solved", {}).items() if rounds else ():
            card[f"held out, {name}"] = f"{solved} of {rounds[-1]['played']} sessions"
        path = self._out / FOLLOWER_FILE
        with_card = replace(model, card=tuple(card.items()))
        checkpoint.write_checkpoint(with_card, path, half_precision=True)
        return path


def read_rounds(out: Path) -> list[dict[str, Any]]:
    """Return what a folder holds of each round; later lines complete earlier ones."""
    path = out / ROUNDS_FILE
    found: dict[int, dict[str, Any]] = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        report: dict[str, Any] = json.loads(line)
        found.setdefault(report["number"], {}).update(report)
    return [found[number] for number in sorted(found)]


def _chunks(seeds: range, size: int) -> list[range]:
    return [seeds[start : start + size] for start in range(0, len(seeds), size)]


def _worker(threads: int) -> process_pool.WorkFunction[_Job, dict[str, int]]:
    torch.set_num_threads(threads)
    return lambda job, report: do_job(job)


def do_job(job: _Job) -> dict[str, int]:
    """Make lessons, or play sessions and return how many were solved by wording."""
    model = (
        None if job.student is None else checkpoint.read_checkpoint(job.student, PointingNetwork)
    )
    if job.out is None:
        assert model is not None
        return _play_sessions(job.seeds, model)
    student = None if model is None else policy.PointingPolicy(model)
    made = list[samples.LessonUtterance]()
    for seed in job.seeds:
        start = lessons.draw_lesson_start(seed, shipped_library())
        if start is not None:
            made += lessons.run_lesson(
                start, class_ids(), student=student,
                student_share=STUDENT_SHARE, goals_share=GOALS_SHARE,
            )  # fmt: skip
    files.write_atomically(samples.pack_utterances(made), job.out, force=True)
    return {}


def _play_sessions(seeds: range, model: checkpoint.PointingModel) -> dict[str, int]:
    solved = {"played": 0, **{wording.value: 0 for wording in PLAYED_WORDINGS}}
    for seed in seeds:
        start = lessons.draw_lesson_start(seed, shipped_library())
        if start is None:
            continue
        solved["played"] += 1
        for wording in PLAYED_WORDINGS:
            ended = loop.run_session(
                EmbeddedSimulator(), start.scene, start.task, RuleCommander(wording),
                PointingFollower(model), limits=lessons.LESSON_LIMITS,
                perception=PerceptionLevel.MASKS,
            )  # fmt: skip
            solved[wording.value] += ended.success
    return solved
