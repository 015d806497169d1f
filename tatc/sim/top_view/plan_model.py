"""A room from above: values in metres for every drawing, and the plan in letters for a terminal.

The text plan of `tatc rooms show`, the debugger's map, the page of
`tatc view` and the map of a film draw a `RoomPlan` or parts of one.  Points are x and z
in AI2-THOR's world axes; drawings put x to the right and z up.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tatc.base import files
from tatc.home.camera.room_bounds import floor_extent
from tatc.home.camera.room_outline import boxes_beyond_walls
from tatc.home.state import AgentState, Box, ObjectState, Scene, Snapshot, Vec2
from tatc.home.type_facts import BASIN_TYPES, FLOOR_TYPE, FRONT_TYPES
from tatc.sim.embedded.motion import WalkableGrid
from tatc.sim.rooms.room import OVERHEAD_BOTTOM_METRES, ReachableFloor, Room, facing_direction

Colour = tuple[int, int, int]


_GROUPS = files.package_table("tatc.sim.top_view", "type_groups.toml")
GROUP_COLOURS: dict[str, Colour] = {name: tuple(each["colour"]) for name, each in _GROUPS.items()}
"""The colours of groups: what a type of furniture is for, as legends and pages call it."""
_GROUP_BY_TYPE: dict[str, str] = {
    kind: name for name, each in _GROUPS.items() for kind in each.get("types", "").split()
}
PICKUPABLE_GROUP, OTHER_GROUP = "thing", "other"


def group_of(object_type: str) -> str:
    """Return the group of a type of furniture, `OTHER_GROUP` for a type of no group."""
    return _GROUP_BY_TYPE.get(object_type, OTHER_GROUP)


BACKDROP_TYPES = frozenset({FLOOR_TYPE, "Wall", "Ceiling"})
"""Types of the room itself: they are no furniture."""
ROUND_TYPES = frozenset("FloorLamp GarbageCan HousePlant Ottoman Stool StoveBurner".split())
"""Types of furniture that are drawn as ellipses, all others as rectangles."""


@dataclass(frozen=True, slots=True)
class PlanFloor:
    """The floor: its two corners, the cells where a body can stand, and what is beyond walls."""

    low: Vec2
    high: Vec2
    cells: tuple[Vec2, ...]
    beyond: tuple[Box, ...] = ()

    @staticmethod
    def of_room(room: Room) -> "PlanFloor":
        """Return the floor of a room of ours, up to its walls."""
        x0, z0, x1, z1 = room.walls
        cells = tuple((float(x), float(z)) for x, z in ReachableFloor.of_room(room).cells)
        return PlanFloor((x0, z0), (x1, z1), cells, boxes_beyond_walls(room.objects))

    @staticmethod
    def of_scene(scene: Scene, grid: WalkableGrid | None = None) -> "PlanFloor":
        """Return the floor of a session's scene, with the cells that its body can reach.

        The outline is that of the `Floor` objects, or of all objects if there is none.
        `grid` saves laying out the scene's cells once more.
        """
        low, high = floor_extent(scene.initial.objects)
        poses = (grid or WalkableGrid.from_scene(scene)).reachable()
        cells = tuple((pose.x, pose.z) for pose in poses)
        return PlanFloor(low, high, cells, boxes_beyond_walls(scene.initial.objects))


@dataclass(frozen=True, slots=True)
class Footprint:
    """One object seen from above.

    `container` is the type of what the object is in or on, "" for nothing.  `front` is
    the middle of a cabinet's or drawer's front and the direction in which it opens, None
    for other types.  `can_close` marks containers with a door or a lid.
    """

    object_id: str
    object_type: str
    group: str
    box: Box
    container: str = ""
    front: tuple[Vec2, Vec2] | None = None
    can_close: bool = False

    @property
    def is_overhead(self) -> bool:
        """Whether the object hangs above the furniture, as wall cabinets do."""
        return self.box.bottom >= OVERHEAD_BOTTOM_METRES

    @property
    def is_round(self) -> bool:
        """Whether the object is drawn as an ellipse."""
        return self.object_type in ROUND_TYPES

    @property
    def middle(self) -> Vec2:
        """The middle of the object's box."""
        return self.box.center[0], self.box.center[2]


