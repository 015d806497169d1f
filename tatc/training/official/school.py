"""A whole training of E.T. on EDH instances, in a folder that resumes.

The folder holds `train.json` (what is trained), `state.pt` (where it stands), and after
every epoch `latest.pth` with `data.vocab`, a checkpoint in the official layout, and the
encoder's weights under the name that a Follower looks for.  Features are kept in memory
alone: about 100 KB a frame.
"""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import torch

from tatc import __version__
from tatc.atomic import write_whole
from tatc.errors import BadInput, OutputError
from tatc.evaluation.instances.choosing import game_beside, games_by_id
from tatc.follower.et.official.checkpoint import write_checkpoint
from tatc.follower.et.official.follower import VISUAL
from tatc.follower.et.official.network import ET, Settings
from tatc.follower.et.official.resnet import features, read_resnet
from tatc.follower.et.official.variants import variant_named
from tatc.follower.et.official.vocabulary import Vocabulary, vocabulary_of
from tatc.opening import open_game
from tatc.records import INSTANCES, find_files, find_games, read_instance
from tatc.tdl import shipped_library
from tatc.training.fit import seed_torch
from tatc.training.official.fit import OfficialFitting, Recipe
from tatc.training.official.items import Encoder, Item, frames_of, item_of

OPTIONS, STATE, CHECKPOINT = "train.json", "state.pt", "latest.pth"
WIDTH = 768
"""The published width; a smaller one is for tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is trained: instances, their games, an encoder, a variant and a recipe."""

    instances: tuple[str, ...]
    recorded: tuple[str, ...] = ()
    visual: str
    variant: str = "official"
    width: int = WIDTH
    recipe: Recipe = field(default_factory=Recipe)


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how a training goes on."""

    items: Callable[[str, int], None] = lambda label, total: None
    item: Callable[[int], None] = lambda done: None
    skipped: Callable[[str], None] = lambda why: None
    ended: Callable[[int, float], None] = lambda epoch, loss: None


def train(
    out: Path, options: Options, *, force: bool = False, watch: Watch = Watch()
) -> Path:
    """Train E.T. in a folder, or go on there, and return its checkpoint.

    Raises:
        BadInput: there is nothing to learn from, the folder holds another training,
            or the encoder's weights are not there.
        OutputError: the folder cannot be made.

    """
    visual = Path(options.visual)
    encoder = read_resnet(visual)
    variant = variant_named(options.variant)
    _open(out, options, force=force)
    paths = find_files(options.instances, INSTANCES)
    vocabulary = vocabulary_of([read_instance(p).dialogue for p in paths], variant)
    fitting = _fitting(out, options, vocabulary)
    if fitting.done < options.recipe.epochs:
        encode: Encoder = partial(features, encoder)
        items = _items(paths, options, vocabulary, encode, watch)
        if not items:
            raise BadInput("no instance can be learned from", fix="name edh instances")
        shutil.copyfile(visual, out / VISUAL)
        while fitting.done < options.recipe.epochs:
            _epoch(out, fitting, items, vocabulary, watch)
    return out / CHECKPOINT


def _fitting(out: Path, options: Options, vocabulary: Vocabulary) -> OfficialFitting:
    seed_torch(options.recipe.seed)
    settings = Settings(
        len(vocabulary.words),
        len(vocabulary.variant.actions),
        width=options.width,
        feed=options.width,
    )
    fitting = OfficialFitting(ET(settings), options.recipe)
    if (out / STATE).exists():
        fitting.resume(out / STATE)
    return fitting


def _epoch(
    out: Path,
    fitting: OfficialFitting,
    items: Sequence[Item],
    vocabulary: Vocabulary,
    watch: Watch,
) -> None:
    watch.items(f"epoch {fitting.done + 1}", len(items))
    mean = fitting.epoch(items, watch.item)
    metric = {"epoch": float(fitting.done), "loss": mean}
    write_checkpoint(fitting.network, vocabulary, out / CHECKPOINT, metric)
    fitting.save(out / STATE)
    watch.ended(fitting.done, mean)


def _items(
    paths: Sequence[Path],
    options: Options,
    vocabulary: Vocabulary,
    encode: Encoder,
    watch: Watch,
) -> list[Item]:
    """Return the items; of those that cannot be made it is told why."""
    known = games_by_id(find_games(options.recorded)) if options.recorded else {}
    watch.items("frames", len(paths))
    found: list[Item] = []
    for path in paths:
        try:
            instance = read_instance(path)
            game = known.get(instance.game_id) or game_beside(path, instance.game_id)
            scene = open_game(game, shipped_library(), None, (), 1).scene
            seen = [encode(frame) for frame in frames_of(instance, scene)]
            stacked = torch.stack(seen) if seen else torch.empty(0)
            found.append(item_of(instance, vocabulary, stacked))
        except BadInput as fault:
            watch.skipped(f"{path.name}: {fault.what}")
        watch.item(1)
    return found


def _open(out: Path, options: Options, *, force: bool) -> None:
    """Make the folder, or see to it that it holds this very training."""
    wanted = {"tatc": __version__, "model": "official", **asdict(options)}
    wanted = json.loads(json.dumps(wanted))
    note = out / OPTIONS
    if note.exists() and not force:
        if json.loads(note.read_text("utf-8")) == wanted:
            return
        fix = "give --force to begin anew, or another --out"
        raise BadInput("holds another training", where=str(out), fix=fix)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for old in (STATE, CHECKPOINT):
            (out / old).unlink(missing_ok=True)
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another place with --out"
        raise OutputError(why, where=str(out), fix=fix) from fault
    write_whole((json.dumps(wanted) + "\n").encode(), note, force=True)
