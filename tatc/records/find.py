"""Which game files the arguments of a command name."""

from collections.abc import Iterable, Iterator, Sequence
from glob import glob, has_magic
from itertools import chain
from pathlib import Path

from tatc.errors import BadInput

SUFFIXES = (".game.json", ".game.json.gz")
"""How the names of game files end, TEACh's and tatc's own; folders are searched for
these.  A file that is named itself may be called anything."""

_FIX = "name game files, folders with *.game.json or *.game.json.gz in them, or globs"


def find_games(args: Sequence[str | Path]) -> list[Path]:
    """Return the game files that files, folders and globs name, sorted, each once.

    Folders are searched with all that is in them; a glob may use `**`.

    Raises:
        BadInput: an argument names nothing, or a folder without any game.

    """
    if not args:
        raise BadInput("no games are given", fix=_FIX)
    seen: dict[Path, Path] = {}
    for path in sorted(chain.from_iterable(_named_by(str(arg)) for arg in args)):
        seen.setdefault(path.resolve(), path)
    return list(seen.values())


def _named_by(arg: str) -> Iterable[Path]:
    path = Path(arg)
    try:
        if path.is_dir():
            return _all_of(_games_in(path), arg, "there are no games in this folder")
        if path.exists() or not has_magic(arg):
            return _all_of(
                [path] if path.exists() else [], arg, "there is no such file"
            )
        matches = sorted(glob(arg, recursive=True))
    except (OSError, ValueError) as fault:  # a name too long, a null character
        raise BadInput(f"is no usable path: {fault}", where=arg, fix=_FIX) from fault
    found = chain.from_iterable(
        _games_in(match) if match.is_dir() else [match] for match in map(Path, matches)
    )
    return _all_of(found, arg, "nothing matches this pattern")


def _games_in(folder: Path) -> Iterator[Path]:
    return (
        path
        for path in folder.rglob("*.game.json*")
        if path.name.endswith(SUFFIXES) and path.is_file()
    )


def _all_of(paths: Iterable[Path], arg: str, otherwise: str) -> list[Path]:
    found = list(paths)
    if not found:
        raise BadInput(otherwise, where=arg, fix=_FIX)
    return found