@dataclass(frozen=True, slots=True)
class PlanAgents:
    """Both agents at one moment, and the marks that tell where the Follower goes.

    `trail` is where the Follower has been, oldest first; `path` where its next steps
    lead, nearest first; `targets` are the middles of objects that stand out: what is
    clicked on, and what the Commander is concerned with.
    """

    follower: AgentState
    commander: AgentState
    trail: tuple[Vec2, ...] = ()
    path: tuple[Vec2, ...] = ()
    targets: tuple[Vec2, ...] = ()


@dataclass(frozen=True, slots=True)
class RoomPlan:
    """A room from above.

    `furniture` is what cannot be carried, from the floor upwards, so that what is drawn
    later lies on top; `small_objects` is what can be carried and is not held, in the
    room's order.  `agents` is None for a room without a session.
    """

    floor: PlanFloor
    furniture: tuple[Footprint, ...]
    small_objects: tuple[Footprint, ...]
    agents: PlanAgents | None = None

    @staticmethod
    def of_room(room: Room) -> "RoomPlan":
        """Return the plan of a room before any session."""
        return RoomPlan.of_objects(PlanFloor.of_room(room), room.objects)

    @staticmethod
    def of_objects(
        floor: PlanFloor, objects: Sequence[ObjectState], agents: PlanAgents | None = None
    ) -> "RoomPlan":
        """Return the plan of a moment of a session; without agents, of a room before any."""
        fixed = (t for t in objects if is_furniture(t) and t.objectType not in BACKDROP_TYPES)
        pieces = sorted(map(footprint_of, fixed), key=lambda t: (t.box.bottom, t.object_id))
        small = (obj for obj in objects if not is_furniture(obj) and not obj.isPickedUp)
        return RoomPlan(floor, tuple(pieces), tuple(map(footprint_of, small)), agents)


def is_furniture(obj: ObjectState) -> bool:
    """Whether an object cannot be carried, and so stays where a visitor has seen it."""
    return not obj.affordances.pickupable


def footprint_of(obj: ObjectState) -> Footprint:
    """Return an object as it is seen from above."""
    x, _, z = obj.position
    able = obj.affordances
    has_front = obj.objectType in FRONT_TYPES
    container = next(iter(obj.parentReceptacles or ()), "").split("|")
    return Footprint(
        obj.objectId,
        obj.objectType,
        group_of(obj.objectType) if is_furniture(obj) else PICKUPABLE_GROUP,
        obj.box,
        container[-1 if container[-1] in BASIN_TYPES else 0],  # a basin's id ends with its type
        ((x, z), facing_direction(obj.rotation[1])) if has_front else None,
        able.openable and able.receptacle,
    )


def target_points(snapshot: Snapshot, object_ids: Iterable[str]) -> tuple[Vec2, ...]:
    """Return the middles of the objects with these ids; ids of no object are left out."""
    found = (snapshot.get(name) for name in object_ids)
    return tuple((obj.box.center[0], obj.box.center[2]) for obj in found if obj is not None)


_STATE_WORDS: dict[str, str] = files.package_table("tatc.sim.top_view", "state_words.toml")


def state_words(obj: ObjectState) -> list[str]:
    """Return how an object is not as objects usually are, in words; empty if it is not."""
    shown = {word: names.split() for word, names in _STATE_WORDS.items()}
    found = [word for word, names in shown.items() if any(getattr(obj, name) for name in names)]
    if obj.ObjectTemperature != "RoomTemp":
        found.append(obj.ObjectTemperature.lower())
    return found


COLUMN_METRES, ROW_METRES = 0.1, 0.2
"""What one letter covers, metres: letters in a terminal are twice as high as wide."""
PICKUPABLE_LETTER = "\N{BULLET}"
WALKABLE_LETTER, WALL_LETTER = "\N{MIDDLE DOT}", "\N{LIGHT SHADE}"
_MAX_LETTERS = 2000  # letters along a side of the plan
_TYPE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True, slots=True)
class PlanMark:
    """One letter of the plan, and the group of types that gives its colour, if any."""

    letter: str
    group: str | None = None

    @property
    def style(self) -> str:
        """The letter's style for rich."""
        if self.group is None:
            return "dim"
        red, green, blue = GROUP_COLOURS[self.group]
        return f"rgb(40,40,45) on rgb({red},{green},{blue})"


