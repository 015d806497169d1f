"""A belief beside the world: the objects that a Follower has seen, found again in the world.

A belief has no ids of the world.  Here each believed object is paired with the nearest object of
its type that is not paired yet, what is held first, so that it can be shown under the name that
the object has everywhere else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist

from tatc.follower.listener.belief import START_HEIGHT_METRES, Belief
from tatc.home.actions import GRID_SIZE_METRES, Cell, cell_of
from tatc.home.state import AgentState, ObjectState, Snapshot, Vec3
from tatc.session.timeline.moment import Moment, have_same_objects, last_belief
from tatc.sim.perception import FollowerFrame

MAX_PAIR_METRES = 1.0
"""A believed object and a true one whose middles are farther apart are not the same, metres.

Large furniture may be half its size apart, because a belief may know only a part of it.
"""


@dataclass(frozen=True, slots=True)
class BeliefInWorld:
    """A belief in the world's coordinates.

    `snapshot` has the believed objects with the ids of the objects that they are paired with;
    one that is paired with none keeps its own, which the world has not.  `seen_cells` are cells
    of the world's grid.  The objects are the same tuple for as long as neither they nor the
    world's have changed.  `world` is the state of the world as the belief was held, and `index`
    that of the moment.
    """

    index: int
    belief: Belief
    world: Snapshot
    snapshot: Snapshot
    seen_cells: frozenset[Cell]


class BeliefPlacer:
    """Places the beliefs of one session in its world."""

    def __init__(self, start: AgentState) -> None:
        """Take the Follower's body at the start of the session, in the world."""
        self._frame = FollowerFrame(start)
        self._placed: dict[str, tuple[ObjectState, ObjectState]] = {}
        self._last: BeliefInWorld | None = None

    def place_last(self, moments: Sequence[Moment], at: int) -> BeliefInWorld | None:
        """Return the last belief up to a moment in the world of its own moment; None for none.

        The last answer is kept.
        """
        found = last_belief(moments, at)
        if found is None:
            return None
        index, belief = found
        if self._last is None or self._last.belief is not belief or self._last.index != index:
            self._last = self._place(index, belief, moments[index].snapshot)
        return self._last

    def _place(self, index: int, belief: Belief, world: Snapshot) -> BeliefInWorld:
        follower = self._frame.body_in_world(_lowered(belief.snapshot.follower))
        last = self._last
        if last is not None and _have_same_objects(last, belief, world):
            same = last.snapshot
            snapshot = Snapshot(same.objects, same.object_index, world.commander, follower)
        else:
            snapshot = Snapshot.from_objects(
                self._paired_objects(belief, world), world.commander, follower
            )
        cells = frozenset(map(self._cell, belief.seen_cells))
        return BeliefInWorld(index, belief, world, snapshot, cells)

    def _paired_objects(self, belief: Belief, world: Snapshot) -> list[ObjectState]:
        objects = [self._in_world(obj) for obj in belief.snapshot.objects]
        ids = _pair_ids(objects, world)
        return [_renamed(obj, ids) for obj in objects]

    def _in_world(self, obj: ObjectState) -> ObjectState:
        """Return a believed object in the world's frame, the same value until it changes."""
        known = self._placed.get(obj.objectId)
        if known is not None and known[0] is obj:
            return known[1]
        moved = replace(
            obj,
            position=self._frame.point_in_world(_lowered_point(obj.position)),
            box=self._frame.box_in_world(obj.box.translate(0.0, -START_HEIGHT_METRES, 0.0)),
        )
        self._placed[obj.objectId] = obj, moved
        return moved

    def _cell(self, cell: Cell) -> Cell:
        x, z = (index * GRID_SIZE_METRES for index in cell)
        x, _, z = self._frame.point_in_world((x, 0.0, z))
        return cell_of(x, z)


def _have_same_objects(last: BeliefInWorld, belief: Belief, world: Snapshot) -> bool:
    """Return whether neither an object that is believed nor one of the world has changed."""
    return have_same_objects(last.belief.snapshot, belief.snapshot) and have_same_objects(
        last.world, world
    )


def _lowered(body: AgentState) -> AgentState:
    return replace(body, position=_lowered_point(body.position))


def _lowered_point(point: Vec3) -> Vec3:
    x, y, z = point
    return x, y - START_HEIGHT_METRES, z


def _pair_ids(objects: Iterable[ObjectState], world: Snapshot) -> Mapping[str, str]:
    """Return the id that each believed object gets, by the id that it has in the belief."""
    by_type: dict[str, list[ObjectState]] = {}
    for obj in objects:
        by_type.setdefault(obj.objectType, []).append(obj)
    ids: dict[str, str] = {}
    for kind, believed in by_type.items():
        ids |= {obj.objectId: obj.objectId for obj in believed}
        ids |= _pairs(believed, world.of_type(kind))
    return ids


def _pairs(believed: list[ObjectState], true: tuple[ObjectState, ...]) -> dict[str, str]:
    distances = sorted(
        (0.0 if one.isPickedUp and other.isPickedUp else _distance(one, other), i, k)
        for i, one in enumerate(believed)
        for k, other in enumerate(true)
    )
    found: dict[int, int] = {}
    taken: set[int] = set()
    for metres, i, k in distances:
        limit = max(MAX_PAIR_METRES, max(true[k].box.size) / 2)
        if metres <= limit and i not in found and k not in taken:
            found[i] = k
            taken.add(k)
    return {believed[i].objectId: true[k].objectId for i, k in found.items()}


def _distance(one: ObjectState, other: ObjectState) -> float:
    return dist(one.box.center, other.box.center)


def _renamed(obj: ObjectState, ids: Mapping[str, str]) -> ObjectState:
    parents = tuple(ids.get(name, name) for name in obj.parentReceptacles or ())
    name = ids[obj.objectId]
    return replace(obj, objectId=name, name=name, parentReceptacles=parents)
