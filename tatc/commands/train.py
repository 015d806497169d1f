"""`tatc train`, `train-et` and `tatc follower`: Followers that learn."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.base.errors import BadInput, UnknownName
from tatc.base.files import check_writable, write_atomically
from tatc.commands.options import shared_options
from tatc.commands.text import help_panels, output

if TYPE_CHECKING:
    from tatc.apps.training.training_folder import TrainingWatch

TrainingFolderOption = Annotated[Path, typer.Option(**shared_options.words("training_folder"))]
ForceTrainingOption = Annotated[bool, typer.Option("--force", **shared_options.words("renew"))]


def torch_device(name: str) -> str:
    """Return the torch device of a `--device` choice."""
    import torch

    UnknownName.check("device", name, ("auto", "cpu", "cuda"))
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise BadInput("there is no GPU that torch can use", fix="give --device cpu")
    return "cuda" if there and name != "cpu" else "cpu"


class TrainingProgressBar(ExitStack):
    """One progress bar at a time, and the inputs that were left out."""

    def __init__(self) -> None:
        """Show nothing yet."""
        super().__init__()
        self._count: Callable[[str], None] = lambda note: None
        self._skipped = 0

    def open(self, label: str, total: int) -> None:
        """Begin to count to a total, and end the bar before."""
        self.close()
        self._count = self.enter_context(output.progress_counter(total, label))

    def count(self, done: int) -> None:
        """Count some more."""
        for _ in range(done):
            self._count("")

    def tell(self, line: str) -> None:
        """End the bar, and say a result."""
        self.close()
        output.remark(line)

    def watch(self) -> "TrainingWatch":
        """Return what a training calls."""
        from tatc.apps.training.training_folder import TrainingWatch

        return TrainingWatch(self.open, self.count, self.tell, self.skip)

    def skip(self, why: str) -> None:
        """Say why an input is left out."""
        self._skipped += 1
        output.remark(f"skipped: {why}")

    def finish(self, follower: Path, epochs: int, *, as_json: bool) -> None:
        """Print where the Follower is; end the command with status 1 if an input was left out."""
        if as_json:
            output.print_json({"follower": str(follower), "epochs": epochs})
        else:
            output.print_line(f"Follower: {follower}")
        if self._skipped:
            raise typer.Exit(output.EXIT_INPUTS_SKIPPED)


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """From what a Follower learns, how long, and where it is kept."""

    out: TrainingFolderOption
    games: shared_options.OptionalGamesArgument = None
    without_plans: shared_options.WithoutPlansOption = None
    held_out_plans: list[str] | None = shared_options.plain_field(None)
    start: str | None = shared_options.plain_field(None, "--from")
    rounds: int = shared_options.plain_field(24, min=1)
    lessons: int = shared_options.plain_field(150, min=1)
    batches: int = shared_options.plain_field(2000, min=0)
    held_out: int = shared_options.plain_field(20, min=1)
    width: int = shared_options.plain_field(64, min=8)
    seed: int = shared_options.plain_field(1, min=1)
    workers: int = shared_options.plain_field(1, min=1)
    html: Path | None = shared_options.plain_field(None)
    force: ForceTrainingOption = False
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def train(chosen: TrainOptions) -> None:
    """Train a learned Follower in lessons, or on recorded games."""
    from tatc.follower.learned import require_learned_extra

    if chosen.width % 4:
        raise BadInput(f"--width {chosen.width} is no multiple of 4", fix="name another")
    require_learned_extra()

    from tatc.apps.training import game_training, pointing_training
    from tatc.commands.options.session_options import parse_plans
    from tatc.evaluation.page_templates import render_template

    html, names = chosen.html, ("rounds", "batches", "width", "seed")
    if html is not None:
        check_writable(html, force=True)
    given: dict[str, Any] = {name: getattr(chosen, name) for name in names}
    given["start"] = chosen.start or ""

    def write_curves() -> None:
        if html is not None:
            rounds = pointing_training.read_rounds(chosen.out)
            page = render_template("training.html", rounds=rounds)
            write_atomically(page.encode(), html, force=True)

    if chosen.games:
        options: pointing_training.PointingOptions = game_training.GameOptions(
            games=tuple(chosen.games),
            without_plans=parse_plans(chosen.without_plans, "--without-plans"),
            held_out_plans=parse_plans(chosen.held_out_plans, "--held-out-plans"),
            **given,
        )
    else:
        given |= {"lessons": chosen.lessons, "held_out": chosen.held_out}
        options = pointing_training.PointingOptions(**given)
    with TrainingProgressBar() as bar:
        path = pointing_training.train_pointing(
            chosen.out,
            options,
            workers=chosen.workers,
            force=chosen.force,
            watch=bar.watch(),
            on_round=write_curves,
            trainer=game_training.GameTrainer if chosen.games else pointing_training.Trainer,
        )
    bar.finish(path, chosen.rounds, as_json=chosen.as_json)


# `tatc train-et`: E.T. as published, on EDH instances.


@dataclass(frozen=True, slots=True)
class TrainEtOptions:
    """From what E.T. learns, how long, and where it is kept."""

    instances: list[str]
    visual: Annotated[Path, typer.Option()]
    out: TrainingFolderOption
    recorded: shared_options.RecordedGamesOption = None
    variant: str = shared_options.plain_field("official")
    epochs: int = shared_options.plain_field(20, min=1)
    batch: int = shared_options.plain_field(8, min=1)
    width: int = shared_options.plain_field(768, min=12)
    seed: int = shared_options.plain_field(1, min=1)
    device: Annotated[str, typer.Option(**shared_options.words("device"))] = "auto"
    force: ForceTrainingOption = False
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def train_et(chosen: TrainEtOptions) -> None:
    """Train the published Episodic Transformer on instances."""
    from tatc.follower.learned import require_learned_extra

    if chosen.width % 12:
        raise BadInput(f"--width {chosen.width} is no multiple of 12", fix="name another")
    require_learned_extra()

    from tatc.apps.training import et_training

    options = et_training.OfficialTrainingOptions(
        instances=tuple(chosen.instances),
        recorded=tuple(chosen.recorded or ()),
        visual=str(chosen.visual),
        variant=chosen.variant,
        width=chosen.width,
        hyperparameters=et_training.OfficialHyperparameters(
            chosen.epochs, chosen.batch, seed=chosen.seed, device=torch_device(chosen.device)
        ),
    )
    with TrainingProgressBar() as bar:
        out, force = chosen.out, chosen.force
        path = et_training.train_official(out, options, force=force, watch=bar.watch())
    bar.finish(path, chosen.epochs, as_json=chosen.as_json)


# `tatc follower`: what a learned Follower's checkpoint holds.

app = typer.Typer(name="follower", help="Inspect learned Followers.", no_args_is_help=True)


@app.command(cls=help_panels.PanelCommand, epilog=output.examples_of("follower inspect"))
@shared_options.with_option_groups
def inspect(checkpoint: str, as_json: shared_options.JsonOption = False) -> None:
    """Show what a checkpoint holds, without running anything in it."""
    from tatc.follower.learned import LEARNED_FAMILY, require_learned_extra

    require_learned_extra()

    from tatc.follower.learned.learned_followers import checkpoint_of, summarize_checkpoint

    named = checkpoint.partition(":")[0] == LEARNED_FAMILY
    found = summarize_checkpoint(checkpoint_of(checkpoint) if named else Path(checkpoint))
    if as_json:
        output.print_json(found)
        return
    for name, value in found.items():
        output.print_line(f"{name.replace('_', ' ')}: {value}")
