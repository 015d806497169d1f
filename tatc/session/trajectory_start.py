"""The start of a session in the scene of one of ALFRED's trajectories.

Of the trajectory, only the scene, the task and the number of actions are taken, and what the
expert's actions call the furniture, and where it stands: never what the expert did.
"""

from dataclasses import dataclass
from pathlib import Path

from tatc.base.errors import GameFormatError
from tatc.home.state import Scene
from tatc.session.alfred.carried_objects import ModelTable
from tatc.session.alfred.floor_plan_files import furniture_of_room, read_furniture
from tatc.session.alfred.scene import build_scene
from tatc.session.directives import first_directives
from tatc.session.records.trajectory import (
    Trajectory,
    current_type,
    is_trajectory_file,
    read_trajectory,
)
from tatc.session.start import SessionStart, start_from_game
from tatc.sim.rooms import room_names
from tatc.tdl import TaskLibrary


def start_from_file(
    path: Path, library: TaskLibrary, plans: tuple[str, ...], seed: int
) -> SessionStart:
    """Return the start of a recorded game, or of a trajectory with the furniture of `plans`."""
    if is_trajectory_file(path):
        return start_from_trajectory(path, library, plans, seed)
    return start_from_game(path, library, None, (), seed)


@dataclass(frozen=True, slots=True)
class TrajectoryScene:
    """A trajectory and its scene; `furniture` names the file that the furniture is from."""

    trajectory: Trajectory
    scene: Scene
    furniture: str


def load_scene(path: Path, plans: tuple[str, ...]) -> TrajectoryScene:
    """Return a trajectory with its scene, in which its task may lack something."""
    return scene_of_trajectory(read_trajectory(path), plans)


def scene_of_trajectory(trajectory: Trajectory, plans: tuple[str, ...]) -> TrajectoryScene:
    """Return a trajectory with its scene; one in a shipped room needs no `plans`."""
    if trajectory.floor_plan in room_names():
        furniture = furniture_of_room(trajectory.floor_plan)
        models = ModelTable([furniture.objects], are_later=False)
    else:
        catalogue = read_furniture(plans)
        furniture = catalogue.find(trajectory.floor_plan, str(trajectory.path))
        models = catalogue.models
    scene = build_scene(trajectory, furniture, models)
    return TrajectoryScene(trajectory, scene, f"{furniture.source} {furniture.hash}")


def start_from_trajectory(
    path: Path, library: TaskLibrary, plans: tuple[str, ...], seed: int
) -> SessionStart:
    """Return the start of a trajectory, with its own task."""
    return start_in_scene(load_scene(path, plans), library, seed)


def start_in_scene(loaded: TrajectoryScene, library: TaskLibrary, seed: int) -> SessionStart:
    """Return the start of a trajectory in its scene."""
    trajectory, scene = loaded.trajectory, loaded.scene
    task, path = trajectory.task, trajectory.path
    if task is None:
        why = "has no task, as none of ALFRED's test folds has"
        raise GameFormatError(why, where=str(path), fix="name one of train or of a valid fold")
    definition = library.find(task.type.value)
    types = {name: current_type(value) for name, value in task.parameters.items()}
    _check_types(scene, {**types, "object": current_type(task.object)}, path)
    return SessionStart(
        library.compile(definition.name, [types[each.name] for each in definition.parameters]),
        scene,
        seed,
        game_id=trajectory.key,
        human_actions=len(trajectory.low_actions),
        alfred_task=task,
        furniture=loaded.furniture,
        directives=first_directives([(each.goal, each.steps) for each in trajectory.annotations]),
    )


def _check_types(scene: Scene, types: dict[str, str], path: Path) -> None:
    """Check that the scene has an object of each type that the task names."""
    for name, kind in types.items():
        if not scene.start.of_type(kind):
            why = f"needs a {kind}, and the scene has none"
            fix = "name other PLANS, or another trajectory"
            raise GameFormatError(why, where=f"{path}: pddl_params ({name})", fix=fix)
