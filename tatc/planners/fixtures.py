"""Fixtures that belong together: a sink and its faucet, a burner and its knob."""

from math import dist

from tatc.home.state import ObjectState, Snapshot
from tatc.home.types.facts import KNOB_TYPE


def faucet_of(snapshot: Snapshot, sink: ObjectState) -> ObjectState | None:
    """Return the faucet nearest to a sink, which waters it (spec section 2.7), or None."""
    center = sink.box.center
    faucets = snapshot.of_type("Faucet")
    return min(faucets, key=lambda f: dist(f.box.center, center), default=None)


def knob_of(snapshot: Snapshot, burner: ObjectState) -> ObjectState | None:
    """Return the knob whose `controlledObjects` name a burner, or None."""
    knobs = snapshot.of_type(KNOB_TYPE)
    own = (k for k in knobs if burner.objectId in (k.controlledObjects or ()))
    return next(own, None)
