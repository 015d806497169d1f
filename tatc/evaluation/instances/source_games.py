"""The recorded games that EDH and TfD instances were cut from."""

from collections.abc import Collection, Iterable
from contextlib import suppress
from os.path import exists  # unlike Path's, it bears any name
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.session.records import read_game_header

_GAME_FILE_ENDINGS = ("game.json", "game.json.gz")


def games_by_id(paths: Iterable[Path]) -> dict[str, Path]:
    """Return the game files by their ids; files that are no games are passed over."""
    found: dict[str, Path] = {}
    for path in paths:
        with suppress(BadInput):
            found.setdefault(read_game_header(path).game_id, path)
    return found


def find_game_of_instance(path: Path, game_id: str) -> Path:
    """Return an instance's game from its place in TEACh's folders (spec section 4.1).

    That is games/<split>/ beside edh_instances/<split>/.
    """
    split = path.absolute().parent
    folders: Collection[Path] = (split.parent.parent / "games" / split.name, split)
    for folder in folders:
        for ending in _GAME_FILE_ENDINGS:
            found = folder / f"{game_id}.{ending}"
            if exists(found):
                return found
    fix = "name the folder of the games with --games"
    raise BadInput(f"its game {game_id} is not found", where=str(path), fix=fix)
