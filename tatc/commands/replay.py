"""`tatc replay`: a saved session, printed and, if asked, executed again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.base import errors, plain_text
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.session.records import Record
    from tatc.session.session_record import ReplayResult
    from tatc.sim.protocol import Simulator
    from tatc.tdl import Task


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """Whether the actions are executed again, and with which map."""

    verify: bool = shared_options.plain_field(False, "--verify")
    floor_map: str = shared_options.map_field(
        "With --verify: the recorded map that the session was run with, if it is none that tatc "
        "ships.",
        "Options",
    )


@shared_options.with_option_groups
def replay(
    record: Path,
    chosen: VerifyOptions,
    first: Annotated[int, typer.Option("--from", min=0)] = 0,
    tasks: shared_options.TaskFoldersOption = None,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Print a saved session: what was said and done, and its end."""
    from tatc.session.records import read_record
    from tatc.session.session_record import replay_record
    from tatc.session.worlds import SHIPPED_MAP

    if not chosen.verify and chosen.floor_map != SHIPPED_MAP:
        raise errors.BadInput("--map is for --verify", fix="add --verify, or leave --map out")
    saved = read_record(record)
    task = task_of(saved, tasks or ())
    world = simulator_of(saved, record, chosen.floor_map, task) if chosen.verify else None
    repeated = None if world is None else replay_record(saved, world, task)
    if as_json:
        output.print_json(_session_json(saved, repeated))
    else:
        output.print_lines(_transcript_lines(saved, repeated, first, task))
    if repeated is not None and (not repeated.is_same or (saved.success and repeated.unknown)):
        raise typer.Exit(output.EXIT_NOT_SOLVED)
    output.exit_for_end(saved.end)


def simulator_of(saved: "Record", path: Path, floor_map: str, task: "Task | None") -> "Simulator":
    """Return the simulator in which a record can be executed again; a BadInput says why not."""
    from tatc.session import worlds
    from tatc.session.timeline.timeline import finished_session_of
    from tatc.sim.embedded.simulator import EmbeddedSimulator

    if saved.world != worlds.EMBEDDED_WORLD:
        why = f"the session was run in {saved.world!r}, which --verify cannot start"
        raise errors.BadInput(why, where=str(path), fix="leave out --verify")
    floor_map = worlds.map_of_record(floor_map, saved.floor_map)
    recorded_map = worlds.load_map_for(floor_map, saved.scene.place, saved.game_id)
    if worlds.map_name_and_hash(recorded_map)[1] != saved.map_hash:
        why = f"the session was run with the map {saved.floor_map!r} {saved.map_hash}"
        is_shipped = saved.floor_map == worlds.SHIPPED_MAP == floor_map
        fix = "take the tatc that ships it" if is_shipped else "name that map with --map"
        raise errors.BadInput(why.rstrip(), where=str(path), fix=fix)
    world = EmbeddedSimulator(recorded_map)
    if task is None or "noise" not in dict(saved.options):
        return world
    session = finished_session_of(saved, task, where=str(path))
    return worlds.with_noise(world, session.start, session.setup.noise)


def _transcript_lines(
    saved: "Record", repeated: "ReplayResult | None", first: int, task: "Task | None"
) -> Iterator[str]:
    from tatc.commands.text.session_narrator import outcome_lines
    from tatc.home.state import ShortNames
    from tatc.session.transcript import format_interactions, format_title, format_unmet_steps

    place, game = saved.scene.place, saved.game_id
    yield format_title(saved.task_name, saved.task_params, place, game, saved.seed)
    yield ""
    names = ShortNames(saved.final)
    shown = saved.interactions[max(first - 1, 0) :]
    yield from format_interactions(((done, ()) for done in shown), names)
    yield ""
    unmet = () if task is None else format_unmet_steps(task.check(saved.final), names)
    yield from outcome_lines(saved, unmet)
    if repeated is None:
        yield "Not verified: this is what the file says (--verify computes it)"
    else:
        yield from map(names.shorten, _verification_lines(saved, repeated))


def task_of(saved: "Record", folders: Sequence[Path]) -> "Task | None":
    """Return the task that a record names, None if it is not known, or of a part of it."""
    from tatc.session.session_record import SUBGOAL_OPTION
    from tatc.tdl import load_library

    if SUBGOAL_OPTION in dict(saved.options):
        return None
    try:
        return load_library(folders).compile(saved.task_name, saved.task_params)
    except errors.BadInput:  # a task of the user's own
        return None


def _verification_lines(saved: "Record", repeated: "ReplayResult") -> Iterator[str]:
    difference = repeated.difference
    if difference is not None:
        where = "end" if difference.index is None else f"step {difference.index + 1}"
        yield f"Not the same: {where}: {difference.description}"
    yield from (f"Not so: {claim}" for claim in repeated.claims)
    if repeated.is_same:
        actions = plain_text.counted(repeated.action_count, "action")
        yield f"Verified: {actions} again, the same results and end"
    if repeated.unknown:
        fix = "the success is what the file says (--tasks DIR adds definitions)"
        yield f"Not verified: {repeated.unknown}: {fix}"
    elif not saved.success:
        yield f"Not verified: why it ended ({saved.end.value.replace('_', ' ')})"


def _session_json(saved: "Record", repeated: "ReplayResult | None") -> dict[str, Any]:
    from tatc.commands.text.session_narrator import outcome_json
    from tatc.session import records, transcript
    from tatc.session.records.record_io import decision_json

    value = outcome_json(saved) | {
        "interactions": [
            {"role": done.role.name.lower(), "verb": done.verb.value}
            | records.interaction_json(done)
            for done in saved.interactions
        ],
        "planners": transcript.PlannerSummary.of(saved.decisions).to_json(),
        "decisions": [decision_json(decision) for decision in saved.decisions],
    }
    if repeated is not None:
        difference = repeated.difference
        value["verified"] = {
            "same": repeated.is_same,
            "actions": repeated.action_count,
            "interaction": difference.index if difference else None,
            "difference": difference.description if difference else None,
            "claims": list(repeated.claims),
            "unknown": repeated.unknown,
        }
    return value
