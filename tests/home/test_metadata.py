"""AI2-THOR metadata in and out, and the faults it may have."""

import json
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tatc.home.metadata import (
    AFFORDANCE_FIELDS,
    SIMBOT_FIELDS,
    STATE_FLAG_FIELDS,
    MetadataError,
    read_object,
    write_object,
)
from tatc.home.state import ABSENT, Affordances, Box, ObjectState
from tatc.session.records import read_game
from tests.object_factory import PORTABLE, make_object

lengths = st.floats(-50, 50).map(lambda x: round(x, 3))
sizes = st.floats(0.01, 3).map(lambda x: round(x, 3))
points = st.tuples(lengths, lengths, lengths)
ids = st.text("ABCabc|+-.0123", min_size=1, max_size=12)
id_tuples = st.lists(ids, max_size=3).map(tuple)
absent = st.just(ABSENT)

affordances = st.builds(
    Affordances, **{name: st.booleans() for name in AFFORDANCE_FIELDS if name != "moveable"}
)
things = st.builds(
    ObjectState,
    objectId=ids,
    objectType=ids,
    name=ids,
    affordances=affordances,
    position=points,
    rotation=points,
    box=st.builds(Box, points, st.tuples(sizes, sizes, sizes)),
    mass=st.floats(0, 100),
    salientMaterials=id_tuples,
    controlledObjects=st.none() | id_tuples,
    ObjectTemperature=st.sampled_from(["Cold", "RoomTemp", "Hot"]),
    parentReceptacles=st.none() | id_tuples,
    simbotObjectClass=absent | id_tuples,
    simbotPickedUp=absent | st.just(1),
    simbotLastParentReceptacle=absent | st.none() | ids,
    simbotIsReceptacleOf=absent | id_tuples,
    simbotIsCooked=absent | st.just(True),
    simbotIsBoiled=absent | st.just(True),
    simbotIsFilledWithWater=absent | st.just(1),
    simbotIsFilledWithCoffee=absent | st.booleans(),
    **{name: st.booleans() for name in STATE_FLAG_FIELDS},
)


def _mug() -> dict[str, Any]:
    able, kinds = Affordances(receptacle=True, pickupable=True), ("Mug",)
    size = (0.1, 0.12, 0.08)
    mug = make_object("Mug", (1.0, 0.95, 2.0), size, affordances=able, simbotObjectClass=kinds)
    return write_object(mug)


@given(things)
def test_what_is_written_is_read_back(thing: ObjectState) -> None:
    """All but the box exactly; corners round the box by less than a micrometre."""
    raw = json.loads(json.dumps(write_object(thing)))
    back = read_object(raw)
    for name in ObjectState.__dataclass_fields__:
        if name != "box":
            assert getattr(back, name) == getattr(thing, name), name
    for one, other in ((back.box.center, thing.box.center), (back.box.size, thing.box.size)):
        assert one == pytest.approx(other, abs=1e-6)


@given(things, st.floats(-180, 360).map(lambda yaw: round(yaw, 1)))
def test_a_turned_box_keeps_its_own_axes(thing: ObjectState, yaw: float) -> None:
    raw = write_object(thing)
    raw["pickupable"] = True
    box = Box(thing.box.center, thing.box.size, yaw)
    made = make_object("Mug", box.center, box.size, yaw=yaw, affordances=PORTABLE)
    corners = write_object(made)["objectOrientedBoundingBox"]
    back = read_object(raw | {"objectOrientedBoundingBox": corners}).box
    assert back.size == pytest.approx(box.size, abs=1e-6)
    assert (back.yaw - yaw + 180) % 360 - 180 == pytest.approx(0, abs=0.01)


def test_a_tilted_box_falls_back_to_the_aligned_one() -> None:
    raw = _mug()
    corners = raw["objectOrientedBoundingBox"]["cornerPoints"]
    leaning = [[x + (0.3 if i > 3 else 0.0), y, z] for i, (x, y, z) in enumerate(corners)]
    raw["objectOrientedBoundingBox"] = {"cornerPoints": leaning}
    assert read_object(raw).box == read_object(_mug() | {"objectOrientedBoundingBox": None}).box


@pytest.mark.parametrize("missing", [None, {"cornerPoints": None}])
def test_without_an_oriented_box_the_aligned_one_counts(missing: Any) -> None:
    box = read_object(_mug() | {"objectOrientedBoundingBox": missing}).box
    assert box.center == pytest.approx((1.0, 0.95, 2.0))
    assert box.yaw == 0.0


