"""Make coffee with nothing but ai2thor's public interface, and save what is seen.

It runs on Unity as on tatc's world, which this starts where no executable is given:

    python examples/coffee_with_ai2thor.py [--executable PATH] [--out coffee.png]

Nothing is forced: each object is `visible` before anything is done to it.
"""

import argparse
import math
import subprocess
import sys

from ai2thor.controller import Controller
from PIL import Image


def objects_of_type(event, object_type):
    """Return the objects of a type, those in sight first."""
    found = [o for o in event.metadata["objects"] if o["objectType"] == object_type]
    return sorted(found, key=lambda o: (not o["visible"], o["distance"]))


def move_into_view_of(controller, obj, places):
    """Stand where a thing is visible; return the event, or None if nowhere."""
    x, y, z = (obj["axisAlignedBoundingBox"]["center"][axis] for axis in "xyz")

    def away(place):
        return math.hypot(x - place["x"], z - place["z"])

    for place in sorted(places, key=away)[:60]:
        yaw = math.degrees(math.atan2(x - place["x"], z - place["z"]))
        eye = place["y"] + 0.675
        down = math.degrees(math.atan2(eye - y, max(away(place), 0.1)))
        event = controller.step(
            action="Teleport",
            position=place,
            rotation=dict(x=0, y=round(yaw / 90) * 90 % 360, z=0),
            horizon=min(max(round(down / 30) * 30, -30), 60),
        )
        if event.metadata["lastActionSuccess"]:
            seen = next(o for o in event.metadata["objects"] if o["objectId"] == obj["objectId"])
            if seen["visible"]:
                return event
    return None


def interact(controller, action, obj):
    """Do something to an object and say so; stop where it is refused."""
    event = controller.step(action=action, objectId=obj["objectId"])
    if not event.metadata["lastActionSuccess"]:
        sys.exit(f"{action} {obj['objectId']}: {event.metadata['errorMessage']}")
    print(action, obj["objectId"])
    return event


def make_coffee(controller):
    """Fetch a mug, put it into the coffee machine and switch that on."""
    places = controller.step(action="GetReachablePositions").metadata["actionReturn"]
    for mug in objects_of_type(controller.last_event, "Mug"):
        if move_into_view_of(controller, mug, places):
            break
    else:
        sys.exit("no mug can be seen in this kitchen")
    interact(controller, "PickupObject", mug)
    machine = objects_of_type(controller.last_event, "CoffeeMachine")[0]
    if move_into_view_of(controller, machine, places) is None:
        sys.exit("the coffee machine cannot be seen from anywhere")
    interact(controller, "PutObject", machine)
    return interact(controller, "ToggleObjectOn", machine), mug


def main():
    """Make coffee and save the frame."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--executable", help="AI2-THOR's, or tatc's own")
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
    full = next(o for o in event.metadata["objects"] if o["objectId"] == mug["objectId"])
    Image.fromarray(event.frame).save(options.out)
    print("the mug holds", full["fillLiquid"] or "nothing")
    print("saved", options.out)
    controller.stop()


if __name__ == "__main__":
    main()
