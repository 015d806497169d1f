"""A whole training: lessons, epochs, rounds of aggregation, and a folder that resumes.

Stage 0 imitates the teacher.  In each round after it the student of that moment carries
out a share of the utterances of new lessons, and what the Commander then has the
teacher do is added to the examples.  The folder holds `train.json` (what is trained),
`state.pt` (where it stands), `epochs.jsonl` (what came of each epoch), the students of
the rounds, and `follower.safetensors`, the Follower of the last epoch.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tatc import __version__
from tatc.atomic import write_whole
from tatc.errors import BadInput, OutputError
from tatc.evaluation.games import places_of
from tatc.follower.et.light.weights import Light, new_light, write_light
from tatc.follower.et.light.words import vocabulary_of
from tatc.records import find_games, read_heading
from tatc.training.cache import Cache
from tatc.training.collecting import CLASSES, Course, collect, collect_games
from tatc.training.deeds import deeds_of
from tatc.training.examples import Example
from tatc.training.fit import (
    GRAIN_WEIGHTS,
    RECALLED,
    Epoch,
    Fitting,
    Plan,
    seed_torch,
)

FIRST_LESSON = 10_000
"""The seed of the first lesson; every stage begins `STAGE` further."""
STAGE = 100_000
HELD_OUT = 9_000_000
"""The seed of the first lesson that is validated on, in rooms of its own."""

STATE, OPTIONS, EPOCHS = "state.pt", "train.json", "epochs.jsonl"
FOLLOWER = "follower.safetensors"
STUDENT_SHARE = 0.5
"""The share of the utterances in a round that the student carries out."""
LEAST_PEOPLE = 4
"""Examples that a word of people's has to be in to be known; most others are typos."""

Examples = tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is trained; equal options give equal weights on one kind of machine.

    `epochs` are those of stage 0, `round_epochs` those of each round of aggregation.
    Where there are recorded `games` they alone are imitated, by a Follower that recalls
    the whole session; those on the floor plans `without_plans` are left out, and those
    on `held_out_plans` are validated on.
    """

    games: tuple[str, ...] = ()
    without_plans: tuple[str, ...] = ()
    held_out_plans: tuple[str, ...] = ()
    lessons: int = 800
    epochs: int = 10
    rounds: int = 1
    round_lessons: int = 100
    round_epochs: int = 3
    held_out: int = 40
    seed: int = 1
    width: int = 128
    device: str = "cpu"

    @property
    def all_epochs(self) -> int:
        """The epochs of all stages together."""
        return self.epochs + self.rounds * self.round_epochs

    def course(self, stage: int, student: Path | None = None) -> Course:
        """Return the lessons of a stage."""
        first = FIRST_LESSON + STAGE * stage + 10 * STAGE * (self.seed - 1)
        if stage == 0:
            return Course(first, self.lessons)
        return Course(first, self.round_lessons, student=student, share=STUDENT_SHARE)


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how a training goes on; numbers are those of lessons and examples."""

    lessons: Callable[[str, int], None] = lambda label, total: None
    lesson: Callable[[int], None] = lambda done: None
    epoch: Callable[[int, int], None] = lambda number, total: None
    example: Callable[[int], None] = lambda done: None
    ended: Callable[[Epoch], None] = lambda epoch: None


def train(
    out: Path,
    options: Options,
    cache: Cache,
    *,
    workers: int = 1,
    force: bool = False,
    watch: Watch = Watch(),
) -> Path:
    """Train a Follower in a folder, or go on there, and return its file.

    Raises:
        BadInput: the folder holds another training, or its state is damaged.
        OutputError: the folder cannot be made.

    """
    _open(out, options, force=force)
    school = _School(out, options, cache, workers, watch)
    return school.run()


