"""The games that files and folders hold, each once, and the places they are set in."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tatc.errors import BadInput
from tatc.evaluation.jobs import Track
from tatc.records import Heading, find_games, read_heading
from tatc.records.files import load_json


def headings(
    given: Sequence[str], track: Track = lambda paths: paths
) -> Iterator[tuple[Path, Heading | BadInput]]:
    """Yield for each game file its heading, or why it is left out.

    A copy of a game is passed over; another file that calls itself the same is not.

    Raises:
        BadInput: nothing is found.

    """
    first: dict[str, Path] = {}
    for path in track(find_games(given)):
        try:
            head = read_heading(path)
            other = first.setdefault(head.game_id, path)
            if other is path:
                yield path, head
            elif load_json(other) != load_json(path):
                what = f"calls itself {head.game_id}, as {other} does"
                raise BadInput(what, where=str(path), fix="name one of the two")
        except BadInput as fault:
            yield path, fault


def places_of(names: Sequence[str]) -> frozenset[str]:
    """Return places by their names; a number is that of a floor plan."""
    return frozenset(f"FloorPlan{name}" if name.isdigit() else name for name in names)
