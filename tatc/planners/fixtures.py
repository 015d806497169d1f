"""Fittings: which types hold running water, which faucet and which knob owns what."""

from math import dist

from tatc.state import ObjectState, Snapshot
from tatc.thor_types.facts import KNOB_TYPE


def faucet_of(now: Snapshot, sink: ObjectState) -> ObjectState | None:
    """Return the faucet that waters a sink: the nearest one (spec 2.7)."""
    center = sink.box.center
    faucets = now.of_type("Faucet")
    return min(faucets, key=lambda f: dist(f.box.center, center), default=None)


def knob_of(now: Snapshot, burner: ObjectState) -> ObjectState | None:
    """Return the knob that owns a burner, None where nobody says."""
    knobs = now.of_type(KNOB_TYPE)
    own = (k for k in knobs if burner.objectId in (k.controlledObjects or ()))
    return next(own, None)
