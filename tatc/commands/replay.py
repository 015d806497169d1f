"""`tatc replay`: a saved session, told again and, if asked, done again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.output import examples, print_json
from tatc.telling import deeds, effort, titled, unmet, verdict

if TYPE_CHECKING:
    from tatc.records import Record
    from tatc.rerun import Rerun
    from tatc.sim.protocol import Simulator

EXAMPLES = examples(
    "tatc replay coffee.game.json",
    "tatc replay coffee.game.json --verify",
    "tatc replay coffee.game.json --json",
)

_BOXES = "boxes"


def replay(
    record: Annotated[
        Path, typer.Argument(help="A session that `tatc run` has saved.")
    ],
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Do the actions again and say whether the same comes out."
        ),
    ] = False,
    floor_map: Annotated[
        str,
        typer.Option(
            "--map",
            metavar="boxes|FILE",
            help="With --verify: the map that the session was run with.",
        ),
    ] = _BOXES,
    first: Annotated[
        int, typer.Option("--from", min=0, help="Tell from this interaction on.")
    ] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the session as one JSON object.")
    ] = False,
) -> None:
    """Tell a saved session: what was said and done, and its end.

    Exit status 1 when --verify finds that something else comes out.
    """
    from tatc.records import read_record
    from tatc.rerun import rerun

    saved = read_record(record)
    again = rerun(saved, _world(saved, record, floor_map)) if verify else None
    if as_json:
        print_json(_session_json(saved, again))
    else:
        for line in _story(saved, again, first):
            typer.echo(line)
    if again is not None and not again.same:
        raise typer.Exit(1)


def _world(saved: "Record", path: Path, floor_map: str) -> "Simulator":
    """Return a world like the one of the record, or refuse to pretend."""
    from tatc.errors import BadInput
    from tatc.sim.embedded.world import EmbeddedSimulator
    from tatc.sim.maps.files import read_map

    if saved.world != "embedded":
        why = f"the session was run in {saved.world!r}, which --verify cannot start"
        raise BadInput(why, where=str(path), fix="leave out --verify")
    cells = None if floor_map == _BOXES else read_map(Path(floor_map))
    if cells is not None and saved.game_id is not None:
        cells = cells.without(saved.game_id)
    if (cells.hash if cells else "") != saved.map_hash:
        why = f"the session was run with the map {saved.floor_map!r} {saved.map_hash}"
        raise BadInput(why.rstrip(), where=str(path), fix="name that map with --map")
    return EmbeddedSimulator(cells)


def _story(saved: "Record", again: "Rerun | None", first: int) -> Iterator[str]:
    place, game = saved.scene.place, saved.game_id
    yield titled(saved.task_name, saved.task_params, place, game, saved.seed)
    yield ""
    yield from deeds((done, ()) for done in saved.interactions[first:])
    yield ""
    yield from _ending(saved)
    if again is not None:
        yield _verdict(again)


def _ending(saved: "Record") -> Iterator[str]:
    from tatc.actions import Role

    yield verdict(saved.success, saved.end, saved.gc_satisfied, saved.gc_total)
    yield from _unmet(saved)
    ours, theirs = saved.actions(Role.COMMANDER), saved.actions(Role.FOLLOWER)
    yield effort(ours, theirs, saved.failed_actions)


def _unmet(saved: "Record") -> Iterator[str]:
    """Say what the end lacks, where the task is one of those shipped."""
    from tatc.errors import BadInput
    from tatc.tdl import shipped_library

    try:
        task = shipped_library().compile(saved.task_name, saved.task_params)
    except BadInput:  # a task of the user's own
        return
    yield from unmet(task.check(saved.final))


def _verdict(again: "Rerun") -> str:
    if again.difference is None:
        return f"Verified: {again.actions} actions again, the same results and end"
    index = again.difference.index
    where = "end" if index is None else f"interaction {index}"
    return f"Not the same: {where}: {again.difference.what}"


def _session_json(saved: "Record", again: "Rerun | None") -> dict[str, Any]:
    from tatc.actions import Role
    from tatc.records import interaction_json
    from tatc.records.own import decision_json

    value: dict[str, Any] = {
        "task": saved.task_name,
        "params": list(saved.task_params),
        **({"game": saved.game_id} if saved.game_id else {"room": saved.scene.place}),
        "seed": saved.seed,
        "success": saved.success,
        "end": saved.end.value,
        "gc_total": saved.gc_total,
        "gc_sat": saved.gc_satisfied,
        "commander_actions": saved.actions(Role.COMMANDER),
        "follower_actions": saved.actions(Role.FOLLOWER),
        "failed_actions": saved.failed_actions,
        "interactions": [
            {"role": done.role.name.lower(), "verb": done.verb.value}
            | interaction_json(done)
            for done in saved.interactions
        ],
        "decisions": [decision_json(decision) for decision in saved.decisions],
    }
    if again is not None:
        difference = again.difference
        value["verified"] = {
            "same": again.same,
            "actions": again.actions,
            "interaction": difference.index if difference else None,
            "difference": difference.what if difference else None,
        }
    return value
