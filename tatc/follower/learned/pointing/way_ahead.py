"""By how many actions each motion is worse than the best one, on the way to what is pointed at.

This is value iteration over the Follower's own map: a pose is worth as many actions as lead from it
to a cell beside the thing, where the body faces it.  Nothing of it is learned.
"""

import numpy as np
from numpy.typing import NDArray

from tatc.follower.learned.pointing import floor_map
from tatc.follower.learned.pointing.decision import NUMBERS, Decision, boxes_of
from tatc.follower.learned.pointing.instance_memory import Floats
from tatc.home.actions import GRID_SIZE_METRES, TRANSLATION_VERBS, Verb, cell_after

MAX_LOSS = 3  # what a motion loses at most: the map knows no better
_MIDDLE = floor_map.MIDDLE


def losses(seen: Decision, place: int | None) -> dict[Verb, int]:
    """Return what each motion loses on the way to an instance, or to unseen floor for None.

    Turns lose nothing on the way to unseen floor, because they may show some.  Where no way is
    known, the result is empty.
    """
    if place is None:
        return _losses_of_steps(floor_map.lengths_to_unseen_floor(seen.window))
    boxes = boxes_of(seen.features[place : place + 1])
    costs = floor_map.step_costs(seen.window[None])
    ends = floor_map.cells_beside(floor_map.gaps_to_boxes(boxes), floor_map.reachable_cells(costs))
    starts = np.where(ends, _turns_to_face(boxes[0]), floor_map.FAR)
    values = floor_map.path_lengths(np.broadcast_to(costs, starts.shape), starts)
    found = _losses_of_steps(values[0])
    own, right, _, left = values[:, _MIDDLE, _MIDDLE].astype(int).tolist()
    turned = {Verb.TURN_RIGHT: right, Verb.TURN_LEFT: left} if found else {}
    return found | {verb: _loss(1 + value - own) for verb, value in turned.items()}


def exploring_verb(seen: Decision) -> Verb | None:
    """Return a turn to where it has not looked, else a motion to where its map ends, if any."""
    _, right, _, left = looked = seen.numbers[NUMBERS["looked"]]
    if not looked.all():
        return Verb.TURN_LEFT if right and not left else Verb.TURN_RIGHT
    lengths = floor_map.lengths_to_unseen_floor(seen.window, from_elsewhere=True)
    if lengths[_MIDDLE, _MIDDLE] >= floor_map.FAR:
        return None
    around = {
        Verb.FORWARD: lengths[_MIDDLE - 1, _MIDDLE],
        Verb.TURN_RIGHT: lengths[_MIDDLE, _MIDDLE + 1],
        Verb.TURN_LEFT: lengths[_MIDDLE, _MIDDLE - 1],
        Verb.BACKWARD: lengths[_MIDDLE + 1, _MIDDLE],
    }
    best = min(around, key=around.__getitem__)
    return Verb.TURN_RIGHT if best is Verb.BACKWARD else best


def _losses_of_steps(values: floor_map.Window) -> dict[Verb, int]:
    here, found = int(values[_MIDDLE, _MIDDLE]), dict[Verb, int]()
    for verb in TRANSLATION_VERBS if here < floor_map.FAR else ():
        x, z = cell_after((0, 0), 0.0, verb)
        found[verb] = _loss(1 + int(values[_MIDDLE - z, _MIDDLE + x]) - here)
    return found


def _loss(actions: int) -> int:
    return min(max(actions, 0), MAX_LOSS)


def _turns_to_face(box: Floats) -> NDArray[np.int64]:
    """Return how many quarter turns face a box, (headings, rows, columns).

    The first heading is the body's own, and each next one is a quarter turn further to the right.
    """
    at = (np.arange(floor_map.WINDOW_SIDE) - _MIDDLE) * GRID_SIZE_METRES
    right, ahead, wide, deep = box
    across = (np.clip(at, right - wide / 2, right + wide / 2) - at)[None, :]
    along = (np.clip(-at, ahead - deep / 2, ahead + deep / 2) + at)[:, None]
    sides = along, across, -along, -across
    others = np.abs(across), np.abs(along), np.abs(across), np.abs(along)
    faced = np.stack([side >= other for side, other in zip(sides, others, strict=True)])
    beside = np.roll(faced, 1, 0) | np.roll(faced, -1, 0)
    return np.where(faced, 0, np.where(beside, 1, 2))
