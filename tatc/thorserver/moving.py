"""Moving an agent: steps, turns, looks, teleports, and where it can get to."""

from collections.abc import Callable, Iterator
from math import cos, radians, sin
from typing import Any

from tatc.actions import GRID, Verb
from tatc.fields import flag, number, vector
from tatc.metadata import write_vector
from tatc.sim.embedded.motion import HIGHEST_LOOK, LOWEST_LOOK, cell_of
from tatc.sim.floorplan.connected import connected
from tatc.state import AgentState, Vec3
from tatc.thorserver.answers import (
    DONE,
    Answer,
    Arguments,
    number_or,
    refused,
    turn_of,
)
from tatc.thorserver.stage import Stage

Run = Callable[[Stage, Arguments], Answer]

_DIGITS = 4  # of a yaw or a horizon, so that 30.00002 is 30


def move(way: float) -> Run:
    """Return the action that moves the body `way` degrees off its heading.

    As AI2-THOR does with snapToGrid, it ends on the grid; it moves all the way or not
    at all.
    """

    def run(stage: Stage, given: Arguments) -> Answer:
        metres = number_or(given, "moveMagnitude", stage.settings.step)
        angle = radians(stage.body.yaw + way)
        dx, dz = round(sin(angle) * metres / GRID), round(cos(angle) * metres / GRID)
        if not (dx or dz):
            return refused(f"moves are steps of {GRID} m here: {metres} m is none")
        why = ""
        for path in _paths(dx, dz):
            end = _followed(stage, path)
            if isinstance(end, AgentState):
                stage.house.move_follower(end)
                return DONE
            why = why or end
        return refused(why)

    return run


def turn(sign: int) -> Run:
    """Return the action that turns the body, 1 to the right, -1 to the left."""

    def run(stage: Stage, given: Arguments) -> Answer:
        body = stage.body
        yaw = body.yaw + sign * number_or(given, "degrees", stage.settings.turn)
        stage.house.move_follower(
            AgentState(body.position, round(yaw, _DIGITS) % 360.0, body.horizon)
        )
        return DONE

    return run


def look(sign: int) -> Run:
    """Return the action that tilts the view, 1 downwards, -1 upwards."""

    def run(stage: Stage, given: Arguments) -> Answer:
        body = stage.body
        tilt = number_or(given, "degrees", 30.0)
        horizon = round(body.horizon + sign * tilt, _DIGITS)
        if not HIGHEST_LOOK <= horizon <= LOWEST_LOOK:
            return refused(
                f"can't look {'down' if sign > 0 else 'up'} beyond "
                f"{abs(LOWEST_LOOK if sign > 0 else HIGHEST_LOOK):.0f} degrees"
            )
        stage.house.move_follower(AgentState(body.position, body.yaw, horizon))
        return DONE

    return run


def rotate(stage: Stage, given: Arguments) -> Answer:
    """Turn to a yaw."""
    body = stage.body
    yaw = turn_of(given, "rotation", (0.0, body.yaw, 0.0))[1]
    stage.house.move_follower(AgentState(body.position, yaw % 360.0, body.horizon))
    return DONE


def teleport(stage: Stage, given: Arguments) -> Answer:
    """Put the body somewhere; what is left out stays as it is."""
    body = stage.body
    position = position_or(given, body.position)
    yaw = turn_of(given, "rotation", (0.0, body.yaw, 0.0))[1]
    horizon = number_or(given, "horizon", body.horizon)
    if not HIGHEST_LOOK - 1 <= horizon <= LOWEST_LOOK + 1:
        return refused(
            f"Each horizon must be in [{HIGHEST_LOOK:.0f}:{LOWEST_LOOK:.0f}], "
            f"{horizon} is not"
        )
    if not flag(given, "forceAction") and not stage.stands_free(position):
        return refused(f"Cannot teleport to {write_vector(position)}: no room there")
    stage.put_body(AgentState(position, yaw % 360.0, horizon))
    return DONE


def reachable(stage: Stage, given: Arguments) -> Answer:
    """Return every position the body can walk to."""
    y = stage.body.position[1]
    cells = sorted(connected(stage.floor.free, cell_of(stage.body)))
    places: list[Any] = [write_vector((x * GRID, y, z * GRID)) for x, z in cells]
    return Answer(value=places)


def position_or(given: Arguments, default: Vec3) -> Vec3:
    """Return where to: `position`, or x, y and z as older clients give them."""
    if given.get("position") is not None:
        return vector(given, "position")
    x, y, z = (
        default[i] if given.get(axis) is None else number(given[axis], axis)
        for i, axis in enumerate("xyz")
    )
    return x, y, z


def _paths(dx: int, dz: int) -> Iterator[list[float]]:
    """Yield ways to go so many cells, as the headings of the steps."""
    along = [90.0 if dx > 0 else 270.0] * abs(dx)
    across = [0.0 if dz > 0 else 180.0] * abs(dz)
    yield along + across
    if dx and dz:
        yield across + along


def _followed(stage: Stage, path: list[float]) -> AgentState | str:
    """Return the body at the end of a path, or what is in its way."""
    yaw, body = stage.body.yaw, stage.body
    for heading in path:
        facing = AgentState(body.position, heading, body.horizon)
        moved = stage.floor.move(facing, Verb.FORWARD, stage.house.things)
        if isinstance(moved, str):
            return moved
        body = moved
    return AgentState(body.position, yaw, body.horizon)
