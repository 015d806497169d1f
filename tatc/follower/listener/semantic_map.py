"""The semantic map: the home as seen so far, in the Follower's own frame.

Its frame is that of percepts, raised so that the floor is at height 0, as in AI2-THOR's worlds.

It answers what a Commander may ask of a simulator (`tatc.commander.Oracle`), from percepts and
the Follower's own actions alone.  Objects stand in the order in which they were first seen, the
floor is what was seen or walked on, and what an object is in or on follows from boxes and from
what the Follower did.  A later view corrects what was expected of an action.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf, isnan, nan
from typing import Any

from tatc.follower.listener import floor_map, instance_tracking, map_frame, sightings
from tatc.home import actions, body, containment, percepts
from tatc.home.camera import clicks, door_geometry
from tatc.home.state import AgentState, ObjectState, Pose, Snapshot, Vec3
from tatc.home.type_facts import BURNER_TYPE, KNOB_TYPE

START_BODY = AgentState((0.0, body.POSITION_ABOVE_FLOOR_METRES, 0.0), 0.0, 0.0)
"""The body before anything was seen: above the origin."""
BESIDE_PLACE_METRES, BESIDE_DISH_METRES = 0.1, 0.02
"""How far off the box of a place, or beside that of a dish, the middle may be of what is there."""
MISSES_UNTIL_FORGOTTEN = 3  # times that an object may not be in view where it should be clicked on


class SemanticMap:
    """What the Follower believes of the home; `snapshot` and `reachable` are those of an oracle.

    `seen_from` has the pose of the last view of each object.
    """

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.body = START_BODY
        self.floor = floor_map.FloorMap()
        self.views_by_object: dict[str, int] = {}
        self.seen_from: dict[str, Pose] = {}
        self.points: map_frame.Floats | None = None
        self.view: percepts.View | None = None
        self.view_count = 0
        self.lit_knob: str | None = None  # turned on by the last action
        self._misses: Counter[str] = Counter()
        self.refused_places: set[str] = set()  # by their ids
        self.ran_at_start: set[str] = set()  # faucets whose water stands, as refusals tell
        self._objects: dict[str, ObjectState] = {}
        self._closed: dict[str, ObjectState] = {}
        self._placed: dict[str, tuple[str, ...]] = {}
        self.taken_from: dict[str, str] = {}  # in or on what an object was before it was held
        self._lost: dict[str, ObjectState] = {}
        self._seen_since_put: dict[str, None] = {}
        self._tracker = instance_tracking.InstanceTracker()
        self._stove = StoveLinks()
        self.sightings = sightings.Sightings()
        self._raised, self._compared = map_frame.KeptStates(), map_frame.KeptStates()
        self._snapshot: Snapshot | None = None
        self._free: tuple[Pose, ...] | None = None
        self._last_free: tuple[tuple[actions.Cell, ...], tuple[Pose, ...]] = (), ()

    def snapshot(self) -> Snapshot:
        """Return all objects seen so far as they should be now, and the body."""
        if self._snapshot is None:
            objects = self._stove.linked(self._objects.values())
            self._snapshot = Snapshot.from_objects(objects, START_BODY, self.body)
        elif self._snapshot.follower != self.body:
            self._snapshot = replace(self._snapshot, follower=self.body)
        return self._snapshot

    def reachable(self) -> tuple[Pose, ...]:
        """Return the poses on the floor seen where the body fits, off open doors; yaws are 0."""
        if self._free is None:
            still = (self._closed.get(name, obj) for name, obj in self._objects.items())
            counts = map_frame.counts_on_floor
            cells = self.floor.free_cells(obj for obj in still if counts(obj, self.is_guessed))
            doors = floor_map.cells_at_open_doors(self._objects.values(), self._closed)
            free = tuple(cell for cell in cells if cell not in doors)
            size = actions.GRID_SIZE_METRES
            if free != self._last_free[0]:
                self._last_free = free, tuple(Pose(x * size, z * size, 0.0, 0.0) for x, z in free)
            self._free = self._last_free[1]
        return self._free

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object as it should be now, or None."""
        return self._objects.get(object_id)

    def add(self, obj: ObjectState) -> None:
        """Take in an object that no view has shown yet."""
        self._objects[obj.objectId] = obj
        self._touch(shape=False)

    @property
    def objects(self) -> Iterable[ObjectState]:
        """All objects seen so far, in the order of first sight."""
        return self._objects.values()

    def held_object(self) -> ObjectState | None:
        """Return what the hand holds, or None."""
        return next((obj for obj in self._objects.values() if obj.isPickedUp), None)

    def contents_of(self, object_id: str) -> tuple[ObjectState, ...]:
        """Return what is believed to be in or on an object."""
        return tuple(o for o in self._objects.values() if object_id in (o.parentReceptacles or ()))

    @property
    def is_guessed(self) -> bool:
        """Whether boxes and states are guessed, because views at the level masks tell none."""
        return self.view is not None and self.view.level is percepts.PerceptionLevel.MASKS

    def closed_states(self) -> Mapping[str, ObjectState]:
        """Return what can be opened and stays in its place, as it is when closed, by id."""
        return self._closed

    def point_at(self, click: actions.Click) -> Vec3 | None:
        """Return where a click meets what is in view; None where nothing is."""
        row, column = (int(part * percepts.VIEW_SIDE_PIXELS) for part in (click.y, click.x))
        x, y, z = (nan,) * 3 if self.points is None else self.points[row, column].tolist()
        return None if isnan(x) else (x, y, z)

    def is_in_view(self, object_id: str) -> bool:
        """Return whether the last view shows an object."""
        return self.views_by_object.get(object_id) == self.view_count

    def unexamined_cells(self, near: float) -> tuple[actions.Cell, ...]:
        """Return the cells not seen yet, or with surfaces not seen from as `near`, metres."""
        return self.floor.unexamined_cells(floor_map.known_extent(self._objects.values()), near)

    def see(self, view: percepts.View) -> None:
        """Take a view into the map; at `PerceptionLevel.MASKS` its objects are tracked first."""
        view = map_frame.raised(view, self._raised)
        self.points = map_frame.point_cloud(view)
        if view.level is percepts.PerceptionLevel.MASKS:
            loose = [name for name in self._placed if name not in self._seen_since_put]
            view = self._tracker.with_states(view, self.points, self._objects, loose, self._lost)
        self.view_count += 1
        self.body, self.view = view.body, view
        self.floor.walk_on(actions.cell_of(view.body.position[0], view.body.position[2]))
        eye = clicks.eye_of(view.body)
        self.floor.add_view(self.points, eye.position, instance_tracking.solid_pixels(view))
        self._free = None
        self.sightings.note(view, self.points)
        seen = [percept.state for percept in view.percepts if percept.state is not None]
        known, own = self._objects.get, map_frame.with_own_fields
        fresh = [obj for obj in seen if not self._is_as_known(obj)]
        for obj in seen:
            self.seen_from[obj.objectId] = view.body.pose
            self.views_by_object[obj.objectId] = self.view_count
            self._seen_since_put[obj.objectId] = None
        self._forget_absent(view)
        if not fresh:
            return
        moved = [obj for obj in fresh if map_frame.is_elsewhere(obj, known(obj.objectId))]
        for obj in fresh:
            name = obj.objectId
            self._objects[name] = own(obj, known(name) or self._lost.pop(name, None))
            if door_geometry.closed_box(obj) is not None:
                self._closed[name] = self._objects[name]
        self._find_parents(moved, seen)
        self._stove.learn(self._objects.values())
        self._touch(shape=bool(moved))

    def _is_as_known(self, seen: ObjectState) -> bool:
        """Return whether an object is seen as it is known; equal states are compared once."""
        known, before = self._objects.get(seen.objectId), self._compared.get(seen.objectId)
        if before is None or before[0] is not seen or before[1] is not known:
            if known is None or map_frame.with_own_fields(seen, known) != known:
                return False
            self._compared[seen.objectId] = seen, known
        return True

    def _forget_absent(self, view: percepts.View) -> None:
        """Forget where loose objects are that should be in a view and are not.

        What they are like is remembered.  What is on what the hand holds goes with it, out of view.
        """
        held = self.held_object()
        carried = "" if held is None else held.objectId
        loose = (
            obj
            for obj in self._objects.values()
            if obj.affordances.pickupable
            and not self.is_in_view(obj.objectId)
            and not (obj.isPickedUp or obj.isSliced or self._is_shut_in(obj))
            and carried not in (obj.parentReceptacles or ())
        )
        for obj in sightings.absent_objects(view, loose):
            self._forget(obj.objectId)

    def _forget(self, name: str) -> None:
        self._lost[name] = self._objects.pop(name)
        self._touch(shape=True)

    def miss(self, name: str) -> None:
        """Note that a click's object was not in view; a guessed loose one is in time forgotten."""
        self._misses[name] += 1
        if self.is_guessed and self._misses[name] >= MISSES_UNTIL_FORGOTTEN:
            obj = self._objects.get(name)
            if obj is not None and obj.affordances.pickupable and not obj.isPickedUp:
                del self._misses[name]
                self._forget(name)

    def _find_parents(self, moved: list[ObjectState], seen: list[ObjectState]) -> None:
        """Find anew what the objects in view are in or on, where boxes have changed."""
        if not moved:
            return
        places = [obj for obj in self._objects.values() if obj.affordances.receptacle]
        in_view = {obj.objectId for obj in seen}
        found = {name: obj.parentReceptacles or () for name, obj in self._objects.items()}
        for name, obj in self._objects.items():
            if not obj.affordances.pickupable or obj.isPickedUp or obj.isSliced:
                continue
            if name not in in_view and (name in self._placed or self._is_shut_in(obj)):
                continue
            found[name] = self._parents_of(obj, places)
        for name, parents in sightings.without_cycles(found, self._placed).items():
            if parents != (self._objects[name].parentReceptacles or ()):
                self._objects[name] = self._objects[name].with_values(parentReceptacles=parents)

    def _parents_of(self, obj: ObjectState, places: list[ObjectState]) -> tuple[str, ...]:
        """Return what an object is in or on: where it was put if that can be, else by boxes."""
        placed = self._placed.get(obj.objectId)
        if placed:
            place = self._objects.get(placed[0])
            if place is not None and self.may_hold(place, obj.box.center):
                return containment.with_outer(place)
        return sightings.receptacles_around(obj, places)

    def may_hold(self, place: ObjectState, point: Vec3) -> bool:
        """Return whether what is seen at a point can be in or on the place where it was put."""
        x, y, z = point
        is_dish = self.is_guessed and place.affordances.pickupable
        beside = BESIDE_DISH_METRES if is_dish else BESIDE_PLACE_METRES
        up = place.box.size[1] + BESIDE_PLACE_METRES if is_dish else inf
        is_level = -BESIDE_PLACE_METRES <= y - place.box.bottom <= up
        return is_level and place.box.horizontal_distance(x, z) < beside

    def _parents_in(self, place_id: str) -> tuple[str, ...]:
        place = self._objects.get(place_id)
        return (place_id,) if place is None else containment.with_outer(place)

    def _is_shut_in(self, obj: ObjectState) -> bool:
        around = (self._objects.get(name) for name in obj.parentReceptacles or ())
        return any(p is not None and p.affordances.openable and not p.isOpen for p in around)

    def change(self, object_id: str, **values: Any) -> None:
        """Set fields of an object, as an own action should have changed them."""
        before = self._objects.get(object_id)
        if before is not None and (after := before.with_values(**values)) != before:
            self._objects[object_id] = after
            self._touch(shape=after.box != before.box or after.isOpen != before.isOpen)

    def hold(self, object_id: str) -> None:
        """Note that the hand took an object, with what is on it."""
        self._placed.pop(object_id, None)
        before = self._objects.get(object_id)
        self.taken_from[object_id] = next(iter((before and before.parentReceptacles) or ()), "")
        for rider in self.contents_of(object_id):
            self.change(rider.objectId, parentReceptacles=(object_id,))
        taken = {"isPickedUp": True, "simbotPickedUp": 1, "simbotLastParentReceptacle": None}
        self.change(object_id, parentReceptacles=(), **taken)

    def put(self, object_id: str, place_id: str, point: Vec3) -> None:
        """Note that the held object was put in or on a place, near a point (metres)."""
        obj = self._objects.get(object_id)
        if obj is None:
            return
        x, y, z = obj.box.center
        rise = point[1] + obj.box.size[1] / 2 - y
        shift = (point[0] - x, rise, point[2] - z)
        self._placed[object_id] = (place_id,)
        self._seen_since_put.pop(object_id, None)
        if object_id in self._parents_in(place_id):
            self._placed.pop(place_id, None)  # what takes it was not on it
            self.change(place_id, parentReceptacles=())
        parents = self._parents_in(place_id)
        self._shift(obj, shift)
        put = {"isPickedUp": False, "simbotLastParentReceptacle": place_id}
        self.change(object_id, parentReceptacles=parents, **put)
        for rider in self.contents_of(object_id):
            self._shift(rider, shift)
            self.change(rider.objectId, parentReceptacles=(object_id, *parents))

    def cut(self, object_id: str) -> None:
        """Note that an object was cut or cracked: its pieces will be seen."""
        self.change(object_id, isSliced=True, parentReceptacles=())

    def _shift(self, obj: ObjectState, shift: Vec3) -> None:
        x, y, z = (a + b for a, b in zip(obj.position, shift, strict=True))
        self.change(obj.objectId, position=(x, y, z), box=obj.box.translate(*shift))

    def _touch(self, *, shape: bool) -> None:
        self._snapshot = None
        if shape:
            self._free = None


