"""The program itself: clients that vanish, talk nonsense, or are ai2thor's own."""

import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tatc.apps.thorserver import executable
from tatc.apps.thorserver.__main__ import _frame_size
from tatc.apps.thorserver.session_actions import MAX_FRAME_SIDE_PIXELS
from tatc.apps.thorserver.thor_world import find_served_scene, scene_names
from tatc.home.state import RoomKind
from tatc.sim.rooms import format_room, generate_room

HEADER = struct.Struct("!BI")
PATIENCE = 60.0


def started(**settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*shlex.split(executable()), "-screen-width", "64", "-batchmode"],
        env=os.environ | settings,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said


class Pipes:
    """The client's side of the two pipes."""

    def __init__(self, folder: Path) -> None:
        pytest.importorskip("msgpack", reason="needs the extra: thor")
        ours, theirs = folder / "server.pipe", folder / "client.pipe"
        for path in (ours, theirs):
            os.mkfifo(path)
        self.process = started(
            AI2THOR_SERVER_TYPE="FIFO",
            AI2THOR_FIFO_SERVER_PIPE_PATH=str(ours),
            AI2THOR_FIFO_CLIENT_PIPE_PATH=str(theirs),
        )
        self._read = open(ours, "rb")
        self.metadata = self.receive()
        self.write = open(theirs, "wb")

    def receive(self) -> dict[str, Any]:
        import msgpack

        metadata = {}
        while True:
            field, length = HEADER.unpack(self._read.read(HEADER.size))
            body = self._read.read(length)
            if field == 255:
                return metadata
            if field == 1:
                metadata = msgpack.loads(body)

    def send(self, data: bytes) -> None:
        self.write.write(data)
        self.write.flush()

    def act(self, **action: Any) -> dict[str, Any]:
        body = json.dumps(action).encode()
        self.send(HEADER.pack(2, len(body)) + body + HEADER.pack(255, 0))
        return self.receive()

    def hang_up(self) -> tuple[int, str]:
        for pipe in (self.write, self._read):
            pipe.close()
        return ended(self.process)


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[Pipes]:
    pipes = Pipes(tmp_path)
    yield pipes
    pipes.process.kill()
    pipes.hang_up()


def test_it_ends_when_the_client_hangs_up(pipes: Pipes):
    told = pipes.act(action="Reset", sceneName="FloorPlan2_physics", sequenceId=1)
    assert told["agents"][0]["tatcRoom"] == "kitchen-02"
    assert told["agents"][0]["screenWidth"] == 64
    status, said = pipes.hang_up()
    assert status == 0 and "FloorPlan2_physics: kitchen-02" in said


def test_a_scene_that_cannot_be_served_is_said_at_initialize(pipes: Pipes):
    pipes.act(action="Reset", sceneName="FloorPlan999", sequenceId=1)
    told = pipes.act(action="Initialize", sequenceId=2)["agents"][0]
    assert not told["lastActionSuccess"] and "FloorPlan999" in told["errorMessage"]


@pytest.mark.parametrize(
    "damage",
    [
        HEADER.pack(77, 0),
        HEADER.pack(2, 3) + b"[1]" + HEADER.pack(255, 0),
        HEADER.pack(2, 5) + b"{nope" + HEADER.pack(255, 0),
        HEADER.pack(2, 2**31),
        HEADER.pack(255, 0),
    ],
    ids=["no field", "no object", "no JSON", "too long", "no action"],
)
def test_nonsense_ends_it_with_a_line(pipes: Pipes, damage: bytes):
    pipes.send(damage)
    status, said = ended(pipes.process)
    assert status == 1 and said.count("\n") == 1, said


def test_an_action_that_is_odd_is_answered(pipes: Pipes):
    for action in ({"action": 7}, {"action": None}, {"agentId": 9, "action": "Pass"}):
        told = pipes.act(**action, sequenceId=4)
        assert not told["agents"][0]["lastActionSuccess"]
    assert pipes.act(action="Pass", sequenceId=5)["agents"][0]["lastActionSuccess"]


@pytest.mark.parametrize(
    "sequence", ["1e30", "10000000000000000000000000", "9" * 5000, '"\\ud800"', "null"]
)
@pytest.mark.parametrize("name", ["Pass", "\\ud800", "Reset"])
def test_what_could_not_be_sent_back_is_answered(pipes: Pipes, name: str, sequence: str):
    scene = "" if name == "Pass" else f', "sceneName": "{name}"'
    body = f'{{"action": "{name}", "sequenceId": {sequence}{scene}}}'.encode()
    pipes.send(HEADER.pack(2, len(body)) + body + HEADER.pack(255, 0))
    told = pipes.receive()
    assert told["agents"][0]["lastActionSuccess"] is (name == "Pass")
    assert pipes.act(action="Pass", sequenceId=5)["sequenceId"] == 5


@pytest.mark.parametrize("port", ["x", "", "0", "-1", "65536", "1e3", "9" * 5000])
def test_a_port_that_is_none_is_one_line(port: str):
    process = started(AI2THOR_SERVER_TYPE="WSGI", AI2THOR_HOST="127.0.0.1", AI2THOR_PORT=port)
    status, said = ended(process)
    assert status == 1 and said.count("\n") == 1 and "AI2THOR_PORT" in said, said


@pytest.mark.parametrize("width", ["9" * 5000, "9" * 9, "0", "-3", "x"])
def test_a_frame_of_any_width_can_be_asked_for(width: str):
    assert 1 <= _frame_size(["-screen-width", width])[0] <= MAX_FRAME_SIDE_PIXELS


