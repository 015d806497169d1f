"""`tatc alfred`: ALFRED's trajectories made by tatc's own agents."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.base import folder_lock
from tatc.base.errors import BadInput, UnknownName
from tatc.commands.options import shared_options
from tatc.commands.text import help_panels, output

if TYPE_CHECKING:
    from tatc.evaluation.alfred.alfred_trajectory_generation import Attempt, GeneratedSet

MAX_ATTEMPTS_PER_TRAJECTORY = 20  # attempts for each trajectory that is asked for, at most

OutOption = Annotated[
    Path, typer.Option("--out", show_default=False, **shared_options.words("folder"))
]

app = typer.Typer(
    name="alfred", help="Make expert trajectories in ALFRED's format.", no_args_is_help=True
)


@app.command("generate", cls=help_panels.PanelCommand, epilog=output.examples_of("alfred generate"))
@shared_options.with_option_groups
def generate(
    out: OutOption,
    rooms: Annotated[bool, typer.Option("--rooms")] = False,
    scenes: Annotated[bool, typer.Option("--scenes")] = False,
    kinds: Annotated[str, typer.Option("--type")] = "look,simple,movable,clean,heat,cool,two",
    count: Annotated[int, typer.Option(min=1)] = 10,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Generate expert trajectories in shipped rooms."""
    from tatc.evaluation.alfred.alfred_trajectory_generation import GeneratedSet, attempts_in_rooms
    from tatc.sim.rooms import ithor_names, room_names

    if rooms == scenes:
        raise BadInput("one option should say where to generate", fix="give --rooms or --scenes")
    chosen = _chosen_types(kinds)
    source, names = ("iTHOR", ithor_names()) if scenes else ("shipped rooms", room_names())
    kept = GeneratedSet(out, {"source": source, "types": list(chosen), "seed": seed})
    tried = {each.number for each in kept.past_attempts()}
    limit = count * MAX_ATTEMPTS_PER_TRAJECTORY
    numbers = (number for number in range(limit) if number not in tried)
    _fill(kept, attempts_in_rooms(names, chosen, seed, numbers), count, as_json=as_json)


@app.command("experts", cls=help_panels.PanelCommand, epilog=output.examples_of("alfred experts"))
@shared_options.with_option_groups
def experts(
    trajectories: list[str],
    out: OutOption,
    plans: shared_options.PlansOption = None,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Make tatc's own demonstrations for recorded goals."""
    from tatc.evaluation.alfred.alfred_trajectory_generation import GeneratedSet

    paths, faults = _trajectories(trajectories)
    if not paths:
        none = BadInput("none of these is a trajectory", fix="name ALFRED's traj_data.json files")
        raise next(iter(faults), none)
    for fault in faults:
        output.remark(f"skipped: {fault.one_line}")
    source = {"source": "recorded goals", "goals": trajectories, "plans": list(plans or ())}
    kept = GeneratedSet(out, source)
    attempts = _for_goals(paths, tuple(plans or ()), {each.number for each in kept.past_attempts()})
    _fill(kept, attempts, len(paths) + len(faults), as_json=as_json)


def _chosen_types(kinds: str) -> tuple[str, ...]:
    from tatc.evaluation.alfred.alfred_trajectory_generation import TYPES

    chosen = tuple(name.strip() for name in kinds.split(","))
    for name in chosen:
        if name not in TYPES:
            raise UnknownName("type", name, TYPES, fix=f"name some of {', '.join(TYPES)}")
    return chosen


def _trajectories(names: list[str]) -> tuple[list[Path], list[BadInput]]:
    from tatc.session.records import SESSION_FILES, find_files, trajectory

    paths: list[Path] = []
    faults: list[BadInput] = []
    for path in sorted(find_files(names, SESSION_FILES)):
        try:
            paths += [path] if trajectory.is_trajectory_file(path) else []
        except BadInput as fault:
            faults.append(fault)
    return paths, faults


def _for_goals(paths: list[Path], plans: tuple[str, ...], tried: set[int]) -> "Iterator[Attempt]":
    from tatc.base.files import TRAJECTORY, read_json
    from tatc.evaluation.alfred import alfred_trajectory_generation
    from tatc.tdl import shipped_library

    first_in: dict[Path, Path] = {}
    for number, path in enumerate(paths):
        folder = alfred_trajectory_generation.kept_folder(path)
        first = first_in.setdefault(folder, path)
        if folder.parts[:1] and folder.parts[0] in alfred_trajectory_generation.FILE_NAMES:
            output.remark(f"skipped: {path}: the set has a file of the name {folder.parts[0]}")
        elif first is not path:
            output.remark(f"skipped: {path}: the folders of {first} have the same names")
        elif number not in tried:
            document: Any = read_json(path, TRAJECTORY)
            library = shipped_library()
            yield alfred_trajectory_generation.attempt_for(path, document, number, plans, library)


def _fill(
    kept: "GeneratedSet", attempts: "Iterator[Attempt]", count: int, *, as_json: bool
) -> None:
    with folder_lock.held(kept.folder):
        past = kept.past_attempts()
        made = sum(bool(each.path) for each in past)
        why_not = Counter(each.why for each in past if each.why)
        if past:
            output.remark(f"continues: attempts made {len(past)}, trajectories kept {made}")
        try:
            with output.progress_counter(max(0, count - made), "generating") as advance:
                while made < count and (attempt := next(attempts, None)) is not None:
                    if kept.keep(attempt) is not None:
                        made += 1
                        advance("")
                    else:
                        why_not[attempt.why] += 1
        except KeyboardInterrupt:
            output.remark(f"{made} of {count} kept in {kept.folder}; the same command continues")
            raise
    if as_json:
        found = {"folder": str(kept.folder), "trajectories": made, "wanted": count}
        output.print_json({**found, "discarded": dict(why_not)})
    else:
        output.print_line(f"{made} of {count} trajectories in {kept.folder}")
        for why, number in sorted(why_not.items()):
            output.print_line(f"{number} discarded: {why}")
    if made < count:
        raise typer.Exit(output.EXIT_TOO_FEW_MADE)
