"""`tatc run`: one session, told as it happens, and saved."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.exit_status import exit_for_end
from tatc.commands.output import crash_traceback, examples_epilog, print_json, remark
from tatc.commands.shared_options import (
    CommanderOption,
    FloorMapOption,
    FollowerOption,
    GameOption,
    NoiseOption,
    ParamsOption,
    PlannerOption,
    PoliciesOption,
    SeedOption,
    SimOption,
    TaskFoldersOption,
    ThorCommitOption,
    ThorExecutableOption,
    WordingOption,
)

if TYPE_CHECKING:
    from tatc.records import Record
    from tatc.session import SessionResult
    from tatc.session.start import SessionStart

EXAMPLES = examples_epilog(
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
        str | None, typer.Option(help="What to do: a name or a number (`tatc tasks` lists them).")
    ] = None,
    room: Annotated[
        str | None,
        typer.Option(
            help="Where: a shipped room (`tatc rooms list`) or a room file; "
            "without it, the first that can hold the task."
        ),
    ] = None,
    game: GameOption = None,
    param: ParamsOption = None,
    seed: SeedOption = 1,
    tasks: TaskFoldersOption = None,
    floor_map: FloorMapOption = "boxes",
    commander: CommanderOption = "rule",
    follower: FollowerOption = "rule",
    planner: PlannerOption = "policies",
    policies: PoliciesOption = None,
    noise: NoiseOption = 0.0,
    wording: WordingOption = "actions",
    sim: SimOption = "embedded",
    scene: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --sim thor, where: FloorPlan1.")
    ] = None,
    thor_executable: ThorExecutableOption = None,
    thor_commit: ThorCommitOption = None,
    save: Annotated[
        Path | None, typer.Option(help="Where to save the record (.gz packs it).")
    ] = None,
    frames: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Draw what was seen at each step, in TEACh's layout."),
    ] = None,
    frame_size: Annotated[
        int, typer.Option(min=16, max=4096, help="With --frames: pixels along each side.")
    ] = 900,
    no_save: Annotated[bool, typer.Option("--no-save", help="Save no record.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="End with one JSON object on stdout.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Tell only how it ended.")] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Where an agent crashes, print all its calls.")
    ] = False,
) -> None:
    """Run one session: a Commander tells a Follower what to do.

    Exit status 0 when the task was solved, 1 when it was not, 3 when an agent crashed.
    """
    from tatc.atomic_files import check_writable
    from tatc.commands.session_narrator import SessionNarrator
    from tatc.errors import BadInput
    from tatc.session.agents import commander_with_planner
    from tatc.session.runner import (
        THOR_WORLD,
        SessionSetup,
        find_session_start,
        make_record,
        run_from_start,
        save_record,
    )
    from tatc.session.user_policies import user_policies
    from tatc.sim.thor_build import ThorBuild

    commander_name = commander_with_planner(commander, planner)
    build = ThorBuild(thor_executable, thor_commit)
    setup = SessionSetup(floor_map, commander_name, follower, noise, wording, sim, build)
    setup.validate()
    if scene is not None and sim != THOR_WORLD:
        raise BadInput("a scene is one of AI2-THOR's", fix="add --sim thor")
    if save is not None and no_save:
        raise BadInput("--save does not go with --no-save", fix="take one away")
    if save is not None:
        check_writable(save, force=force)
    opening = find_session_start(
        task=task,
        room=room,
        game=game,
        params=param or (),
        seed=seed,
        task_folders=tasks or (),
        scene=scene,
        thor=build,
    )
    if frames is not None:
        from tatc.timeline.frame_files import check_frames

        check_frames(frames, opening.session_id, force=force)
    narrator = SessionNarrator(remark if json else typer.echo, quiet=quiet)
    with user_policies(policies or ()), crash_traceback(shown=traceback):
        narrator.narrate_start(opening)
        result, world = run_from_start(opening, setup, watch=narrator.narrate_event)
    record = make_record(opening, result, world, setup)
    path = None if no_save else save_record(record, save, force=force)
    narrator.narrate_end(result, path)
    if frames is not None:
        _write_frames(record, opening, floor_map, frames, frame_size, force)
    if json:
        print_json(_summary_json(opening, result, path))
    exit_for_end(result.end)


def _write_frames(
    record: "Record", opening: "SessionStart", floor_map: str, folder: Path, size: int, force: bool
) -> None:
    """Draw a session's frames, and say where they are."""
    from tatc.timeline import Timeline
    from tatc.timeline.finished_session import finished_session_of
    from tatc.timeline.frame_files import write_frames

    source = finished_session_of(record, opening.task, floor_map=floor_map)
    timeline, name = Timeline.of(source), record.session_id
    count = sum(1 for _ in write_frames(timeline, name, folder, size=size, force=force))
    remark(f"{count} frames in {folder / record.session_id}")


def _summary_json(
    opening: "SessionStart", result: "SessionResult", path: Path | None
) -> dict[str, object]:
    from tatc.actions import Role

    place = {"room": opening.room} if opening.room else {"game": opening.game_id}
    return {
        "task": opening.task.name,
        "params": list(opening.task.params),
        **place,
        "seed": opening.seed,
        "success": result.success,
        "end": str(result.end),
        "gc_total": result.progress.goal_conditions_total,
        "gc_sat": result.progress.goal_conditions_satisfied,
        "commander_actions": result.count_actions(Role.COMMANDER),
        "follower_actions": result.count_actions(Role.FOLLOWER),
        "failed_actions": result.failures,
        "record": str(path) if path else None,
    }
