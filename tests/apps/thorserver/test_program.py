"""The program itself: clients that vanish, talk nonsense, or are ai2thor's own."""

import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import product
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tatc.apps.thorserver import __main__ as program, executable
from tatc.apps.thorserver.__main__ import _frame_size
from tatc.apps.thorserver.session_actions import MAX_FRAME_SIDE_PIXELS

HEADER = struct.Struct("!BI")
PATIENCE = 60.0
Start = Callable[..., "Future[int]"]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Return what starts the program in a thread: it takes settings, and returns the status."""
    monkeypatch.setattr(program, "_exit_with_client", lambda client_pid: None)
    monkeypatch.setattr(sys, "argv", ["program", "-screen-width", "64", "-batchmode"])
    with ThreadPoolExecutor(1) as pool:

        def start(**settings: str) -> "Future[int]":
            for name, value in settings.items():
                monkeypatch.setenv(name, value)
            return pool.submit(program.main)

        yield start


def make_pipes(folder: Path) -> dict[str, str]:
    """Make the client's two pipes, and return the settings that name them."""
    pytest.importorskip("msgpack", reason="needs the extra: thor")
    settings = {"AI2THOR_SERVER_TYPE": "FIFO"}
    for name in ("SERVER", "CLIENT"):
        os.mkfifo(folder / name)
        settings[f"AI2THOR_FIFO_{name}_PIPE_PATH"] = str(folder / name)
    return settings


class Pipes:
    """The client's side of the two pipes."""

    def __init__(self, folder: Path) -> None:
        self._read = open(folder / "SERVER", "rb")
        self.receive()
        self._write = open(folder / "CLIENT", "wb")

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
        self._write.write(data)
        self._write.flush()

    def ask(self, action: str) -> dict[str, Any]:
        """Send an action, as JSON; return the answer."""
        body = action.encode()
        self.send(HEADER.pack(2, len(body)) + body + HEADER.pack(255, 0))
        return self.receive()

    def act(self, **action: Any) -> dict[str, Any]:
        return self.ask(json.dumps(action))

    def hang_up(self) -> None:
        for pipe in (self._write, self._read):
            pipe.close()


@pytest.fixture
def status(start: Start, tmp_path: Path) -> "Future[int]":
    """Return the status with which the program will end that has the other side of the pipes."""
    return start(**make_pipes(tmp_path))


@pytest.fixture
def pipes(status: "Future[int]", tmp_path: Path) -> Iterator[Pipes]:
    made = Pipes(tmp_path)
    yield made
    made.hang_up()


def test_it_ends_when_the_client_hangs_up(
    pipes: Pipes, status: "Future[int]", capsys: pytest.CaptureFixture[str]
):
    told = pipes.act(action="Reset", sceneName="FloorPlan2_physics", sequenceId=1)
    assert told["agents"][0]["tatcRoom"] == "FloorPlan2"
    assert told["agents"][0]["screenWidth"] == 64
    for number in range(3):
        pipes.act(action="RandomizeLighting", sequenceId=number)
    pipes.hang_up()
    assert status.result(PATIENCE) == 0
    said = capsys.readouterr().err
    assert "FloorPlan2_physics: FloorPlan2" in said
    assert said.count("RandomizeLighting") == 1, "what changes nothing is logged once"


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
def test_nonsense_ends_it_with_a_line(
    pipes: Pipes, status: "Future[int]", damage: bytes, capsys: pytest.CaptureFixture[str]
):
    pipes.send(damage)
    assert status.result(PATIENCE) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_action_that_is_odd_is_answered(pipes: Pipes):
    for action in ({"action": 7}, {"action": None}, {"agentId": 9, "action": "Pass"}):
        told = pipes.act(**action, sequenceId=4)
        assert not told["agents"][0]["lastActionSuccess"]
    assert pipes.act(action="Pass", sequenceId=5)["agents"][0]["lastActionSuccess"]


def test_what_could_not_be_sent_back_is_answered(pipes: Pipes):
    numbers = ("1e30", "1" + "0" * 25, "9" * 5000, '"\\ud800"', '"x"', "null")
    for name, number in product(("Pass", "\\ud800", "Reset"), numbers):
        scene = "" if name == "Pass" else f', "sceneName": "{name}"'
        told = pipes.ask(f'{{"action": "{name}", "sequenceId": {number}{scene}}}')
        assert told["agents"][0]["lastActionSuccess"] is (name == "Pass"), number
        assert told["sequenceId"] == 0, number
        if name == "\\ud800":
            assert "Invalid action" in told["agents"][0]["errorMessage"]
        assert pipes.act(action="Pass", sequenceId=5)["sequenceId"] == 5


@pytest.mark.parametrize("port", ["x", "", "0", "-1", "65536", "1e3", "9" * 5000])
def test_a_port_that_is_none_is_one_line(
    start: Start, port: str, capsys: pytest.CaptureFixture[str]
):
    status = start(AI2THOR_SERVER_TYPE="WSGI", AI2THOR_HOST="127.0.0.1", AI2THOR_PORT=port)
    assert status.result(PATIENCE) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "AI2THOR_PORT" in said, said


@pytest.mark.parametrize("width", ["9" * 5000, "9" * 9, "0", "-3", "x"])
def test_a_frame_of_any_width_can_be_asked_for(width: str):
    assert 1 <= _frame_size(["-screen-width", width])[0] <= MAX_FRAME_SIDE_PIXELS


def test_it_goes_with_a_client_that_is_killed_before_it_listens(tmp_path: Path):
    client = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen({shlex.split(executable())!r})\n"
        "print(p.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    settings = make_pipes(tmp_path)
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


def test_it_ends_when_an_http_client_hangs_up(start: Start):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        status = start(AI2THOR_SERVER_TYPE="WSGI", AI2THOR_HOST=host, AI2THOR_PORT=str(port))
        connection, _ = listening.accept()
        connection.recv(64)
        connection.close()
    assert status.result(PATIENCE) == 0


def test_without_a_client_it_says_who_starts_it(start: Start, capsys: pytest.CaptureFixture[str]):
    assert start().result(PATIENCE) == 2
    assert "local_executable_path" in capsys.readouterr().err


def test_it_can_be_interrupted(tmp_path: Path):
    settings = make_pipes(tmp_path)
    with subprocess.Popen(shlex.split(executable()), env=os.environ | settings) as process:
        pipes = Pipes(tmp_path)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        pipes.hang_up()


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
