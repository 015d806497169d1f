"""Makes rooms from the starts of recorded sessions."""

from collections.abc import Iterable, Set

from tatc.home.actions import Cell
from tatc.home.state import Scene
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.floorplan.navigable_cells import clearance_grid
from tatc.sim.rooms.room import Room
from tatc.sim.rooms.scene_to_room import room_from_scene


def recorded_room(
    scene: Scene, stood_on: Set[Cell] = frozenset(), refused: Iterable[Cell] = ()
) -> Room:
    """Return the room of a recorded start, under the name of its floor plan.

    Its objects have the ids, poses, boxes and states of the start.  Its cells are those that
    the Follower of the start can reach between the boxes, and those that people stood on.

    Args:
        scene: the start.
        stood_on: cells that people stood on in this floor plan.
        refused: cells that they were refused.  One on which others stood is free: furniture
            was moved, or a door stood open.

    """
    objects, follower = scene.start.objects, scene.start.follower
    clearance = clearance_grid(objects, follower.position)
    grid = WalkableGrid(scene, clearance, stood_on, set(refused) - stood_on)
    return room_from_scene(scene.place, scene.start, grid.reachable_cells | stood_on)
