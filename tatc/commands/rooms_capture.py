"""`tatc rooms capture`: rooms for the embedded world from a running AI2-THOR."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.output import examples_epilog, progress_bar, remark
from tatc.commands.shared_options import ThorCommitOption, ThorExecutableOption

if TYPE_CHECKING:
    from tatc.sim.thor import ThorClient

EXAMPLES = examples_epilog("tatc rooms capture FloorPlan1", "tatc rooms capture --all --out rooms/")


def capture(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENES", help="AI2-THOR's names: FloorPlan1."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Capture every scene of iTHOR that it has.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where to write the rooms; tatc's data folder if left out, where "
            "`--room FloorPlan1` and `tatc thor-server` find them.",
        ),
    ] = None,
    thor_executable: ThorExecutableOption = None,
    thor_commit: ThorCommitOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace rooms that exist.")] = False,
) -> None:
    """Make room files of AI2-THOR's scenes.

    A room holds how AI2-THOR loads a scene: its objects, their boxes, which knob lights
    which burner, and where a body can stand.  A session draws its start from it.
    """
    from tatc.errors import BadInput
    from tatc.rooms.user_rooms import user_rooms_folder
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
    client: "ThorClient", scenes: "list[str] | tuple[()]", folder: Path, *, force: bool
) -> None:
    from tatc.atomic_files import check_writable, write_atomically
    from tatc.rooms import format_room
    from tatc.rooms.thor_capture import capture_room, list_scenes

    wanted = scenes or list_scenes(client)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{scene.removesuffix('_physics')}.json" for scene in wanted]
    for path in paths:
        check_writable(path, force=force)
    pairs = list(zip(wanted, paths, strict=True))
    for scene, path in progress_bar(pairs, "capturing"):
        room = capture_room(client, scene)
        write_atomically(format_room(room).encode(), path, force=force)
        remark(f"{scene}: {len(room.objects)} objects, {len(room.cells)} cells")
        typer.echo(path)