def test_it_goes_with_a_client_that_is_killed_before_it_listens(tmp_path: Path):
    for name in ("server.pipe", "client.pipe"):
        os.mkfifo(tmp_path / name)
    client = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen({shlex.split(executable())!r})\n"
        "print(p.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    settings = {
        "AI2THOR_SERVER_TYPE": "FIFO",
        "AI2THOR_FIFO_SERVER_PIPE_PATH": str(tmp_path / "server.pipe"),
        "AI2THOR_FIFO_CLIENT_PIPE_PATH": str(tmp_path / "client.pipe"),
    }
    with subprocess.Popen(
        [sys.executable, "-c", client], env=os.environ | settings, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        until = monotonic() + PATIENCE
        while not _watches(server):
            assert monotonic() < until, "the server does not watch its client"
            sleep(0.1)
        parent.kill()
    until = monotonic() + PATIENCE / 2  # it would give up by itself after a minute
    while _lives(server):
        assert monotonic() < until, "the server outlives its client"
        sleep(0.1)


def _watches(process: int) -> bool:
    """Return whether a server has started the thread that watches its client."""
    threads = Path(f"/proc/{process}/task")
    if not threads.exists():  # no Linux: give it time
        sleep(2.0)
        return True
    return len(list(threads.iterdir())) > 1


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().split()[2] != "Z"


def test_it_ends_when_an_http_client_hangs_up():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        process = started(AI2THOR_SERVER_TYPE="WSGI", AI2THOR_HOST=host, AI2THOR_PORT=str(port))
        connection, _ = listening.accept()
        connection.recv(64)
        connection.close()
    assert ended(process)[0] == 0


def test_without_a_client_it_says_who_starts_it():
    process = started()
    status, said = ended(process)
    assert status == 2 and "local_executable_path" in said


def test_what_cannot_be_sent_back_is_answered_all_the_same(pipes: Pipes):
    told = pipes.act(action="\ud800", sequenceId=1)["agents"][0]
    assert not told["lastActionSuccess"] and "Invalid action" in told["errorMessage"]
    for number in (1e30, 10**30, "x", None):
        assert pipes.act(action="Pass", sequenceId=number)["sequenceId"] == 0


def test_what_changes_nothing_is_logged_once(pipes: Pipes):
    for number in range(3):
        pipes.act(action="RandomizeLighting", sequenceId=number)
    _, said = pipes.hang_up()
    assert said.count("RandomizeLighting") == 1


def test_it_can_be_interrupted(pipes: Pipes):
    pipes.process.send_signal(signal.SIGINT)
    assert ended(pipes.process)[0] == 0


def test_scenes_are_served_by_the_users_rooms_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shipped = find_served_scene("FloorPlan201_physics")
    assert shipped is not None and shipped.source == "living-room-01"
    folder = tmp_path / "tatc" / "rooms"
    folder.mkdir(parents=True)
    (folder / "FloorPlan201.json").write_text(format_room(generate_room(RoomKind.LIVING_ROOM, 77)))
    (folder / "FloorPlan9.json").write_text("{}")
    (folder / "mine.json").write_text(format_room(generate_room(RoomKind.BATHROOM, 78)))
    own = find_served_scene("FloorPlan201")
    assert own is not None and own.source == str(folder / "FloorPlan201.json")
    names = scene_names()
    assert {"FloorPlan201_physics", "mine", "kitchen-01"} <= set(names)
    assert "FloorPlan9_physics" not in names  # it cannot be read
    assert all(find_served_scene(name) is not None for name in names)


@pytest.fixture(params=["fifo_server.FifoServer", "wsgi_server.WsgiServer"])
def controller(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    from ai2thor import fifo_server, wsgi_server
    from ai2thor.controller import Controller

    modules = {"fifo_server": fifo_server, "wsgi_server": wsgi_server}
    module, name = request.param.split(".")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path))
        made = Controller(
            local_executable_path=executable(),
            x_display="0",
            scene="FloorPlan3",
            width=320,
            height=240,
            server_class=getattr(modules[module], name),
            renderDepthImage=True,
            renderInstanceSegmentation=True,
            renderSemanticSegmentation=True,
        )
        yield made
        made.stop()


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_real_client_gets_all_pictures(controller: Any):
    event = controller.step("LookDown")
    assert event.metadata["lastActionSuccess"]
    assert event.frame.shape == (240, 320, 3)
    assert event.semantic_segmentation_frame.shape == (240, 320, 3)
    assert event.depth_frame.shape == (240, 320)
    shown = set(event.instance_masks)
    assert shown and shown == set(event.instance_detections2D)
    assert shown <= {each["objectId"] for each in event.metadata["objects"]}
    kinds = {each.split("|")[0] for each in shown}
    assert kinds <= set(event.class_masks)
    floor = next(name for name in shown if name.startswith("Floor"))
    low = event.depth_frame[event.instance_masks[floor]]
    assert 0.5 < low.min() < low.max() < 20.0
    left, top, right, bottom = event.instance_detections2D[floor]
    rows, columns = event.instance_masks[floor].nonzero()
    assert (left, right) == (columns.min(), columns.max())
    assert (top, bottom) == (rows.min(), rows.max())
    with pytest.raises(ValueError, match="Invalid action: Fly"):
        controller.step("Fly")
    camera = {"position": {"x": 0, "y": 2, "z": 0}, "rotation": {"x": 90, "y": 0}}
    event = controller.step("AddThirdPartyCamera", fieldOfView=60, **camera)
    assert event.third_party_camera_frames[0].shape == (240, 320, 3)
    assert controller.step("Pass", renderImage=False).frame is None
