"""`tatc games`: what recorded games and ALFRED's trajectories hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tatc.base.errors import BadInput
from tatc.commands.options import shared_options
from tatc.commands.text import help_panels, output

if TYPE_CHECKING:
    from tatc.session.records import Game
    from tatc.session.records.trajectory import Trajectory

app = typer.Typer(name="games", help="Look at recorded games.", no_args_is_help=True)

_TRAJECTORY_COLUMNS = ("trajectory", "task", "params", "plan", "actions", "goal")
_MAX_PARAM_CHARACTERS = 40  # characters of parameters in the table
_MAX_GOAL_CHARACTERS = 60  # characters of a goal sentence in the table


@app.command("list", cls=help_panels.PanelCommand, epilog=output.examples_of("games list"))
@shared_options.with_option_groups
def list_games(
    names: shared_options.GamesArgument,
    task: str | None = None,
    plan: list[str] | None = None,
    as_json: shared_options.JsonLinesOption = False,
) -> None:
    """List games with their tasks, places and numbers of actions."""
    from tatc.session.records import SESSION_FILES, find_files, read_game
    from tatc.session.records.trajectory import is_trajectory_file, read_trajectory
    from tatc.tdl import shipped_library

    def entry(path: Path) -> dict[str, Any]:
        if is_trajectory_file(path):
            return _trajectory_entry(read_trajectory(path))
        return _game_entry(read_game(path))

    wanted = None if task is None else shipped_library().find(task).name
    plans = {_parse_plan(name) for name in plan or ()}
    inputs = output.InputFiles(find_files(names, SESSION_FILES))
    found = (
        each
        for each in inputs.read(entry, "reading games")
        if wanted in (None, each["task"]) and (not plans or each["plan"] in plans)
    )
    if as_json:
        for each in found:
            output.print_json(each)
    else:
        _print_tables(list(found))
    inputs.finish()


def _print_tables(found: list[dict[str, Any]]) -> None:
    trajectories = [each for each in found if "trajectory" in each]
    games = [each for each in found if "trajectory" not in each]
    if games or not trajectories:
        output.print_table(_COLUMNS, [_table_row(each) for each in games])
    if trajectories:
        output.print_table(_TRAJECTORY_COLUMNS, [_trajectory_row(each) for each in trajectories])


def _parse_plan(typed: str) -> str:
    """Return a floor plan's name from what was typed: "7", "floorplan7", or a room's name."""
    from tatc.base.plain_text import whole_number
    from tatc.session.records.game import FLOOR_PLANS_HINT, floor_plan_room_kind

    digits = typed.lower().removeprefix("floorplan").removesuffix("_physics")
    if not digits.isdecimal():
        return typed
    number = whole_number(digits)
    if number is None or floor_plan_room_kind(number) is None:
        what = f"there is no floor plan {typed!r}"
        raise BadInput(what, where="--plan", fix=FLOOR_PLANS_HINT)
    return f"FloorPlan{number}"


def _trajectory_entry(trajectory: "Trajectory") -> dict[str, Any]:
    task = trajectory.task
    return {
        "trajectory": trajectory.key,
        "split": trajectory.fold,
        "task": None if task is None else task.type.value,
        "params": {} if task is None else task.parameters,
        "plan": trajectory.floor_plan,
        "actions": len(trajectory.low_actions),
        "goals": [each.goal for each in trajectory.annotations],
    }


def _trajectory_row(entry: dict[str, Any]) -> tuple[object, ...]:
    params = ", ".join(f"{name} {value}" for name, value in entry["params"].items()) or "-"
    name, task = entry["trajectory"].rpartition("~")[2], entry["task"] or "-"
    goal = _cut(next(iter(entry["goals"]), ""), _MAX_GOAL_CHARACTERS)
    return (name, task, params, entry["plan"], entry["actions"], goal)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 3]}..."


_COLUMNS = ("game", "task", "params", "plan", "actions", "Commander", "Follower")


def _game_entry(game: "Game") -> dict[str, Any]:
    from tatc.home.actions import Role

    of_commander = sum(done.role is Role.COMMANDER for done in game.interactions)
    return {
        "game": game.game_id,
        "split": game.split,
        "task": game.task_name,
        "params": list(game.task_params),
        "world": game.world,
        "plan": game.floor_plan,
        "actions": game.n_actions,
        "commander_actions": of_commander,
        "follower_actions": game.n_actions - of_commander,
    }


def _table_row(entry: dict[str, Any]) -> tuple[object, ...]:
    params = _cut(", ".join(entry["params"]), _MAX_PARAM_CHARACTERS)
    names = "game", "task", "params", "plan", "actions", "commander_actions", "follower_actions"
    return tuple((entry | {"params": params})[name] for name in names)
