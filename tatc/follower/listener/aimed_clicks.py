"""Clicks on what is seen: where boxes are guessed, a plan's click may miss what it is for."""

import numpy as np

from tatc.commander.plan_builder import PlannedStep
from tatc.follower.listener.map_frame import Floats
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home import actions
from tatc.home.camera.clicks import affords
from tatc.home.percepts import NO_PERCEPT, VIEW_SIDE_PIXELS, View

_REACH_MARGIN_METRES = 0.03


def aimed_action(belief: SemanticMap, step: PlannedStep) -> actions.Action | None:
    """Return a step's action, its click moved to a pixel that shows the object, if need be.

    Where boxes are only guessed, every click goes to what is seen.  None where nothing of the
    object is in view within reach, which the map notes; where boxes are known, only if the click
    would act on something else.
    """
    action, view, points = step.step.action, belief.view, belief.points
    if view is None or points is None or action.click is None or step.action_key is None:
        return action
    target = step.action_key[1]
    row, column = (int(part * VIEW_SIDE_PIXELS) for part in (action.click.y, action.click.x))
    shown = int(view.pixels[row, column])
    is_told = not belief.is_guessed and shown != NO_PERCEPT
    at_click = view.percepts[shown].state if is_told else None
    if at_click is not None and at_click.objectId == target:
        return action
    click = aimed_click(view, points, target, action.verb, action.click)
    if click is not None:
        return actions.Action(action.verb, click)
    if belief.is_guessed or (at_click is not None and affords(action.verb, at_click)):
        belief.miss(target)
        return None
    return action


def aimed_click(
    view: View, points: Floats, object_id: str, verb: actions.Verb, planned: actions.Click
) -> actions.Click | None:
    """Return a click on an object as it is seen; None where none of it is in view within reach.

    It is at the reachable pixel nearest to the object's middle, or for a Place on what is no dish
    to the `planned` click, but not at the outline if there is another: beside that, a ray may miss.
    `points` are where the view's rays end, (rows, columns, 3), metres.
    """
    states = [percept.state for percept in view.percepts]
    shown = [i for i, each in enumerate(states) if each is not None and each.objectId == object_id]
    if not shown:
        return None
    away = np.linalg.norm(points - np.array(view.body.position), axis=-1)
    near = away < actions.INTERACTION_REACH_METRES - _REACH_MARGIN_METRES
    pixels = np.pad(view.pixels == shown[0], 1).astype(np.int8)
    on = (pixels[1:-1, 1:-1] > 0) & near
    if not on.any():
        return None
    up, down = pixels[:-2, 1:-1], pixels[2:, 1:-1]
    left, right = pixels[1:-1, :-2], pixels[1:-1, 2:]
    around = up + down + left + right
    rows, columns = np.nonzero(on & (around == around[on].max()))
    middle = rows.mean(), columns.mean()
    target = states[shown[0]]
    if verb is actions.Verb.PLACE and not (target and target.affordances.pickupable):
        middle = planned.y * VIEW_SIDE_PIXELS - 0.5, planned.x * VIEW_SIDE_PIXELS - 0.5
    best = int(((rows - middle[0]) ** 2 + (columns - middle[1]) ** 2).argmin())
    at = int(rows[best]), int(columns[best])
    # At an outline, a quarter of a pixel away from the side that shows something else.
    inward = (down - up)[at] / 4, (right - left)[at] / 4
    y, x = ((i + 0.5 + by) / VIEW_SIDE_PIXELS for i, by in zip(at, inward, strict=True))
    return actions.Click(x, y)
