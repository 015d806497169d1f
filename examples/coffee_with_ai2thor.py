"""Make coffee with ai2thor's public interface alone, and save the last frame.

The script runs with Unity and with tatc's own world, which is the default:

    python examples/coffee_with_ai2thor.py [--executable PATH] [--out coffee.png]

It forces nothing: every object is `visible` before the agent acts on it.
"""

import argparse
import math
import subprocess
import sys

from ai2thor.controller import Controller
from PIL import Image


def objects_of_type(event, object_type):
    """Return the objects of a type, the visible ones first, then the nearest."""
    objects = [obj for obj in event.metadata["objects"] if obj["objectType"] == object_type]
    return sorted(objects, key=lambda obj: (not obj["visible"], obj["distance"]))


def move_into_view_of(controller, obj, positions):
    """Teleport to where an object is visible; return the event, or None if there is no place."""
    x, y, z = (obj["axisAlignedBoundingBox"]["center"][axis] for axis in "xyz")

    def distance(position):
        return math.hypot(x - position["x"], z - position["z"])

    for position in sorted(positions, key=distance)[:60]:
        yaw = math.degrees(math.atan2(x - position["x"], z - position["z"]))
        camera_height = position["y"] + 0.675
        down = math.degrees(math.atan2(camera_height - y, max(distance(position), 0.1)))
        event = controller.step(
            action="Teleport",
            position=position,
            rotation=dict(x=0, y=round(yaw / 90) * 90 % 360, z=0),
            horizon=min(max(round(down / 30) * 30, -30), 60),
        )
        if event.metadata["lastActionSuccess"]:
            if find_object(event, obj["objectId"])["visible"]:
                return event
    return None


def find_object(event, object_id):
    """Return the object with an id, as it is now."""
    return next(obj for obj in event.metadata["objects"] if obj["objectId"] == object_id)


def interact(controller, action, obj):
    """Act on an object and print the action; exit if it fails."""
    event = controller.step(action=action, objectId=obj["objectId"])
    if not event.metadata["lastActionSuccess"]:
        sys.exit(f"{action} {obj['objectId']}: {event.metadata['errorMessage']}")
    print(action, obj["objectId"])
    return event


def make_coffee(controller):
    """Put a mug into the coffee machine and switch it on; return the event and the mug."""
    positions = controller.step(action="GetReachablePositions").metadata["actionReturn"]
    for mug in objects_of_type(controller.last_event, "Mug"):
        if move_into_view_of(controller, mug, positions):
            break
    else:
        sys.exit("no mug can be seen in this kitchen")
    interact(controller, "PickupObject", mug)
    machine = objects_of_type(controller.last_event, "CoffeeMachine")[0]
    if move_into_view_of(controller, machine, positions) is None:
        sys.exit("the coffee machine cannot be seen from anywhere")
    interact(controller, "PutObject", machine)
    return interact(controller, "ToggleObjectOn", machine), mug


def main():
    """Make coffee and save the last frame."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--executable", help="AI2-THOR's executable, or tatc's (the default)")
    parser.add_argument("--scene", default="FloorPlan3")
    parser.add_argument("--out", default="coffee.png")
    options = parser.parse_args()
    executable = options.executable
    if executable is None:
        command = ["tatc", "thor-server", "--print-executable"]
        executable = subprocess.check_output(command, text=True).strip()
    controller = Controller(local_executable_path=executable, x_display="0", scene=options.scene)
    for action in ("MoveAhead", "RotateRight", "LookDown", "LookUp"):
        controller.step(action=action)
    event, mug = make_coffee(controller)
    Image.fromarray(event.frame).save(options.out)
    print("the mug holds", find_object(event, mug["objectId"])["fillLiquid"] or "nothing")
    print("saved", options.out)
    controller.stop()


if __name__ == "__main__":
    main()
