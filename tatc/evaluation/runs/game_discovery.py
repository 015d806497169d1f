"""The games in files and folders, each once, and a choice of them by floor plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.base.file_reading import GAME, read_json
from tatc.evaluation.runs.jobs import TrackProgress
from tatc.session.records import SESSION_FILES, GameHeader, find_files, read_game_header
from tatc.session.records.game_header import place_names


def game_headings(
    paths_or_globs: Sequence[str], track_progress: TrackProgress = lambda paths: paths
) -> Iterator[tuple[Path, GameHeader | BadInput]]:
    """Yield the header of each game file, or why the file is left out.

    A copy of a game is passed over.  Another game with the same id is left out with a reason.
    """
    first: dict[str, Path] = {}
    for path in track_progress(find_files(paths_or_globs, SESSION_FILES)):
        try:
            head = read_game_header(path)
            other = first.setdefault(head.game_id, path)
            if other is path:
                yield path, head
            elif _read_first(other, path) != read_json(path, GAME):
                what = f"calls itself {head.game_id}, as {other} does"
                raise BadInput(what, where=str(path), fix="name one of the two")
        except BadInput as fault:
            yield path, fault


@dataclass(frozen=True, slots=True)
class GameSelection:
    """The games chosen, and one line for each file that is no game."""

    paths: tuple[Path, ...]
    skipped_lines: tuple[str, ...] = ()


def select_games(
    games: Sequence[str], only: Sequence[str] = (), without: Sequence[str] = ()
) -> GameSelection:
    """Return the games or trajectories in files and folders, each once, filtered by floor plan.

    `only` names the floor plans to keep, all of them if it is empty; `without` those to leave out.
    """
    found, skipped, filtered = list[Path](), list[str](), 0
    wanted, unwanted = place_names(only), place_names(without)
    for path, head in game_headings(games):
        if isinstance(head, BadInput):
            skipped.append(head.one_line)
        elif head.place not in unwanted and (not wanted or head.place in wanted):
            found.append(path)
        else:
            filtered += 1
    if filtered and not found:
        raise BadInput("no game is left", fix="remove a filter")
    return GameSelection(tuple(found), tuple(skipped))


def _read_first(other: Path, path: Path) -> object:
    """Return the content of the game that had the id of `path` first."""
    try:
        return read_json(other, GAME)
    except BadInput as fault:
        why = f"has the id of {other}, which {fault.what}"
        raise BadInput(why, where=str(path), fix="remove the damaged file") from fault
