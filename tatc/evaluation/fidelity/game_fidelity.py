"""The fidelity of one game, and of many games in processes of this machine."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.base.process_pool import map_in_processes
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts
from tatc.evaluation.fidelity.replay_passes import (
    answer_each_action,
    compare_final_states,
    replay_by_clicks,
    replay_by_recorded_objects,
)
from tatc.session.records import Game, read_game
from tatc.session.records.recorded_steps import recorded_steps
from tatc.session.worlds import MAP_FROM_BOXES, load_map_for, load_recorded_map, map_name_and_hash
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import Task, load_library


@dataclass(frozen=True, slots=True)
class GameFidelity:
    """The result of one file; `skipped` says why the file is no game, "" if it is one."""

    path: str
    plan: str = ""
    game_id: str = ""
    counts: AgreementCounts = field(default_factory=AgreementCounts)
    skipped: str = ""


def map_label(floor_map: str) -> str:
    """Return the name of a map in reports: `boxes`, or the map's name and hash."""
    return " ".join(map_name_and_hash(load_recorded_map(floor_map))).rstrip()


def measure_game(path: Path, floor_map: str = MAP_FROM_BOXES) -> GameFidelity:
    """Compare the embedded world's answers with those of one recorded game.

    With a map, the cells that come from this very game are left out of it.
    """
    try:
        game = read_game(path)
        return GameFidelity(
            str(path), game.floor_plan, game.game_id, _count_agreement(game, floor_map)
        )
    except BadInput as fault:
        return GameFidelity(str(path), skipped=fault.one_line)


def measure_games(
    paths: Sequence[Path], floor_map: str = MAP_FROM_BOXES, workers: int = 1
) -> Generator[GameFidelity]:
    """Yield the result of each game, in the order given."""
    measure = partial(measure_game, floor_map=floor_map)
    yield from map_in_processes(measure, paths, workers, _dead_game)


def _dead_game(path: Path, why: str) -> GameFidelity:
    return GameFidelity(str(path), skipped=f"{path}: {why}")


def world_for(game: Game, floor_map: str) -> EmbeddedSimulator:
    """Return a world whose map holds nothing of this game's own cells."""
    return EmbeddedSimulator(load_map_for(floor_map, game.game_id))


def _count_agreement(game: Game, floor_map: str) -> AgreementCounts:
    sim, steps, task = (world_for(game, floor_map), recorded_steps(game), _compile_task(game))
    tally = answer_each_action(sim, game, steps)
    compare_final_states("clicks", replay_by_clicks(sim, game, steps), game, task, tally)
    compare_final_states("helped", replay_by_recorded_objects(sim, game, steps), game, task, tally)
    tally.disagreements = [replace(each, game=str(game.path)) for each in tally.disagreements]
    return tally


def _compile_task(game: Game) -> Task | None:
    """Return the task of a game, None if it is not one of the shipped tasks."""
    try:
        return load_library().compile(game.task_name, game.task_params)
    except BadInput:
        return None
