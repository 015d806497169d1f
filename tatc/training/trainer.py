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
from tatc.atomic_files import write_atomically
from tatc.errors import BadInput, OutputError
from tatc.follower.et.light.checkpoint import LightModel, new_light_model, write_light_checkpoint
from tatc.follower.et.light.word_encoding import collect_words
from tatc.records import find_games, read_game_header
from tatc.records.game_header import place_names
from tatc.training.example_cache import ExampleCache
from tatc.training.example_collection import (
    LIGHT_OBJECT_CLASSES,
    EpisodeRange,
    collect_episode_examples,
    collect_game_examples,
)
from tatc.training.examples import Example
from tatc.training.fit import (
    HISTORY_TEXT_WEIGHTS,
    WORDING_WEIGHTS,
    EpochResult,
    FittingOptions,
    LightFitter,
    seed_torch,
)
from tatc.training.verb_object_pairs import frequent_verb_object_pairs

FIRST_SEED = 10_000
"""The seed of the first lesson; every stage begins `SEEDS_PER_STAGE` further."""
SEEDS_PER_STAGE = 100_000
HELD_OUT_FIRST_SEED = 9_000_000
"""The seed of the first lesson that is validated on, in rooms of its own."""

STATE_FILE, OPTIONS_FILE, EPOCHS_FILE = "state.pt", "train.json", "epochs.jsonl"
FOLLOWER_FILE = "follower.safetensors"
STUDENT_SHARE = 0.5
"""The share of the utterances in a round that the student carries out."""
MIN_HUMAN_WORD_COUNT = 4
"""Examples that a word of people's has to be in to be known; most others are typos."""

Examples = tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
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
    def total_epochs(self) -> int:
        """The epochs of all stages together."""
        return self.epochs + self.rounds * self.round_epochs

    def episodes_of_stage(self, stage: int, student: Path | None = None) -> EpisodeRange:
        """Return the lessons of a stage."""
        first = FIRST_SEED + SEEDS_PER_STAGE * stage + 10 * SEEDS_PER_STAGE * (self.seed - 1)
        if stage == 0:
            return EpisodeRange(first, self.lessons)
        return EpisodeRange(
            first, self.round_lessons, student_file=student, student_share=STUDENT_SHARE
        )


@dataclass(frozen=True, slots=True)
class TrainingCallbacks:
    """Who is told how a training goes on; numbers are those of lessons and examples."""

    on_collection_start: Callable[[str, int], None] = lambda label, total: None
    on_collected: Callable[[int], None] = lambda done: None
    on_epoch_start: Callable[[int, int], None] = lambda number, total: None
    on_batch: Callable[[int], None] = lambda done: None
    on_epoch_end: Callable[[EpochResult], None] = lambda epoch: None


def train_light(
    out: Path,
    options: TrainingOptions,
    cache: ExampleCache,
    *,
    workers: int = 1,
    force: bool = False,
    callbacks: TrainingCallbacks = TrainingCallbacks(),
) -> Path:
    """Train a Follower in a folder, or go on there, and return its file.

    Raises:
        BadInput: the folder holds another training, or its state is damaged.
        OutputError: the folder cannot be made.

    """
    _prepare_folder(out, options, force=force)
    school = _LightTrainer(out, options, cache, workers, callbacks)
    return school.run()