class _School:
    def __init__(
        self, out: Path, options: Options, cache: Cache, workers: int, watch: Watch
    ) -> None:
        self._out, self._options, self._watch = out, options, watch
        self._cache, self._workers = cache, workers

    def run(self) -> Path:
        options = self._options
        examples, held_out = self._games() if options.games else self._lessons()
        if not examples:
            raise BadInput(
                "no example came of the lessons", fix="give games or more --lessons"
            )
        fitting = self._fitting(examples)
        for stage in range(options.rounds + 1):
            if stage:
                student = self._student(stage, fitting.light)
                label = f"lessons of round {stage}"
                examples += self._collect(options.course(stage, student), label)
            end = options.epochs + stage * options.round_epochs
            while fitting.done < end:
                self._epoch(fitting, examples, held_out)
        return self._write(fitting.light)

    def _lessons(self) -> tuple[Examples, Examples]:
        options = self._options
        held_out = Course(HELD_OUT, options.held_out)
        return (
            self._collect(options.course(0), "lessons"),
            self._collect(held_out, "held out"),
        )

    def _games(self) -> tuple[Examples, Examples]:
        """Return the examples of recorded games, and of those that are held out."""
        without = places_of(self._options.without_plans)
        apart = places_of(self._options.held_out_plans)
        chosen: tuple[list[Path], list[Path]] = [], []
        for path in find_games(self._options.games):
            place = read_heading(path).place
            if place not in without:
                chosen[place in apart].append(path)
        examples, held_out = map(self._examples_of, chosen, ("games", "held out"))
        return examples, held_out

    def _examples_of(self, games: Sequence[Path], label: str) -> Examples:
        self._watch.lessons(label, len(games))
        told, workers = self._watch.lesson, self._workers
        return collect_games(games, self._cache, workers=workers, told=told)

    def _collect(self, course: Course, label: str) -> Examples:
        self._watch.lessons(label, course.lessons)
        return collect(
            course, self._cache, workers=self._workers, told=self._watch.lesson
        )

    def _fitting(self, examples: Examples) -> Fitting:
        options = self._options
        recalls = bool(options.games)
        texts = (text for each in examples for text in each.texts)
        words = vocabulary_of(texts, LEAST_PEOPLE if recalls else 1)
        seed_torch(options.seed)
        light = new_light(words, CLASSES, width=options.width, recalls=recalls)
        plan = Plan(
            options.all_epochs,
            seed=options.seed,
            device=options.device,
            grains=RECALLED if recalls else GRAIN_WEIGHTS,
            mirrors=recalls,
        )
        if recalls:
            light = replace(light, deeds=deeds_of(examples, CLASSES))
        fitting = Fitting(light, plan)
        if (self._out / STATE).exists():
            fitting.resume(self._out / STATE)
        return fitting

    def _student(self, stage: int, light: Light) -> Path:
        """Return the student of a round; one that is there already stays."""
        path = self._out / f"student-{stage}.safetensors"
        if not path.exists():
            write_light(light, path)
        return path

    def _epoch(
        self,
        fitting: Fitting,
        examples: Examples,
        held_out: Examples,
    ) -> None:
        self._watch.epoch(fitting.done + 1, len(examples))
        epoch = fitting.epoch(examples, held_out, self._watch.example)
        fitting.save(self._out / STATE)
        self._write(fitting.light)
        with (self._out / EPOCHS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(epoch)) + "\n")
        self._watch.ended(epoch)

    def _write(self, light: Light) -> Path:
        options = asdict(self._options)
        card = (("tatc", __version__), *((k, str(v)) for k, v in options.items()))
        path = self._out / FOLLOWER
        write_light(replace(light, card=card), path, half=True)
        return path


def _open(out: Path, options: Options, *, force: bool) -> None:
    """Make the folder, or see to it that it holds this very training."""
    wanted = json.loads(json.dumps({"tatc": __version__, **asdict(options)}))
    note = out / OPTIONS
    if note.exists() and not force:
        if _read(note) == wanted:
            return
        fix = "give --force to begin anew, or another --out"
        raise BadInput("holds another training", where=str(out), fix=fix)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for old in (STATE, EPOCHS, FOLLOWER):
            (out / old).unlink(missing_ok=True)
        for student in out.glob("student-*.safetensors"):
            student.unlink()
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another place with --out"
        raise OutputError(why, where=str(out), fix=fix) from fault
    write_whole((json.dumps(wanted) + "\n").encode(), note, force=True)


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
