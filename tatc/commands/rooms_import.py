"""`tatc rooms import`: room files from the starts of recorded games."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base.atomic_files import check_writable, make_folder, write_atomically
from tatc.base.errors import BadInput
from tatc.commands.options.input_files import InputFiles
from tatc.commands.options.shared_options import (
    ForceOption,
    GamesArgument,
    JsonOption,
    RoomsFolderOption,
    ThorCommitOption,
    ThorExecutableOption,
)
from tatc.commands.text.output import examples_epilog, print_json, print_line, progress_bar, remark

if TYPE_CHECKING:
    from tatc.home.actions import Cell
    from tatc.home.state import Scene
    from tatc.sim.thor import ThorClient


IMPORT_EXAMPLES = examples_epilog(
    "tatc rooms import games/ --out rooms/",
    "tatc rooms show rooms/FloorPlan1.json",
    "tatc run coffee --room rooms/FloorPlan1.json",
)


@dataclass(slots=True)
class _RecordedPlan:
    """What games show of one floor plan: the first one's start, and where people stood."""

    first_game: str
    scene: "Scene"
    stood_on: "frozenset[Cell]"
    refused: "frozenset[Cell]"
    games: int = 1

    def add(self, other: "_RecordedPlan") -> None:
        """Add where people stood, and were refused a step, in further games."""
        self.stood_on |= other.stood_on
        self.refused |= other.refused
        self.games += other.games


def import_rooms(
    games: GamesArgument,
    out: RoomsFolderOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make room files from the starts of recorded games.

    Each floor plan gives one room, FloorPlanN.json: AI2-THOR has one scene for it, and
    TEACh's code loads that scene and then puts every object where the game has it.  The
    room is the start of the floor plan's first game, by file name: its objects with their
    ids, poses, boxes and states.  An agent can stand between the boxes, and where people
    stood in any of the games.  Files that are no games are named and skipped; then the
    exit status is 1.
    """
    from tatc.session.records import find_games
    from tatc.sim.rooms.room_files import user_rooms_folder

    inputs = InputFiles(find_games(games))
    by_plan: dict[str, _RecordedPlan] = {}
    for each in inputs.read(_read_game, "reading games"):
        known = by_plan.setdefault(each.scene.place, each)
        if known is not each:
            known.add(each)
    if not by_plan:
        raise BadInput("none of these is a game", fix="name recorded games; no room was made")
    folder = out or user_rooms_folder()
    make_folder(folder)
    paths = {plan: folder / f"{plan}.json" for plan in sorted(by_plan)}
    for path in paths.values():
        check_writable(path, force=force)
    made = [_write_room(by_plan[plan], path, force=force) for plan, path in paths.items()]
    if as_json:
        print_json(made)
    else:
        for about in made:
            remark(
                "{room}: {objects} objects, {cells} cells; the start of {game}, and where people "
                "stood in {games} games".format_map(about)
            )
            print_line(about["file"])
    inputs.finish()


def _read_game(path: Path) -> _RecordedPlan:
    from tatc.commands.maps import walked_cells
    from tatc.session.records import read_game

    game = read_game(path)
    return _RecordedPlan(game.game_id, game.scene, *walked_cells(game))


def _write_room(plan: _RecordedPlan, path: Path, *, force: bool) -> dict[str, object]:
    """Write the room of a floor plan; return what to say of it."""
    from tatc.sim.rooms import format_room
    from tatc.sim.rooms.scene_to_room import recorded_room

    room = recorded_room(plan.scene, plan.stood_on, plan.refused)
    write_atomically(format_room(room).encode(), path, force=force)
    return {
        "room": room.name,
        "file": str(path),
        "game": plan.first_game,
        "games": plan.games,
        "objects": len(room.objects),
        "cells": len(room.cells),
    }


# `tatc rooms capture`: room files from the scenes of a running AI2-THOR.

CAPTURE_EXAMPLES = examples_epilog(
    "tatc rooms capture FloorPlan1", "tatc rooms capture --all --out rooms/"
)


def capture(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENES", help="Scenes by AI2-THOR's names, such as FloorPlan1."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Capture all iTHOR scenes that this AI2-THOR has.")
    ] = False,
    out: RoomsFolderOption = None,
    thor_executable: ThorExecutableOption = None,
    thor_commit: ThorCommitOption = None,
    force: ForceOption = False,
) -> None:
    """Make room files from AI2-THOR's scenes.

    A room file holds a scene as AI2-THOR loads it: its objects and their bounding boxes,
    which knob controls which burner, and where an agent can stand.  Sessions in the room
    draw their initial state from it.
    """
    from tatc.sim.protocol import ThorBuild
    from tatc.sim.rooms.room_files import user_rooms_folder
    from tatc.sim.thor import ThorClient
    from tatc.sim.thor.client import check_build

    if bool(scenes) == every:
        raise BadInput("name the scenes to capture, or --all", fix="tatc rooms capture FloorPlan1")
    build = ThorBuild(thor_executable, thor_commit)
    check_build(build)
    client = ThorClient(build)
    try:
        _capture_scenes(client, scenes or (), out or user_rooms_folder(), force=force)
    finally:
        client.stop()


def _capture_scenes(
    client: "ThorClient", scenes: Sequence[str], folder: Path, *, force: bool
) -> None:
    from tatc.sim.rooms import format_room
    from tatc.sim.rooms.scene_to_room import capture_room, list_scenes

    wanted = scenes or list_scenes(client)
    make_folder(folder)
    paths = [folder / f"{scene.removesuffix('_physics')}.json" for scene in wanted]
    for path in paths:
        check_writable(path, force=force)
    pairs = list(zip(wanted, paths, strict=True))
    for scene, path in progress_bar(pairs, "capturing"):
        room = capture_room(client, scene)
        write_atomically(format_room(room).encode(), path, force=force)
        remark(f"{scene}: {len(room.objects)} objects, {len(room.cells)} cells")
        print_line(path)
