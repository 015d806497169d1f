"""Recorded first clicks: what people clicked on before touching it, and from where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tatc.home.actions import Click, Verb
from tatc.home.camera.clicks import affords, eye_of
from tatc.home.camera.geometry import Geometry
from tatc.home.camera.rays import Eye
from tatc.home.state import AgentState, ObjectState
from tatc.session.records import Game, Interaction, read_game

HELD_OUT_FLOOR_PLANS = (3, 16, 27, 205, 223, 317, 408, 419)
"""Floor plans that nothing is tuned or tested on."""


@dataclass(frozen=True, slots=True)
class RecordedClick:
    """A click with the room as it then was, as far as interactions alone tell."""

    objects: list[ObjectState]
    geometry: Geometry
    agent: AgentState
    click: Click
    verb: Verb
    target: int

    @property
    def eye(self) -> Eye:
        return eye_of(self.agent)

    def accepts(self, index: int) -> bool:
        return affords(self.verb, self.objects[index])


def first_clicks(paths: Sequence[Path]) -> Iterator[RecordedClick]:
    """Yield the first success on each object; `geometry` is good until the next."""
    for path in paths:
        game = read_game(path)
        if int(game.scene.place.removeprefix("FloorPlan")) not in HELD_OUT_FLOOR_PLANS:
            yield from _clicks_of_game(game)


def _clicks_of_game(game: Game) -> Iterator[RecordedClick]:
    start = game.scene.initial
    objects, agent = list(start.objects), start.follower
    geometry = Geometry(objects)
    touched: set[str] = set()
    for action in game.interactions:
        if action.pose is not None and action.role == 1:
            z, minus_x, y, _, horizon, minus_yaw = action.pose
            agent = AgentState((-minus_x, y, z), -minus_yaw % 360.0, horizon)
        target = start.object_index.by_id.get(action.object_id or "")
        if not action.success or action.click is None or target is None:
            continue
        obj = objects[target]
        known = touched.isdisjoint((obj.objectId, *(obj.parentReceptacles or ())))
        if known and affords(action.verb, obj):
            click = action.click
            yield RecordedClick(objects, geometry, agent, click, action.verb, target)
        if action.verb is not Verb.PLACE or obj.affordances.pickupable:
            touched.add(obj.objectId)
        objects[target] = _apply_interaction(obj, action)
        geometry.update(target, objects[target])


def _apply_interaction(thing: ObjectState, action: Interaction) -> ObjectState:
    match action.verb:
        case Verb.OPEN | Verb.CLOSE:
            return replace(thing, isOpen=action.verb is Verb.OPEN)
        case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
            return replace(thing, isToggled=action.verb is Verb.TOGGLE_ON)
        case Verb.PICKUP | Verb.SLICE:
            return replace(thing, isPickedUp=True)
        case _:
            return thing
