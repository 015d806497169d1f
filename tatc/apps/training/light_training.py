"""A whole training of a light Follower on recorded games, in a folder from which it resumes.

The folder holds `train.json` (the options), `state.pt` (the state to resume from), `epochs.jsonl`
(the result of each epoch) and `follower.safetensors`, the Follower of the last epoch.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tatc.apps.training import light_fitting, training_folder
from tatc.apps.training.examples import (
    LIGHT_OBJECT_CLASSES,
    Example,
    class_ids,
    examples_of_game,
    frequent_verb_object_pairs,
)
from tatc.apps.training.training_folder import TrainingWatch
from tatc.base import errors, files, plain_text, process_pool, version
from tatc.follower.learned import checkpoint
from tatc.follower.learned.light import network_inputs
from tatc.follower.learned.light.network import LightNetwork
from tatc.follower.learned.light.network_inference import LightModel
from tatc.session.records import find_games, game_header, read_game_header

STATE_FILE, EPOCHS_FILE = "state.pt", "epochs.jsonl"
FOLLOWER_FILE = "follower.safetensors"
MIN_HUMAN_WORD_COUNT = 4
"""The number of examples that a word of people must occur in; rarer words are mostly typos."""

Examples = tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """What to train; equal options give equal weights on one kind of machine.

    The network imitates recorded `games` for so many `epochs`: those on the floor plans
    `without_plans` are left out, and those on `held_out_plans` are for the validation.
    """

    games: tuple[str, ...] = ()
    without_plans: tuple[str, ...] = ()
    held_out_plans: tuple[str, ...] = ()
    epochs: int = 10
    seed: int = 1
    width: int = 128
    device: str = "cpu"


def train_light(
    out: Path,
    options: TrainingOptions,
    *,
    workers: int = 1,
    force: bool = False,
    watch: TrainingWatch = TrainingWatch(),
) -> Path:
    """Train a light Follower in a folder, or resume there; return its checkpoint.

    `force` discards another training in the folder.
    """
    old_files = (STATE_FILE, EPOCHS_FILE, FOLLOWER_FILE)
    with training_folder.held_training_folder(out, asdict(options), old_files, force=force):
        return _LightTrainer(out, options, workers, watch).run()


class _LightTrainer:
    def __init__(
        self,
        out: Path,
        options: TrainingOptions,
        workers: int,
        watch: TrainingWatch,
    ) -> None:
        self._out, self._options, self._workers, self._watch = out, options, workers, watch

    def run(self) -> Path:
        examples, held_out = self._collect_games()
        if not examples:
            raise errors.BadInput("the games gave no example", fix="name other games")
        fitter = self._make_fitter(examples)
        while fitter.epochs_done < self._options.epochs:
            self._run_epoch(fitter, examples, held_out)
        return self._write_follower(fitter.model)

    def _collect_games(self) -> tuple[Examples, Examples]:
        left_out = game_header.place_names(self._options.without_plans)
        held_out_places = game_header.place_names(self._options.held_out_plans)
        chosen: tuple[list[Path], list[Path]] = [], []
        for path in find_games(self._options.games):
            try:
                place = read_game_header(path).place
            except errors.BadInput as fault:
                self._watch.on_skipped(fault.one_line)
                continue
            if place not in left_out:
                chosen[place in held_out_places].append(path)
        examples, held_out = map(self._collect, chosen, ("games", "held out"))
        return examples, held_out

    def _collect(self, games: Sequence[Path], label: str) -> Examples:
        self._watch.on_start(label, len(games))
        workers, found = min(self._workers, max(len(games), 1)), list[Example]()
        made = process_pool.map_in_processes(_examples_or_why_not, games, workers, _say_why)
        for game, each in zip(games, made, strict=True):
            if isinstance(each, str):
                self._watch.on_skipped(f"{game}: {each}")
            else:
                found += each
            self._watch.on_done(1)
        return tuple(found)

    def _make_fitter(self, examples: Examples) -> light_fitting.LightFitter:
        options = self._options
        texts = (each.text for each in examples)
        words = network_inputs.collect_words(texts, MIN_HUMAN_WORD_COUNT)
        light_fitting.seed_torch(options.seed)
        model = checkpoint.new_model(
            LightNetwork, words, LIGHT_OBJECT_CLASSES, width=options.width, recalls=True
        )
        pairs = frequent_verb_object_pairs(examples, LIGHT_OBJECT_CLASSES)
        model = replace(model, verb_object_pairs=pairs)
        fitting_options = light_fitting.FittingOptions(
            options.epochs, seed=options.seed, device=options.device
        )
        fitter = light_fitting.LightFitter(model, fitting_options)
        if (self._out / STATE_FILE).exists():
            fitter.resume(self._out / STATE_FILE)
        return fitter

    def _run_epoch(
        self, fitter: light_fitting.LightFitter, examples: Examples, held_out: Examples
    ) -> None:
        self._watch.on_start(f"epoch {fitter.epochs_done + 1}", len(examples))
        epoch = fitter.run_epoch(examples, held_out, self._watch.on_done)
        fitter.save(self._out / STATE_FILE)
        self._write_follower(fitter.model)
        line = json.dumps(asdict(epoch)) + "\n"
        files.append_text(line, self._out / EPOCHS_FILE, fix="make room there")
        self._watch.on_result(epoch.line)

    def _write_follower(self, model: LightModel) -> Path:
        games = map(plain_text.PathShortener.of(self._options.games).shorten, self._options.games)
        options = asdict(replace(self._options, games=tuple(games)))
        card = (("tatc", version.__version__), *((k, str(v)) for k, v in options.items()))
        path = self._out / FOLLOWER_FILE
        checkpoint.write_checkpoint(replace(model, card=card), path, half_precision=True)
        return path


def _examples_or_why_not(game: Path) -> Examples | str:
    try:
        return examples_of_game(game, class_ids())
    except errors.BadInput as fault:
        return fault.what


def _say_why(game: Path, why: str) -> Examples | str:
    return why
