"""`tatc rooms capture`: room files from the scenes of a running AI2-THOR."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.base.atomic_files import check_writable, make_folder, write_atomically
from tatc.base.errors import BadInput
from tatc.commands.options.shared_options import (
    ForceOption,
    RoomsFolderOption,
    ThorCommitOption,
    ThorExecutableOption,
)
from tatc.commands.text.output import examples_epilog, print_line, progress_bar, remark

if TYPE_CHECKING:
    from tatc.sim.thor import ThorClient

EXAMPLES = examples_epilog("tatc rooms capture FloorPlan1", "tatc rooms capture --all --out rooms/")


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
    from tatc.sim.rooms.user_rooms import user_rooms_folder
    from tatc.sim.thor import ThorClient
    from tatc.sim.thor.client import check_build
    from tatc.sim.thor_build import ThorBuild

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
    from tatc.sim.rooms.thor_capture import capture_room, list_scenes

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
