"""`tatc train`: train the light learned Follower by imitating the rule pair."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base.errors import BadInput
from tatc.commands.options.option_groups import with_option_groups
from tatc.commands.options.shared_options import (
    JsonOption,
    OptionalGamesArgument,
    WithoutPlansOption,
)
from tatc.commands.options.training_options import (
    DeviceOption,
    ForceTrainingOption,
    TrainingFolderOption,
    TrainingProgressBar,
    torch_device,
)
from tatc.commands.text.output import (
    EXIT_INPUTS_SKIPPED,
    examples_epilog,
    print_json,
    print_line,
    remark,
)

if TYPE_CHECKING:
    from tatc.apps.training.light_fitting import EpochResult
    from tatc.apps.training.light_training import TrainingCallbacks

EXAMPLES = examples_epilog(
    "tatc train --out runs/et",
    "tatc train games/ --without-plans 3,16 --held-out-plans 5,14 --out runs/people",
    "tatc train --out runs/et --lessons 2000 --rounds 2 --workers 2",
    "tatc run --task coffee --follower et:runs/et/follower.safetensors",
)


@dataclass(frozen=True, slots=True)
class TrainOptions:
    """From what the light network learns, how long, and where it is kept."""

    out: TrainingFolderOption
    games: OptionalGamesArgument = None
    without_plans: WithoutPlansOption = None
    held_out_plans: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="Validate on the games in these floor plans."),
    ] = None
    lessons: Annotated[int, typer.Option(min=0, help="Sessions of the rule pair to imitate.")] = 800
    epochs: Annotated[int, typer.Option(min=0, help="Epochs of imitation.")] = 10
    rounds: Annotated[
        int,
        typer.Option(
            min=0, help="Rounds after that, in which its own mistakes are corrected (DAgger)."
        ),
    ] = 1
    round_lessons: Annotated[int, typer.Option(min=1, help="Sessions in each of these rounds.")] = (
        100
    )
    round_epochs: Annotated[int, typer.Option(min=0, help="Epochs in each of these rounds.")] = 3
    held_out: Annotated[
        int, typer.Option(min=1, help="Sessions to validate on, in rooms that are not trained on.")
    ] = 40
    width: Annotated[int, typer.Option(min=8, help="Width of the network, a multiple of 4.")] = 128
    seed: Annotated[
        int, typer.Option(min=1, help="Draws sessions, initial weights and their order.")
    ] = 1
    device: DeviceOption = "auto"
    workers: Annotated[int, typer.Option(min=1, help="How many processes make examples.")] = 1
    cache: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep examples in this folder between runs. Default: your cache folder.",
        ),
    ] = None
    cache_mb: Annotated[
        int, typer.Option(min=1, help="The most that this folder may hold, in megabytes.")
    ] = 1000
    force: ForceTrainingOption = False
    as_json: JsonOption = False


@with_option_groups
def train(chosen: TrainOptions) -> None:
    """Train a learned Follower on sessions of the rule pair.

    The Follower imitates the rule pair in generated rooms; then its own mistakes are
    corrected, round by round.  If recorded games are named, it imitates only these, for
    --epochs, and remembers what was said and done in the whole session.  After an
    interruption, the same command continues where it stopped.  Files that are no games, and
    lessons whose process died, are named and skipped; then the exit status is 1.

    The Follower of the last epoch is DIR/follower.safetensors; `--follower et:FILE` runs
    it.
    """
    from platformdirs import user_cache_path

    from tatc.commands.options.evaluation_options import parse_plans
    from tatc.follower.learned import require_learned_extra

    if chosen.width % 4:
        raise BadInput(f"--width {chosen.width} is no multiple of 4", fix="name another")
    require_learned_extra()

    from tatc.apps.training.example_collection import ExampleCache
    from tatc.apps.training.light_training import TrainingOptions
    from tatc.apps.training.light_training import train_light as run

    options = TrainingOptions(
        games=tuple(chosen.games or ()),
        without_plans=parse_plans(chosen.without_plans, "--without-plans"),
        held_out_plans=parse_plans(chosen.held_out_plans, "--held-out-plans"),
        lessons=0 if chosen.games else chosen.lessons,
        epochs=chosen.epochs,
        rounds=0 if chosen.games else chosen.rounds,
        round_lessons=chosen.round_lessons,
        round_epochs=chosen.round_epochs,
        held_out=chosen.held_out,
        seed=chosen.seed,
        width=chosen.width,
        device=torch_device(chosen.device),
    )
    example_cache = ExampleCache(
        chosen.cache or user_cache_path("tatc") / "examples", chosen.cache_mb
    )
    ended: list[EpochResult] = []
    skipped: list[str] = []
    with TrainingProgressBar() as bar:
        watch = _show_progress(bar, ended, skipped)
        path = run(
            chosen.out,
            options,
            example_cache,
            workers=chosen.workers,
            force=chosen.force,
            callbacks=watch,
        )
    if chosen.as_json:
        print_json({"follower": str(path), "epochs": len(ended)})
    else:
        print_line(f"Follower: {path}")
    if skipped:
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def _show_progress(
    bar: TrainingProgressBar, ended: "list[EpochResult]", skipped: list[str]
) -> "TrainingCallbacks":
    """Return callbacks that move the bar and print what happens.

    Each epoch that ends is added to `ended`, and each input that is left out to `skipped`.
    """
    from tatc.apps.training.light_training import TrainingCallbacks

    def end_epoch(epoch: "EpochResult") -> None:
        ended.append(epoch)
        bar.close()
        remark(_epoch_line(epoch))

    def skip_input(why: str) -> None:
        skipped.append(why)
        remark(f"skipped: {why}")

    return TrainingCallbacks(
        on_collection_start=bar.open,
        on_collected=bar.count,
        on_epoch_start=lambda number, total: bar.open(f"epoch {number}", total),
        on_batch=bar.count,
        on_epoch_end=end_epoch,
        on_skipped=skip_input,
    )


def _epoch_line(epoch: "EpochResult") -> str:
    shares = "; ".join(
        f"{v.grain}: {v.actions:.1%} of actions, {v.classes:.1%} of classes, {v.cells:.1%} of cells"
        for v in epoch.validations
    )
    return f"epoch {epoch.number}: loss {epoch.loss:.3f}; right of held-out {shares}"
