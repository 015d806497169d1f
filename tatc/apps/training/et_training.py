"""A whole training of E.T. on EDH instances, in a folder from which it resumes.

The folder holds `train.json` (the options), `state.pt` (the state to resume from), and
after every epoch a checkpoint in the official layout, `latest.pth` with `data.vocab`, and
the visual encoder's weights under the name that the Follower looks for.  Features are held
in memory only: about 100 KB a frame.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

from tatc.apps.training import training_folder
from tatc.base.errors import BadInput
from tatc.evaluation.instances import source_games
from tatc.follower.learned.et import checkpoint, follower, resnet, vocabulary as et_vocabulary
from tatc.follower.learned.et.network import ET, ETSettings
from tatc.home import observation, state
from tatc.home.actions import Role, Utterance
from tatc.session import records
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

STATE_FILE, CHECKPOINT_FILE = "state.pt", "latest.pth"
PUBLISHED_WIDTH = 768  # the published width; smaller ones are for tests
FrameEncoder = Callable[[observation.Frame], Tensor]  # returns a frame's features, (512, 7, 7)


@dataclass(frozen=True, slots=True)
class TrainingItem:
    """One instance as tensors; all but `words` have one entry for each action.

    `words` are word ids, `frames` features (actions, 512, 7, 7), `actions` action ids.
    `is_target` says which actions are to be predicted: those of the future.  `classes` are
    the class ids of the future's interactions, and 0 for all other actions.
    """

    words: Tensor
    frames: Tensor
    actions: Tensor
    is_target: Tensor
    classes: Tensor


def draw_instance_frames(
    instance: records.Instance, scene: state.Scene
) -> tuple[observation.Frame, ...]:
    """Return the frames before each action of an instance, the future's included."""
    document = dict(instance.document)
    document["pred_start_idx"] = len(document["interactions"])
    sim, drawn = EmbeddedSimulator(), list[observation.Frame]()
    sim.reset(scene)

    def draw(interaction: records.Interaction) -> None:
        frame = sim.frame(Role.FOLLOWER) if source_games.is_world_action(interaction) else None
        if frame is not None:
            drawn.append(frame)

    history = records.parse_instance(document, instance.name).history
    if not source_games.replay_history(sim, history, draw):
        raise BadInput("an object of it is not in our world", where=instance.name)
    return tuple(drawn)


def make_item(
    instance: records.Instance, vocabulary: et_vocabulary.Vocabulary, features: Tensor
) -> TrainingItem:
    """Return the item of an EDH instance; frames' features have the shape (actions, 512, 7, 7)."""
    history: list[Any] = instance.document.get("driver_action_history") or []
    recorded: list[Any] = [*history, *(instance.document.get("driver_actions_future") or ())]
    if len(recorded) != len(features) or not recorded:
        why = f"it has {len(recorded)} actions and {len(features)} frames"
        raise BadInput(why, where=instance.name)
    variant = vocabulary.variant
    names = [str(each["action_name"]) for each in recorded]
    unknown = [name for name in names if name not in variant.actions]
    if unknown:
        raise BadInput(f"E.T. knows no action {unknown[0]}", where=instance.name)
    is_target = [i >= len(history) for i in range(len(recorded))]
    actions = [variant.actions.index(name) for name in (*names, "Stop")]
    classes = [0] * len(history) + [_target_class(each) for each in recorded[len(history) :]]
    words = vocabulary.token_ids(et_vocabulary.dialogue_tokens(instance.dialogue, variant))
    return TrainingItem(
        torch.tensor(words),
        torch.cat([features, features[-1:]]),
        torch.tensor(actions),
        # The correction `stop`: with an id of its own, Stop is learned.
        torch.tensor([*is_target, variant.stop]),
        torch.tensor([*classes, 0]),
    )


