"""Which instances a run holds, and the games they were cut from."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from tatc.errors import BadInput
from tatc.evaluation.jobs import Job, Track
from tatc.evaluation.options import Options
from tatc.evaluation.rows import Row
from tatc.records import INSTANCES, find_files, find_games, read_heading, read_instance

_LAYOUT = ("game.json", "game.json.gz")


def jobs_of(options: Options, track: Track, refused: list[Row]) -> Iterator[Job]:
    """Yield a job for each instance of the run's kind that the options name.

    A file that is no instance, or whose game is not found, becomes a row in `refused`.

    Raises:
        BadInput: no instance is named, or a game folder holds no games.

    """
    paths = find_files(options.games, INSTANCES)
    known = games_by_id(track(find_games(options.recorded))) if options.recorded else {}
    for path in track(paths):
        try:
            instance = read_instance(path)
            game = known.get(instance.game_id) or game_beside(path, instance.game_id)
            head = read_heading(game)
        except BadInput as fault:
            refused.append(Row(key=path.name, task="", skipped=fault.line))
            continue
        if instance.benchmark != options.kind:
            continue
        yield Job(
            instance.name,
            head.task_name,
            head.place,
            head.kind.value,
            head.split,
            str(path),
            options.seed,
            game=str(game),
            game_id=instance.game_id,
        )


def games_by_id(paths: Iterable[Path]) -> dict[str, Path]:
    """Return game files by their ids; what is no game is passed over."""
    found: dict[str, Path] = {}
    for path in paths:
        with suppress(BadInput):
            found.setdefault(read_heading(path).game_id, path)
    return found


def game_beside(path: Path, game_id: str) -> Path:
    """Return an instance's game where TEACh's layout has it (spec section 4.1).

    That is games/<split>/ beside edh_instances/<split>/.

    Raises:
        BadInput: it is not there.

    """
    split = path.absolute().parent
    folders: Collection[Path] = (split.parent.parent / "games" / split.name, split)
    for folder in folders:
        for ending in _LAYOUT:
            found = folder / f"{game_id}.{ending}"
            if found.exists():
                return found
    fix = "name the folder of the games with --games"
    raise BadInput(f"its game {game_id} is not found", where=str(path), fix=fix)
