"""What the training commands share: options, the device, and a progress bar."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from tatc.base.errors import BadInput, UnknownName
from tatc.commands.text.output import progress_counter

TrainingFolderOption = Annotated[
    Path, typer.Option(metavar="DIR", help="The folder to keep the training in.")
]

DeviceOption = Annotated[
    str,
    typer.Option(
        metavar="auto|cpu|cuda", help="The device to train on; auto takes a GPU if there is one."
    ),
]

ForceTrainingOption = Annotated[
    bool, typer.Option("--force", help="Start again in a folder that holds a training.")
]


def torch_device(name: str) -> str:
    """Return the torch device of a `--device` choice."""
    import torch

    if name not in ("auto", "cpu", "cuda"):
        raise UnknownName("device", name, ("auto", "cpu", "cuda"), fix="name auto, cpu or cuda")
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise BadInput("there is no GPU that torch can use", fix="give --device cpu")
    return "cuda" if there and name != "cpu" else "cpu"


class TrainingProgressBar(ExitStack):
    """One progress bar at a time."""

    def __init__(self) -> None:
        """Show nothing yet."""
        super().__init__()
        self._count: Callable[[str], None] = lambda note: None

    def open(self, label: str, total: int) -> None:
        """Begin to count to a total, and end the bar before."""
        self.close()
        self._count = self.enter_context(progress_counter(total, label))

    def count(self, done: int) -> None:
        """Count some more."""
        for _ in range(done):
            self._count("")
