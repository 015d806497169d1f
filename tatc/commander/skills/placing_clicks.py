"""Where to click, and from where, so that a held object finds a place.

AI2-THOR tries points of a lattice, nearest to the click first, and none that is too far from
the body.  So the Commander looks for a click near a free point, from near it.  A refusal
means that no point around the body was free: the next try is made from where others are in
reach.  In a dish, it prefers a place that leaves room for what else the task wants there.
"""

from math import dist, hypot

import numpy as np
from numpy.typing import NDArray

from tatc.commander.plan_builder import ClickPreference, PlanBuilder, StandTest
from tatc.commander.skills import free_space
from tatc.home import assets, state, type_facts
from tatc.home.actions import GRID_SIZE_METRES, INTERACTION_REACH_METRES, Verb
from tatc.home.camera.clicks import ray_end_in_dish
from tatc.planners.viewpoints import PointScorer
from tatc.tdl.properties import is_of_type_or_class

MAX_CLICK_OFFSET_METRES = 0.5
"""Distance from a free point beyond which a click will hardly lead to it, metres."""
REFUSED_POINT_RADIUS_METRES = 0.2
"""Distance from a refused point within which none is tried again, metres."""
CLEARANCE_METRES = 0.35  # distance that an object moved out of another's way keeps from it, metres


def placing_preferences(
    builder: PlanBuilder,
    receptacle: state.ObjectState,
    obj: state.ObjectState,
    avoided: state.ObjectState | None = None,
) -> tuple[ClickPreference, ...]:
    """Return preferences, best first, for a click that puts an object down far from `avoided`."""
    known = assets.dish_geometry(receptacle.objectType, receptacle.mass, receptacle.box.size)
    places = free_space.places_in_dish(builder, receptacle, obj)
    if known is not None and places is not None and len(places):
        found = _dish_preferences(builder, receptacle, known, obj, places)
    elif receptacle.affordances.pickupable:
        found = [ClickPreference(_far_from_contents_scorer(builder, receptacle, obj))]
    else:
        scorer = _free_point_scorer(builder, receptacle, obj)
        found = [ClickPreference(scorer)]
        free = free_space.free_points(builder, receptacle, obj)
        is_known = free is not None and len(free) > 0
        points = (
            free if free is not None and is_known else free_space.fitting_points(receptacle, obj)
        )
        if len(points):
            # Boxes do not tell exactly where the points are: each refusal leads nearer.
            key = builder.known.action_type_key(builder.action_key(Verb.PLACE, receptacle))
            refusals = builder.known.memory.refusal_counts_by_type[key]
            half_step = max(receptacle.box.size[::2]) / type_facts.LATTICE_DIVISIONS / 2
            slack = half_step - GRID_SIZE_METRES * refusals if is_known else 0
            found.insert(0, ClickPreference(scorer, _stand_near(points, slack)))
        untried = _untried_points(builder, receptacle, points)
        if len(untried):
            found.insert(0, ClickPreference(_nearness_scorer(untried), _stand_near(untried)))
    if avoided is None:
        return tuple(found)
    return tuple(
        ClickPreference(each.scorer and _scorer_avoiding(avoided, each.scorer), each.stand)
        for each in found
    )


def _untried_points(
    builder: PlanBuilder, receptacle: state.ObjectState, points: free_space.PlacementPoints
) -> free_space.PlacementPoints:
    """Return the points out of reach from wherever a like object was refused; none if nowhere."""
    known, action_key = builder.known, builder.action_key(Verb.PLACE, receptacle)
    stands = known.memory.refused_stands(known.like_action_keys(action_key))
    return (
        free_space.points_beyond(points, stands, INTERACTION_REACH_METRES) if stands else points[:0]
    )


def _nearness_scorer(points: free_space.PlacementPoints) -> PointScorer:
    """Return a scorer that prefers what is near any of some points, and rules out nothing."""

    def score(point: state.Vec3, _: state.Vec3) -> float:
        return 1.0 / (1.0 + float(np.hypot(*(points - (point[0], point[2])).T).min()))

    return score


def _stand_near(points: free_space.PlacementPoints, slack: float = 0.0) -> StandTest:
    """Return a test whether AI2-THOR would try any of some points with the body at a pose.

    `slack` is how much farther than AI2-THOR's limit a point may be, metres, measured level.
    """
    near: dict[tuple[float, float], bool] = {}

    def stand(pose: state.Pose) -> bool:
        cell = pose.x, pose.z
        if cell not in near:
            away = float(np.hypot(*(points - cell).T).min())
            near[cell] = away <= INTERACTION_REACH_METRES + slack
        return near[cell]

    return stand


