"""`tatc rooms import`: a floor map from where people stood in recorded games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import Games
from tatc.commands.output import examples, print_json, remark

if TYPE_CHECKING:
    from tatc.records import Game
    from tatc.state import Pose

EXAMPLES = examples(
    "tatc rooms import games/ --out people.map.json",
    "tatc run --game games/coffee.game.json --map people.map.json",
)


def import_games(
    games: Games,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the map is written.")
    ],
    name: Annotated[
        str | None,
        typer.Option(help="What records call the map; the file's name if left out."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if it exists.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object about the map.")
    ] = False,
) -> None:
    """Make a floor map of the cells that people stood on.

    The map keeps the games apart: a session that starts from one of them never sees
    that game's own cells.  Goes on past files that are no games, names them, and ends
    with status 1.
    """
    from tatc.atomic import check_target
    from tatc.commands.inputs import Inputs
    from tatc.errors import BadInput
    from tatc.records import find_games, read_game
    from tatc.sim.embedded.floor_map import import_cells

    check_target(out, force=force)
    inputs = Inputs(find_games(games))

    def walk(path: Path) -> "tuple[str, str, list[Pose]]":
        game = read_game(path)
        return game.plan, game.game_id, list(_stood(game))

    walks = list(inputs.read(walk, "reading games"))
    if not walks:
        raise BadInput(
            "none of these is a game", fix="name recorded games; no map was written"
        )
    made = import_cells(name or out.name.split(".")[0], walks)
    made.write(out, force=force)
    cells = sum(len(made.cells(plan)) for plan in made.plans)
    if as_json:
        print_json(
            {
                "map": str(out),
                "name": made.name,
                "hash": made.hash,
                "plans": len(made.plans),
                "games": len(walks),
                "cells": cells,
            }
        )
    else:
        remark(
            f"{out}: {cells} cells in {len(made.plans)} floor plans from "
            f"{len(walks)} games; map {made.name} {made.hash}"
        )
    inputs.finish()


def _stood(game: "Game") -> "Iterator[Pose]":
    """Yield the Follower's start and its logged poses (spec section 2.14)."""
    from tatc.actions import Role
    from tatc.state import Pose

    yield game.scene.start.follower.pose
    for done in game.interactions:
        if done.pose is not None and done.role is Role.FOLLOWER:
            z, minus_x, _, _, horizon, minus_yaw = done.pose
            yield Pose(-minus_x, z, -minus_yaw, horizon)
