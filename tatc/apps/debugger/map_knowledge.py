"""What the map shows of a belief: what was not seen, and what is believed wrongly."""

from dataclasses import dataclass, replace

from tatc.home.actions import Cell, cell_of
from tatc.session.timeline.belief_differences import DifferenceKind, find_differences
from tatc.session.timeline.belief_in_world import BeliefInWorld
from tatc.sim.top_view.plan_model import PlanFloor, Point


@dataclass(frozen=True, slots=True)
class MapKnowledge:
    """What a Follower has seen of a room: cells, the objects that it has not, and its errors."""

    seen_cells: frozenset[Cell]
    unseen_ids: frozenset[str]
    wrong_points: tuple[Point, ...]

    def has_cell(self, point: Point) -> bool:
        """Return whether anything was seen in the cell at a point."""
        return cell_of(*point) in self.seen_cells


def map_knowledge(here: BeliefInWorld) -> MapKnowledge:
    """Return what a belief knows of its world."""
    found = find_differences(here)
    unseen = (each.object_id for each in found if each.kind is DifferenceKind.UNSEEN)
    wrong = (each.object_id for each in found if each.kind is not DifferenceKind.UNSEEN)
    objects = (here.world.get(name) or here.snapshot.get(name) for name in wrong)
    points = ((obj.box.center[0], obj.box.center[2]) for obj in objects if obj is not None)
    return MapKnowledge(here.seen_cells, frozenset(unseen), tuple(points))


def seen_floor(floor: PlanFloor, here: BeliefInWorld) -> PlanFloor:
    """Return a floor with those of its cells that a belief has seen."""
    cells = tuple(cell for cell in floor.cells if cell_of(*cell) in here.seen_cells)
    return replace(floor, cells=cells)
