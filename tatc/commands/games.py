"""`tatc games`: what recorded games and saved sessions hold."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.help_panels import PanelCommand
from tatc.commands.input_files import InputFiles
from tatc.commands.output import examples_epilog, print_json, print_table
from tatc.commands.shared_options import GamesArgument, JsonLinesOption
from tatc.errors import BadInput

if TYPE_CHECKING:
    from tatc.records import Game

LIST_EXAMPLES = examples_epilog(
    "tatc games list games/",
    "tatc games list games/ --task coffee --plan FloorPlan7",
    "tatc games list 'games/train/0*.game.json' --json",
)

app = typer.Typer(name="games", help="Look at recorded games.", no_args_is_help=True)

_COLUMNS = ("game", "task", "params", "plan", "actions", "Commander", "Follower")
_MAX_PARAM_CHARACTERS = 40  # characters of parameters in the table


@app.command("list", cls=PanelCommand, epilog=LIST_EXAMPLES)
def list_games(
    names: GamesArgument,
    task: Annotated[
        str | None, typer.Option(help="Only games of this task (`tatc tasks` lists them).")
    ] = None,
    plan: Annotated[
        list[str] | None,
        typer.Option(help="Only games in this floor plan or room. Repeat it for more."),
    ] = None,
    as_json: JsonLinesOption = False,
) -> None:
    """List games with their tasks, places and numbers of actions.

    Files that are no games are named and skipped; then the exit status is 1.
    """
    from tatc.records import find_games, read_game
    from tatc.tdl import shipped_library

    wanted = None if task is None else shipped_library().find(task).name
    plans = {_parse_plan(name) for name in plan or ()}
    inputs = InputFiles(find_games(names))

    def entry(path: Path) -> dict[str, Any] | None:
        game = read_game(path)
        if wanted not in (None, game.task_name) or (plans and game.floor_plan not in plans):
            return None
        return _game_entry(game)

    found = (each for each in inputs.read(entry, "reading games") if each is not None)
    if as_json:
        for each in found:
            print_json(each)
    else:
        print_table(_COLUMNS, [_table_row(each) for each in found])
    inputs.finish()


def _parse_plan(typed: str) -> str:
    """Return a floor plan's name from what was typed: "7", "floorplan7", or a room's name."""
    from tatc.plain_text import whole_number
    from tatc.records import floor_plan_room_kind

    digits = typed.lower().removeprefix("floorplan").removesuffix("_physics")
    if not digits.isdecimal():
        return typed
    number = whole_number(digits)
    if number is None or floor_plan_room_kind(number) is None:
        fix = "iTHOR's plans are FloorPlan1-30, 201-230, 301-330 and 401-430"
        raise BadInput(f"there is no floor plan {typed!r}", where="--plan", fix=fix)
    return f"FloorPlan{number}"


def _game_entry(game: "Game") -> dict[str, Any]:
    from tatc.actions import Role

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
    params = ", ".join(entry["params"])
    if len(params) > _MAX_PARAM_CHARACTERS:
        params = f"{params[: _MAX_PARAM_CHARACTERS - 3]}..."
    return (
        entry["game"],
        entry["task"],
        params,
        entry["plan"],
        entry["actions"],
        entry["commander_actions"],
        entry["follower_actions"],
    )
