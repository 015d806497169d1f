"""`tatc train-et`: E.T. as published, on EDH instances."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tatc.base.errors import BadInput
from tatc.commands.options.option_groups import with_option_groups
from tatc.commands.options.shared_options import JsonOption, RecordedGamesOption
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

EXAMPLES = examples_epilog(
    "tatc train-et edh/ --games games/ --visual fasterrcnn.pth --out runs/et",
    "tatc train-et edh/ --games games/ --visual resnet50.pth --variant corrected "
    "--batch 3 --out runs/corrected",
    "tatc eval edh/ --kind edh --games games/ --follower et:runs/et/latest.pth",
)


@dataclass(frozen=True, slots=True)
class TrainEtOptions:
    """From what E.T. learns, how long, and where it is kept."""

    instances: Annotated[
        list[str],
        typer.Argument(metavar="INSTANCES", help="EDH instances: files, folders or glob patterns."),
    ]
    visual: Annotated[
        Path, typer.Option(metavar="FILE", help="The weights of the ResNet-50 that encodes frames.")
    ]
    out: TrainingFolderOption
    recorded: RecordedGamesOption = None
    variant: Annotated[
        str,
        typer.Option(
            metavar="official|corrected|NAMES",
            help="As published, with all corrections, or with some: stop, speakers, unknown, "
            "joined by +.",
        ),
    ] = "official"
    epochs: Annotated[int, typer.Option(min=1, help="How many epochs to train.")] = 20
    batch: Annotated[int, typer.Option(min=1, help="Instances in a batch; the paper uses 3.")] = 8
    width: Annotated[int, typer.Option(min=12, help="Width of the network, a multiple of 12.")] = (
        768
    )
    seed: Annotated[
        int, typer.Option(min=1, help="Draws initial weights and the order of instances.")
    ] = 1
    device: DeviceOption = "auto"
    force: ForceTrainingOption = False
    as_json: JsonOption = False


@with_option_groups
def train_et(chosen: TrainEtOptions) -> None:
    """Train the published Episodic Transformer on instances.

    E.T. is trained with its own losses, optimiser and schedule.

    Frames are rendered in tatc's world and encoded by a frozen ResNet-50.  After an
    interruption, the same command continues where it stopped.  DIR/latest.pth is a
    checkpoint in the official layout; `--follower et:FILE` runs it.  Files that are no
    instances, or cannot be learned from, are named and skipped; then the exit status is 1.
    """
    from tatc.follower.learned import require_learned_extra

    if chosen.width % 12:
        raise BadInput(f"--width {chosen.width} is no multiple of 12", fix="name another")
    require_learned_extra()

    from tatc.apps.training.et_training import (
        OfficialHyperparameters,
        OfficialTrainingCallbacks,
        OfficialTrainingOptions,
    )
    from tatc.apps.training.et_training import train_official as run

    options = OfficialTrainingOptions(
        instances=tuple(chosen.instances),
        recorded=tuple(chosen.recorded or ()),
        visual=str(chosen.visual),
        variant=chosen.variant,
        width=chosen.width,
        hyperparameters=OfficialHyperparameters(
            chosen.epochs, chosen.batch, seed=chosen.seed, device=torch_device(chosen.device)
        ),
    )
    skipped: list[str] = []
    with TrainingProgressBar() as bar:

        def ended(epoch: int, loss: float) -> None:
            bar.close()
            remark(f"epoch {epoch}: loss {loss:.4f}")

        def print_skipped(why: str) -> None:
            skipped.append(why)
            remark(f"skipped: {why}")

        watch = OfficialTrainingCallbacks(bar.open, bar.count, print_skipped, ended)
        path = run(chosen.out, options, force=chosen.force, callbacks=watch)
    if chosen.as_json:
        print_json({"follower": str(path), "epochs": chosen.epochs})
    else:
        print_line(f"Follower: {path}")
    if skipped:
        raise typer.Exit(EXIT_INPUTS_SKIPPED)
