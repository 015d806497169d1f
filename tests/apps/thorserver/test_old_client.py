"""The protocol of clients before 2.5, which have one server and do not name it.

Their parser of a message looks for a line's end before every boundary, the first too.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from typing import Any

import numpy as np
import pytest

from tatc.apps.thorserver import executable

PATIENCE_SECONDS = 60.0
SIDE_PIXELS = 64


def parts_of(data: bytes, boundary: bytes) -> dict[str, bytes]:
    """Return the parts of a message by their names, found as the 2.1.0 client finds them."""
    parts: dict[str, bytes] = {}
    for part in data.split(b"\r\n--" + boundary)[1:-1]:
        head, _, body = part[2:].partition(b"\r\n\r\n")
        name = head.split(b'name="')[1].split(b'"')[0]
        parts.setdefault(name.decode(), body)
    return parts


class OldClient:
    """A server that hands out actions, as the client's does, and the program that asks it."""

    def __init__(self) -> None:
        self.events: Queue[dict[str, bytes]] = Queue()
        actions = self.actions = Queue[dict[str, Any]]()
        events = self.events

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                boundary = self.headers["Content-Type"].partition("boundary=")[2]
                events.put(parts_of(body, boundary.encode()))
                answer = json.dumps(actions.get()).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()
        unnamed = {k: v for k, v in os.environ.items() if k != "AI2THOR_SERVER_TYPE"}
        port = str(self.server.server_port)
        address = {"AI2THOR_HOST": "127.0.0.1", "AI2THOR_PORT": port}
        address["AI2THOR_CLIENT_TOKEN"] = "secret"
        size = ["-screen-width", str(SIDE_PIXELS), "-screen-height", str(SIDE_PIXELS)]
        self.process = subprocess.Popen([*shlex.split(executable()), *size], env=unnamed | address)
        self.number = 0
        self.parts = self.events.get(timeout=PATIENCE_SECONDS)

    def step(self, action: str, **arguments: Any) -> dict[str, Any]:
        self.number += 1
        self.actions.put({"action": action, "sequenceId": self.number, **arguments})
        self.parts = self.events.get(timeout=PATIENCE_SECONDS)
        return json.loads(self.parts["metadata"])["agents"][0]

    def stop(self) -> int:
        self.actions.put({"sequenceId": self.number + 1})
        status = self.process.wait(PATIENCE_SECONDS)
        self.server.shutdown()
        self.server.server_close()
        return status


@pytest.fixture(scope="module")
def client() -> Iterator[OldClient]:
    made = OldClient()
    yield made
    assert made.stop() == 0


def test_an_old_client_restores_a_scene_and_acts_by_masks(client: OldClient):
    assert client.parts["token"] == b"secret"
    assert client.step("Reset", sceneName="FloorPlan1_physics")["tatcRoom"] == "FloorPlan1"
    kinds = ("renderImage", "renderDepthImage", "renderClassImage", "renderObjectImage")
    settings = {"gridSize": 0.25, "cameraY": 0.675, "visibility_distance": 1.5}
    settings |= {**dict.fromkeys(kinds, True), "makeAgentsVisible": False}
    event = client.step("Initialize", **settings)
    assert event["lastActionSuccess"] and event["fov"] == 60.0
    poses = [
        {"objectName": each["name"], "position": each["position"], "rotation": each["rotation"]}
        for each in event["objects"]
        if each["pickupable"]
    ]
    toggles = [{"objectType": "StoveKnob", "isOn": True}]
    client.step("SetObjectToggles", objectToggles=toggles)
    client.step("SetStateOfAllObjects", StateChange="CanBeDirty", forceAction=True)
    event = client.step("SetObjectPoses", objectPoses=poses)
    assert event["lastActionSuccess"]
    assert all(each["isDirty"] for each in event["objects"] if each["dirtyable"])
    assert len([each for each in event["objects"] if each["pickupable"]]) == len(poses)
    places = client.step("GetReachablePositions")["reachablePositions"]
    assert client.step("Pass")["reachablePositions"] == []
    taken = pick_up_by_mask(client, places)
    assert client.step("Pass")["inventoryObjects"][0]["objectId"] == taken


def pick_up_by_mask(client: OldClient, places: list[dict[str, float]]) -> str:
    """Pick up the first visible object that an image of instances shows from anywhere."""
    for place in places[::5]:
        for yaw in (0, 90, 180, 270):
            turned = {"rotation": {"y": yaw}, "rotateOnTeleport": True, "horizon": 30}
            event = client.step("TeleportFull", **place, **turned, tempRenderChange=True)
            image = np.frombuffer(client.parts["image_ids"], np.uint8).reshape(-1, 3)
            shown = {tuple(colour) for colour in np.unique(image, axis=0).tolist()}
            names = {row["name"] for row in event["colors"] if tuple(row["color"]) in shown}
            for each in event["objects"]:
                if each["objectId"] in names and each["visible"] and each["pickupable"]:
                    taken = client.step("PickupObject", objectId=each["objectId"])
                    assert taken["lastActionSuccess"], taken["errorMessage"]
                    return each["objectId"]
    raise AssertionError("nothing is seen that can be picked up")


def test_depths_are_shares_of_ten_metres(client: OldClient):
    client.step("Reset", sceneName="kitchen-01")
    client.step("Initialize", renderDepthImage=True)
    client.step("LookDown")
    client.step("LookDown")
    point = client.step("GetCoordinateFromRaycast", x=0.5, y=0.5)
    eye, hit = point["cameraPosition"], point["actionReturn"]
    metres = sum((eye[axis] - hit[axis]) ** 2 for axis in "xyz") ** 0.5
    image = np.frombuffer(client.parts["image_depth"], np.uint8).astype(float)
    depth = image.reshape(SIDE_PIXELS, SIDE_PIXELS, 3) @ (1, 1 / 256, 1 / 256**2) * 10 / 256
    middle = SIDE_PIXELS // 2
    assert depth[middle, middle] == pytest.approx(metres, abs=0.05)


def test_an_old_client_moves_by_small_teleports(client: OldClient):
    client.step("Reset", sceneName="kitchen-01")
    event = client.step("Initialize", gridSize=0.25)
    place = event["agent"]["position"]
    for yaw in range(0, 91, 9):
        event = client.step("TeleportFull", **place, rotation={"y": yaw}, horizon=yaw / 3)
        assert event["lastActionSuccess"]
        assert event["agent"]["rotation"]["y"] == yaw
        assert event["agent"]["cameraHorizon"] == pytest.approx(yaw / 3)
    assert event["agent"]["position"] == place
