"""Which faucet waters a sink, and which knob heats a burner."""

from dataclasses import replace

from tatc.home.state import Snapshot
from tatc.planners.snapshot_view import faucet_of, knob_of
from tatc.sim.rooms import load_room, start_state

START = start_state(load_room("kitchen-01"), 1).start


def _snapshot_without(kind: str) -> Snapshot:
    left = [obj for obj in START.objects if obj.objectType != kind]
    return Snapshot.from_objects(left, START.commander, START.follower)


def test_faucet_of_sink_is_nearest() -> None:
    [basin], [faucet] = START.of_type("SinkBasin"), START.of_type("Faucet")
    x, y, z = faucet.box.center
    far = replace(faucet, objectId="far", box=replace(faucet.box, center=(x + 2.0, y, z)))
    both = Snapshot.from_objects((far, *START.objects), START.commander, START.follower)
    assert faucet_of(both, basin) == faucet
    assert faucet_of(_snapshot_without("Faucet"), basin) is None


def test_knob_of_burner_controls_it() -> None:
    for burner in START.of_type("StoveBurner"):
        knob = knob_of(START, burner)
        assert knob is not None and knob.controlledObjects == (burner.objectId,)
        assert knob_of(_snapshot_without("StoveKnob"), burner) is None
