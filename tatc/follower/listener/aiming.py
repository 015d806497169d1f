"""Where to click on an object in view: a pixel that shows it, within reach."""

import numpy as np

from tatc.commander.plan_builder import PlannedStep
from tatc.follower.listener.map_frame import Floats
from tatc.follower.listener.semantic_map import SemanticMap
from tatc.home.actions import INTERACTION_REACH_METRES, Action, Click, Verb
from tatc.home.camera.clicks import affords
from tatc.home.percepts import NO_PERCEPT, VIEW_SIDE_PIXELS, View
from tatc.home.state import ObjectState

_REACH_MARGIN_METRES = 0.03


def aimed_action(belief: SemanticMap, step: PlannedStep) -> Action | None:
    """Return a step's action, its click moved to a pixel that shows the object, if need be.

    Where boxes are only guessed, every click goes to what is seen.  None where nothing of the
    object is in view within reach, which the map notes; where boxes are known, only if the click
    would act on something else.
    """
    action, view, points = step.step.action, belief.view, belief.points
    if view is None or points is None or action.click is None or step.action_key is None:
        return action
    target = step.action_key[1]
    at_click = None if belief.is_guessed else _state_at(view, action.click)
    if at_click is not None and at_click.objectId == target:
        return action
    click = aimed_click(view, points, target, action.verb, action.click)
    if click is not None:
        return Action(action.verb, click)
    if belief.is_guessed or (at_click is not None and affords(action.verb, at_click)):
        belief.miss(target)
        return None
    return action


def _state_at(view: View, click: Click) -> ObjectState | None:
    """Return the state of what a click's pixel shows, None for nothing."""
    row, column = (int(part * VIEW_SIDE_PIXELS) for part in (click.y, click.x))
    index = int(view.pixels[row, column])
    return None if index == NO_PERCEPT else view.percepts[index].state


def aimed_click(
    view: View, points: Floats, object_id: str, verb: Verb, planned: Click
) -> Click | None:
    """Return a click on an object as it is seen; None where none of it is in view within reach.

    A Place stays as near as possible to the planned point; other clicks go to the pixel that is
    nearest to the middle of what is seen and can be reached.

    Args:
        view: the view, its percepts with states.
        points: where its rays end, in the frame of the states.
        object_id: the object to click on.
        verb: what is to be done.
        planned: the click that was planned from the object's box.

    """
    shown = [
        i
        for i, p in enumerate(view.percepts)
        if p.state is not None and p.state.objectId == object_id
    ]
    if not shown:
        return None
    away = np.linalg.norm(points - np.array(view.body.position), axis=-1)
    near = away < INTERACTION_REACH_METRES - _REACH_MARGIN_METRES
    rows, columns = np.nonzero((view.pixels == shown[0]) & near)
    if not len(rows):
        return None
    middle = rows.mean(), columns.mean()
    if verb is Verb.PLACE:
        middle = planned.y * VIEW_SIDE_PIXELS - 0.5, planned.x * VIEW_SIDE_PIXELS - 0.5
    best = int(((rows - middle[0]) ** 2 + (columns - middle[1]) ** 2).argmin())
    return Click((columns[best] + 0.5) / VIEW_SIDE_PIXELS, (rows[best] + 0.5) / VIEW_SIDE_PIXELS)
