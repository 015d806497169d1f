"""Which places have been searched, and in what order to search the others.

Places are containers and surfaces.  One counts as searched once most of it has been in view; the
likeliest for its cost comes first, and each is tried a few times only.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from math import hypot

from tatc.actions import GRID_SIZE_METRES
from tatc.listener.place_coverage import PlaceCoverage
from tatc.listener.place_priors import container_weight
from tatc.listener.semantic_map import SemanticMap
from tatc.planners.snapshot_view import has_door
from tatc.state import ObjectState
from tatc.thor_types.facts import FLOOR_TYPE

MAX_TRIES_PER_PLACE = 4
"""Times that the Follower goes to open a place or to look at it, at most."""
MIN_SHARE_SHOWN = 0.05
"""The share of a place that a look must have shown so that it does not count as a vain try."""
LOOK_HORIZON_DEGREES = 30.0
"""The horizon at which most of a room is in view, degrees down."""
MIN_SURFACE_SQUARE_METRES = 0.12
"""On smaller surfaces, such as a burner, things are seen from anywhere, square metres."""
DEEP_TYPES = frozenset({"GarbageCan", "SinkBasin", "BathtubBasin", "LaundryHamper", "Box"})
"""Receptacles without a door that have to be looked into from above."""
DEEP_LOOK_METRES = 1.0
"""From how near a body looks into one, metres."""
DEEP_HORIZON_DEGREES = 60.0
"""The horizon at which it does, degrees down."""
DRAWER_TYPE = "Drawer"
SAME_COLUMN_METRES = 0.1
"""Drawers with middles no farther apart, seen from above, stand on top of each other, metres."""


class SearchedPlaces:
    """What has been searched in a session."""

    def __init__(self, belief: SemanticMap) -> None:
        """Start with nothing searched."""
        self._belief = belief
        self.weight: Callable[[str, Iterable[str]], float] = container_weight
        self._tries: Counter[str] = Counter()
        self._share_at_try: dict[str, float] = {}
        self._searched: dict[str, None] = {}
        self._coverage: dict[str, PlaceCoverage] = {}

    def start_over(self) -> None:
        """Forget what was searched: something is missing after all."""
        self._tries.clear()
        self._share_at_try.clear()
        self._searched.clear()
        self._coverage.clear()

    def note_try(self, obj: ObjectState) -> None:
        """Note that the Follower goes to open a place or to look at it.

        It counts as a try unless the last one has shown more of the place.
        """
        share = self._unseen_share(obj)
        before = self._share_at_try.get(obj.objectId, 1.0)
        self._share_at_try[obj.objectId] = share
        if share > before - MIN_SHARE_SHOWN:
            self._tries[obj.objectId] += 1

    def note_view(self) -> None:
        """Note what the last view shows of the receptacles in it."""
        belief = self._belief
        view = belief.view
        if view is None:
            return
        for obj in belief.objects:
            name = obj.objectId
            if name in self._searched or belief.views_by_object.get(name) != belief.view_count:
                continue
            if is_deep(obj):
                is_seen = self._looks_into(obj)
            elif (coverage := self.coverage_of(obj)) is not None:
                coverage.add(view)
                is_seen = coverage.is_complete
            else:
                is_seen = False
            if is_seen:
                self._searched[name] = None

    def coverage_of(self, obj: ObjectState) -> PlaceCoverage | None:
        """Return what of a receptacle has been in view; None where there is nothing to look at."""
        if not obj.affordances.receptacle or obj.affordances.pickupable or _is_floor(obj):
            return None
        box = obj.box
        if has_door(obj):
            closed = self._belief.closed_states().get(obj.objectId)
            if closed is None or not obj.isOpen:
                return None
            slides_out = obj.position != closed.position
            box = obj.box if slides_out else closed.box
        elif box.size[0] * box.size[2] < MIN_SURFACE_SQUARE_METRES:
            return None
        known = self._coverage.get(obj.objectId)
        if known is None or known.box != box:
            known = self._coverage[obj.objectId] = PlaceCoverage(obj, box)
        return known

    def _unseen_share(self, obj: ObjectState) -> float:
        """Return the share of a receptacle that has not been in view, 1 where it is closed."""
        if is_deep(obj) or (has_door(obj) and not obj.isOpen):
            return 1.0
        coverage = self.coverage_of(obj)
        return 0.0 if coverage is None else coverage.unseen_share

    def _looks_into(self, obj: ObjectState) -> bool:
        """Return whether the body looks down into an object from beside it."""
        body, (x, y, z) = self._belief.body, obj.box.center
        away = hypot(x - body.position[0], z - body.position[2])
        is_low = y < body.position[1] and body.horizon >= LOOK_HORIZON_DEGREES
        return is_low and away < DEEP_LOOK_METRES

    def ranked(self, types: tuple[str, ...]) -> list[ObjectState]:
        """Return the places not searched yet, the likeliest for some types first."""
        body = self._belief.body.position
        found: list[tuple[float, int, ObjectState]] = []
        for i, obj in enumerate(self._belief.objects):
            name = obj.objectId
            if name in self._searched or not obj.affordances.receptacle or _is_floor(obj):
                continue
            if obj.affordances.pickupable and not is_deep(obj):
                continue
            if has_door(obj) and name not in self._belief.closed_states():
                continue
            if self._tries[name] >= MAX_TRIES_PER_PLACE or obj.isPickedUp:
                continue
            share = self._unseen_share(obj)
            if not share:
                continue
            x, _, z = obj.box.center
            steps = hypot(x - body[0], z - body[2]) / GRID_SIZE_METRES
            found.append((-share * self.weight(obj.objectType, types) / (steps + 4.0), i, obj))
        return _lower_drawers_first([obj for _, _, obj in sorted(found, key=lambda each: each[:2])])


def is_deep(obj: ObjectState) -> bool:
    """Return whether one sees what is in an open receptacle only from above it."""
    return obj.affordances.receptacle and obj.objectType in DEEP_TYPES and not has_door(obj)


def _is_floor(obj: ObjectState) -> bool:
    return obj.objectType == FLOOR_TYPE


def _lower_drawers_first(ranked: list[ObjectState]) -> list[ObjectState]:
    """Return ranked containers with each drawer after those below it, which it hides when open."""
    done: dict[str, ObjectState] = {}
    for obj in ranked:
        column = [obj]
        if obj.objectType == DRAWER_TYPE:
            column += [each for each in ranked if _is_below(each, obj)]
        for each in sorted(column, key=lambda each: each.box.center[1]):
            done.setdefault(each.objectId, each)
    return list(done.values())


def _is_below(lower: ObjectState, upper: ObjectState) -> bool:
    (x, low, z), (other_x, high, other_z) = lower.box.center, upper.box.center
    apart = hypot(x - other_x, z - other_z)
    return lower.objectType == DRAWER_TYPE and low < high and apart < SAME_COLUMN_METRES
