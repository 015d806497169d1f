"""Actions on what this world hardly simulates: forces, time, materials, colours and lights.

What is pushed slides on its surface.  Throws fail once their targets and arguments are checked, so
that nothing seems to have moved.  All objects are at rest after each action.
"""

from collections.abc import Mapping
from functools import partial

from tatc.apps.thorserver import scene_actions, views
from tatc.apps.thorserver.thor_action import ActionFailure, ActionFunction, Arguments
from tatc.apps.thorserver.thor_world import ThorWorld
from tatc.home.rendering.shader_inputs import all_materials

NO_FORCES_ERROR = "object couldn't come to rest: tatc's world does not simulate forces"
MAX_TIME_STEP_SECONDS = 0.05
PUSH_SECONDS, FRICTION, GRAVITY = 0.02, 0.6, 9.81
"""Seconds that a push lasts, Unity's friction, m/s²: with its mass, how far an object slides."""
_MIN_MASS_KILOGRAMS = 0.01


def _throw_held(world: ThorWorld, arguments: Arguments) -> None:
    if world.state.held_object is None:
        raise ActionFailure("Nothing in hand to throw!")
    raise ActionFailure(NO_FORCES_ERROR)


def _push_object(angle: float | None, world: ThorWorld, arguments: Arguments) -> None:
    obj = views.target_object(world, arguments)
    if obj.isPickedUp:
        raise ActionFailure("Please use Throw for an item in the Agent's Hand")
    if not obj.affordances.can_be_moved:
        raise ActionFailure("Target Primary Property type incompatible with push/pull")
    if angle is None:
        angle = arguments.number("pushAngle", 0.0)
        if not 0.0 < angle < 360.0:
            raise ActionFailure("please give a PushAngle between 0 and 360.")
    force = max(arguments.number("moveMagnitude", 0.0), 0.0)
    speed = force * PUSH_SECONDS / max(obj.mass, _MIN_MASS_KILOGRAMS)
    metres = speed * speed / (2.0 * FRICTION * GRAVITY)
    scene_actions.slide_object(world, obj, world.agent_state.yaw + angle, metres)


def _touch_then_push(world: ThorWorld, arguments: Arguments) -> None:
    views.frame_click(world, arguments)
    raise ActionFailure(NO_FORCES_ERROR)


def _switch_physics(pauses: bool, world: ThorWorld, arguments: Arguments) -> None:
    world.is_physics_paused = pauses


def advance_physics(world: ThorWorld, arguments: Arguments) -> None:
    """Let time pass, in which nothing moves: everything is at rest after each action."""
    if not (world.is_physics_paused or arguments.get("allowAutoSimulation")):
        raise ActionFailure(
            "AdvancePhysicsStep can only be called if Physics AutoSimulation is currently "
            "paused or if you have passed allowAutoSimulation=true! Either use the "
            "PausePhysicsAutoSim() action first, or if you already used it, Physics "
            "AutoSimulation has been turned back on already."
        )
    if not 0.0 < arguments.number("timeStep", 0.02) <= MAX_TIME_STEP_SECONDS:
        raise ActionFailure(
            "Please use a timeStep between 0.0f and 0.05f. Larger timeSteps produce "
            "inconsistent simulation results."
        )
    if arguments.number("simSeconds", 0.0) < 0.0:
        why = f"simSeconds must be non-negative (simSeconds=={arguments['simSeconds']})."
        raise ActionFailure(why)


def _set_mass(world: ThorWorld, arguments: Arguments) -> None:
    obj = views.target_object(world, arguments.but(forceAction=True))
    if not obj.affordances.can_be_moved:
        why = f"object with ObjectID: {obj.objectId}, is not Moveable or Pickupable, and the Mass"
        raise ActionFailure(f"{why} Properties cannot be changed")
    world.state.update_object(obj.objectId, mass=arguments.number("mass", obj.mass))