@dataclass(frozen=True, slots=True)
class TextPlan:
    """Rows of letters, highest z first, and what each letter means."""

    rows: tuple[tuple[PlanMark, ...], ...]
    legend: tuple[tuple[PlanMark, str], ...]


def draw_text_plan(room: Room) -> TextPlan:
    """Return a room in letters, x to the right and z up, without what hangs above furniture."""
    plan = RoomPlan.of_room(room)
    furniture = [piece for piece in plan.furniture if not piece.is_overhead]
    marks = _assign_letters(furniture)
    grid = _LetterGrid(plan.floor)
    for cell in plan.floor.cells:
        grid.put(cell, PlanMark(WALKABLE_LETTER))
    for box in plan.floor.beyond:
        grid.fill(box, PlanMark(WALL_LETTER))
    for piece in furniture:
        grid.fill(piece.box, marks[piece.object_type])
    for obj in plan.small_objects:
        grid.put(obj.middle, PlanMark(PICKUPABLE_LETTER, obj.group))
    counts = Counter(piece.object_type for piece in furniture)
    legend = (
        *((mark, f"{name} x{counts[name]}".removesuffix(" x1")) for name, mark in marks.items()),
        (PlanMark(PICKUPABLE_LETTER, PICKUPABLE_GROUP), "what can be carried"),
        (PlanMark(WALKABLE_LETTER), "where a body can stand"),
        *[(PlanMark(WALL_LETTER), "beyond the walls")] * bool(plan.floor.beyond),
    )
    return TextPlan(tuple(tuple(row) for row in grid.rows), legend)


def _assign_letters(furniture: Sequence[Footprint]) -> dict[str, PlanMark]:
    """Give each type a letter of its name that is free, else any that is; "#" if none is."""
    marks: dict[str, PlanMark] = {}
    left = list(_TYPE_LETTERS)
    for name in sorted({piece.object_type for piece in furniture}):
        letter = ([letter for letter in name if letter in left] or left or ["#"])[0]
        if letter in left:
            left.remove(letter)
        marks[name] = PlanMark(letter, group_of(name))
    return marks


class _LetterGrid:
    """The letters of a plan, row by row from its upper edge."""

    def __init__(self, floor: PlanFloor) -> None:
        (x0, z0), (x1, z1) = floor.low, floor.high
        self._left, self._top = x0, z1
        self._columns = min(max(1, round((x1 - x0) / COLUMN_METRES)), _MAX_LETTERS)
        self._rows = min(max(1, round((z1 - z0) / ROW_METRES)), _MAX_LETTERS)
        self.rows = [[PlanMark(" ")] * self._columns for _ in range(self._rows)]

    def put(self, point: Vec2, mark: PlanMark) -> None:
        """Write a letter at a point, if the grid reaches there."""
        column = int((point[0] - self._left) / COLUMN_METRES)
        row = int((self._top - point[1]) / ROW_METRES)
        if 0 <= row < self._rows and 0 <= column < self._columns:
            self.rows[row][column] = mark

    def fill(self, box: Box, mark: PlanMark) -> None:
        """Write a letter over all that a box covers, at least once."""
        low, high = box.bounds()
        left, right = ((x - self._left) / COLUMN_METRES for x in (low[0], high[0]))
        upper, lower = ((self._top - z) / ROW_METRES for z in (high[2], low[2]))
        columns = covered_span(left, right, self._columns)
        for row in self.rows[covered_span(upper, lower, self._rows)]:
            row[columns] = [mark] * (columns.stop - columns.start)


def covered_span(first: float, last: float, size: int) -> slice:
    """Return what is covered between two borders of a grid: within it, and one place at least."""
    start = min(max(round(first), 0), size - 1)
    return slice(start, min(max(round(last), start + 1), size))
