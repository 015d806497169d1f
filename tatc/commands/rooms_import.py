"""`tatc rooms import`: a floor map from recorded games and from a clone of ALFRED."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.atomic_files import check_writable
from tatc.commands.input_files import InputFiles
from tatc.commands.output import examples_epilog, print_json, remark
from tatc.commands.shared_options import ForceOption, JsonOption, OptionalGamesArgument
from tatc.errors import BadInput

if TYPE_CHECKING:
    from tatc.actions import Cell
    from tatc.records import Game
    from tatc.sim.maps.floor_map import GameEvidence

EXAMPLES = examples_epilog(
    "tatc rooms import games/ --out people.map.json",
    "tatc rooms import games/ --alfred alfred/ --out both.map.json",
    "tatc run --game games/coffee.game.json --map people.map.json",
)


def import_games(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write the map to.")],
    games: OptionalGamesArgument = None,
    alfred: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Also use a clone of ALFRED: its layouts and trajectories."
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(help="The name that records give the map. Default: the file's name."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a floor map from recorded games.

    The map holds where people stood and where they were blocked, where objects rested,
    where slices landed, and which doors stood open.  A session that starts from one of
    the games uses what the other games show only.  Files that are no games are named and
    skipped; then the exit status is 1.
    """
    from tatc.records import find_games
    from tatc.records.alfred import find_alfred_files
    from tatc.sim.maps.floor_map import build_floor_map
    from tatc.sim.maps.floor_map_files import write_floor_map

    if not games and alfred is None:
        fix = "name recorded games, or a clone of ALFRED with --alfred"
        raise BadInput("there is nothing to import", fix=fix)
    check_writable(out, force=force)
    played = InputFiles(find_games(games) if games else ())
    cloned = InputFiles(find_alfred_files(alfred) if alfred else ())
    walks = list(played.read(_read_game_walk, "reading games")) if games else []
    from_games = len(walks)
    walks += cloned.read(_read_alfred_walk, "reading ALFRED") if alfred else ()
    if not walks:
        raise BadInput("none of these is a game", fix="name recorded games; no map was written")
    floor_map = build_floor_map(name or out.name.split(".")[0], walks)
    write_floor_map(floor_map, out, force=force)
    plans = floor_map.content.visited
    evidence = [walk.evidence for walk in walks]
    about = {
        "map": str(out),
        "name": floor_map.name,
        "hash": floor_map.hash,
        "plans": len(plans),
        "games": from_games,
        "alfred": len(walks) - from_games,
        "cells": sum(len(floor_map.visited_cells(plan)) for plan in plans),
        "refused": sum(len(floor_map.blocked_cells(plan)) for plan in plans),
        "rests": sum(len(seen) for each in evidence for seen in each.resting_poses.values()),
        "pieces": sum(len(seen) for each in evidence for seen in each.slices.values()),
        "open": sum(len(each.open_boxes) for each in evidence),
    }
    if as_json:
        print_json(about)
    else:
        remark(
            "{map}: {cells} cells to stand on and {refused} blocked ones, {rests} places "
            "where objects rested, {pieces} slices where they landed and {open} open "
            "doors, in {plans} floor plans from {games} games and {alfred} files of "
            "ALFRED; map {name} {hash}".format_map(about)
        )
    played.finish()
    cloned.finish()


def _read_game_walk(path: Path) -> "GameEvidence":
    """Return where a game's Follower stood, was blocked (spec 2.14) and put objects."""
    from tatc.actions import Verb
    from tatc.records import read_game
    from tatc.records.recorded_steps import recorded_steps
    from tatc.sim.embedded.placement.toaster_slots import (
        SuccessfulInteraction,
        recorded_toaster_slots,
    )
    from tatc.sim.maps.extract_evidence import extract_evidence
    from tatc.sim.maps.floor_map import GameEvidence
    from tatc.sim.maps.recorded_evidence import merge_evidence

    game = read_game(path)
    cells = tuple(_visited_cells(game))
    stood = frozenset(cell for cell, stands in cells if stands)
    refused = frozenset(cell for cell, stands in cells if not stands)
    moved = {done.object_id for done in game.interactions if done.verb is Verb.PICKUP}
    interactions = (
        SuccessfulInteraction(attempt.verb, attempt.agent, attempt.click, result.object_id)
        for attempt, result in recorded_steps(game)
        if result.success and result.object_id is not None
    )
    start = game.scene.start
    traces = merge_evidence(
        (extract_evidence(start, game.final, moved), recorded_toaster_slots(start, interactions))
    )
    return GameEvidence(game.floor_plan, game.game_id, stood, refused - stood, traces)


def _visited_cells(game: "Game") -> "Iterator[tuple[Cell, bool]]":
    """Yield cells and whether the Follower came to stand there."""
    from tatc.actions import TRANSLATION_VERBS, Role
    from tatc.records.recorded_steps import agent_state_at
    from tatc.sim.embedded.motion import cell_ahead, cell_under

    body = game.scene.start.follower
    yield cell_under(body), True
    for done in game.interactions:
        if done.role is not Role.FOLLOWER:
            continue
        if done.verb in TRANSLATION_VERBS and not done.success:
            yield cell_ahead(body, done.verb), False
        if done.pose is not None:
            body = agent_state_at(done.pose)
            yield cell_under(body), True


def _read_alfred_walk(path: Path) -> "GameEvidence":
    from tatc.records.alfred import read_alfred_cells
    from tatc.sim.maps.floor_map import ALFRED_PREFIX, GameEvidence

    plan, name, cells = read_alfred_cells(path)
    return GameEvidence(plan, ALFRED_PREFIX + name, cells)
