"""The folder of a training: its options, so that only the same one resumes, and its state."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any, cast

import torch

from tatc.base import errors, files, folder_lock, version
from tatc.follower.learned.et.safe_unpickling import read_pickled


@dataclass(frozen=True, slots=True)
class TrainingWatch:
    """Functions that are called as a training proceeds.

    `on_start` gets a label and a number of parts, `on_done` the parts that are done since the last
    call, `on_result` a line, and `on_skipped` a line for an input that is left out.
    """

    on_start: Callable[[str, int], None] = lambda label, total: None
    on_done: Callable[[int], None] = lambda done: None
    on_result: Callable[[str], None] = lambda line: None
    on_skipped: Callable[[str], None] = lambda why: None


@contextmanager
def held_training_folder(
    out: Path, options: Mapping[str, Any], old_files: Iterable[str], *, force: bool
) -> Generator[None]:
    """Hold the folder of a training, which is made without old files or has these options."""
    note, fix = out / "train.json", "name another place with --out"
    wanted = json.loads(json.dumps({"tatc": version.__version__, **options}))
    files.make_folder(out, fix=fix)
    with folder_lock.held(out):
        if force or not exists(note):
            with errors.os_errors_as(errors.OutputError, "cannot be emptied", out, fix=fix):
                for old in [path for pattern in old_files for path in out.glob(pattern)]:
                    old.unlink()
            files.write_atomically((json.dumps(wanted) + "\n").encode(), note, force=True)
        elif files.read_json(note, files.TRAINING_NOTE) != wanted:
            fix = "give --force to start again, or another --out"
            raise errors.BadInput("holds another training", where=str(out), fix=fix)
        yield


class Resumable(ABC):
    """A training whose state is a file, from which it resumes exactly."""

    epochs_done: int = 0

    @abstractmethod
    def state_parts(self) -> Mapping[str, Any]:
        """Return the parts of the state: networks, optimisers, schedules and scalers."""

    def save(self, path: Path) -> None:
        """Write everything that a later run needs to resume, or nothing at all."""
        temporary = path.with_suffix(".part")
        state = {name: part.state_dict() for name, part in self.state_parts().items()}
        torch.save({"done": self.epochs_done, **state}, temporary)
        temporary.replace(path)

    def resume(self, path: Path) -> None:
        """Resume from a file that `save` wrote."""
        try:
            state = read_pickled(path)
            for name, part in self.state_parts().items():
                part.load_state_dict(state[name])
            self.epochs_done = int(state["done"])
        except Exception as fault:  # damaged bytes can raise anything
            told = fault.what if isinstance(fault, errors.BadInput) else type(fault).__name__
            why, fix = f"cannot be resumed from: {told}", "give --force to start again"
            raise errors.BadInput(why, where=str(path), fix=fix) from fault


def seed_torch(seed: int) -> None:
    """Seed torch's generator."""
    cast(Any, torch).manual_seed(seed)
