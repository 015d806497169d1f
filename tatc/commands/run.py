"""`tatc run`: one session, told as it happens, and saved."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import (
    CommanderName,
    Definitions,
    FloorMap,
    FollowerName,
    GameFile,
    Noise,
    Params,
    PlannerName,
    Policies,
    Seed,
    ThorCommit,
    ThorExecutable,
    WordingName,
    World,
)
from tatc.commands.output import examples, print_json, remark

if TYPE_CHECKING:
    from tatc.opening import Opening
    from tatc.records import Record
    from tatc.session import SessionResult

EXAMPLES = examples(
    "tatc run --task coffee",
    "tatc run --task 'clean all x' --param Mug --room kitchen-03 --seed 7",
    "tatc run --game games/coffee.game.json",
    "tatc run --task coffee --json --no-save",
    "tatc run --task coffee --frames images",
    "tatc run --task coffee --wording steps",
    "tatc run --task coffee --noise 0.05 --commander my_agents:MyCommander",
    "tatc run --task coffee --sim thor --scene FloorPlan3",
)


def run(
    task: Annotated[
        str | None,
        typer.Option(help="What to do: a name or a number (`tatc tasks` lists them)."),
    ] = None,
    room: Annotated[
        str | None,
        typer.Option(
            help="Where: a shipped room (`tatc rooms list`) or a room file; "
            "without it, the first that can hold the task."
        ),
    ] = None,
    game: GameFile = None,
    param: Params = None,
    seed: Seed = 1,
    tasks: Definitions = None,
    floor_map: FloorMap = "boxes",
    commander: CommanderName = "rule",
    follower: FollowerName = "rule",
    planner: PlannerName = "policies",
    policies: Policies = None,
    noise: Noise = 0.0,
    wording: WordingName = "actions",
    sim: World = "embedded",
    scene: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --sim thor, where: FloorPlan1."),
    ] = None,
    thor_executable: ThorExecutable = None,
    thor_commit: ThorCommit = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Where to save the record (.gz packs it)."),
    ] = None,
    frames: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Draw what was seen at each step, in TEACh's layout."
        ),
    ] = None,
    frame_size: Annotated[
        int,
        typer.Option(min=16, max=4096, help="With --frames: pixels along each side."),
    ] = 900,
    no_save: Annotated[bool, typer.Option("--no-save", help="Save no record.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that exists.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Tell only how it ended.")
    ] = False,
) -> None:
    """Run one session: a Commander tells a Follower what to do.

    Exit status 0 when the task is complete at the end, 1 when it is not.
    """
    from tatc.agents import with_planner
    from tatc.atomic import check_target
    from tatc.commands.narrator import Narrator
    from tatc.errors import BadInput
    from tatc.own_policies import own_policies
    from tatc.runner import (
        THOR,
        Setup,
        open_session,
        record_of,
        run_opening,
        save_record,
    )
    from tatc.sim.thor import ThorBuild

    speaker = with_planner(commander, planner)
    build = ThorBuild(thor_executable, thor_commit)
    setup = Setup(floor_map, speaker, follower, noise, wording, sim, build)
    setup.check()
    if scene is not None and sim != THOR:
        raise BadInput("a scene is one of AI2-THOR's", fix="add --sim thor")
    if save is not None and no_save:
        raise BadInput("--save does not go with --no-save", fix="take one away")
    if save is not None:
        check_target(save, force=force)
    opening = open_session(
        task=task,
        room=room,
        game=game,
        params=param or (),
        seed=seed,
        folders=tasks or (),
        scene=scene,
        thor=build,
    )
    if frames is not None:
        from tatc.timeline.frames import check_frames

        check_frames(frames, opening.session_id, force=force)
    narrator = Narrator(remark if json else typer.echo, quiet=quiet)
    with own_policies(policies or ()):
        narrator.open(opening)
        result, world = run_opening(opening, setup, watch=narrator.tell)
    record = record_of(opening, result, world, setup)
    path = None if no_save else save_record(record, save, force=force)
    narrator.close(result, path)
    if frames is not None:
        _draw(record, opening, floor_map, frames, frame_size, force)
    if json:
        print_json(_summary(opening, result, path))
    if not result.success:
        raise typer.Exit(1)


def _draw(
    record: "Record",
    opening: "Opening",
    floor_map: str,
    folder: Path,
    size: int,
    force: bool,
) -> None:
    """Draw a session's frames, and say where they are."""
    from tatc.timeline import Timeline
    from tatc.timeline.frames import write_frames
    from tatc.timeline.source import source_of

    source = source_of(record, opening.task, floor_map=floor_map)
    timeline, name = Timeline.of(source), record.session_id
    count = sum(1 for _ in write_frames(timeline, name, folder, size=size, force=force))
    remark(f"{count} frames in {folder / record.session_id}")


def _summary(
    opening: "Opening", result: "SessionResult", path: Path | None
) -> dict[str, object]:
    from tatc.actions import Role

    place = {"room": opening.room} if opening.room else {"game": opening.game}
    return {
        "task": opening.task.name,
        "params": list(opening.task.params),
        **place,
        "seed": opening.seed,
        "success": result.success,
        "end": str(result.end),
        "gc_total": result.progress.goal_conditions_total,
        "gc_sat": result.progress.goal_conditions_satisfied,
        "commander_actions": result.actions(Role.COMMANDER),
        "follower_actions": result.actions(Role.FOLLOWER),
        "failed_actions": result.failures,
        "record": str(path) if path else None,
    }