def _target_class(action: Mapping[str, Any]) -> int:
    """Return an object's class id, 0 for none: of a slice the whole's, of a basin the sink's."""
    oid = action.get("oid")
    if not action.get("obj_interaction_action") or not oid:
        return 0
    object_type, classes = str(oid).split("|")[0], et_vocabulary.ET_OBJECT_CLASSES
    return classes.index(object_type) if object_type in classes else 0


@dataclass(frozen=True, slots=True)
class OfficialHyperparameters:
    """The published settings; the batch is 3 in the paper and 8 by default in its code.

    `decay` is AdamW's weight decay; the rate is multiplied with `drop` every `drop_every`
    epochs.
    """

    epochs: int = 20
    batch: int = 8
    rate: float = 1e-4
    decay: float = 0.33
    drop_every: int = 10
    drop: float = 0.1
    seed: int = 1
    device: str = "cpu"


class OfficialFitter(training_folder.Resumable):
    """An E.T. in training, with its optimiser and schedule."""

    def __init__(
        self, network: ET, hyperparameters: OfficialHyperparameters = OfficialHyperparameters()
    ) -> None:
        """Start before the first epoch."""
        self.network, self.hyperparameters = network.to(hyperparameters.device), hyperparameters
        self._optimiser: Any = torch.optim.AdamW(
            network.parameters(), lr=hyperparameters.rate, weight_decay=hyperparameters.decay
        )
        self._scheduler = torch.optim.lr_scheduler.StepLR(
            self._optimiser, hyperparameters.drop_every, hyperparameters.drop
        )

    def run_epoch(
        self, items: Sequence[TrainingItem], on_batch: Callable[[int], None] = lambda items: None
    ) -> float:
        """Fit one more epoch and return its mean loss; `on_batch` gets each batch's items."""
        training_folder.seed_torch(self.hyperparameters.seed * 100_003 + self.epochs_done)
        self.network.train()
        losses: list[float] = []
        order = list(range(len(items)))
        Random(f"{self.hyperparameters.seed} {self.epochs_done}").shuffle(order)
        size = self.hyperparameters.batch
        for start in range(0, len(order), size):
            batch = [items[i] for i in order[start : start + size]]
            losses.append(self._step(batch))
            on_batch(len(batch))
        self._scheduler.step()
        self.network.eval()
        self.epochs_done += 1
        return fsum(losses) / max(len(losses), 1)

    def state_parts(self) -> Mapping[str, Any]:
        """Return the network, its optimiser and its schedule."""
        return {"network": self.network, "optimiser": self._optimiser, "schedule": self._scheduler}

    def _step(self, items: Sequence[TrainingItem]) -> float:
        device = self.hyperparameters.device
        lengths = torch.tensor([len(each.actions) for each in items], device=device)
        words, frames, actions, is_target, classes = (
            pad_sequence([getattr(each, name) for each in items], batch_first=True).to(device)
            for name in TrainingItem.__slots__
        )
        self._optimiser.zero_grad()
        logits = self.network(words, frames, actions, lengths)
        loss: Any = action_loss(logits.actions, actions, is_target)
        loss = loss + class_loss(logits.classes, classes)
        loss.backward()
        self._optimiser.step()
        return float(loss.detach())


def action_loss(logits: Tensor, targets: Tensor, is_target: Tensor) -> Tensor:
    """Return the loss of the actions, a mean over *all* steps of the batch.

    Steps that are no targets, and targets with the id 0 (padding and, officially, Stop),
    add nothing to the sum but count in the mean all the same.  Logits have the shape (batch,
    steps, actions), targets (action ids) and `is_target` (batch, steps).
    """
    each = cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    counts = is_target.flatten() & (targets.flatten() != et_vocabulary.PADDING_ID)
    return (each * counts).mean()


