"""Which files the arguments of a command name: games, or EDH and TfD instances."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from itertools import chain
from pathlib import Path

from tatc.errors import BadInput


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of file that folders are searched for, by how its name ends.

    A file that is named itself may be called anything.
    """

    noun: str
    ends: re.Pattern[str]
    shown: str

    @property
    def fix(self) -> str:
        """What a user should name."""
        one = self.noun.removesuffix("s")
        return f"name {one} files, folders with {self.shown} in them, or globs"


GAMES = Sort(
    "games", re.compile(r"\.game\.json(\.gz)?$"), "*.game.json or *.game.json.gz"
)
"""Game files, TEACh's and tatc's own."""

INSTANCES = Sort(
    "instances",
    re.compile(r"\.(edh\d+|tfd)\.json(\.gz)?$"),
    "*.edh<k>.json or *.tfd.json",
)
"""EDH and TfD instances, as TEACh names them."""


def find_games(args: Sequence[str | Path]) -> list[Path]:
    """Return the game files that files, folders and globs name, sorted, each once.

    Folders are searched with all that is in them; a glob may use `**`.

    Raises:
        BadInput: an argument names nothing, or a folder without any game.

    """
    return find_files(args, GAMES)


def find_files(args: Sequence[str | Path], sort: Sort) -> list[Path]:
    """Return the files of a sort that are named, as `find_games` does."""
    if not args:
        raise BadInput(f"no {sort.noun} are given", fix=sort.fix)
    seen: dict[Path, Path] = {}
    for path in sorted(chain.from_iterable(_named_by(str(arg), sort) for arg in args)):
        seen.setdefault(path.resolve(), path)
    return list(seen.values())


def _named_by(arg: str, sort: Sort) -> Iterable[Path]:
    path = Path(arg)
    try:
        if path.is_dir():
            otherwise = f"there are no {sort.noun} in this folder"
            return _all_of(_inside(path, sort), arg, sort, otherwise)
        if path.exists() or not has_magic(arg):
            found = [path] if path.exists() else []
            return _all_of(found, arg, sort, "there is no such file")
        matches = sorted(glob(arg, recursive=True))
    except (OSError, ValueError) as fault:  # a name too long, a null character
        why = f"is no usable path: {fault}"
        raise BadInput(why, where=arg, fix=sort.fix) from fault
    found = chain.from_iterable(
        _inside(match, sort) if match.is_dir() else [match]
        for match in map(Path, matches)
    )
    return _all_of(found, arg, sort, "nothing matches this pattern")


def _inside(folder: Path, sort: Sort) -> Iterator[Path]:
    return (
        path
        for path in folder.rglob("*.json*")
        if sort.ends.search(path.name) and path.is_file()
    )


def _all_of(paths: Iterable[Path], arg: str, sort: Sort, otherwise: str) -> list[Path]:
    found = list(paths)
    if not found:
        raise BadInput(otherwise, where=arg, fix=sort.fix)
    return found
