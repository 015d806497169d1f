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
        chosen = _choose_games(options, watch)
        examples = _collect(chosen[0], "games", workers, watch)
        held_out = _collect(chosen[1], "held out", workers, watch)
        if not examples:
            raise errors.BadInput("the games gave no example", fix="name other games")
        fitter = light_fitting.LightFitter(
            _new_model(options, examples), options.epochs, options.seed
        )
        if (out / STATE_FILE).exists():
            fitter.resume(out / STATE_FILE)
        while fitter.epochs_done < options.epochs:
            watch.on_start(f"epoch {fitter.epochs_done + 1}", len(examples))
            loss, right = fitter.run_epoch(examples, held_out, watch.on_done)
            fitter.save(out / STATE_FILE)
            _write_follower(out, options, fitter.model)
            row = {"number": fitter.epochs_done, "loss": loss, "validation": right}
            files.append_text(json.dumps(row) + "\n", out / EPOCHS_FILE, fix="make room there")
            shares = ", ".join(
                f"{share:.1%} of {name}"
                for share, name in zip(right, ("actions", "classes", "cells"), strict=False)
            )
            told = f"; right of held-out: {shares}" if right else ""
            watch.on_result(f"epoch {fitter.epochs_done}: loss {loss:.3f}{told}")
        return _write_follower(out, options, fitter.model)


def _choose_games(options: TrainingOptions, watch: TrainingWatch) -> tuple[list[Path], list[Path]]:
    """Return the games to learn from, and those for the validation."""
    left_out = game_header.place_names(options.without_plans)
    held_out_places = game_header.place_names(options.held_out_plans)
    chosen: tuple[list[Path], list[Path]] = [], []
    for path in find_games(options.games):
        try:
            place = read_game_header(path).place
        except errors.BadInput as fault:
            watch.on_skipped(fault.one_line)
            continue
        if place not in left_out:
            chosen[place in held_out_places].append(path)
    return chosen


def _collect(
    games: Sequence[Path], label: str, workers: int, watch: TrainingWatch
) -> tuple[Example, ...]:
    watch.on_start(label, len(games))
    workers, found = min(workers, max(len(games), 1)), list[Example]()
    made = process_pool.map_in_processes(_examples_or_why_not, games, workers, _say_why)
    for game, each in zip(games, made, strict=True):
        if isinstance(each, str):
            watch.on_skipped(f"{game}: {each}")
        else:
            found += each
        watch.on_done(1)
    return tuple(found)


def _new_model(options: TrainingOptions, examples: Sequence[Example]) -> LightModel:
    words = network_inputs.collect_words((each.text for each in examples), MIN_HUMAN_WORD_COUNT)
    light_fitting.seed_torch(options.seed)
    model = checkpoint.new_model(
        LightNetwork, words, LIGHT_OBJECT_CLASSES, width=options.width, recalls=True
    )
    pairs = frequent_verb_object_pairs(examples, LIGHT_OBJECT_CLASSES)
    return replace(model, verb_object_pairs=pairs)


def _write_follower(out: Path, options: TrainingOptions, model: LightModel) -> Path:
    games = map(plain_text.PathShortener.of(options.games).shorten, options.games)
    told = asdict(replace(options, games=tuple(games)))
    card = (("tatc", version.__version__), *((k, str(v)) for k, v in told.items()))
    path = out / FOLLOWER_FILE
    checkpoint.write_checkpoint(replace(model, card=card), path, half_precision=True)
    return path


def _examples_or_why_not(game: Path) -> tuple[Example, ...] | str:
    try:
        return examples_of_game(game, class_ids())
    except errors.BadInput as fault:
        return fault.what


def _say_why(game: Path, why: str) -> tuple[Example, ...] | str:
    return why
