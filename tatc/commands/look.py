"""`tatc look`: what the cameras show at a step of a session, or in a room."""

from difflib import get_close_matches
from os.path import exists, isdir  # unlike Path's, these bear any name
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tatc.base import errors, files
from tatc.commands.options import shared_options
from tatc.commands.text.output import print_line

if TYPE_CHECKING:
    from tatc.home.camera.rays import Eye
    from tatc.home.state import Scene, Snapshot


@shared_options.with_option_groups
def look(
    what: Annotated[str, typer.Argument(autocompletion=shared_options.complete_room)],
    out: Annotated[Path, typer.Option()],
    step: Annotated[int, typer.Option(min=0)] = 0,
    pose: str | None = None,
    size: Annotated[int, typer.Option(min=16, max=4096)] = 900,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    tasks: shared_options.TaskFoldersOption = None,
    force: shared_options.ForceOption = False,
) -> None:
    """Draw what both agents' cameras see, and the room from above."""
    from tatc.home.actions import Role
    from tatc.home.camera.views import eye_of_role
    from tatc.session.timeline.frame_files import camera_images
    from tatc.sim.embedded.snapshot_renderer import SnapshotRenderer

    scene, now = _load_moment(what, step, seed, tasks or [])
    eyes = {role.name.lower(): eye_of_role(role, now) for role in (Role.FOLLOWER, Role.COMMANDER)}
    if pose is not None:
        eyes["follower"] = _parse_eye(pose, now)
    files.make_folder(out)
    for name, data in camera_images(SnapshotRenderer(scene), now, eyes, size):
        files.write_atomically(data, out / name, force=force)
        print_line(out / name)


def _load_moment(what: str, step: int, seed: int, folders: list[Path]) -> "tuple[Scene, Snapshot]":
    from tatc.session.timeline import Timeline
    from tatc.sim.rooms import load_room, shipped_names, start_state
    from tatc.tdl import load_library

    if what in shipped_names() or _is_room_file(what):
        if step:
            raise errors.BadInput("a room has no steps", where=what, fix="take --step away")
        scene = start_state(load_room(what), seed)
        return scene, scene.initial
    if not exists(what) and get_close_matches(what, shipped_names()):
        load_room(what)  # says which are close
    timeline = Timeline.of(what, load_library(folders))
    if step >= len(timeline.moments):
        last = len(timeline.moments) - 1
        raise errors.BadInput(f"there is no step {step}", where=what, fix=f"name 0 to {last}")
    return timeline.start.scene, timeline.moments[step].snapshot


def _is_room_file(what: str) -> bool:
    from tatc.sim.rooms.room_files import ROOM_FORMAT

    is_file = exists(what) and not isdir(what)
    document: Any = files.read_json(Path(what), files.GAME) if is_file else None
    return isinstance(document, dict) and cast(Any, document).get("format") == ROOM_FORMAT


def _parse_eye(pose: str, now: "Snapshot") -> "Eye":
    from tatc.home.camera.clicks import eye_of
    from tatc.home.state import AgentState
    from tatc.sim.rooms.room_files import MAX_COORDINATE_METRES

    fix = "as in --pose=-1,0.5,180,30"
    try:
        x, z, yaw, horizon = map(float, pose.split(","))
    except ValueError as fault:
        raise errors.BadInput(f"--pose {pose!r} is not four numbers", fix=fix) from fault
    if not (
        max(abs(x), abs(z)) <= MAX_COORDINATE_METRES and abs(yaw) <= 360 and abs(horizon) <= 90
    ):
        raise errors.BadInput(f"--pose {pose!r} is no pose in a room", fix=fix)
    return eye_of(AgentState((x, now.follower.position[1], z), yaw, horizon))
