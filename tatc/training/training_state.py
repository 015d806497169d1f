"""The state of a training as a file: written whole, and gone on from exactly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from tatc.errors import BadInput


class Stateful(Protocol):
    """What a state is made of: a network, an optimiser, a schedule, a scaler."""

    def state_dict(self) -> Any:
        """Return what it has come to."""
        ...

    def load_state_dict(self, state_dict: Any, /) -> Any:
        """Come to that again."""
        ...


def save_training_state(path: Path, epochs_done: int, parts: Mapping[str, Stateful]) -> None:
    """Write how many epochs are done, and what the parts have come to."""
    temporary = path.with_suffix(".part")
    state = {name: part.state_dict() for name, part in parts.items()}
    torch.save({"done": epochs_done, **state}, temporary)
    temporary.replace(path)


def load_training_state(path: Path, parts: Mapping[str, Stateful], device: str = "cpu") -> int:
    """Bring parts to what `save_training_state` wrote, and return how many epochs are done.

    Raises:
        BadInput: the file is damaged, or of another network.

    """
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["done"])
    except Exception as fault:  # torch raises whatever the bytes lead to
        why = f"cannot be gone on from: {type(fault).__name__}"
        fix = "give --force to begin anew"
        raise BadInput(why, where=str(path), fix=fix) from fault
