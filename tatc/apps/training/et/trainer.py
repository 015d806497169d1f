"""A whole training of E.T. on EDH instances, in a folder from which it resumes.

The folder holds `train.json` (the options), `state.pt` (the state to resume from), and
after every epoch a checkpoint in the official layout, `latest.pth` with `data.vocab`, and
the visual encoder's weights under the name that the Follower looks for.  Features are held
in memory only: about 100 KB a frame.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import torch

from tatc.apps.training.et.fit import OfficialFitter, OfficialHyperparameters
from tatc.apps.training.et.training_items import (
    FrameEncoder,
    TrainingItem,
    draw_instance_frames,
    make_item,
)
from tatc.apps.training.fit import seed_torch
from tatc.apps.training.training_folder import prepare_training_folder
from tatc.base.errors import BadInput
from tatc.evaluation.instances.source_games import find_game_of_instance, games_by_id
from tatc.follower.learned.et.checkpoint import write_checkpoint
from tatc.follower.learned.et.follower import VISUAL_ENCODER_FILE
from tatc.follower.learned.et.network import ET, ETSettings
from tatc.follower.learned.et.resnet import read_resnet, resnet_features
from tatc.follower.learned.et.vocabulary import Vocabulary, build_vocabulary, variant_named
from tatc.home.actions import Utterance
from tatc.session.records import INSTANCE_FILES, find_files, find_games, read_instance
from tatc.session.start import start_from_game
from tatc.tdl import shipped_library

STATE_FILE, CHECKPOINT_FILE = "state.pt", "latest.pth"
PUBLISHED_WIDTH = 768
"""The published width; smaller ones are for tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialTrainingOptions:
    """What to train: instances, their games, the encoder's weights, a variant and settings."""

    instances: tuple[str, ...]
    recorded: tuple[str, ...] = ()
    visual: str
    variant: str = "official"
    width: int = PUBLISHED_WIDTH
    hyperparameters: OfficialHyperparameters = field(default_factory=OfficialHyperparameters)


@dataclass(frozen=True, slots=True)
class OfficialTrainingCallbacks:
    """Functions that are called as a training proceeds.

    `on_items_start` gets a label and a number of items, `on_item_done` the number that is
    done since the last call, `on_item_skipped` the reason, and `on_epoch_end` the number of
    epochs done and the mean loss.
    """

    on_items_start: Callable[[str, int], None] = lambda label, total: None
    on_item_done: Callable[[int], None] = lambda done: None
    on_item_skipped: Callable[[str], None] = lambda why: None
    on_epoch_end: Callable[[int, float], None] = lambda epoch, loss: None


def train_official(
    out: Path,
    options: OfficialTrainingOptions,
    *,
    force: bool = False,
    callbacks: OfficialTrainingCallbacks = OfficialTrainingCallbacks(),
) -> Path:
    """Train E.T. in a folder, or resume there, and return its checkpoint.

    Raises:
        OutputError: the folder cannot be made.

    """
    visual = Path(options.visual)
    encoder = read_resnet(visual)
    variant = variant_named(options.variant)
    noted = {"model": "official", **asdict(options)}
    prepare_training_folder(out, noted, (STATE_FILE, CHECKPOINT_FILE), force=force)
    paths = find_files(options.instances, INSTANCE_FILES)
    vocabulary = build_vocabulary(_readable_dialogues(paths), variant)
    fitter = _make_fitter(out, options, vocabulary)
    if fitter.epochs_done < options.hyperparameters.epochs:
        encode: FrameEncoder = partial(resnet_features, encoder)
        items = _make_items(paths, options, vocabulary, encode, callbacks)
        if not items:
            raise BadInput("no instance can be learned from", fix="name edh instances")
        shutil.copyfile(visual, out / VISUAL_ENCODER_FILE)
        while fitter.epochs_done < options.hyperparameters.epochs:
            _run_epoch(out, fitter, items, vocabulary, callbacks)
    return out / CHECKPOINT_FILE


def _readable_dialogues(paths: Sequence[Path]) -> Iterator[Sequence[Utterance]]:
    """Yield the dialogues of the files that are instances; `_make_items` names the others."""
    for path in paths:
        with suppress(BadInput):
            yield read_instance(path).dialogue


def _make_fitter(
    out: Path, options: OfficialTrainingOptions, vocabulary: Vocabulary
) -> OfficialFitter:
    seed_torch(options.hyperparameters.seed)
    settings = ETSettings(
        len(vocabulary.words),
        len(vocabulary.variant.actions),
        width=options.width,
        feed_forward_width=options.width,
    )
    fitter = OfficialFitter(ET(settings), options.hyperparameters)
    if (out / STATE_FILE).exists():
        fitter.resume(out / STATE_FILE)
    return fitter


def _run_epoch(
    out: Path,
    fitter: OfficialFitter,
    items: Sequence[TrainingItem],
    vocabulary: Vocabulary,
    callbacks: OfficialTrainingCallbacks,
) -> None:
    callbacks.on_items_start(f"epoch {fitter.epochs_done + 1}", len(items))
    mean = fitter.run_epoch(items, callbacks.on_item_done)
    metric = {"epoch": float(fitter.epochs_done), "loss": mean}
    write_checkpoint(fitter.network, vocabulary, out / CHECKPOINT_FILE, metric)
    fitter.save(out / STATE_FILE)
    callbacks.on_epoch_end(fitter.epochs_done, mean)


def _make_items(
    paths: Sequence[Path],
    options: OfficialTrainingOptions,
    vocabulary: Vocabulary,
    encode: FrameEncoder,
    callbacks: OfficialTrainingCallbacks,
) -> list[TrainingItem]:
    """Return the items of instances; those that cannot be made are reported and left out."""
    known = games_by_id(find_games(options.recorded)) if options.recorded else {}
    callbacks.on_items_start("frames", len(paths))
    found: list[TrainingItem] = []
    for path in paths:
        try:
            instance = read_instance(path)
            game = known.get(instance.game_id) or find_game_of_instance(path, instance.game_id)
            scene = start_from_game(game, shipped_library(), None, (), 1).scene
            frame_features = [encode(frame) for frame in draw_instance_frames(instance, scene)]
            stacked = torch.stack(frame_features) if frame_features else torch.empty(0)
            found.append(make_item(instance, vocabulary, stacked))
        except BadInput as fault:
            callbacks.on_item_skipped(f"{path.name}: {fault.what}")
        callbacks.on_item_done(1)
    return found
