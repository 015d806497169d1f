"""`tatc maps`: maps of what recorded games and a clone of ALFRED show of floor plans."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.base.errors import BadInput
from tatc.base.files import check_writable
from tatc.commands.options import shared_options
from tatc.commands.text import help_panels, output
from tatc.home.actions import TRANSLATION_VERBS, Cell, Role, Verb, cell_after

if TYPE_CHECKING:
    from tatc.session.records import Game
    from tatc.sim.maps.recorded_map import GameEvidence, RecordedMap

app = typer.Typer(
    name="maps", help="Make maps of what recorded games show of floor plans.", no_args_is_help=True
)


@app.command("build", cls=help_panels.PanelCommand, epilog=output.examples_of("maps"))
@shared_options.with_option_groups
def build(
    out: Annotated[Path, typer.Option()],
    games: shared_options.OptionalGamesArgument = None,
    alfred: Path | None = None,
    without_plans: shared_options.WithoutPlansOption = None,
    name: str | None = None,
    force: shared_options.ForceOption = False,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Make a map of what recorded games show of floor plans."""
    from tatc.commands.options.session_options import parse_plans
    from tatc.session.records import find_games, game_header, trajectory
    from tatc.sim.maps.map_archive import write_map
    from tatc.sim.maps.recorded_map import build_recorded_map

    if not games and alfred is None:
        fix = "name recorded games, or a clone of ALFRED with --alfred"
        raise BadInput("there is nothing to make a map of", fix=fix)
    check_writable(out, force=force)
    left_out = game_header.place_names(parse_plans(without_plans, "--without-plans"))
    played = output.InputFiles(find_games(games) if games else ())
    cloned = output.InputFiles(trajectory.find_alfred_files(alfred) if alfred else ())
    walks = list(played.read(_read_game_walk, "reading games")) if games else []
    walks = [walk for walk in walks if walk.plan not in left_out]
    from_games = len(walks)
    read = cloned.read(_read_alfred_walk, "reading ALFRED") if alfred else ()
    walks += (walk for walk in read if walk.plan not in left_out)
    if not walks:
        raise BadInput("none of these is a game", fix="name recorded games; no map was written")
    made = build_recorded_map(name or out.name.split(".")[0], walks)
    write_map(made, out, force=force)
    about = {"map": str(out), **_content_json(made, walks, from_games)}
    if as_json:
        output.print_json(about)
    else:
        output.remark(
            "{map}: {cells} cells to stand on and {refused} blocked ones, {rests} places "
            "where objects rested, {pieces} slices where they landed and {open} open "
            "doors, in {plans} floor plans; recorded games: {games}, files of ALFRED: {alfred}; "
            "map {name} {hash}".format_map(about)
        )
    played.finish()
    cloned.finish()


def _content_json(made: "RecordedMap", walks: "list[GameEvidence]", games: int) -> dict[str, Any]:
    plans, evidence = made.content.visited, [walk.evidence for walk in walks]
    return {
        "name": made.name,
        "hash": made.hash,
        "plans": len(plans),
        "games": games,
        "alfred": len(walks) - games,
        "cells": sum(len(made.visited_cells(plan)) for plan in plans),
        "refused": sum(len(made.blocked_cells(plan)) for plan in plans),
        "rests": sum(len(seen) for each in evidence for seen in each.resting_poses.values()),
        "pieces": sum(len(seen) for each in evidence for seen in each.slices.values()),
        "open": sum(len(each.open_boxes) for each in evidence),
    }


def _read_game_walk(path: Path) -> "GameEvidence":
    from tatc.session.records import read_game
    from tatc.session.records.game import recorded_steps
    from tatc.sim.embedded.placement import fixed_places
    from tatc.sim.maps import recorded_evidence, recorded_map

    game = read_game(path)
    moved = {done.object_id for done in game.interactions if done.verb is Verb.PICKUP}
    interactions = (
        fixed_places.SuccessfulInteraction(done.verb, done.agent, done.click, result.object_id)
        for done, result in recorded_steps(game)
        if result.success and result.object_id is not None
    )
    start = game.scene.initial
    seen = recorded_evidence.extract_evidence(start, game.final, moved)
    slots = fixed_places.recorded_toaster_slots(start, interactions)
    traces = recorded_evidence.merge_evidence((seen, slots))
    return recorded_map.GameEvidence(game.floor_plan, game.game_id, *walked_cells(game), traces)


def _read_alfred_walk(path: Path) -> "GameEvidence":
    from tatc.session.records.trajectory import read_alfred_cells
    from tatc.sim.maps.recorded_map import ALFRED_PREFIX, GameEvidence

    plan, name, cells = read_alfred_cells(path)
    return GameEvidence(plan, ALFRED_PREFIX + name, cells)


def walked_cells(game: "Game") -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells that a game's Follower stood on, and others that refused a step."""
    tried = tuple(_tried_cells(game))
    stood = frozenset(cell for cell, stands in tried if stands)
    return stood, frozenset(cell for cell, stands in tried if not stands) - stood


def _tried_cells(game: "Game") -> Iterator[tuple[Cell, bool]]:
    """Yield cells and whether the Follower came to stand there (spec 2.14)."""
    from tatc.session.records.game import agent_state_at
    from tatc.sim.embedded.motion import cell_under

    body = game.scene.initial.follower
    yield cell_under(body), True
    for done in game.interactions:
        if done.role is not Role.FOLLOWER:
            continue
        if done.verb in TRANSLATION_VERBS and not done.success:
            yield cell_after(cell_under(body), body.yaw, done.verb), False
        if done.pose is not None:
            body = agent_state_at(done.pose)
            yield cell_under(body), True