def class_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of the object classes, a mean over the steps with a class.

    Logits have the shape (batch, steps, classes), targets (class ids; 0 for none) (batch, steps).
    """
    has_class = targets.flatten() != 0
    if not bool(has_class.any()):
        return logits.sum() * 0.0
    return cross_entropy(logits.flatten(0, 1)[has_class], targets.flatten()[has_class])


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficialTrainingOptions:
    """What to train: instances, their games, the encoder's weights, a variant and settings."""

    instances: tuple[str, ...]
    recorded: tuple[str, ...] = ()
    visual: str
    variant: str = "official"
    width: int = PUBLISHED_WIDTH
    hyperparameters: OfficialHyperparameters = field(default_factory=OfficialHyperparameters)


def train_official(
    out: Path,
    options: OfficialTrainingOptions,
    *,
    force: bool = False,
    watch: training_folder.TrainingWatch = training_folder.TrainingWatch(),
) -> Path:
    """Train E.T. in a folder, or resume there, and return its checkpoint."""
    visual = Path(options.visual)
    encoder = resnet.read_resnet(visual)
    variant = et_vocabulary.variant_named(options.variant)
    noted = {"model": "official", **asdict(options)}
    old_files = (STATE_FILE, CHECKPOINT_FILE)
    with training_folder.held_training_folder(out, noted, old_files, force=force):
        paths = records.find_files(options.instances, records.INSTANCE_FILES)
        vocabulary = et_vocabulary.build_vocabulary(_readable_dialogues(paths), variant)
        fitter = _make_fitter(out, options, vocabulary)
        if fitter.epochs_done < options.hyperparameters.epochs:
            encode: FrameEncoder = partial(resnet.resnet_features, encoder)
            items = _make_items(paths, options, vocabulary, encode, watch)
            if not items:
                raise BadInput("no instance can be learned from", fix="name edh instances")
            shutil.copyfile(visual, out / follower.VISUAL_ENCODER_FILE)
            while fitter.epochs_done < options.hyperparameters.epochs:
                watch.on_start(f"epoch {fitter.epochs_done + 1}", len(items))
                mean = fitter.run_epoch(items, watch.on_done)
                metric = {"epoch": float(fitter.epochs_done), "loss": mean}
                checkpoint.write_checkpoint(
                    fitter.network, vocabulary, out / CHECKPOINT_FILE, metric
                )
                fitter.save(out / STATE_FILE)
                watch.on_result(f"epoch {fitter.epochs_done}: loss {mean:.4f}")
    return out / CHECKPOINT_FILE


def _readable_dialogues(paths: Sequence[Path]) -> Iterator[Sequence[Utterance]]:
    """Yield the dialogues of the files that are instances; `_make_items` names the others."""
    for path in paths:
        with suppress(BadInput):
            yield records.read_instance(path).dialogue


def _make_fitter(
    out: Path, options: OfficialTrainingOptions, vocabulary: et_vocabulary.Vocabulary
) -> OfficialFitter:
    training_folder.seed_torch(options.hyperparameters.seed)
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


def _make_items(
    paths: Sequence[Path],
    options: OfficialTrainingOptions,
    vocabulary: et_vocabulary.Vocabulary,
    encode: FrameEncoder,
    watch: training_folder.TrainingWatch,
) -> list[TrainingItem]:
    """Return the items of instances; those that cannot be made are reported and left out."""
    recorded = options.recorded
    known = source_games.games_by_id(records.find_games(recorded)) if recorded else {}
    watch.on_start("frames", len(paths))
    found: list[TrainingItem] = []
    for path in paths:
        try:
            instance = records.read_instance(path)
            game_id = instance.game_id
            game = known.get(game_id) or source_games.find_game_of_instance(path, game_id)
            scene = start_from_game(game, shipped_library(), None, (), 1).scene
            frame_features = [encode(frame) for frame in draw_instance_frames(instance, scene)]
            stacked = torch.stack(frame_features) if frame_features else torch.empty(0)
            found.append(make_item(instance, vocabulary, stacked))
        except BadInput as fault:
            watch.on_skipped(f"{path.name}: {fault.what}")
        watch.on_done(1)
    return found
