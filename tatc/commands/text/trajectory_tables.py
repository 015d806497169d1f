"""What `tatc check` and `tatc fidelity` tell of ALFRED's trajectories."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tatc.commands.text.output import (
    EXIT_INPUTS_SKIPPED,
    print_json,
    print_line,
    print_table,
    progress_counter,
    remark,
)

if TYPE_CHECKING:
    from tatc.evaluation.alfred.alfred_trajectory_fidelity import TrajectoryFidelity
    from tatc.evaluation.scoring import GoalConditionCounts
    from tatc.tdl import TaskLibrary

_NOTE = (
    "Every recorded action succeeded in AI2-THOR 2.1.0, so that acceptance alone proves little: "
    "controls.refused is the share refused from random poses."
)


def checked_trajectory(
    path: Path, library: "TaskLibrary", plans: tuple[str, ...]
) -> dict[str, Any]:
    """Return what ALFRED's goal test says at the start of a trajectory and after its actions."""
    from tatc.evaluation.runs.rows import alfred_counts
    from tatc.session.alfred.named_actions import NamedReplay
    from tatc.session.records.trajectory import read_trajectory
    from tatc.session.start import start_from_trajectory

    start = start_from_trajectory(path, library, plans, 1)
    task = start.alfred_task
    assert task is not None
    replay = NamedReplay(start.scene)
    for action in read_trajectory(path).low_actions:
        replay.do(action)
    return {
        "game": start.game_id,
        "task": task.type.value,
        "params": task.parameters,
        "world": start.scene.place,
        "initial": _counts_json(alfred_counts(task, replay.start, replay.start)),
        "final": _counts_json(alfred_counts(task, replay.start, replay.now)),
    }


def _counts_json(counts: "GoalConditionCounts") -> dict[str, Any]:
    return {"success": not counts.unmet, "gc_total": counts.total, "gc_sat": counts.met}


def compare_trajectories(
    names: Sequence[str],
    plans: tuple[str, ...],
    floor_map: str,
    workers: int,
    filters: tuple[Sequence[str], Sequence[str]],
    *,
    as_json: bool,
) -> None:
    """Print how tatc's world answers what the experts of trajectories did.

    `filters` are the floor plans to compare alone, empty for all, and those to leave out.
    """
    from tatc.evaluation.alfred.alfred_trajectory_fidelity import (
        fidelity_json,
        measure_trajectories,
    )
    from tatc.evaluation.runs.session_selection import select_games

    chosen = select_games(names, *filters)
    paths, skipped = chosen.paths, list(chosen.skipped_lines)
    found: list[TrajectoryFidelity] = []
    with progress_counter(len(paths), "comparing trajectories") as count:
        for each in measure_trajectories(paths, plans, floor_map, workers):
            found.append(each)
            count("")
    skipped += [each.skipped for each in found if each.skipped]
    for line in skipped:
        remark(f"skipped: {line}")
    rates = fidelity_json(found)
    if as_json:
        print_json(rates)
    else:
        _print_rates(rates)
    if skipped:
        remark(f"{len(skipped)} files were skipped")
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def _print_rates(rates: dict[str, Any]) -> None:
    rows: list[tuple[object, ...]] = []
    for group, members in rates.items():
        cells = {"": members} if "rate" in members else {}
        cells |= {f".{name}": each for name, each in members.items() if isinstance(each, dict)}
        for name, each in cells.items():
            rate = "-" if each["rate"] is None else f"{each['rate']:.1%}"
            rows.append((f"{group}{name}", each["n"], rate))
    print_table(("answers compared", "n", "rate"), rows)
    print_line(_NOTE)