class StoveLinks:
    """Which knob of a stove lights which burner: guessed from their places, learned by looking."""

    def __init__(self) -> None:
        """Start with no link known."""
        self._burner_of_knob: dict[str, str] = {}
        self._before = frozenset[str]()  # knobs turned on and burners hot

    def learn(self, objects: Iterable[ObjectState]) -> None:
        """Link the knob that was just turned on with the burner that has just become hot."""
        known = tuple(objects)
        toggled = frozenset(o.objectId for o in known if o.objectType == KNOB_TYPE and o.isToggled)
        burners = (o for o in known if o.objectType == BURNER_TYPE)
        hot = frozenset(o.objectId for o in burners if o.ObjectTemperature == "Hot")
        linked = frozenset(self._burner_of_knob.values())
        pairs = (
            (toggled - self._before, hot - self._before),
            (toggled - frozenset(self._burner_of_knob), hot - linked),
        )
        self._before = toggled | hot
        for knobs, lit in pairs:
            if len(knobs) == 1 and len(lit) == 1:
                self._burner_of_knob[next(iter(knobs))] = next(iter(lit))
                return

    def linked(self, objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
        """Return the objects, each knob with the burner that it should light."""
        known = tuple(objects)
        lit = self._burner_of_knob | self._guess(known)
        return tuple(
            replace(o, controlledObjects=(lit[o.objectId],)) if o.objectId in lit else o
            for o in known
        )

    def _guess(self, objects: tuple[ObjectState, ...]) -> dict[str, str]:
        """Return likely links of the other knobs: in the order of both along the stove's front."""
        taken = set(self._burner_of_knob.values())
        unlinked = (o for o in objects if o.objectId not in self._burner_of_knob)
        knobs = [o for o in unlinked if o.objectType == KNOB_TYPE]
        burners = [o for o in objects if o.objectType == BURNER_TYPE and o.objectId not in taken]
        if not knobs or not burners:
            return {}
        xs, zs = ([o.position[axis] for o in knobs] for axis in (0, 2))
        axis = 0 if max(xs) - min(xs) >= max(zs) - min(zs) else 2
        knobs.sort(key=lambda o: (o.position[axis], o.objectId))
        burners.sort(key=lambda o: (round(o.position[axis], 1), o.position[2 - axis], o.objectId))
        return {
            knob.objectId: burners[min(i * len(burners) // len(knobs), len(burners) - 1)].objectId
            for i, knob in enumerate(knobs)
        }
