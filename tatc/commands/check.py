"""`tatc check`: the goal conditions of recorded games, and whether demonstrations play again."""

from collections.abc import Iterable, Mapping
from os.path import isfile  # unlike Path's, it bears any name
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tatc.base.plain_text import counted
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.home.state import Snapshot
    from tatc.tdl import Progress, TaskLibrary

_COLUMNS = ("game", "task", "place", "start", "end", "done")


@shared_options.with_option_groups
def check(
    games: shared_options.GamesArgument,
    tasks: shared_options.TaskFoldersOption = None,
    plans: shared_options.PlansOption = None,
    as_json: shared_options.JsonLinesOption = False,
) -> None:
    """Count the goal conditions of games, or check demonstrations."""
    from tatc.apps.export import chat_demonstration
    from tatc.session import records, start
    from tatc.session.records.trajectory import is_trajectory_file
    from tatc.tdl import load_library

    if all(isfile(each) and chat_demonstration.is_chat_file(Path(each)) for each in games):
        read = chat_demonstration.check_lines
        lines = ((each, *line) for each in games for line in read(Path(each)))
        _check_demonstrations(lines, as_json=as_json)
        return
    library = load_library(tasks or ())
    inputs = output.InputFiles(records.find_files(games, records.SESSION_FILES))

    def entry(path: Path) -> dict[str, Any]:
        if is_trajectory_file(path):
            return _check_trajectory(path, library, tuple(plans or ()))
        game = records.read_game(path)
        task = start.task_of_game(game, f"{path}: tasks[0]", library)
        return {
            "game": game.game_id,
            "split": game.split,
            "task": game.task_name,
            "params": list(game.task_params),
            "world": game.world,
            "initial": _goal_counts(task.check(game.scene.initial)),
            "final": _goal_counts(task.check(game.final)),
        }

    found = inputs.read(entry, "checking games")
    if as_json:
        for each in found:
            output.print_json(each)
    else:
        _print_checks(list(found))
    inputs.finish()


def _check_demonstrations(lines: Iterable[tuple[str, str, str]], *, as_json: bool) -> None:
    count = differing = 0
    for path, name, why in lines:
        count, differing = count + 1, differing + bool(why)
        if as_json:
            output.print_json({"file": path, "session": name, "same": not why, "why": why})
        elif why:
            output.print_line(f"{path}: {name}: {why}")
    output.remark(f"{counted(count, 'demonstration')}: {count - differing} play to the same record")
    if differing:
        raise typer.Exit(output.EXIT_NOT_SOLVED)


def _goal_counts(progress: "Progress") -> dict[str, Any]:
    return {
        "success": progress.success,
        "gc_total": progress.goal_conditions_total,
        "gc_sat": progress.goal_conditions_satisfied,
    }


def _check_trajectory(path: Path, library: "TaskLibrary", plans: tuple[str, ...]) -> dict[str, Any]:
    from tatc.evaluation.runs.rows import alfred_counts
    from tatc.session.alfred.named_actions import NamedReplay
    from tatc.session.records.trajectory import read_trajectory
    from tatc.session.start import start_from_trajectory

    begun = start_from_trajectory(path, library, plans, 1)
    task = begun.alfred_task
    assert task is not None
    replay = NamedReplay(begun.scene)
    for action in read_trajectory(path).low_actions:
        replay.do(action)

    def counts_at(now: "Snapshot") -> dict[str, Any]:
        counts = alfred_counts(task, replay.start, now)
        return {"success": not counts.unmet, "gc_total": counts.total, "gc_sat": counts.met}

    return {
        "game": begun.game_id,
        "task": task.type.value,
        "params": task.parameters,
        "world": begun.scene.place,
        "initial": counts_at(replay.start),
        "final": counts_at(replay.now),
    }


def _print_checks(found: list[dict[str, Any]]) -> None:
    output.print_table(_COLUMNS, map(_check_row, found))
    at_start = sum(each["initial"]["success"] for each in found)
    at_end = sum(each["final"]["success"] for each in found)
    output.remark(
        f"{counted(len(found), 'game')}: {at_end} complete at the end, {at_start} at the start"
    )


def _check_row(entry: Mapping[str, Any]) -> tuple[object, ...]:
    start, end = entry["initial"], entry["final"]
    return (
        entry["game"],
        entry["task"],
        entry["world"].removesuffix("_physics"),
        f"{start['gc_sat']}/{start['gc_total']}",
        f"{end['gc_sat']}/{end['gc_total']}",
        "yes" if end["success"] else "no",
    )
