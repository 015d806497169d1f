"""A world behind AI2-THOR's actions, without a client in between: what its tests share."""

from typing import Any

import pytest

from tatc.apps.thorserver.action_table import run_action
from tatc.apps.thorserver.events import EventMetadataWriter
from tatc.apps.thorserver.served_scenes import find_served_scene
from tatc.apps.thorserver.thor_action import ThorResult
from tatc.apps.thorserver.thor_world import CLIENT_5, ClientVersion, ThorWorld
from tatc.home.state import ObjectState


def new_world(scene: str = "kitchen-03", client: ClientVersion = CLIENT_5) -> ThorWorld:
    found = find_served_scene(scene)
    assert found is not None
    return ThorWorld(found, (300, 300), client)


def do(world: ThorWorld, name: str, **given: Any) -> ThorResult:
    came = run_action(world, name, given)
    world.update_appliances()
    return came


def must(world: ThorWorld, name: str, **given: Any) -> Any:
    came = do(world, name, **given)
    assert came.success, came.error_message
    return came.return_value


def first(world: ThorWorld, kind: str) -> ObjectState:
    return world.state.of_type(kind)[0]


def forced(world: ThorWorld, name: str, kind: str, **given: Any) -> ObjectState:
    obj = first(world, kind)
    must(world, name, objectId=obj.objectId, forceAction=True, **given)
    return world.object_of_id(obj.objectId)


def metadata_of(world: ThorWorld, action: str = "Pass", result: ThorResult | None = None) -> Any:
    """Return the metadata of the first agent's event."""
    told = EventMetadataWriter().event_metadata(world, action, result or ThorResult(), 1)
    return told["agents"][0]


@pytest.fixture
def world() -> ThorWorld:
    return new_world()
