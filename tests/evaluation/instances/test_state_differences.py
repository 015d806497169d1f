"""Differences of states, and what counts of the way between them."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tatc.evaluation.instances.build_instances import net_changes, state_difference
from tatc.home.state import Snapshot
from tests.sim.box_kitchen import kitchen


def _with_changed_object(start: Snapshot, kind: str, **fields: object) -> Snapshot:
    [old] = start.of_type(kind)
    new = [
        replace(each, **fields) if each is old else each  # type: ignore[arg-type]
        for each in start.objects
    ]
    return Snapshot.from_objects(new, start.commander, start.follower)


def test_only_what_changed_is_told() -> None:
    start = kitchen().start
    [plate] = start.of_type("Plate")
    after = _with_changed_object(start, "Plate", isDirty=False)
    assert state_difference(start, start) == {}
    assert state_difference(start, after) == {plate.objectId: {"isDirty": False}}


def test_a_movement_is_told_by_its_coordinates_alone() -> None:
    start = kitchen().start
    [plate] = start.of_type("Plate")
    x, y, z = plate.position
    after = _with_changed_object(start, "Plate", position=(x + 0.5, y, z))
    told = state_difference(start, after)[plate.objectId]
    assert told == {"position": {"x": round(x + 0.5, 4)}}


def test_a_piece_is_compared_with_its_whole() -> None:
    start = kitchen().start
    [bread] = start.of_type("Bread")
    piece = replace(bread, objectId=f"{bread.objectId}|BreadSliced_0", objectType="BreadSliced")
    after = Snapshot.from_objects((*start.objects, piece), start.commander, start.follower)
    assert state_difference(start, after) == {
        piece.objectId: {"objectId": piece.objectId, "objectType": "BreadSliced"}
    }


def test_what_was_changed_before_is_left_out_unless_changed_again() -> None:
    start = {"Mug|1|2|3": {"isDirty": False, "isPickedUp": True}}
    end = {
        "Mug|1|2|3": {"isDirty": False, "isPickedUp": False, "mass": 2.0},
        "Cup|1|2|3": {"isDirty": True},
    }
    assert net_changes(start, end) == {
        "Mug|1|2|3": {"isPickedUp": False},
        "Cup|1|2|3": {"isDirty": True},
    }


def test_a_piece_falls_back_on_its_whole_but_a_basin_does_not() -> None:
    start = {"Bread|1|2|3": {"isPickedUp": True}, "Sink|1|2|3": {"isToggled": True}}
    end = {
        "Bread|1|2|3|BreadSliced_0": {"isPickedUp": True, "isCooked": True},
        "Sink|1|2|3|SinkBasin": {"isToggled": True},
    }
    assert net_changes(start, end) == {
        "Bread|1|2|3|BreadSliced_0": {"isCooked": True},
        "Sink|1|2|3|SinkBasin": {"isToggled": True},
    }


_VALUES = st.dictionaries(
    st.sampled_from(["isDirty", "isOpen", "isToggled", "mass"]), st.booleans()
)
_CHANGES = st.dictionaries(st.sampled_from(["Mug|1|2|3", "Cup|1|2|3"]), _VALUES)


@given(_CHANGES, _CHANGES)
def test_the_way_between_leads_from_start_to_end(
    start: dict[str, dict[str, bool]], end: dict[str, dict[str, bool]]
) -> None:
    for object_id, values in net_changes(start, end).items():
        for name, value in values.items():
            assert end[object_id][name] == value
            assert start.get(object_id, {}).get(name) != value
