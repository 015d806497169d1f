"""A cache of examples between runs: a folder of bounded size, one file for each key.

A file's name is a hash of everything that its examples depend on, the program's source
included, so that a change of any of it makes them anew.  When the folder grows beyond its
bound, the files used longest ago are deleted.
"""

import os
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from warnings import catch_warnings
from zipfile import ZipFile

import numpy as np

from tatc.apps.training.examples import Example, pack_examples, unpack_examples
from tatc.base.atomic_files import make_folder, write_atomically
from tatc.base.file_reading import EXAMPLES, check_file

BYTES_PER_MEGABYTE = 1_000_000


class ExampleCache:
    """A folder of examples, found by keys: sequences of everything they depend on."""

    def __init__(self, folder: Path, max_megabytes: int) -> None:
        """Use this folder, and make it if needed.

        Raises:
            OutputError: the folder cannot be made.

        """
        self.folder = folder
        self._max_bytes = max_megabytes * BYTES_PER_MEGABYTE
        make_folder(folder, fix="name a place with --cache DIR")

    def find(self, key: Sequence[object]) -> tuple[Example, ...] | None:
        """Return the examples of a key; None if there are none, or their file is damaged."""
        return _read_examples(self.path_for(key))

    def path_for(self, key: Sequence[object]) -> Path:
        """Return the file of a key's examples, which need not exist."""
        name = sha256(repr(tuple(key)).encode()).hexdigest()[:24]
        return self.folder / f"examples-{name}.npz"

    def store(self, key: Sequence[object], examples: Sequence[Example]) -> None:
        """Write the examples of a key, and delete old files beyond the folder's bound."""
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
    """Return a file's examples; None if it does not exist or is damaged."""
    try:
        check_file(path, EXAMPLES)
        with ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > EXAMPLES.max_bytes:
                return None
        # Python may warn of what stands in a damaged header.
        with catch_warnings(action="ignore"), np.load(path, allow_pickle=False) as arrays:
            found = tuple(unpack_examples({name: arrays[name] for name in arrays.files}))
    except Exception:  # damaged bytes can raise anything
        return None
    os.utime(path)
    return found
