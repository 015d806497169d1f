"""`tatc rooms`: the rooms that come with tatc, and room files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tatc.commands.output import (
    console,
    examples,
    print_json,
    print_table,
    progress,
    remark,
)

if TYPE_CHECKING:
    from tatc.sim.rooms import Room
    from tatc.sim.rooms.census import Census

LIST_EXAMPLES = examples(
    "tatc rooms list",
    "tatc rooms list --with-tasks",
    "tatc rooms list --with-tasks --json",
)
SHOW_EXAMPLES = examples(
    "tatc rooms show kitchen-01", "tatc rooms show kitchen-01 --png kitchen.png"
)
NEW_EXAMPLES = examples("tatc rooms new --kind kitchen --seed 7 --out my-room.json")
STATS_EXAMPLES = examples("tatc rooms stats", "tatc rooms stats --all --drafts")

app = typer.Typer(name="rooms", no_args_is_help=True)

_JSON = typer.Option("--json", help="Print JSON alone to stdout.")


@app.callback()
def rooms() -> None:
    """Look at the rooms that sessions take place in."""


@app.command("list", epilog=LIST_EXAMPLES)
def list_rooms(
    with_tasks: Annotated[
        bool,
        typer.Option("--with-tasks", help="Find out which tasks each can hold, too."),
    ] = False,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """List the shipped rooms."""
    from tatc.sim.rooms import load_room, room_names

    names = room_names()
    shown = progress(names, "rooms") if with_tasks else names
    entries = [_entry(load_room(name), with_tasks) for name in shown]
    if as_json:
        print_json(entries)
        return
    columns = {"room": "room", "kind": "kind", "objects": "objects"}
    columns |= {"floor_area": "floor m2"} | ({"tasks": "tasks"} if with_tasks else {})
    rows = [[_cell(entry[name]) for name in columns] for entry in entries]
    print_table(columns.values(), rows)


def _cell(value: object) -> object:
    """Return a value as the table shows it: of a list its length."""
    return len(cast(list[str], value)) if isinstance(value, list) else value


def _entry(room: "Room", with_tasks: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "room": room.name,
        "kind": room.kind.value,
        "seed": room.seed,
        "objects": len(room.objects),
        "floor_area": room.floor_area,
    }
    if with_tasks:
        from tatc.sim.rooms.suited import tasks_of
        from tatc.tdl import shipped_library

        entry["tasks"] = list(tasks_of(room, shipped_library()))
    return entry


@app.command("show", epilog=SHOW_EXAMPLES)
def show(
    name: Annotated[
        str, typer.Argument(metavar="ROOM", help="A room's name, or a room file.")
    ],
    png: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the plan as a picture.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the picture.")
    ] = False,
) -> None:
    """Draw a room from above."""
    from tatc.sim.rooms import load_room

    room = load_room(name)
    if png is not None:
        _write_png(room, png, force)
        return
    _print_plan(room)


def _write_png(room: "Room", path: Path, force: bool) -> None:
    """Write the picture whole or not at all."""
    from io import BytesIO

    from tatc.atomic import check_target, write_whole
    from tatc.errors import BadInput
    from tatc.sim.rooms.drawing import draw_room

    check_target(path, force=force)
    if path.suffix.lower() != ".png":
        fix = f"name it {path.with_suffix('.png').name}"
        raise BadInput("a plan is drawn as PNG", where=str(path), fix=fix)
    buffer = BytesIO()
    draw_room(room).save(buffer, "PNG")
    write_whole(buffer.getvalue(), path, force=force)
    typer.echo(path)


def _print_plan(room: "Room") -> None:
    from rich.text import Text

    from tatc.sim.rooms.textplan import text_plan

    plan, out = text_plan(room), console()
    x0, z0, x1, z1 = room.walls
    out.print(f"{room.name}: {x1 - x0:g} x {z1 - z0:g} m, {len(room.objects)} objects")
    wide = len(plan.rows[0])
    out.print("+" + "-" * wide + "+")
    for row in plan.rows:
        line = Text.assemble("|", *((mark.letter, mark.style) for mark in row), "|")
        out.print(line, no_wrap=True, overflow="crop")
    out.print("+" + "-" * wide + "+")
    for mark, meaning in plan.legend:
        out.print(Text.assemble((mark.letter, mark.style), f" {meaning}"))


@app.command("new", epilog=NEW_EXAMPLES)
def new(
    kind: Annotated[
        str,
        typer.Option(metavar="KIND", help="kitchen, living-room, bedroom or bathroom."),
    ],
    seed: Annotated[int, typer.Option(min=0, help="Each seed gives another room.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write it; default: KIND-SEED.json"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Make a room; the same kind and seed give the same file."""
    from tatc.atomic import write_whole
    from tatc.errors import UnknownName
    from tatc.sim.rooms import write_room
    from tatc.sim.rooms.generator import make
    from tatc.state import RoomKind

    kinds = {one.value.lower().replace(" ", "-"): one for one in RoomKind}
    wanted = kinds.get(kind.lower().replace(" ", "-"))
    if wanted is None:
        raise UnknownName("kind of room", kind, kinds, fix="tatc rooms new --help")
    made = make(wanted, seed)
    room = made.room
    path = out or Path(f"{room.name}.json")
    write_whole(write_room(room).encode(), path, force=force)
    for fault in made.rejected:
        remark(f"a draft was rejected: {fault}")
    typer.echo(path)


