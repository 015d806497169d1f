"""One view of a snapshot answers the Commander and the PDDL planner."""

from dataclasses import replace
from math import dist

from tatc.home.actions import GRID_SIZE_METRES
from tatc.home.state import ObjectState, Snapshot
from tatc.planners.snapshot_view import OPENING_COST_ACTIONS, SnapshotView, faucet_of, knob_of
from tatc.sim.rooms import load_room, start_state
from tatc.tdl.properties import parent_receptacles_of
from tests.object_factory import with_objects


def _snapshot_without(kind: str) -> Snapshot:
    return with_objects(START, [obj for obj in START.objects if obj.objectType != kind])


def test_faucet_of_sink_is_nearest() -> None:
    [basin], [faucet] = START.of_type("SinkBasin"), START.of_type("Faucet")
    x, y, z = faucet.box.center
    far = replace(faucet, objectId="far", box=replace(faucet.box, center=(x + 2.0, y, z)))
    both = with_objects(START, (far, *START.objects))
    assert faucet_of(both, basin) == faucet
    assert faucet_of(_snapshot_without("Faucet"), basin) is None


def test_knob_of_burner_controls_it() -> None:
    for burner in START.of_type("StoveBurner"):
        knob = knob_of(START, burner)
        assert knob is not None and knob.controlledObjects == (burner.objectId,)
        assert knob_of(_snapshot_without("StoveKnob"), burner) is None


START = start_state(load_room("kitchen-01"), 1).initial
VIEW = SnapshotView(START)


def _with(*changed: ObjectState) -> SnapshotView:
    by_id = {obj.objectId: obj for obj in changed}
    objects = [by_id.pop(obj.objectId, obj) for obj in START.objects]
    return SnapshotView(with_objects(START, [*objects, *by_id.values()]))


def test_objects_come_nearest_first_in_metres():
    found = VIEW.find_objects()
    assert len(found) == len(START.objects)
    distances = [VIEW.distance_to(obj) for obj in found]
    assert distances == sorted(distances)
    assert distances[0] == dist(found[0].box.center, START.follower.position)
    assert VIEW.find_objects("Faucet", where=lambda obj: obj.isOpen) == ()


def test_contents_and_receptacles_are_each_others_reverse():
    for obj in START.objects:
        parents = VIEW.receptacles_of(obj)
        assert {p.objectId for p in parents} <= set(parent_receptacles_of(obj, START))
        for parent in START.objects:
            assert (parent in parents) == (obj in VIEW.contents_of(parent))


def test_without_parents_from_the_world_teachs_last_receptacle_is_followed():
    [fridge] = START.of_type("Fridge")
    plate, mug = START.of_type("Plate")[0], START.of_type("Mug")[0]
    plate = replace(plate, parentReceptacles=(fridge.objectId,))
    mug = replace(mug, parentReceptacles=None, simbotLastParentReceptacle=plate.objectId)
    view = _with(plate, mug, replace(fridge, isOpen=False))
    assert [p.objectId for p in view.receptacles_of(mug)] == [plate.objectId, fridge.objectId]
    assert [c.objectId for c in view.closed_containers_of(mug)] == [fridge.objectId]


def test_effort_counts_steps_and_closed_containers_and_none_for_the_held_object():
    [fridge], mug = START.of_type("Fridge"), START.of_type("Mug")[0]
    inside = replace(mug, parentReceptacles=(fridge.objectId,), isPickedUp=False)
    steps = VIEW.distance_to(mug) / GRID_SIZE_METRES
    for is_open, extra in ((True, 0.0), (False, OPENING_COST_ACTIONS)):
        view = _with(inside, replace(fridge, isOpen=is_open))
        assert view.effort_to_reach(inside) == steps + extra
    held = replace(mug, isPickedUp=True)
    assert _with(held).effort_to_reach(held) == 0.0


def test_sinks_come_before_tubs_and_then_the_nearest():
    [basin] = START.of_type("SinkBasin")
    x, y, z = START.follower.position
    near = replace(basin.box, center=(x, y, z))
    tub = replace(basin, objectId="tub", objectType="BathtubBasin", box=near)
    other = replace(basin, objectId="other", box=near)
    watered = _with(tub, other).watered_sinks()
    assert [sink.objectId for sink in watered] == ["other", basin.objectId, "tub"]
    assert SnapshotView(_snapshot_without("Faucet")).watered_sinks() == ()