class _LightTrainer:
    def __init__(
        self,
        out: Path,
        options: TrainingOptions,
        cache: ExampleCache,
        workers: int,
        callbacks: TrainingCallbacks,
    ) -> None:
        self._out, self._options, self._callbacks = out, options, callbacks
        self._cache, self._workers = cache, workers

    def run(self) -> Path:
        options = self._options
        examples, held_out = self._collect_games() if options.games else self._collect_episodes()
        if not examples:
            raise BadInput("no example came of the lessons", fix="give games or more --lessons")
        fitting = self._make_fitter(examples)
        for stage in range(options.rounds + 1):
            if stage:
                student = self._save_student(stage, fitting.model)
                label = f"lessons of round {stage}"
                examples += self._collect_from_episodes(
                    options.episodes_of_stage(stage, student), label
                )
            end = options.epochs + stage * options.round_epochs
            while fitting.epochs_done < end:
                self._run_epoch(fitting, examples, held_out)
        return self._write_follower(fitting.model)

    def _collect_episodes(self) -> tuple[Examples, Examples]:
        options = self._options
        held_out = EpisodeRange(HELD_OUT_FIRST_SEED, options.held_out)
        return (
            self._collect_from_episodes(options.episodes_of_stage(0), "lessons"),
            self._collect_from_episodes(held_out, "held out"),
        )

    def _collect_games(self) -> tuple[Examples, Examples]:
        """Return the examples of recorded games, and of those that are held out."""
        without = place_names(self._options.without_plans)
        apart = place_names(self._options.held_out_plans)
        chosen: tuple[list[Path], list[Path]] = [], []
        for path in find_games(self._options.games):
            place = read_game_header(path).place
            if place not in without:
                chosen[place in apart].append(path)
        examples, held_out = map(self._collect_from_games, chosen, ("games", "held out"))
        return examples, held_out

    def _collect_from_games(self, games: Sequence[Path], label: str) -> Examples:
        self._callbacks.on_collection_start(label, len(games))
        told, workers = self._callbacks.on_collected, self._workers
        return collect_game_examples(games, self._cache, workers=workers, on_games_done=told)

    def _collect_from_episodes(self, course: EpisodeRange, label: str) -> Examples:
        self._callbacks.on_collection_start(label, course.episode_count)
        return collect_episode_examples(
            course,
            self._cache,
            workers=self._workers,
            on_episodes_done=self._callbacks.on_collected,
        )

    def _make_fitter(self, examples: Examples) -> LightFitter:
        options = self._options
        recalls = bool(options.games)
        texts = (text for each in examples for text in each.texts)
        words = collect_words(texts, MIN_HUMAN_WORD_COUNT if recalls else 1)
        seed_torch(options.seed)
        light = new_light_model(words, LIGHT_OBJECT_CLASSES, width=options.width, recalls=recalls)
        plan = FittingOptions(
            options.total_epochs,
            seed=options.seed,
            device=options.device,
            text_weights=HISTORY_TEXT_WEIGHTS if recalls else WORDING_WEIGHTS,
            mirror=recalls,
        )
        if recalls:
            light = replace(
                light, verb_object_pairs=frequent_verb_object_pairs(examples, LIGHT_OBJECT_CLASSES)
            )
        fitting = LightFitter(light, plan)
        if (self._out / STATE_FILE).exists():
            fitting.resume(self._out / STATE_FILE)
        return fitting

    def _save_student(self, stage: int, light: LightModel) -> Path:
        """Return the student of a round; one that is there already stays."""
        path = self._out / f"student-{stage}.safetensors"
        if not path.exists():
            write_light_checkpoint(light, path)
        return path

    def _run_epoch(self, fitting: LightFitter, examples: Examples, held_out: Examples) -> None:
        self._callbacks.on_epoch_start(fitting.epochs_done + 1, len(examples))
        epoch = fitting.run_epoch(examples, held_out, self._callbacks.on_batch)
        fitting.save(self._out / STATE_FILE)
        self._write_follower(fitting.model)
        with (self._out / EPOCHS_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(epoch)) + "\n")
        self._callbacks.on_epoch_end(epoch)

    def _write_follower(self, light: LightModel) -> Path:
        options = asdict(self._options)
        card = (("tatc", __version__), *((k, str(v)) for k, v in options.items()))
        path = self._out / FOLLOWER_FILE
        write_light_checkpoint(replace(light, card=card), path, half_precision=True)
        return path


def _prepare_folder(out: Path, options: TrainingOptions, *, force: bool) -> None:
    """Make the folder, or see to it that it holds this very training."""
    wanted = json.loads(json.dumps({"tatc": __version__, **asdict(options)}))
    note = out / OPTIONS_FILE
    if note.exists() and not force:
        if _read_json(note) == wanted:
            return
        fix = "give --force to begin anew, or another --out"
        raise BadInput("holds another training", where=str(out), fix=fix)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for old in (STATE_FILE, EPOCHS_FILE, FOLLOWER_FILE):
            (out / old).unlink(missing_ok=True)
        for student in out.glob("student-*.safetensors"):
            student.unlink()
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another place with --out"
        raise OutputError(why, where=str(out), fix=fix) from fault
    write_atomically((json.dumps(wanted) + "\n").encode(), note, force=True)


def _read_json(path: Path) -> object:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
