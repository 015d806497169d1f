"""One session from what a user names to a saved record: what `tatc run` does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from platformdirs import user_data_path

from tatc.agents import commander_named, follower_named
from tatc.errors import BadInput, OutputError, UnknownName
from tatc.language import Wording
from tatc.opening import Opening, open_game, open_in, open_room
from tatc.records import Record, content_hash, write_record
from tatc.session import Event, SessionResult, run_session
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.maps.files import read_map
from tatc.sim.maps.floor_map import FloorMap
from tatc.sim.noisy import NoisySimulator
from tatc.sim.protocol import Simulator
from tatc.sim.thor import ThorBuild, ThorClient, ThorSimulator
from tatc.sim.thor.capture import capture_room
from tatc.sim.thor.client import ANY_BUILD, thor_version
from tatc.tdl import load_library

EMBEDDED, THOR = "embedded", "thor"
"""The worlds that a session can be run in, as a user names them."""
BOXES = "boxes"
"""The map that is made of the objects' boxes alone."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a session is run, as a user names it.

    `floor_map` is `BOXES` or a map file; `commander` and `follower` are names or
    `module:Class`; each primitive of the Follower's fails with probability `noise`;
    `wording` is the grain at which the Commander speaks.  `sim` is `EMBEDDED` or
    `THOR`, the latter of the build `thor`.
    """

    floor_map: str = BOXES
    commander: str = "rule"
    follower: str = "rule"
    noise: float = 0.0
    wording: str = Wording.ACTIONS
    sim: str = EMBEDDED
    thor: ThorBuild = ANY_BUILD

    def check(self) -> None:
        """See to it that all of it exists.

        Raises:
            BadInput: an agent or the map does not, or the noise is no probability.
            MissingExtra: the client of AI2-THOR is not installed.
            ThorError: there is no such executable.

        """
        _check_world(self)
        if not 0 <= self.noise <= 1:
            raise BadInput(f"{self.noise} is no probability", fix="name 0 to 1")
        if self.floor_map != BOXES:
            read_map(Path(self.floor_map))
        commander_named(self.commander, self.wording)
        follower_named(self.follower)


def open_session(
    *,
    task: str | None,
    room: str | None,
    game: Path | None,
    params: Sequence[str],
    seed: int,
    folders: Sequence[Path],
    scene: str | None = None,
    thor: ThorBuild = ANY_BUILD,
) -> Opening:
    """Find the task and the place that a user named.

    A `scene` is one of AI2-THOR's, asked of the build `thor`; a start is drawn in it
    as in a room.

    Raises:
        BadInput: they do not exist, do not go together, or cannot be done.
        ThorError: AI2-THOR does not start or lacks the scene.

    """
    library = load_library(folders)
    if game is not None:
        if room is not None or scene is not None:
            option = "--scene" if room is None else "--room"
            raise BadInput("a game brings its own room", fix=f"leave out {option}")
        return open_game(game, library, task, params, seed)
    if task is None:
        raise BadInput(
            "there is nothing to do", fix="name a task with --task, or a --game"
        )
    if scene is None:
        return open_room(room, library, task, params, seed)
    if room is not None:
        raise BadInput("a scene is a room", fix="leave out --room or --scene")
    captured = capture_room(thor_client(thor), scene)
    return open_in(captured, library, library.find(task), params, seed)


def run_opening(
    opening: Opening,
    setup: Setup = Setup(),
    *,
    watch: Callable[[Event], None] | None = None,
) -> tuple[SessionResult, FloorMap | None]:
    """Run a pair of agents from an opening in the embedded world.

    Returns:
        What came of it, and the map that was used (None: boxes alone), without the
        cells of the game itself.

    Raises:
        BadInput: an agent does not exist, or the map file cannot be read.

    """
    sim, cells = world_of(opening, setup)
    try:
        result = run_session(
            sim,
            opening.scene,
            opening.task,
            commander_named(setup.commander, setup.wording)(),
            follower_named(setup.follower)(),
            watch=watch,
        )
    finally:
        sim.close()
    return result, cells


def world_of(opening: Opening, setup: Setup) -> tuple[Simulator, FloorMap | None]:
    """Return the world in which an opening is run, and its map (None: boxes alone).

    Raises:
        BadInput: the map file cannot be read.

    """
    cells = map_of(opening, setup)
    home: Simulator = EmbeddedSimulator(cells)
    if setup.sim == THOR:
        home = ThorSimulator(thor_client(setup.thor), lasting=True)
    return noisy(home, opening, setup), cells


@lru_cache(maxsize=1)
def thor_client(build: ThorBuild) -> ThorClient:
    """Return this process's AI2-THOR; it lasts from session to session."""
    return ThorClient(build)


def _check_world(setup: Setup) -> None:
    if setup.sim not in (EMBEDDED, THOR):
        fix = f"name {EMBEDDED} or {THOR}"
        raise UnknownName("world", setup.sim, (EMBEDDED, THOR), fix=fix)
    if setup.sim == THOR:
        if setup.floor_map != BOXES:
            raise BadInput(
                "a map is for tatc's own world: AI2-THOR knows its floor",
                fix="leave out --map",
            )
        setup.thor.check()
    elif setup.thor != ANY_BUILD:
        raise BadInput("a build of AI2-THOR is for AI2-THOR", fix="add --sim thor")


def map_of(opening: Opening, setup: Setup) -> FloorMap | None:
    """Return the map of a setup without the cells of the game itself, None for boxes.

    Raises:
        BadInput: the map file cannot be read.

    """
    if setup.floor_map == BOXES:
        return None
    cells = _read_map(Path(setup.floor_map))
    return cells if opening.game is None else cells.without(opening.game)


def noisy(home: Simulator, opening: Opening, setup: Setup) -> Simulator:
    """Return a home with the noise of a setup; without any, the home itself."""
    if not setup.noise:
        return home
    words = (opening.place, opening.task.name, *opening.task.params, opening.seed)
    return NoisySimulator(home, setup.noise, " ".join(map(str, words)))


@lru_cache(maxsize=1)
def _read_map(path: Path) -> FloorMap:
    """Read a map once for many sessions."""
    return read_map(path)


def record_of(
    opening: Opening,
    result: SessionResult,
    floor_map: FloorMap | None,
    setup: Setup = Setup(),
) -> Record:
    """Return the record of a session."""
    agents = (("commander", setup.commander), ("follower", setup.follower))
    noise = (("noise", setup.noise),) if setup.noise else ()
    plain = setup.wording == Wording.ACTIONS
    wording = () if plain else (("wording", setup.wording),)
    return Record(
        definition=opening.task.definition_json(),
        scene=opening.scene,
        final=result.final,
        interactions=result.interactions,
        decisions=result.decisions,
        end=result.end,
        gc_total=result.progress.goal_conditions_total,
        gc_satisfied=result.progress.goal_conditions_satisfied,
        world=EMBEDDED if setup.sim == EMBEDDED else f"ai2thor {thor_version()}",
        floor_map=BOXES if floor_map is None else floor_map.name,
        map_hash="" if floor_map is None else floor_map.hash,
        seed=opening.seed,
        game_id=opening.game,
        options=(*agents, *noise, *wording),
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
    place = record.game_id or record.scene.place
    name = f"{place}_{record.seed}_{content_hash(record)[:12]}"
    path = user_data_path("tatc") / "records" / task / f"{name}.game.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        why = f"cannot be made: {fault.strerror or fault}"
        fix = "name a place with --save FILE, or give --no-save"
        raise OutputError(why, where=str(path.parent), fix=fix) from fault
    write_record(record, path, force=True)
    return path
