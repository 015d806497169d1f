"""The state of a training as a file, from which the training resumes exactly."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import torch

from tatc.base.errors import BadInput
from tatc.follower.learned.et.safe_unpickling import read_pickled


class Stateful(Protocol):
    """A part of the state: a network, an optimiser, a schedule or a scaler."""

    def state_dict(self) -> Any:
        """Return the part's state."""
        ...

    def load_state_dict(self, state_dict: Any, /) -> Any:
        """Restore a state that `state_dict` returned."""
        ...


def save_training_state(path: Path, epochs_done: int, parts: Mapping[str, Stateful]) -> None:
    """Write the number of epochs done and the states of the parts, or nothing at all."""
    temporary = path.with_suffix(".part")
    state = {name: part.state_dict() for name, part in parts.items()}
    torch.save({"done": epochs_done, **state}, temporary)
    temporary.replace(path)


def load_training_state(path: Path, parts: Mapping[str, Stateful]) -> int:
    """Restore the parts from a file, and return the number of epochs done.

    Raises:
        BadInput: the file is damaged, or belongs to another network.

    """
    fix = "give --force to start again"
    try:
        state = read_pickled(path)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["done"])
    except BadInput as fault:
        why = f"cannot be resumed from: {fault.what}"
        raise BadInput(why, where=str(path), fix=fix) from fault
    except Exception as fault:  # damaged bytes can raise anything
        why = f"cannot be resumed from: {type(fault).__name__}"
        raise BadInput(why, where=str(path), fix=fix) from fault
