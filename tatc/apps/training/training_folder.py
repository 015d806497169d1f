"""The folder of a training, which notes the options, so that only the same training resumes."""

import json
from collections.abc import Iterable, Mapping
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path
from typing import Any

from tatc.base.atomic_files import write_atomically
from tatc.base.errors import BadInput, OutputError
from tatc.base.file_limits import TRAINING_NOTE
from tatc.base.file_reading import read_json
from tatc.base.version import __version__

OPTIONS_FILE = "train.json"


def prepare_training_folder(
    out: Path, options: Mapping[str, Any], old_files: Iterable[str], *, force: bool
) -> None:
    """Make the folder and note the options in it, or check that it holds this training.

    A training that starts deletes the files of an earlier one, named by the patterns
    `old_files`.

    Raises:
        BadInput: the folder holds another training, and `force` is not given.
        OutputError: the folder cannot be written to.

    """
    wanted = json.loads(json.dumps({"tatc": __version__, **options}))
    note = out / OPTIONS_FILE
    if exists(note) and not force:
        if read_json(note, TRAINING_NOTE) == wanted:
            return
        fix = "give --force to start again, or another --out"
        raise BadInput("holds another training", where=str(out), fix=fix)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for old in [path for pattern in old_files for path in out.glob(pattern)]:
            old.unlink()
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name another place with --out"
        raise OutputError(why, where=str(out), fix=fix) from fault
    write_atomically((json.dumps(wanted) + "\n").encode(), note, force=True)
