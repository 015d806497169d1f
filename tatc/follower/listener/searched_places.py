"""Which places (containers and surfaces) have been searched, and in what order to go on."""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import hypot

from tatc.base.files import package_table
from tatc.follower.listener import place_coverage, semantic_map
from tatc.home import actions, assets, percepts, state, type_facts
from tatc.planners.snapshot_view import has_door

MAX_TRIES_PER_PLACE = 4  # times that the Follower goes to open a place or to look at it, at most
MAX_VAIN_PLANS = 12  # times that a way to a place is looked for, at most, where none is found
UNSEEN_SHARE = 0.2  # the share of a place that may stay unseen at the first search
MIN_SHARE_SHOWN = 0.05
"""The share of a place that a look must have shown so that it does not count as a vain try."""
LOOK_HORIZON_DEGREES = 30.0  # the horizon at which most of a room is in view, degrees down
MIN_SURFACE_SQUARE_METRES = 0.12
"""On smaller surfaces, such as a burner, things are seen from anywhere, square metres."""
DEEP_TYPES = type_facts.HEAP_TYPES | frozenset(type_facts.BASIN_TYPES)
"""Receptacles without a door that have to be looked into from above."""
ABOVE_METRES = 0.9  # how far above what it looks at the camera is, usually, metres
NEEDED_PIXELS = 1.25 * percepts.MIN_TRUTH_PIXELS  # how many pixels a thing should show in
FULL_SHARE = 0.7  # the share of its outline's rectangle that a standing thing fills
_OTHER_WEIGHT = 0.3  # of a container that the table of priors does not name
SAME_COLUMN_METRES = 0.1
"""Drawers with middles no farther apart, seen from above, stand on top of each other, metres."""


class SearchedPlaces:
    """What has been searched in a session."""

    def __init__(self, belief: semantic_map.SemanticMap) -> None:
        """Start with nothing searched."""
        self._belief = belief
        self._tries: Counter[str] = Counter()
        self._share_at_try: dict[str, float] = {}
        self._vain_plans: Counter[str] = Counter()
        self._cells_at_vain_plan: dict[str, int] = {}
        self._searched: dict[str, None] = {}
        self._put_last: dict[str, None] = {}
        self.is_thorough = False
        self._look_metres = place_coverage.MAX_LOOK_METRES
        self._nearer_for: dict[tuple[str, ...], None] = {}
        self._coverage: dict[str, place_coverage.PlaceCoverage] = {}

    def start_over(self) -> None:
        """Try every place again and look at all of it, though what was in view is remembered."""
        self.is_thorough = True
        self._forget_tries()

    def _forget_tries(self) -> None:
        self._tries.clear()
        self._share_at_try.clear()
        self._vain_plans.clear()
        self._cells_at_vain_plan.clear()
        self._searched.clear()

    def look_for(self, types: tuple[str, ...]) -> None:
        """Count places as searched if these types would be seen there; see `look_nearer`."""
        small = types in self._nearer_for
        metres = distance_to_see(types) if small else place_coverage.MAX_LOOK_METRES
        if metres == self._look_metres:
            return
        self._look_metres = metres
        self._searched.clear()
        for name, coverage in self._coverage.items():
            coverage.want_from(metres)
            self._note_coverage(name, coverage)

    def look_nearer(self, types: tuple[str, ...]) -> bool:
        """Search all places again from as near as these types need; False if that is not new."""
        if types in self._nearer_for or distance_to_see(types) >= place_coverage.MAX_LOOK_METRES:
            return False
        self._nearer_for[types] = None
        self._forget_tries()
        self.look_for(types)
        return True

    def note_try(self, obj: state.ObjectState) -> None:
        """Count a try to open or look at a place, unless the last one has shown more of it."""
        share = self._unseen_share(obj)
        before = self._share_at_try.get(obj.objectId, 1.0)
        self._share_at_try[obj.objectId] = share
        if share > before - MIN_SHARE_SHOWN:
            self._tries[obj.objectId] += 1

    def note_vain_plan(self, obj: state.ObjectState) -> None:
        """Note that no way to a place was found; it is looked for again once more floor is known.

        That a way is missing while little of the room has been seen is no try.
        """
        self._vain_plans[obj.objectId] += 1
        self._cells_at_vain_plan[obj.objectId] = len(self._belief.reachable())

    def note_view(self) -> None:
        """Note what the last view shows of the receptacles in it."""
        belief = self._belief
        view = belief.view
        if view is None:
            return
        in_view = [obj for obj in belief.objects if belief.is_in_view(obj.objectId)]
        found = {obj.objectId: place for obj in in_view if (place := self.coverage_of(obj))}
        place_coverage.PlaceCoverage.add_to_all(found.values(), view)
        for name, coverage in found.items():
            self._note_coverage(name, coverage)

    def _note_coverage(self, name: str, coverage: place_coverage.PlaceCoverage) -> None:
        if coverage.unseen_share <= (0.0 if self.is_thorough else UNSEEN_SHARE):
            self._searched[name] = None

    def coverage_of(self, obj: state.ObjectState) -> place_coverage.PlaceCoverage | None:
        """Return what of a receptacle has been in view; None where there is nothing to look at."""
        deep = is_deep(obj)
        if not _can_be_searched(obj) or (obj.affordances.pickupable and not deep):
            return None
        box = obj.box
        if has_door(obj) and not deep:
            closed = self._belief.closed_states().get(obj.objectId)
            if closed is None or not obj.isOpen:
                return None
            box = obj.box if obj.position != closed.position else closed.box
        elif not deep and box.area < MIN_SURFACE_SQUARE_METRES:
            return None
        known = self._coverage.get(obj.objectId)
        if known is None or known.box != box:
            known = place_coverage.PlaceCoverage(obj, box, is_deep=deep)
            self._coverage[obj.objectId] = known
        known.want_from(self._look_metres)
        return known

    def put_last(self, name: str) -> None:
        """Search a place after all others: its open door has shut the Follower in."""
        self._put_last[name] = None

    def _unseen_share(self, obj: state.ObjectState) -> float:
        """Return the share of a receptacle that has not been in view, 1 if it was never open."""
        if has_door(obj) and not obj.isOpen:
            known = self._coverage.get(obj.objectId)
            return 1.0 if known is None else known.unseen_share
        coverage = self.coverage_of(obj)
        return 0.0 if coverage is None else coverage.unseen_share

    def _is_out_of_reach(self, name: str) -> bool:
        """Return whether no way to a place was found, and nothing more is known of the floor."""
        if name not in self._vain_plans:
            return False
        is_spent = self._vain_plans[name] >= MAX_VAIN_PLANS
        return is_spent or len(self._belief.reachable()) == self._cells_at_vain_plan[name]

    def ranked(self, types: tuple[str, ...]) -> list[state.ObjectState]:
        """Return the places not searched yet, the likeliest for some types first.

        What cannot be carried, such as blinds, is shut in nowhere.
        """
        body = self._belief.body.position
        may_be_shut_in = not types or any(map(_can_be_carried, types))
        found: list[tuple[bool, float, int, state.ObjectState]] = []
        for i, obj in enumerate(self._belief.objects):
            name = obj.objectId
            if name in self._searched or not _can_be_searched(obj):
                continue
            is_cupboard = has_door(obj) and not is_deep(obj)
            if is_cupboard and not (may_be_shut_in and name in self._belief.closed_states()):
                continue
            if self._tries[name] >= MAX_TRIES_PER_PLACE or obj.isPickedUp:
                continue
            share = 0.0 if self._is_out_of_reach(name) else self._unseen_share(obj)
            if not share:
                continue
            x, _, z = obj.box.center
            steps = hypot(x - body[0], z - body[2]) / actions.GRID_SIZE_METRES
            gain = share * container_weight(obj.objectType, types) / (steps + 4.0)
            found.append((name in self._put_last, -gain, i, obj))
        return _lower_drawers_first([each[3] for each in sorted(found, key=lambda each: each[:3])])


