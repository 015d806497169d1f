"""Where to click on an object in view: a pixel that shows it, within reach."""

import numpy as np

from tatc.actions import INTERACTION_REACH_METRES, Action, Click, Verb
from tatc.commander.recovery import SpokenStep
from tatc.listener.point_cloud import Floats
from tatc.listener.semantic_map import SemanticMap
from tatc.percepts import VIEW_SIDE_PIXELS, View

_REACH_MARGIN_METRES = 0.03


def aimed_action(belief: SemanticMap, step: SpokenStep) -> Action | None:
    """Return a step's action; where boxes are only guessed, it clicks on what is seen.

    None where nothing of the object is in view within reach.
    """
    action, view, points = step.step.action, belief.view, belief.points
    if view is None or points is None or not belief.is_guessed:
        return action
    if action.click is None or step.action_key is None:
        return action
    click = aimed_click(view, points, step.action_key[1], action.verb, action.click)
    return None if click is None else Action(action.verb, click)


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
