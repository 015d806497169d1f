"""`tatc rooms import`: a floor map from recorded games and from a clone of ALFRED."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import SomeGames
from tatc.commands.output import examples, print_json, remark

if TYPE_CHECKING:
    from tatc.records import Game
    from tatc.sim.maps.floor_map import Cell, Walk

EXAMPLES = examples(
    "tatc rooms import games/ --out people.map.json",
    "tatc rooms import games/ --alfred alfred/ --out both.map.json",
    "tatc run --game games/coffee.game.json --map people.map.json",
)


def import_games(
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the map is written.")
    ],
    games: SomeGames = None,
    alfred: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="A clone of ALFRED: its layouts and trajectories."
        ),
    ] = None,
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
    """Make a floor map of what recorded games show.

    That is where people stood and could not, where things stood, how what was cut fell
    to pieces and how doors stood open.  The map keeps the games apart: a session that
    starts from one of them never sees what that game itself shows.  Goes on past files
    that are no games, names them, and ends with status 1.
    """
    from tatc.atomic import check_target
    from tatc.commands.inputs import Inputs
    from tatc.errors import BadInput
    from tatc.records import find_games
    from tatc.records.alfred import alfred_files
    from tatc.sim.maps.files import write_map
    from tatc.sim.maps.floor_map import import_walks

    if not games and alfred is None:
        fix = "name recorded games, or a clone of ALFRED with --alfred"
        raise BadInput("there is nothing to import", fix=fix)
    check_target(out, force=force)
    played = Inputs(find_games(games) if games else ())
    cloned = Inputs(alfred_files(alfred) if alfred else ())
    walks = list(played.read(_game_walk, "reading games")) if games else []
    from_games = len(walks)
    walks += cloned.read(_alfred_walk, "reading ALFRED") if alfred else ()
    if not walks:
        raise BadInput(
            "none of these is a game", fix="name recorded games; no map was written"
        )
    made = import_walks(name or out.name.split(".")[0], walks)
    write_map(made, out, force=force)
    plans = made.content.plans
    shown = [walk.traces for walk in walks]
    about = {
        "map": str(out),
        "name": made.name,
        "hash": made.hash,
        "plans": len(plans),
        "games": from_games,
        "alfred": len(walks) - from_games,
        "cells": sum(len(made.cells(plan)) for plan in plans),
        "refused": sum(len(made.blocked(plan)) for plan in plans),
        "rests": sum(len(seen) for each in shown for seen in each.rests.values()),
        "pieces": sum(len(seen) for each in shown for seen in each.pieces.values()),
        "open": sum(len(each.opened) for each in shown),
    }
    if as_json:
        print_json(about)
    else:
        remark(
            "{map}: {cells} cells to stand on and {refused} refused, {rests} places "
            "where things stood, {pieces} pieces where they fell and {open} open "
            "doors, in {plans} floor plans from {games} games and {alfred} files of "
            "ALFRED; map {name} {hash}".format_map(about)
        )
    played.finish()
    cloned.finish()


def _game_walk(path: Path) -> "Walk":
    """Return where a game's Follower stood, was refused (spec 2.14) and put things."""
    from tatc.actions import Verb
    from tatc.records import read_game
    from tatc.records.course import course_of
    from tatc.sim.embedded.slots import Deed, slots_shown
    from tatc.sim.maps.floor_map import Walk
    from tatc.sim.maps.shown import traces_of
    from tatc.sim.maps.traces import together

    game = read_game(path)
    cells = tuple(_cells(game))
    stood = frozenset(cell for cell, stands in cells if stands)
    refused = frozenset(cell for cell, stands in cells if not stands)
    moved = {done.object_id for done in game.interactions if done.verb is Verb.PICKUP}
    deeds = (
        Deed(asked.verb, asked.body, asked.click, told.object_id)
        for asked, told in course_of(game)
        if told.success and told.object_id is not None
    )
    start = game.scene.start
    traces = together((traces_of(start, game.final, moved), slots_shown(start, deeds)))
    return Walk(game.plan, game.game_id, stood, refused - stood, traces)


def _cells(game: "Game") -> "Iterator[tuple[Cell, bool]]":
    """Yield cells and whether the Follower came to stand there."""
    from tatc.actions import TRANSLATIONS, Role
    from tatc.records.course import body_at
    from tatc.sim.embedded.motion import cell_ahead, cell_of

    body = game.scene.start.follower
    yield cell_of(body), True
    for done in game.interactions:
        if done.role is not Role.FOLLOWER:
            continue
        if done.verb in TRANSLATIONS and not done.success:
            yield cell_ahead(body, done.verb), False
        if done.pose is not None:
            body = body_at(done.pose)
            yield cell_of(body), True


def _alfred_walk(path: Path) -> "Walk":
    from tatc.records.alfred import read_alfred
    from tatc.sim.maps.floor_map import ALFRED, Walk

    plan, name, cells = read_alfred(path)
    return Walk(plan, ALFRED + name, cells)
