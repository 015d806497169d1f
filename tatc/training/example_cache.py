"""Examples kept between runs: a bounded folder, one file for each set of inputs.

A file's name is a hash of all that its examples depend on, the program included, so
that what depends on something else is made anew.  When the folder grows beyond its
bound, the files that were used longest ago go first.
"""

import os
from collections.abc import Callable, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from tatc.atomic_files import write_atomically
from tatc.errors import OutputError
from tatc.training.examples import Example, pack_examples, unpack_examples

BYTES_PER_MEGABYTE = 1_000_000


class ExampleCache:
    """A folder of examples, by what they depend on."""

    def __init__(self, folder: Path, max_megabytes: int) -> None:
        """Use this folder; it is made when something is first kept.

        Raises:
            OutputError: it cannot be made.

        """
        self.folder = folder
        self._max_bytes = max_megabytes * BYTES_PER_MEGABYTE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            why = f"cannot be made: {fault.strerror or fault}"
            fix = "name a place with --cache DIR"
            raise OutputError(why, where=str(folder), fix=fix) from fault

    def get_or_make(
        self, key: Sequence[object], make: Callable[[], Sequence[Example]]
    ) -> tuple[Example, ...]:
        """Return the examples that depend on `key`, made if they are not there."""
        path = self.path_for(key)
        found = _read_examples(path)
        if found is None:
            found = tuple(make())
            self.store(key, found)
        return found

    def path_for(self, key: Sequence[object]) -> Path:
        """Return the file of the examples that depend on `key`."""
        name = sha256(repr(tuple(key)).encode()).hexdigest()[:24]
        return self.folder / f"examples-{name}.npz"

    def store(self, key: Sequence[object], examples: Sequence[Example]) -> None:
        """Write examples, and take away what is old if there is too much."""
        stream = BytesIO()
        np.savez_compressed(stream, allow_pickle=False, **pack_examples(examples))
        write_atomically(stream.getvalue(), self.path_for(key), force=True)
        self._evict_oldest(self.path_for(key))

    def _evict_oldest(self, newest: Path) -> None:
        files = [(p.stat().st_mtime_ns, p) for p in self.folder.glob("examples-*.npz")]
        total = sum(path.stat().st_size for _, path in files)
        for _, path in sorted(files):
            if total <= self._max_bytes:
                return
            if path != newest:
                total -= path.stat().st_size
                path.unlink(missing_ok=True)


def _read_examples(path: Path) -> tuple[Example, ...] | None:
    """Return a file's examples; None where there is none, or it is damaged."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            found = tuple(unpack_examples({name: arrays[name] for name in arrays.files}))
    except (OSError, ValueError, KeyError, BadZipFile, EOFError):
        return None
    os.utime(path)
    return found
