"""The conformance tests, through the real client and our server behind it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tatc.apps.thorserver import executable
from tatc.home.state import Snapshot
from tatc.sim.protocol import Simulator, ThorBuild
from tatc.sim.rooms import Room, format_room
from tatc.sim.thor import ThorClient, ThorSimulator
from tests.sim.box_kitchen import BODY_POSITION, kitchen
from tests.sim.conformance import SimulatorConformance

pytest.importorskip("ai2thor", reason="needs the extra: thor")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThorClient]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("XDG_DATA_HOME", str(home))
        _write_kitchen_room(home)
        client = ThorClient(ThorBuild(executable()), frame_size=100)
        yield client
        client.stop()


def _write_kitchen_room(home: Path) -> None:
    """Let the little kitchen be one of the user's rooms."""
    scene = kitchen()
    room = Room(scene.place, scene.kind, 0, BODY_POSITION[1], scene.initial.objects)
    folder = home / "tatc" / "rooms"
    folder.mkdir(parents=True)
    (folder / f"{scene.place}.json").write_text(format_room(room), "utf-8")


class TestThor(SimulatorConformance):
    @pytest.fixture(autouse=True)
    def _client(self, client: ThorClient) -> None:
        self.client = client

    def make(self) -> Simulator:
        return ThorSimulator(self.client)

    def comparable(self, snapshot: Snapshot) -> Snapshot:
        """Name objects by their names: poses that are set give them ids of where they are."""
        objects = sorted(snapshot.objects, key=lambda obj: obj.name)
        named = [replace(obj, objectId=obj.name) for obj in objects]
        return Snapshot.from_objects(named, snapshot.commander, snapshot.follower)
