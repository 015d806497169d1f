"""An AI2-THOR that is missing, dies or hangs: one line each, with the remedy."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest

from tatc.apps.thorserver import executable
from tatc.base.errors import ThorError
from tatc.session import play, worlds
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.worlds import THOR_WORLD
from tatc.sim.protocol import ThorBuild
from tatc.sim.rooms import format_room, load_room
from tatc.sim.rooms.room_files import parse_room
from tatc.sim.rooms.scene_to_room import capture_room, list_scenes
from tatc.sim.thor import ThorClient
from tatc.sim.thor.client import with_start_watchdog

pytest.importorskip("ai2thor", reason="needs the extra: thor")

OWN_SERVER_BUILD = ThorBuild(executable())


@pytest.fixture(scope="module")
def client() -> Iterator[ThorClient]:
    client = ThorClient(OWN_SERVER_BUILD, answer_timeout=20.0, frame_size=50)
    yield client
    client.stop()


def test_a_program_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(ThorError, match=r"--thor-executable .*no such program"):
        ThorClient(ThorBuild(str(tmp_path / "unity"))).load("FloorPlan1")


@pytest.mark.parametrize(
    ("does", "limit", "why"),
    [
        ("exec sleep 60", 0.5, r"did not start within 0.5 s"),
        ("exit 3", 30.0, "does not start: it ended with status 3"),
    ],
)
def test_a_program_that_never_speaks_is_given_up(tmp_path: Path, does: str, limit: float, why: str):
    program = tmp_path / "unity"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    begun = monotonic()
    with pytest.raises(ThorError, match=why):
        ThorClient(ThorBuild(str(program)), start_timeout=limit).load("FloorPlan1")
    assert monotonic() - begun < 5.0


def test_what_it_refuses_is_an_answer_and_not_an_error(client: ThorClient):
    client.load("FloorPlan3")
    for action in ("Fly", "MoveAhead"):
        reply = client.act(action, moveMagnitude=100.0)
        assert not reply.success and reply.message and reply.return_value is None


def test_what_its_client_warns_of_is_no_error(client: ThorClient, monkeypatch: pytest.MonkeyPatch):
    event = client.load("FloorPlan3")
    code = "import warnings\ndef step(*_, **named):\n    warnings.warn('dtype', DeprecationWarning)"
    names: dict[str, Any] = {"__name__": "ai2thor.server", "event": event}
    exec(f"{code}\n    return event", names)
    monkeypatch.setattr(client._controller, "step", names["step"])
    assert client.act("Pass").event is event  # in a user's process, whatever -W says
    names["step"]()  # in the tests themselves


def test_a_scene_that_it_lacks_is_named(client: ThorClient):
    client.load("FloorPlan3")
    with pytest.raises(ThorError, match="'FloorPlan99_physics' not contained"):
        client.load("FloorPlan99")
    assert client.load("FloorPlan4").metadata["tatcRoom"] == "FloorPlan4"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (signal.SIGKILL, "died while it did Pass, status -9"),
        (signal.SIGSTOP, "did not answer Pass within 20 s"),
    ],
)
def test_one_that_dies_or_hangs_is_said_so_and_started_anew(
    client: ThorClient, sent: signal.Signals, why: str
):
    client.load("FloorPlan3")
    server = client._controller.server
    assert server.timeout == 20.0
    server.timeout = 0.3  # for which it is waited now
    os.kill(server.unity_proc.pid, sent)
    with pytest.raises(ThorError, match=why):
        client.act("Pass")
    assert server.unity_proc.wait(10) is not None
    assert client.load("FloorPlan3").metadata["tatcRoom"] == "FloorPlan3"


def test_a_captured_room_is_the_room_that_was_served(client: ThorClient):
    room = capture_room(client, "FloorPlan3")
    shipped = load_room("FloorPlan3")
    assert [o.objectId for o in room.objects] == [o.objectId for o in shipped.objects]
    for ours, theirs in zip(room.objects, shipped.objects, strict=True):
        assert ours.box.center == pytest.approx(theirs.box.center, abs=1e-5)
        assert ours.box.size == pytest.approx(theirs.box.size, abs=1e-5)
        assert ours.affordances == theirs.affordances
    knobs = [o for o in room.objects if o.objectType == "StoveKnob"]
    assert knobs and all(knob.controlledObjects for knob in knobs)
    assert len(room.cells) > 20
    assert parse_room(format_room(room), "a file") == room


def test_all_scenes_are_those_with_ithors_numbers(client: ThorClient):
    names = list_scenes(client)
    assert names[:2] == ("FloorPlan1", "FloorPlan2") and "FloorPlan401" in names
    assert all(name.startswith("FloorPlan") for name in names)


def test_the_rule_pair_talks_alike_in_both_worlds(monkeypatch: pytest.MonkeyPatch):
    client = ThorClient(OWN_SERVER_BUILD, frame_size=200)
    monkeypatch.setattr(worlds, "thor_client", lambda build: client)
    opening = play.find_session_start(
        task="coffee", room="kitchen-03", game=None, params=(), seed=1, task_folders=()
    )
    said: list[list[str]] = []
    for setup in (SessionSetup(), SessionSetup(sim=THOR_WORLD, thor=OWN_SERVER_BUILD)):
        result, _ = play.run_from_start(opening, play.prepare(setup))
        assert result.success
        said.append([done.text for done in result.interactions if done.text])
    client.stop()
    assert said[0] == said[1]


class Client:
    """A client whose AI2-THOR dies at once, and that waits at no pipe."""

    def __init__(self, pipe: Path) -> None:
        self.server = SimpleNamespace(server_pipe_path=str(pipe), server_pipe=None)

    def _start_unity_thread(self, process: subprocess.Popen[bytes]) -> None:
        self.server.unity_proc = process


def test_it_ends_though_nobody_waits_at_the_pipe(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with subprocess.Popen(["true"]) as process:
        with_start_watchdog(Client, 0.1)(tmp_path / "gone")._start_unity_thread(process)
        [watch] = set(threading.enumerate()) - before
        watch.join(timeout=20)
    assert not watch.is_alive()
