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
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import torch

from tatc.apps.training import lessons, pointing_fitting, samples, training_folder
from tatc.base import code_identity, errors, files, plain_text, process_pool, version
from tatc.commander import RuleCommander
from tatc.follower.learned.learned_followers import checkpoint_of, input_mode_of
from tatc.follower.learned.pointing import checkpoint, pointing_follower
from tatc.home.percepts import PerceptionLevel
from tatc.language import Wording
from tatc.session import loop
from tatc.session.start import SessionStart
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

STATE_FILE, ROUNDS_FILE, FOLLOWER_FILE = "state.pt", "rounds.jsonl", "follower.safetensors"
HELD_OUT_FIRST_SEED = 9_000_000
"""The seed of the first held-out lesson, whose rooms are not trained in."""
LESSONS_PER_JOB = 10
STUDENT_SHARE = 0.7  # the share of the utterances that the student carries out
GOALS_SHARE = 0.75  # the share of the utterances that are told in goals
PLAYED_WORDINGS = (Wording.STEPS, Wording.GOALS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingOptions:
    """What to train; equal options give equal weights on one kind of machine.

    There are `lessons` and `batches` in each of the `rounds`; `held_out` lessons and sessions of
    each wording show after each round what was learned.  `start` names the Follower to start from,
    "" for none.
    """

    lessons: int = 150
    rounds: int = 20
    batches: int = 1500
    held_out: int = 20
    width: int = 64
    seed: int = 1
    start: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """Lessons of these seeds to make and keep in `out`; without it, sessions to play there."""

    seeds: range = range(0)
    student: Path | None = None
    out: Path | None = None
    name: str = ""

    def run(self) -> "Solved":
        """Make lessons, or play sessions and return how many were solved by wording."""
        is_teacher = self.student is None  # who needs a network's vocabulary alone
        read = checkpoint.read_checkpoint
        model = _new_model(1, 8) if self.student is None else read(self.student)
        drawn = (lessons.draw_lesson_start(seed, shipped_library()) for seed in self.seeds)
        starts = [start for start in drawn if start is not None]
        if self.out is None:
            return _play_sessions(starts, model)
        share = 0.0 if is_teacher else STUDENT_SHARE
        made = [lessons.run_lesson(start, model, share, GOALS_SHARE) for start in starts]
        packed = samples.pack_utterances([each for utterances in made for each in utterances])
        files.write_atomically(packed, self.out, force=True)
        return {}


Solved = dict[str, int]
Started = tuple[Job, "Future[Solved] | None"]
"""A job and its result to come; None where there are no workers."""


def train_pointing(
    out: Path,
    options: PointingOptions,
    *,
    workers: int = 1,
    force: bool = False,
    watch: training_folder.TrainingWatch = training_folder.TrainingWatch(),
    on_round: Callable[[], None] = lambda: None,
    trainer: "Callable[..., Trainer] | None" = None,
) -> Path:
    """Train a pointing Follower in a folder, or resume there; return its checkpoint.

    So many `workers` make lessons beside the process that fits; without any, it does that itself,
    in between.  A training that is done goes on if it is given more rounds.  `force` discards
    another one in the folder; `on_round` is called when `read_rounds` has something new.
    """
    old = (STATE_FILE, ROUNDS_FILE, FOLLOWER_FILE, "student-*.safetensors", "lessons-*.npz")
    kept = {name: value for name, value in asdict(options).items() if name != "rounds"}
    with training_folder.held_training_folder(out, kept, old, force=force):
        with process_pool.ProcessPool(_worker, workers) if workers else nullcontext() as pool:
            return (trainer or Trainer)(out, options, watch, on_round, pool).run()


@dataclass
class Trainer:
    """A training in its folder."""

    out: Path
    options: PointingOptions
    watch: training_folder.TrainingWatch
    on_round: Callable[[], None]
    pool: "process_pool.ProcessPool[Job, Solved] | None"
    lost: list[Job] = field(default_factory=list[Job])

    least_done: ClassVar = 1  # how often lessons must do something to a type for it to be possible

    def run(self) -> Path:
        """Train, or go on; return the Follower."""
        torch.set_num_threads(1)  # sums in one order: the same bytes in every run
        options = self.options
        fitter = pointing_fitting.PointingFitter(
            self.new_model(), options.batches, options.rounds, options.seed
        )
        if (self.out / STATE_FILE).exists():
            fitter.resume(self.out / STATE_FILE)
        if fitter.epochs_done < options.rounds:
            self._run_rounds(fitter)
        return self._write_follower(fitter.model)

    def _run_rounds(self, fitter: pointing_fitting.PointingFitter) -> None:
        first, last, seconds = fitter.epochs_done, self.options.rounds, list[float]()
        all_jobs = [self.lesson_jobs(number) for number in range(-1, first + 1)]
        self.wait("first lessons", self.submit([job for jobs in all_jobs for job in jobs]))
        held_out, *read = map(self.read, all_jobs)
        lessons_so_far = [each for utterances in read for each in utterances]
        if not (lessons_so_far and (held_out or not all_jobs[0])):
            fix = "give more --lessons, or more with --held-out"
            raise errors.BadInput("the lessons gave no sample", fix=fix)
        for number in range(first, last):
            start = monotonic()
            if number > first:
                lessons_so_far += self.read(self.lesson_jobs(number))
            played = self.submit(self.play_jobs(number - 1))
            ahead = self.submit(self.lesson_jobs(number + 1) if number + 1 < last else [])
            self.watch.on_start(f"round {number + 1}", self.options.batches)
            pairs = samples.done_pairs(lessons_so_far, fitter.model.classes, self.least_done)
            known = fitter.model.verb_object_pairs  # of the Follower to start from, too
            pairs = tuple(sorted({*known, *pairs}))
            fitter.model = replace(fitter.model, verb_object_pairs=pairs)
            losses, accuracies = fitter.run_round(lessons_so_far, held_out, self.watch.on_done)
            checkpoint.write_checkpoint(fitter.model, self.student_file(number))
            self.wait("lessons ahead", ahead)
            self._note_played(number - 1, played)
            fitter.save(self.out / STATE_FILE)
            seconds.append(round(monotonic() - start, 1))
            made = (number + 1) * self.options.lessons
            report = {"number": number + 1, "lessons": made or len(lessons_so_far)}
            report |= {"losses": losses, "accuracies": accuracies, "seconds": seconds[-1]}
            shares = "; ".join(
                f"{e['wording']}: {e['motions']:.1%} of motions, {e['interactions']:.1%} of clicks"
                for e in accuracies
            )
            left = (last - number - 1) * sum(seconds) / len(seconds) / 60
            line = f"round {number + 1} of {last}: loss {sum(losses):.3f}"
            line += f"; right of held-out {shares}" if shares else ""
            self._note(report, f"{line}; about {left:.0f} minutes left")
            self._write_follower(fitter.model)
        self._note_played(last - 1, self.submit(self.play_jobs(last - 1)))

    def _note_played(self, number: int, started: list[Started]) -> None:
        """Note how many held-out sessions the student of a round solved, and of how many."""
        if not started:
            return
        found = self.wait(f"held-out sessions of round {number + 1}", started)
        total = {name: sum(each[name] for each in found) for name in ("played", *PLAYED_WORDINGS)}
        played = total.pop("played")
        told = ", ".join(f"{count} told in {wording}" for wording, count in total.items())
        line = f"round {number + 1} solved, of {played} held-out sessions: {told}"
        self._note({"number": number + 1, "solved": total, "played": played}, line)

    def _note(self, report: Mapping[str, Any], line: str) -> None:
        text = json.dumps(report) + "\n"
        files.append_text(text, self.out / ROUNDS_FILE, fix="make room there")
        self.watch.on_result(line)
        self.on_round()

    def play_jobs(self, number: int) -> Sequence[Job]:
        """Return the held-out sessions of the student of a round."""
        count = self.options.held_out if number >= 0 else 0
        seeds = range(HELD_OUT_FIRST_SEED, HELD_OUT_FIRST_SEED + count)
        return [Job(each, self.student_file(number)) for each in _chunks(seeds, 2)]

    def new_model(self) -> checkpoint.PointingModel:
        """Return the model before its training."""
        known = self.known_model()
        return known or _new_model(self.options.seed, self.options.width)

    def known_model(self) -> checkpoint.PointingModel | None:
        """Return the model to start from, None if there is none."""
        if not (start := self.options.start):
            return None
        input_mode_of(start)  # which refuses another family's name
        known = checkpoint.read_checkpoint(checkpoint_of(start))
        if known.classes != samples.OBJECT_TYPES:
            fix = "start from another checkpoint, or from none"
            raise errors.BadInput("knows other object types", where=start, fix=fix)
        return known

    def command(self) -> str:
        """Return the options as they are given to the command."""
        told = asdict(self.options)
        if start := told.pop("start"):
            told["from"] = plain_text.PathShortener.of((start,)).shorten(start)
        return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in told.items())

    def lesson_jobs(self, number: int) -> Sequence[Job]:
        """Return what makes the lessons of a round, or of what is held out (-1)."""
        count, name = self.options.lessons, f"{number:03}"
        start = (self.options.seed * 1000 + number) * count
        if number < 0:
            start, count, name = HELD_OUT_FIRST_SEED, self.options.held_out, "held-out"
        first = checkpoint_of(self.options.start) if self.options.start else None
        student = self.student_file(number - 2) if number >= 2 else first
        return [
            Job(each, student, self.out / f"lessons-{name}-{i:03}.npz")
            for i, each in enumerate(_chunks(range(start, start + count), LESSONS_PER_JOB))
        ]

    def student_file(self, number: int) -> Path:
        """Return where the network of a round is kept."""
        return self.out / f"student-{number:03}.safetensors"

    def submit(self, jobs: Sequence[Job]) -> list[Started]:
        """Let the workers start what is not done yet."""
        left = [job for job in jobs if job not in self.lost]
        missing = [job for job in left if job.out is None or not job.out.exists()]
        return [(job, self.pool.submit(job) if self.pool else None) for job in missing]

    def wait(self, label: str, started: Sequence[Started]) -> list[Solved]:
        """Return the results; what no worker has begun is done here, the last first."""
        if started:
            self.watch.on_start(label, len(started))
        found = list[Solved]()
        for job, future in reversed(started):
            try:
                is_ours = future is None or future.cancel()
                found.append(job.run() if is_ours or future is None else future.result())
            except (process_pool.WorkerDied, errors.BadInput) as fault:
                self.watch.on_skipped(f"{job.name or label}: {getattr(fault, 'what', fault)}")
                self.lost.append(job)
            self.watch.on_done(1)
        return found

    def read(self, jobs: Sequence[Job]) -> list[samples.LessonUtterance]:
        """Return the lessons that jobs made."""
        made = [job.out for job in jobs if job.out is not None and job.out.exists()]
        return [each for path in made for each in samples.read_utterances(path)]

    def _write_follower(self, model: checkpoint.PointingModel) -> Path:
        rounds = read_rounds(self.out)
        card = {"tatc": version.__version__, "commit": code_identity.git_commit() or "unknown"}
        card |= {"command": f"tatc train {self.command()}", "rounds done": str(len(rounds))}
        for name, solved in rounds[-1].get("solved", {}).items() if rounds else ():
            card[f"held out, {name}"] = f"{solved} of {rounds[-1]['played']} sessions"
        path, with_card = self.out / FOLLOWER_FILE, replace(model, card=tuple(card.items()))
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


def _worker() -> process_pool.WorkFunction[Job, Solved]:
    torch.set_num_threads(1)
    return lambda job, report: job.run()


def _new_model(seed: int, width: int) -> checkpoint.PointingModel:
    words, kinds = samples.known_words(samples.OBJECT_TYPES), samples.OBJECT_TYPES
    training_folder.seed_torch(seed)
    return checkpoint.new_model(words, kinds, width)


def _play_sessions(starts: Sequence[SessionStart], model: checkpoint.PointingModel) -> Solved:
    solved = {"played": len(starts), **dict.fromkeys(PLAYED_WORDINGS, 0)}
    for start in starts:
        for wording in PLAYED_WORDINGS:
            ended = loop.run_session(
                EmbeddedSimulator(), start.scene, start.task, RuleCommander(wording),
                pointing_follower.PointingFollower(model), limits=lessons.LESSON_LIMITS,
                perception=PerceptionLevel.MASKS,
            )  # fmt: skip
            solved[wording] += ended.success
    return solved