PHYSICS_ACTIONS: Mapping[str, ActionFunction] = {
    "SetMassProperties": _set_mass,
    "ThrowObject": _throw_held,
    "PushObject": partial(_push_object, 0.0),
    "PullObject": partial(_push_object, 180.0),
    "DirectionalPush": partial(_push_object, None),
    "TouchThenApplyForce": _touch_then_push,
    "PausePhysicsAutoSim": partial(_switch_physics, True),
    "UnpausePhysicsAutoSim": partial(_switch_physics, False),
    "AdvancePhysicsStep": advance_physics,
}
ROOM_TYPES = ("Bedroom", "Bathroom", "LivingRoom", "Kitchen", "RoboTHOR")
_LAST_TRAIN_SCENE, _LAST_VALIDATION_SCENE = 20, 25


def randomize_materials(world: ThorWorld, arguments: Arguments) -> dict[str, object]:
    """Draw everything in other colours, by the seed that was set; say what was considered."""
    chosen = arguments.names("inRoomTypes")
    if chosen is not None:
        _check_room_types(world, chosen)
    split = _split_of_scene(world.served_scene.scene)
    uses: dict[str, bool] = {}
    for name in ("Train", "Val", "Test"):
        field = f"use{name}Materials"
        uses[field] = split == name if arguments.get(field) is None else arguments.flag(field)
    if not uses[f"use{split}Materials"]:
        raise ActionFailure(
            f"Inside of RandomizeMaterials, cannot set use{split}Materials=false inside of a "
            f"{split.lower()} scene."
        )
    external = arguments.get("useExternalMaterials")
    _randomize_colours(world, arguments)
    return {
        "chosenRoomTypes": [each.lower() for each in chosen or ROOM_TYPES],
        **uses,
        "useExternalMaterials": split == "Train" if external is None else external,
        "totalMaterialsConsidered": len(all_materials()),
    }


def _set_seed(world: ThorWorld, arguments: Arguments) -> None:
    world.random_seed = str(arguments.integer("seed", 0))


def _randomize_colours(world: ThorWorld, arguments: Arguments) -> None:
    world.random_seed += "."  # the next colours are others
    world.repaint(world.random_seed)


def _reset_colours(world: ThorWorld, arguments: Arguments) -> None:
    world.repaint("")


def _randomize_lighting(world: ThorWorld, arguments: Arguments) -> None:
    if arguments.get("randomizeColor") is False:
        for name in ("hue", "saturation"):
            if arguments.get(name) is not None:
                why = f"Cannot pass in randomizeColor=False while also providing {name}."
                raise ActionFailure(why)
    for name, highest in (("brightness", None), ("hue", 1.0), ("saturation", 1.0)):
        if arguments.get(name) is None:
            continue
        ends = arguments.numbers(name)
        if len(ends) != 2:
            why = "Ranges for hue, saturation, and brightness must each have 2 values."
            raise ActionFailure(why)
        if min(ends) < 0 or (highest is not None and max(ends) > highest):
            why = f"{name} range must be in [0:{highest or 'inf'}], not {ends}"
            raise ActionFailure(why)


def _check_room_types(world: ThorWorld, chosen: tuple[str, ...]) -> None:
    if not chosen:
        raise ActionFailure("inRoomTypes must have a non-zero length!")
    known = {each.lower() for each in ROOM_TYPES}
    unknown = [each for each in chosen if each.lower() not in known]
    if unknown:
        raise ActionFailure(
            f"inRoomTypes contains unknown room type: {unknown[0]}.\n"
            f"Valid room types include {', '.join(ROOM_TYPES)}"
        )
    own = world.served_scene.room.kind.title().replace(" ", "")
    if own.lower() not in (each.lower() for each in chosen):
        raise ActionFailure(f'inRoomTypes must include "{own}" inside of a {own} scene.')


def _split_of_scene(scene: str) -> str:
    digits = "".join(filter(str.isdecimal, scene)) or "1"
    number = int(digits) % 100
    if number <= _LAST_TRAIN_SCENE:
        return "Train"
    return "Val" if number <= _LAST_VALIDATION_SCENE else "Test"


APPEARANCE_ACTIONS: Mapping[str, ActionFunction] = {
    "RandomizeMaterials": randomize_materials,
    "RandomizeLighting": _randomize_lighting,
    "RandomizeColors": _randomize_colours,
    "ResetMaterials": _reset_colours,
    "ResetColors": _reset_colours,
    "SetRandomSeed": _set_seed,
}
