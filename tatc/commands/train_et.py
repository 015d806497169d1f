"""`tatc train-et`: E.T. as published, on EDH instances."""

from pathlib import Path
from typing import Annotated

import typer

from tatc.commands.output import examples_epilog, print_json, remark
from tatc.commands.shared_options import RecordedGamesOption
from tatc.commands.training_options import (
    DeviceOption,
    ForceTrainingOption,
    TrainingFolderOption,
    TrainingProgressBar,
    torch_device,
)

EXAMPLES = examples_epilog(
    "tatc train-et edh/ --games games/ --visual fasterrcnn.pth --out runs/et",
    "tatc train-et edh/ --games games/ --visual resnet50.pth --variant corrected "
    "--batch 3 --out runs/corrected",
    "tatc eval edh/ --kind edh --games games/ --follower et:runs/et/latest.pth",
)


def train_et(
    instances: Annotated[
        list[str], typer.Argument(metavar="INSTANCES", help="EDH files, folders or globs.")
    ],
    visual: Annotated[
        Path, typer.Option(metavar="FILE", help="Weights of the ResNet-50 that looks.")
    ],
    out: TrainingFolderOption,
    recorded: RecordedGamesOption = None,
    variant: Annotated[
        str,
        typer.Option(
            metavar="official|corrected|NAMES",
            help="Corrections by name, joined by +: stop, speakers, unknown.",
        ),
    ] = "official",
    epochs: Annotated[int, typer.Option(min=1, help="Epochs.")] = 20,
    batch: Annotated[int, typer.Option(min=1, help="Instances of a batch; the paper has 3.")] = 8,
    width: Annotated[
        int, typer.Option(min=12, help="Width of the network, a multiple of 12.")
    ] = 768,
    seed: Annotated[int, typer.Option(min=1, help="Draws weights and order.")] = 1,
    device: DeviceOption = "auto",
    force: ForceTrainingOption = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
) -> None:
    """Train the published Episodic Transformer on instances.

    E.T. is trained with its own losses, optimiser and schedule.

    Frames are drawn in tatc's world and encoded by a frozen ResNet-50.  The same
    command goes on where it was broken off.  DIR/latest.pth is a checkpoint in the
    official layout: give it as `--follower et:FILE`.
    """
    from tatc.errors import BadInput
    from tatc.follower.et.dependencies import require_learned_extra

    if width % 12:
        raise BadInput(f"--width {width} is no multiple of 12", fix="name another")
    require_learned_extra()

    from tatc.training.official.fit import OfficialHyperparameters
    from tatc.training.official.trainer import OfficialTrainingCallbacks, OfficialTrainingOptions
    from tatc.training.official.trainer import train_official as run

    options = OfficialTrainingOptions(
        instances=tuple(instances),
        recorded=tuple(recorded or ()),
        visual=str(visual),
        variant=variant,
        width=width,
        recipe=OfficialHyperparameters(epochs, batch, seed=seed, device=torch_device(device)),
    )
    with TrainingProgressBar() as bar:

        def ended(epoch: int, loss: float) -> None:
            bar.close()
            remark(f"epoch {epoch}: loss {loss:.4f}")

        watch = OfficialTrainingCallbacks(bar.open, bar.count, remark, ended)
        path = run(out, options, force=force, callbacks=watch)
    if as_json:
        print_json({"follower": str(path), "epochs": epochs})
    else:
        typer.echo(f"Follower: {path}")
