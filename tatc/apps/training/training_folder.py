"""The folder of a training: its options, so that only the same one resumes, and its state."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any

import torch

from tatc.base import errors, files, version
from tatc.follower.learned.et.safe_unpickling import read_pickled

OPTIONS_FILE = "train.json"


def prepare_training_folder(
    out: Path, options: Mapping[str, Any], old_files: Iterable[str], *, force: bool
) -> None:
    """Make the folder, without old files, and note the options, or check that it has them."""
    wanted = json.loads(json.dumps({"tatc": version.__version__, **options}))
    note = out / OPTIONS_FILE
    if exists(note) and not force:
        if files.read_json(note, files.TRAINING_NOTE) == wanted:
            return
        fix = "give --force to start again, or another --out"
        raise errors.BadInput("holds another training", where=str(out), fix=fix)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for old in [path for pattern in old_files for path in out.glob(pattern)]:
            old.unlink()
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another place with --out"
        raise errors.OutputError(why, where=str(out), fix=fix) from fault
    files.write_atomically((json.dumps(wanted) + "\n").encode(), note, force=True)


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
        fix = "give --force to start again"
        try:
            state = read_pickled(path)
            for name, part in self.state_parts().items():
                part.load_state_dict(state[name])
            self.epochs_done = int(state["done"])
        except errors.BadInput as fault:
            why = f"cannot be resumed from: {fault.what}"
            raise errors.BadInput(why, where=str(path), fix=fix) from fault
        except Exception as fault:  # damaged bytes can raise anything
            why = f"cannot be resumed from: {type(fault).__name__}"
            raise errors.BadInput(why, where=str(path), fix=fix) from fault
