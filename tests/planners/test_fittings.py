"""Which faucet waters a sink, and which knob heats a burner."""

from dataclasses import replace

from tatc.planners.fittings import faucet_of, knob_of
from tatc.sim.rooms import load_room, start_state
from tatc.state import Snapshot

START = start_state(load_room("kitchen-01"), 1).start


def _without(kind: str) -> Snapshot:
    left = [thing for thing in START.objects if thing.objectType != kind]
    return Snapshot.of(left, START.commander, START.follower)


def test_the_nearest_faucet_waters_a_sink() -> None:
    [basin], [faucet] = START.of_type("SinkBasin"), START.of_type("Faucet")
    x, y, z = faucet.box.center
    far = replace(
        faucet, objectId="far", box=replace(faucet.box, center=(x + 2.0, y, z))
    )
    both = Snapshot.of((far, *START.objects), START.commander, START.follower)
    assert faucet_of(both, basin) == faucet
    assert faucet_of(_without("Faucet"), basin) is None


def test_the_knob_that_names_a_burner_owns_it() -> None:
    for burner in START.of_type("StoveBurner"):
        knob = knob_of(START, burner)
        assert knob is not None and knob.controlledObjects == (burner.objectId,)
        assert knob_of(_without("StoveKnob"), burner) is None