@app.command("stats", epilog=STATS_EXAMPLES)
def stats(
    every: Annotated[
        bool, typer.Option("--all", help="List every type, not only what stands out.")
    ] = False,
    drafts: Annotated[
        bool,
        typer.Option(
            "--drafts",
            help="Make the rooms again, and say how many drafts were no use.",
        ),
    ] = False,
    as_json: Annotated[bool, _JSON] = False,
) -> None:
    """Hold what is in the rooms against AI2-THOR's scenes.

    A figure stands out where the median over our rooms is below the 5th or above the
    95th percentile of AI2-THOR's.
    """
    from tatc.sim.rooms import load_room, room_names
    from tatc.sim.rooms.census import take
    from tatc.state import RoomKind

    found = [load_room(name) for name in room_names()]
    taken = [
        take(kind, [room for room in found if room.kind is kind])
        for kind in RoomKind
        if any(room.kind is kind for room in found)
    ]
    tries = _tries(found) if drafts else None
    if as_json:
        again = {} if tries is None else {"drafts": tries}
        print_json([census.to_json() | _of(again, census) for census in taken])
        return
    for census in taken:
        _print_census(census, every)
    for kind, counted in (tries or {}).items():
        made, rejected = counted["drafts"], counted["rejected"]
        typer.echo(
            f"{kind}: {rejected} of {made} drafts rejected, {rejected / made:.0%}"
        )
        for fault, count in counted["faults"].items():
            typer.echo(f"  {count}  {fault}")


def _of(again: "dict[str, dict[str, Any]]", census: "Census") -> "dict[str, Any]":
    return {name: found[census.kind.value] for name, found in again.items()}


def _tries(rooms: "list[Room]") -> "dict[str, Any]":
    """Return for each kind how many drafts its rooms took, and why some were no use."""
    from tatc.sim.rooms.generator import make

    found: dict[str, Any] = {}
    for room in progress(rooms, "making rooms again"):
        rejected = make(room.kind, room.seed).rejected
        nothing: dict[str, Any] = {"drafts": 0, "rejected": 0, "faults": {}}
        counted = found.setdefault(room.kind.value, nothing)
        counted["drafts"] += 1 + len(rejected)
        counted["rejected"] += len(rejected)
        for fault in rejected:
            counted["faults"][fault] = counted["faults"].get(fault, 0) + 1
    return found


def _print_census(census: "Census", every: bool) -> None:
    from tatc.sim.rooms.census import SUMMARY

    odd = [line for line in census.lines if line.verdict != "ok"]
    out = console()
    out.print(
        f"{census.kind.value}: {census.rooms} rooms; {len(census.lines) - len(odd)} of "
        f"{len(census.lines)} figures and {census.sizes:.1%} of sizes within AI2-THOR's"
    )
    shown = [
        line
        for line in census.lines
        if every or line.verdict != "ok" or line.name in SUMMARY
    ]
    print_table(
        ("", "least", "median", "most", "THOR 5%", "50%", "95%", ""),
        ((line.name, *line.ours, *line.theirs, line.verdict) for line in shown),
    )
    out.print()
