"""One session from what a user names to a saved record: what `tatc run` does."""

from collections.abc import Callable, Sequence
from pathlib import Path

from platformdirs import user_data_path

from tatc.commander import RuleCommander
from tatc.errors import BadInput, OutputError
from tatc.follower import RuleFollower
from tatc.opening import Opening, open_game, open_room
from tatc.records import Record, content_hash, write_record
from tatc.session import Event, SessionResult, run_session
from tatc.sim.embedded.floor_map import FloorMap
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.tdl import load_library

BOXES = "boxes"
"""The map that is made of the objects' boxes alone."""


def open_session(
    *,
    task: str | None,
    room: str | None,
    game: Path | None,
    params: Sequence[str],
    seed: int,
    folders: Sequence[Path],
) -> Opening:
    """Find the task and the place that a user named.

    Raises:
        BadInput: they do not exist, do not go together, or cannot be done.

    """
    library = load_library(folders)
    if game is not None:
        if room is not None:
            raise BadInput("a game brings its own room", fix="leave out --room")
        return open_game(game, library, task, params, seed)
    if task is None:
        raise BadInput(
            "there is nothing to do", fix="name a task with --task, or a --game"
        )
    return open_room(room, library, task, params, seed)


def run_opening(
    opening: Opening,
    floor_map: str = BOXES,
    *,
    watch: Callable[[Event], None] | None = None,
) -> tuple[SessionResult, FloorMap | None]:
    """Run the rule pair from an opening in the embedded world.

    Returns:
        What came of it, and the map that was used (None: boxes alone), without the
        cells of the game itself.

    Raises:
        MapFormatError: the map file cannot be read.

    """
    cells = None if floor_map == BOXES else FloorMap.read(Path(floor_map))
    if cells is not None and opening.game is not None:
        cells = cells.without(opening.game)
    sim = EmbeddedSimulator(cells)
    try:
        result = run_session(
            sim,
            opening.scene,
            opening.task,
            RuleCommander(),
            RuleFollower(),
            watch=watch,
        )
    finally:
        sim.close()
    return result, cells


def record_of(
    opening: Opening, result: SessionResult, floor_map: FloorMap | None
) -> Record:
    """Return the record of a session."""
    return Record(
        definition=opening.task.definition_json(),
        scene=opening.scene,
        final=result.final,
        interactions=result.interactions,
        decisions=result.decisions,
        end=result.end,
        gc_total=result.progress.goal_conditions_total,
        gc_satisfied=result.progress.goal_conditions_satisfied,
        world="embedded",
        floor_map=BOXES if floor_map is None else floor_map.name,
        map_hash="" if floor_map is None else floor_map.hash,
        seed=opening.seed,
        game_id=opening.game,
        options=(("commander", "rule"), ("follower", "rule")),
    )


def save_record(record: Record, path: Path | None, *, force: bool) -> Path:
    """Save a record where the user says, or in the user's data folder.

    In the data folder a record's name holds task, place, seed and a hash of its
    content; the same session saved twice is one file.

    Raises:
        OutputError: the file exists and `force` is not given, or cannot be written.

    """
    if path is not None:
        write_record(record, path, force=force)
        return path
    task = record.task_name.lower().replace(" ", "-")
    name = f"{record.session_id}_{record.seed}_{content_hash(record)[:12]}"
    path = user_data_path("tatc") / "records" / task / f"{name}.game.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name a place with --save FILE, or give --no-save"
        raise OutputError(why, where=str(path.parent), fix=fix) from fault
    write_record(record, path, force=True)
    return path