def _free_point_scorer(
    builder: PlanBuilder, receptacle: state.ObjectState, obj: state.ObjectState
) -> PointScorer:
    """Return a scorer by how near a free point is; below 0 if that is far, or near a refusal."""
    free = free_space.free_points(builder, receptacle, obj)
    action_key = builder.action_key(Verb.PLACE, receptacle)
    refused = builder.known.memory.refused_points.get(action_key, [])

    def score(point: state.Vec3, _: state.Vec3) -> float:
        if any(dist(point, other) < REFUSED_POINT_RADIUS_METRES for other in refused):
            return -1.0
        if free is None or (builder.optimistic and not len(free)):
            return 0.0
        if not len(free):
            return -1.0
        away = np.abs(free - (point[0], point[2])).max(axis=1)
        return MAX_CLICK_OFFSET_METRES - float(away.min())

    return score


def _dish_preferences(
    builder: PlanBuilder,
    dish: state.ObjectState,
    known: assets.DishGeometry,
    obj: state.ObjectState,
    places: free_space.Rectangles,
) -> list[ClickPreference]:
    """Return preferences for the places that leave most of a dish's room to other objects."""
    contents = free_space.objects_taking_room(builder, dish, obj)
    wanted = _still_wanted_in(builder, dish, obj)
    others = [free_space.free_places_in_dish(dish, known, other, contents) for other in wanted]
    rooms = [free_space.count_free_beside(places, each) for each in others]
    kinds = sum((room > 0 for room in rooms), np.zeros(len(places), np.int64))
    points = free_space.world_points(dish, places)
    left = free_space.count_free_beside(places, places)
    scorer = _place_scorer(dish, known, points, left)
    found = [ClickPreference(scorer, _stand_near(points)), ClickPreference(scorer)]
    best = kinds == kinds.max()
    if not best.all():
        strict = _place_scorer(dish, known, points, np.where(best, left, -1))
        found.insert(0, ClickPreference(strict, _stand_near(points[best])))
    return found


def _still_wanted_in(
    builder: PlanBuilder, dish: state.ObjectState, obj: state.ObjectState
) -> list[state.ObjectState]:
    """Return what else the task wants in a dish, one object of each type."""
    known = builder.known
    wanted: dict[str, state.ObjectState] = {}
    for key in known.open_keys:
        other = known.snapshot.get(key.object_id)
        if key.property_name != "parentReceptacles" or other is None or other is obj:
            continue
        if is_of_type_or_class(dish, key.desired):
            wanted.setdefault(other.objectType, other)
    return list(wanted.values())


def _place_scorer(
    dish: state.ObjectState,
    known: assets.DishGeometry,
    points: free_space.PlacementPoints,
    left: NDArray[np.int64],
) -> PointScorer:
    """Return a scorer by how much room is left where a click leads; below zero rules it out."""

    def score(point: state.Vec3, eye: state.Vec3) -> float:
        end = ray_end_in_dish(dish, known, eye, point) or point
        away = np.hypot(*(points - (end[0], end[2])).T)
        nearest = int(away.argmin())
        room = float(left[nearest])
        return room if room < 0.0 else room + MAX_CLICK_OFFSET_METRES - float(away[nearest])

    return score


def _far_from_contents_scorer(
    builder: PlanBuilder, dish: state.ObjectState, obj: state.ObjectState
) -> PointScorer:
    """Return a scorer that prefers points far from the contents and the middle of a dish."""
    others = [t.box.bounds() for t in free_space.objects_taking_room(builder, dish, obj)]
    middle = dish.box.center

    def score(point: state.Vec3, _: state.Vec3) -> float:
        x, z = point[0], point[2]
        away = [
            hypot(max(low[0] - x, 0.0, x - high[0]), max(low[2] - z, 0.0, z - high[2]))
            for low, high in others
        ]
        return min(away, default=0.0) + hypot(x - middle[0], z - middle[2])

    return score


def _scorer_avoiding(obj: state.ObjectState, scorer: PointScorer) -> PointScorer:
    x, _, z = obj.box.center
    apart = CLEARANCE_METRES + free_space.footprint_radius(obj)

    def score(point: state.Vec3, eye: state.Vec3) -> float:
        return -1.0 if hypot(point[0] - x, point[2] - z) < apart else scorer(point, eye)

    return score
