"""Finds the files that a command's arguments name: games, or EDH and TfD instances."""

import gzip
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from glob import glob, has_magic
from io import BytesIO
from itertools import chain
from pathlib import Path

from tatc.base import errors, files, json_fields


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file to search folders for; one that is named directly may end otherwise."""

    noun: str
    name_pattern: re.Pattern[str]
    example_names: str

    @property
    def fix(self) -> str:
        """Advice for an error's message."""
        one = self.noun.removesuffix("s")
        return f"name {one} files, folders with {self.example_names} in them, or globs"


GAME_FILES = FileKind("games", re.compile(r"\.game\.json(\.gz)?$"), "*.game.json or *.game.json.gz")
"""Game files, TEACh's and tatc's own."""
SESSION_FILES = FileKind(
    "games",
    re.compile(rf"{GAME_FILES.name_pattern.pattern}|^traj_data\.json$"),
    f"{GAME_FILES.example_names}, or traj_data.json",
)
"""Game files, and ALFRED's trajectories."""
INSTANCE_FILES = FileKind(
    "instances", re.compile(r"\.(edh\d+|tfd)\.json(\.gz)?$"), "*.edh<k>.json or *.tfd.json"
)
"""EDH and TfD instances, as TEACh names them."""


def find_games(args: Sequence[str | Path]) -> list[Path]:
    """Return the game files that files, folders and globs name, sorted and each once."""
    return find_files(args, GAME_FILES)


def find_files(args: Sequence[str | Path], kind: FileKind) -> list[Path]:
    """Return the files of a kind that arguments name, sorted and each once."""
    if not args:
        raise errors.BadInput(f"no {kind.noun} are given", fix=kind.fix)
    seen: dict[Path, Path] = {}
    for path in sorted(chain.from_iterable(_expand_argument(str(arg), kind) for arg in args)):
        seen.setdefault(path.resolve(), path)
    return list(seen.values())


def _expand_argument(arg: str, kind: FileKind) -> Iterable[Path]:
    path = Path(arg)
    try:
        if path.is_dir():
            named, why = [path], f"there are no {kind.noun} in this folder"
        elif path.exists() or not has_magic(arg):
            named, why = [path] if path.exists() else [], "there is no such file"
        else:
            named = [*map(Path, sorted(glob(arg, recursive=True)))]
            why = "nothing matches this pattern"
        found = [
            file
            for each in named
            for file in (_files_in_folder(each, kind) if each.is_dir() else [each])
        ]
    except (OSError, ValueError) as fault:  # a name too long, a null character
        raise errors.BadInput(f"is no usable path: {fault}", where=arg, fix=kind.fix) from fault
    if not found:
        raise errors.BadInput(why, where=arg, fix=kind.fix)
    return found


def _files_in_folder(folder: Path, kind: FileKind) -> Iterator[Path]:
    return (p for p in folder.rglob("*.json*") if kind.name_pattern.search(p.name) and p.is_file())


def field_faults_in(path: Path) -> AbstractContextManager[None]:
    """Turn a `FieldError` into a `GameFormatError` that names this file too."""
    fix = f"mend the field, or {files.FIX_COPY_AGAIN}"
    return json_fields.errors_in(path, errors.GameFormatError, fix)


def gzip_bytes(data: bytes, level: int = 9) -> bytes:
    """Return gzipped data without a name or time, so that equal data give equal bytes."""
    buffer = BytesIO()
    with gzip.GzipFile("", "wb", level, buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()
