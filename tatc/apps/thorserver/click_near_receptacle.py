"""Receptacles beside a click that meets nothing."""

from math import dist

from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.actions import Click
from tatc.home.camera.clicks import resolve_click
from tatc.home.camera.ray_hits import RayHit


def receptacle_near(world: ThorWorld, click: Click) -> RayHit | None:
    """Return the receptacle beside a click, hit at its centre; None if there is none.

    AI2-THOR's ray would end at furniture for which this world has no box.
    """
    state, eye = world.state, world.agent_camera().eye
    objects = state.objects
    i = resolve_click(state.geometry, eye, click, lambda i: objects[i].affordances.receptacle)
    if i is None:
        return None
    centre = objects[i].box.center
    return RayHit(i, dist(centre, eye.position), centre)
