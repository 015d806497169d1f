"""`tatc rooms`: the shipped rooms, and room files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.base.errors import BadInput, UnknownName
from tatc.base.file_names import check_exact_names
from tatc.base.files import check_writable, make_folder, write_atomically
from tatc.base.plain_text import printable
from tatc.commands.options import shared_options
from tatc.commands.text import help_panels, output

if TYPE_CHECKING:
    from tatc.home.actions import Cell
    from tatc.home.state import Scene
    from tatc.sim.rooms import Room

app = typer.Typer(
    name="rooms",
    help="List, draw and make the rooms that sessions take place in.",
    no_args_is_help=True,
)


# `tatc rooms import`: room files from the starts of recorded games.


@dataclass(slots=True)
class _RecordedPlan:
    """What games show of one floor plan: the first one's start, and where people stood."""

    games: tuple[str, ...]
    scene: "Scene"
    stood_on: "frozenset[Cell]"
    refused: "frozenset[Cell]"

    def add(self, other: "_RecordedPlan") -> None:
        self.stood_on |= other.stood_on
        self.refused |= other.refused
        self.games += other.games


@app.command("import", cls=help_panels.PanelCommand, epilog=output.examples_of("rooms import"))
@shared_options.with_option_groups
def import_rooms(
    games: shared_options.GamesArgument,
    out: shared_options.RoomsFolderOption = None,
    force: shared_options.ForceOption = False,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Make room files from the starts of recorded games."""
    from tatc.session.records import find_games
    from tatc.sim.rooms.room_files import user_rooms_folder

    inputs = output.InputFiles(find_games(games))
    by_plan: dict[str, _RecordedPlan] = {}
    for each in inputs.read(_read_game, "reading games"):
        known = by_plan.setdefault(each.scene.place, each)
        if known is not each:
            known.add(each)
    if not by_plan:
        raise BadInput("none of these is a game", fix="name recorded games; no room was made")
    plans = sorted(by_plan)
    paths = _room_paths(out or user_rooms_folder(), plans, force=force)
    made = [
        _write_room(by_plan[plan], path, force=force)
        for plan, path in zip(plans, paths, strict=True)
    ]
    if as_json:
        output.print_json(made)
    else:
        for about in made:
            output.remark(
                "{room}: {objects} objects, {cells} cells; the start of {game}, and where people "
                "stood (games: {games})".format_map(about)
            )
            output.print_line(about["file"])
    inputs.finish()


def _room_paths(folder: Path, names: Sequence[str], *, force: bool) -> list[Path]:
    make_folder(folder)
    check_exact_names(names)
    paths = [folder / f"{name}.json" for name in names]
    for path in paths:
        check_writable(path, force=force)
    return paths


def _read_game(path: Path) -> _RecordedPlan:
    from tatc.commands.maps import walked_cells
    from tatc.session.records import read_game

    game = read_game(path)
    return _RecordedPlan((game.game_id,), game.scene, *walked_cells(game))


def _write_room(plan: _RecordedPlan, path: Path, *, force: bool) -> dict[str, object]:
    from tatc.sim.rooms import format_room, scene_to_room

    room = scene_to_room.recorded_room(plan.scene, plan.stood_on, plan.refused, plan.games)
    write_atomically(format_room(room).encode(), path, force=force)
    return {
        "room": room.name,
        "file": str(path),
        "game": plan.games[0],
        "games": len(plan.games),
        "objects": len(room.objects),
        "cells": len(room.cells),
    }


# `tatc rooms capture`: room files from the scenes of a running AI2-THOR.


@app.command("capture", cls=help_panels.PanelCommand, epilog=output.examples_of("rooms capture"))
@shared_options.with_option_groups
def capture(
    scenes: Annotated[list[str] | None, typer.Argument()] = None,
    every: Annotated[bool, typer.Option("--all")] = False,
    out: shared_options.RoomsFolderOption = None,
    thor_executable: shared_options.ThorExecutableOption = None,
    thor_commit: shared_options.ThorCommitOption = None,
    force: shared_options.ForceOption = False,
) -> None:
    """Make room files from AI2-THOR's scenes."""
    from tatc.sim import protocol, thor
    from tatc.sim.rooms import format_room, room_files, scene_to_room
    from tatc.sim.thor.client import check_build

    if bool(scenes) == every:
        raise BadInput("name the scenes to capture, or --all", fix="tatc rooms capture FloorPlan1")
    build = protocol.ThorBuild(thor_executable, thor_commit)
    check_build(build)
    client = thor.ThorClient(build)
    try:
        wanted = scenes or scene_to_room.list_scenes(client)
        names = [scene.removesuffix("_physics") for scene in wanted]
        paths = _room_paths(out or room_files.user_rooms_folder(), names, force=force)
        for scene, path in output.progress_bar(list(zip(wanted, paths, strict=True)), "capturing"):
            room = scene_to_room.capture_room(client, scene)
            write_atomically(format_room(room).encode(), path, force=force)
            output.remark(f"{scene}: {len(room.objects)} objects, {len(room.cells)} cells")
            output.print_line(path)
    finally:
        client.stop()


# `tatc rooms list`, `show`, `new`.


@app.command("list", cls=help_panels.PanelCommand, epilog=output.examples_of("rooms list"))
@shared_options.with_option_groups
def list_rooms(
    names: Annotated[
        list[str] | None,
        typer.Argument(show_default=False, autocompletion=shared_options.complete_room),
    ] = None,
    with_tasks: Annotated[bool, typer.Option("--with-tasks")] = False,
    as_json: shared_options.JsonOption = False,
) -> None:
    """List rooms, and the tasks that can be done in them."""
    from tatc.sim.rooms import load_room
    from tatc.sim.rooms.room_files import ROOM_GROUPS, group_names

    groups = {group: group_names(group) for group in ROOM_GROUPS} if not names else {"": names}
    rooms = [(group, load_room(name)) for group, held in groups.items() for name in held]
    shown = output.progress_bar(rooms, "rooms") if with_tasks else rooms
    entries = [_room_entry(room, group, with_tasks) for group, room in shown]
    if as_json:
        output.print_json(entries)
        return
    columns = {"room": "room", "kind": "kind", "objects": "objects", "floor_area": "floor m2"}
    for group in groups:
        listed = [entry for entry in entries if entry.get("group", "") == group]
        rows = [[entry[name] for name in columns] for entry in listed]
        if with_tasks:
            rows = [[*row, len(each["tasks"])] for row, each in zip(rows, listed, strict=True)]
        if group:
            output.print_line(f"{group}: {ROOM_GROUPS[group]}")
        output.print_table([*columns.values(), *(("tasks",) if with_tasks else ())], rows)


def _room_entry(room: "Room", group: str, with_tasks: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        **({"group": group} if group else {}),
        "room": room.name,
        "kind": room.kind.value,
        "seed": room.seed,
        "objects": len(room.objects),
        "floor_area": room.floor_area,
    }
    if with_tasks:
        from tatc.sim.rooms.start_sampling import feasible_tasks
        from tatc.tdl import shipped_library

        entry["tasks"] = list(feasible_tasks(room, shipped_library()))
    return entry


@app.command("show", cls=help_panels.PanelCommand, epilog=output.examples_of("rooms show"))
@shared_options.with_option_groups
def show(name: Annotated[str, typer.Argument(autocompletion=shared_options.complete_room)]) -> None:
    """Draw a room from above, in letters."""
    from rich.text import Text

    from tatc.sim.rooms import load_room
    from tatc.sim.top_view.plan_model import draw_text_plan

    room = load_room(name)
    plan, out = draw_text_plan(room), output.console()
    x0, z0, x1, z1 = room.walls
    out.print(f"{printable(room.name)}: {x1 - x0:g} x {z1 - z0:g} m, {len(room.objects)} objects")
    wide = len(plan.rows[0])
    out.print("+" + "-" * wide + "+")
    for row in plan.rows:
        line = Text.assemble("|", *((mark.letter, mark.style) for mark in row), "|")
        out.print(line, no_wrap=True, overflow="crop")
    out.print("+" + "-" * wide + "+")
    for mark, meaning in plan.legend:
        out.print(Text.assemble((mark.letter, mark.style), f" {printable(meaning)}"))


@app.command("new", cls=help_panels.PanelCommand, epilog=output.examples_of("rooms new"))
@shared_options.with_option_groups
def new(
    kind: Annotated[str, typer.Option()],
    seed: Annotated[int, typer.Option(min=0)],
    out: Path | None = None,
    force: shared_options.ForceOption = False,
) -> None:
    """Make a room; the same kind and seed give the same file."""
    from tatc.home.state import RoomKind
    from tatc.sim.rooms import format_room
    from tatc.sim.rooms.generator.room_generator import generate_with_faults

    kinds = {one.value.lower().replace(" ", "-"): one for one in RoomKind}
    wanted = kinds.get(kind.lower().replace(" ", "-"))
    if wanted is None:
        raise UnknownName("kind of room", kind, kinds, fix=f"name one of {', '.join(kinds)}")
    room, rejected = generate_with_faults(wanted, seed)
    path = out or Path(f"{room.name}.json")
    write_atomically(format_room(room).encode(), path, force=force)
    for fault in rejected:
        output.remark(f"a draft was rejected: {fault}")
    output.print_line(path)
