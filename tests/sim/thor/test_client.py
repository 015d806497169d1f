"""An AI2-THOR that is missing, dies or hangs: one line each, with the remedy."""

import os
import signal
import stat
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tatc.apps.thorserver import executable
from tatc.base.errors import ThorError
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.play import find_session_start, prepare, run_from_start
from tatc.session.worlds import EMBEDDED_WORLD, THOR_WORLD, thor_client
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
    client = ThorClient(OWN_SERVER_BUILD, answer_timeout=3.0)
    yield client
    client.stop()


def process(client: ThorClient) -> Any:
    return client._controller.server.unity_proc


def test_a_program_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(ThorError, match=r"--thor-executable .*no such program"):
        ThorClient(ThorBuild(str(tmp_path / "unity"))).load("FloorPlan1")


@pytest.mark.parametrize("does", ["exec sleep 60", "exit 3"])
def test_a_program_that_never_speaks_is_given_up(tmp_path: Path, does: str):
    program = tmp_path / "unity"
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    client = ThorClient(ThorBuild(str(program)), start_timeout=2.0)
    with pytest.raises(ThorError, match=r"did not start within 2 s"):
        client.load("FloorPlan1")


def test_what_it_refuses_is_an_answer_and_not_an_error(client: ThorClient):
    client.load("FloorPlan3")
    for action in ("Fly", "MoveAhead"):
        reply = client.act(action, moveMagnitude=100.0)
        assert not reply.success and reply.message and reply.return_value is None


def test_a_scene_that_it_lacks_is_named(client: ThorClient):
    client.load("FloorPlan3")
    with pytest.raises(ThorError, match="'FloorPlan99_physics' not contained"):
        client.load("FloorPlan99")
    assert client.load("FloorPlan4").metadata["tatcRoom"] == "kitchen-04"


@pytest.mark.parametrize(
    ("sent", "why"),
    [(signal.SIGKILL, "AI2-THOR"), (signal.SIGSTOP, "did not answer Pass within 3 s")],
)
def test_one_that_dies_or_hangs_is_said_so_and_started_anew(
    client: ThorClient, sent: signal.Signals, why: str
):
    client.load("FloorPlan3")
    old = process(client)
    os.kill(old.pid, sent)
    with pytest.raises(ThorError, match=why):
        client.act("Pass")
    assert old.wait(10) is not None
    assert client.load("FloorPlan3").metadata["tatcRoom"] == "kitchen-03"


def test_a_captured_room_is_the_room_that_was_served(client: ThorClient):
    room = capture_room(client, "FloorPlan3")
    shipped = load_room("kitchen-03")
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


def test_the_rule_pair_talks_alike_in_both_worlds():
    opening = find_session_start(
        task="coffee", room="kitchen-03", game=None, params=(), seed=1, task_folders=()
    )
    said: dict[str, list[str]] = {}
    for world in (EMBEDDED_WORLD, THOR_WORLD):
        build = OWN_SERVER_BUILD if world == THOR_WORLD else ThorBuild()
        result, _ = run_from_start(opening, prepare(SessionSetup(sim=world, thor=build)))
        assert result.success
        said[world] = [done.text for done in result.interactions if done.text]
    thor_client(OWN_SERVER_BUILD).stop()
    assert said[THOR_WORLD] == said[EMBEDDED_WORLD]


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