def test_what_versions_leave_out_is_false_or_unknown() -> None:
    kept = ("objectId", "objectType", "name", "position", "rotation")
    raw = _mug()
    bare = {name: raw[name] for name in (*kept, "axisAlignedBoundingBox")}
    obj = read_object(bare)
    assert obj.affordances == Affordances()
    assert not any(getattr(obj, name) for name in STATE_FLAG_FIELDS)
    assert all(getattr(obj, name) is ABSENT for name in SIMBOT_FIELDS)
    assert (obj.parentReceptacles, obj.mass) == (None, 0.0)
    assert obj.ObjectTemperature == "RoomTemp"


def test_temperature_has_two_names() -> None:
    raw = _mug()
    del raw["ObjectTemperature"]
    assert read_object(raw | {"temperature": "Hot"}).ObjectTemperature == "Hot"


Spoil = Callable[[dict[str, Any]], Any]
FAULTS: list[tuple[str, Spoil]] = [
    ("objectId", lambda raw: raw.pop("objectId")),
    ("objectId", lambda raw: raw.update(objectId="")),
    ("objectType", lambda raw: raw.update(objectType=["Mug"])),
    ("name", lambda raw: raw.pop("name")),
    ("position", lambda raw: raw.pop("position")),
    ("position.x", lambda raw: raw["position"].update(x="1")),
    ("position.y", lambda raw: raw["position"].update(y=inf)),
    ("position.z", lambda raw: raw["position"].pop("z")),
    ("rotation", lambda raw: raw.update(rotation=90)),
    ("rotation.y", lambda raw: raw["rotation"].update(y=nan)),
    ("mass", lambda raw: raw.update(mass=-1)),
    ("mass", lambda raw: raw.update(mass="heavy")),
    ("isDirty", lambda raw: raw.update(isDirty="False")),
    ("pickupable", lambda raw: raw.update(pickupable=1)),
    ("salientMaterials", lambda raw: raw.update(salientMaterials="Glass")),
    ("parentReceptacles", lambda raw: raw.update(parentReceptacles=[None])),
    ("ObjectTemperature", lambda raw: raw.update(ObjectTemperature=20)),
    ("axisAlignedBoundingBox", lambda raw: raw.pop("axisAlignedBoundingBox")),
    (
        "axisAlignedBoundingBox.size",
        lambda raw: raw["axisAlignedBoundingBox"]["size"].update(y=-0.1),
    ),
    (
        "axisAlignedBoundingBox.center.x",
        lambda raw: raw["axisAlignedBoundingBox"]["center"].update(x=None),
    ),
    ("objectOrientedBoundingBox", lambda raw: raw.update(objectOrientedBoundingBox=[])),
    (
        "objectOrientedBoundingBox.cornerPoints",
        lambda raw: raw["objectOrientedBoundingBox"]["cornerPoints"].pop(),
    ),
    (
        "objectOrientedBoundingBox.cornerPoints[3]",
        lambda raw: raw["objectOrientedBoundingBox"]["cornerPoints"][3].pop(),
    ),
    (
        "objectOrientedBoundingBox.cornerPoints[2]",
        lambda raw: raw["objectOrientedBoundingBox"]["cornerPoints"][2].__setitem__(0, 9),
    ),
    ("simbotObjectClass", lambda raw: raw.update(simbotObjectClass="Mug")),
    ("simbotPickedUp", lambda raw: raw.update(simbotPickedUp="1")),
    ("simbotIsCooked", lambda raw: raw.update(simbotIsCooked=None)),
    ("simbotIsFilledWithCoffee", lambda raw: raw.update(simbotIsFilledWithCoffee=2)),
    ("simbotLastParentReceptacle", lambda raw: raw.update(simbotLastParentReceptacle=7)),
]


@pytest.mark.parametrize(("field", "spoil"), FAULTS)
def test_a_fault_names_its_field(field: str, spoil: Spoil) -> None:
    raw = _mug()
    read_object(raw)
    spoil(raw)
    with pytest.raises(MetadataError) as caught:
        read_object(raw)
    assert caught.value.field == field


@pytest.mark.parametrize("raw", [None, [], "Mug", 3])
def test_what_is_no_object_is_a_fault(raw: Any) -> None:
    with pytest.raises(MetadataError):
        read_object(raw)


def test_recorded_objects_come_back(sample_games: list[Path]) -> None:
    for obj in read_game(sample_games[0]).final.objects:
        back = read_object(write_object(obj))
        assert back.box.center == pytest.approx(obj.box.center, abs=1e-6)
        assert back.position == obj.position
        assert back.simbotObjectClass == obj.simbotObjectClass
