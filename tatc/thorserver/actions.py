"""Every action that is answered: AI2-THOR's name, what it needs, and what does it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tatc.fields import FieldFault
from tatc.sim.embedded import deeds
from tatc.thorserver import arranging, handling, looking, moving, setting
from tatc.thorserver.answers import (
    INVALID_ACTION,
    MISSING,
    Answer,
    Arguments,
    bad_argument,
    refused,
)
from tatc.thorserver.handling import handle
from tatc.thorserver.stage import Stage


@dataclass(frozen=True, slots=True)
class ThorAction:
    """One action: what does it, and the arguments it cannot do without."""

    run: Callable[[Stage, Arguments], Answer]
    needs: tuple[str, ...] = ()


ACTIONS: Mapping[str, ThorAction] = MappingProxyType(
    {
        # A session
        "Initialize": ThorAction(setting.initialize),
        "GetScenesInBuild": ThorAction(setting.scenes),
        "ChangeResolution": ThorAction(setting.change_resolution, ("x", "y")),
        "ChangeQuality": ThorAction(setting.nothing),
        "Pass": ThorAction(setting.nothing),
        "Done": ThorAction(setting.nothing),
        "NoOp": ThorAction(setting.nothing),
        "Stand": ThorAction(setting.nothing),
        # The body
        "MoveAhead": ThorAction(moving.move(0)),
        "MoveRight": ThorAction(moving.move(90)),
        "MoveBack": ThorAction(moving.move(180)),
        "MoveLeft": ThorAction(moving.move(270)),
        "RotateRight": ThorAction(moving.turn(1)),
        "RotateLeft": ThorAction(moving.turn(-1)),
        "Rotate": ThorAction(moving.rotate, ("rotation",)),
        "LookDown": ThorAction(moving.look(1)),
        "LookUp": ThorAction(moving.look(-1)),
        "Teleport": ThorAction(moving.teleport),
        "TeleportFull": ThorAction(moving.teleport, ("rotation", "horizon")),
        "GetReachablePositions": ThorAction(moving.reachable),
        # Objects
        "PickupObject": ThorAction(handling.pick),
        "PutObject": ThorAction(handling.put),
        "DropHandObject": ThorAction(handling.drop),
        "OpenObject": ThorAction(handle(deeds.open_up)),
        "CloseObject": ThorAction(handle(deeds.close_up)),
        "ToggleObjectOn": ThorAction(handle(deeds.switch_on)),
        "ToggleObjectOff": ThorAction(handle(deeds.switch_off)),
        "SliceObject": ThorAction(handle(deeds.slice_up)),
        "BreakObject": ThorAction(handling.smash),
        "DirtyObject": ThorAction(handle(deeds.dirty)),
        "CleanObject": ThorAction(handle(deeds.clean)),
        "FillObjectWithLiquid": ThorAction(handling.pour_in),
        "EmptyLiquidFromObject": ThorAction(handle(deeds.empty)),
        "CookObject": ThorAction(handle(handling.COOK)),
        "UseUpObject": ThorAction(handle(handling.USE_UP)),
        # The scene
        "SetObjectPoses": ThorAction(arranging.set_object_poses, ("objectPoses",)),
        "InitialRandomSpawn": ThorAction(arranging.random_spawn),
        "MakeObjectsOfTypeUnbreakable": ThorAction(
            arranging.set_unbreakable, ("objectType",)
        ),
        "MakeAllObjectsUnbreakable": ThorAction(arranging.set_all_unbreakable),
        # Cameras
        "GetCoordinateFromRaycast": ThorAction(looking.raycast, ("x", "y")),
        "GetObjectInFrame": ThorAction(looking.object_in_frame, ("x", "y")),
        "AddThirdPartyCamera": ThorAction(looking.add_camera, ("position", "rotation")),
        "UpdateThirdPartyCamera": ThorAction(looking.update_camera),
        "ToggleMapView": ThorAction(looking.toggle_map_view),
        "GetMapViewCameraProperties": ThorAction(looking.map_camera),
    }
)
"""`Reset` is not among them: `play` loads its scene."""


def answer(stage: Stage, name: str, given: Arguments) -> Answer:
    """Carry out an action, or return why it cannot be done, in AI2-THOR's way."""
    action = ACTIONS.get(name)
    if action is None:
        return refused(f"Invalid action: {name}", INVALID_ACTION)
    missing = [field for field in action.needs if given.get(field) is None]
    if missing:
        why = f"action: {name} is missing the following arguments: {missing}"
        return refused(why, MISSING)
    try:
        return action.run(stage, given)
    except FieldFault as fault:
        return bad_argument(fault)