def is_deep(obj: state.ObjectState) -> bool:
    """Return whether one sees what is in an open receptacle only from above it."""
    is_shut = has_door(obj) and not obj.isOpen
    return obj.affordances.receptacle and obj.objectType in DEEP_TYPES and not is_shut


def _can_be_carried(kind: str) -> bool:
    known = assets.known_object_types().get(type_facts.WHOLE_TYPE_BY_PIECE.get(kind, kind))
    return known is None or known.affordances.pickupable


def _can_be_searched(obj: state.ObjectState) -> bool:
    is_place = obj.affordances.receptacle and obj.objectType != type_facts.FLOOR_TYPE
    return is_place and (not obj.affordances.pickupable or obj.objectType in DEEP_TYPES)


def _lower_drawers_first(ranked: list[state.ObjectState]) -> list[state.ObjectState]:
    """Return ranked containers with each drawer after those below it, which it hides when open."""
    done: dict[str, state.ObjectState] = {}
    for obj in ranked:
        column = [obj]
        if obj.objectType == place_coverage.DRAWER_TYPE:
            drawers = (each for each in ranked if each.objectType == place_coverage.DRAWER_TYPE)
            column += [each for each in drawers if _is_below(each, obj)]
        for each in sorted(column, key=lambda each: each.box.center[1]):
            done.setdefault(each.objectId, each)
    return list(done.values())


def _is_below(lower: state.ObjectState, upper: state.ObjectState) -> bool:
    (x, low, z), (other_x, high, other_z) = lower.box.center, upper.box.center
    return low < high and hypot(x - other_x, z - other_z) < SAME_COLUMN_METRES


def container_weight(container_type: str, wanted_types: Iterable[str]) -> float:
    """Return how likely a container holds one of some types, by a table written by hand."""
    table = package_table("tatc.follower.listener", "place_priors.json")

    def factor(kind: str) -> float:
        for name in ("liked", "unliked"):
            if kind in table[name].get(container_type, ()):
                return float(table[f"{name}_factor"])
        return 1.0

    base = float(table["containers"].get(container_type, _OTHER_WEIGHT))
    return base * max(map(factor, sorted(wanted_types)), default=1.0)


def distance_to_see(types: Iterable[str]) -> float:
    """Return from how near all these types are seen, `MIN_LOOK_METRES` to `MAX_LOOK_METRES`."""
    return min(map(_distance_to_see_type, types), default=place_coverage.MAX_LOOK_METRES)


@cache
def _distance_to_see_type(kind: str) -> float:
    """Return from how near the thing's top or its side shows in enough pixels, metres.

    A pixel of a view that is 90 degrees wide covers `2 / VIEW_SIDE_PIXELS` of its distance; what
    lies flat is seen at a slant.
    """
    known = assets.known_object_types().get(type_facts.WHOLE_TYPE_BY_PIECE.get(kind, kind))
    if known is None or not known.affordances.pickupable:
        return place_coverage.MAX_LOOK_METRES
    width, height, depth = known.usual
    pixels_at_a_metre = (percepts.VIEW_SIDE_PIXELS / 2) ** 2
    top = (width * depth * ABOVE_METRES * pixels_at_a_metre / NEEDED_PIXELS) ** (1 / 3)
    side = (max(width, depth) * height * FULL_SHARE * pixels_at_a_metre / NEEDED_PIXELS) ** 0.5
    return min(max(top, side, place_coverage.MIN_LOOK_METRES), place_coverage.MAX_LOOK_METRES)
