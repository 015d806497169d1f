"""States of game files <-> snapshots."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tatc.base.json_fields import FieldError
from tatc.home.metadata import SIMBOT_FIELDS
from tatc.home.state import ABSENT, AgentState, Box
from tatc.session.records.episode_states import read_state, snap_to_grid, state_json
from tests.session.records.sample_record import FOLLOWER, sample_final, sample_start

Json = dict[str, Any]

CLASS = ("simbotObjectClass",)
MUG = 2


@pytest.fixture
def state() -> Json:
    return json.loads(json.dumps(state_json(sample_final(), 1.1)))


def test_a_state_is_written_with_its_own_custom_metadata(state: Json) -> None:
    """Not with that of another moment (spec section 8.4, trap 24)."""
    mug = sample_final().objects[MUG]
    of_start = state_json(sample_start(), 0.0)["custom_object_metadata"]
    assert of_start[mug.objectId] == {"simbotObjectClass": ["Mug"]}
    assert state["custom_object_metadata"][mug.objectId] == {
        "simbotObjectClass": ["Mug"],
        "simbotPickedUp": 1,
        "simbotLastParentReceptacle": None,
        "simbotIsFilledWithCoffee": True,
    }


def test_agents_are_read_back_exactly(state: Json) -> None:
    back = read_state(state, (), is_final=True)
    assert (back.commander, back.follower) == (sample_final().commander, sample_final().follower)


def test_only_what_is_asked_for_is_taken_from_the_custom_metadata(state: Json) -> None:
    bare = [{k: v for k, v in obj.items() if k not in SIMBOT_FIELDS} for obj in state["objects"]]
    state["objects"] = bare
    at_start = read_state(state, CLASS, is_final=False).objects[MUG]
    assert at_start.simbotObjectClass == ("Mug",)
    assert at_start.simbotIsFilledWithCoffee is ABSENT
    at_end = read_state(state, SIMBOT_FIELDS, is_final=True).objects[MUG]
    assert at_end.simbotIsFilledWithCoffee is True
    assert read_state(state, (), is_final=True).objects[MUG].simbotObjectClass is ABSENT


def test_what_an_object_carries_itself_wins(state: Json) -> None:
    obj = state["objects"][MUG]
    state["custom_object_metadata"][obj["objectId"]]["simbotObjectClass"] = ["Cup"]
    assert read_state(state, SIMBOT_FIELDS, is_final=True).objects[MUG].simbotObjectClass == (
        "Mug",
    )


@pytest.mark.parametrize("custom", [None, {}])
def test_custom_metadata_may_be_lacking(state: Json, custom: Any) -> None:
    state["custom_object_metadata"] = custom
    assert read_state(state, SIMBOT_FIELDS, is_final=True).objects[MUG].simbotPickedUp == 1


def test_what_fell_out_of_the_home_is_read_at_the_end_alone() -> None:
    """Two recorded ends have an object kilometres below the floor."""
    far = (0.0, -392157.09, 0.0)
    floor, *others = sample_final().objects
    fallen = replace(floor, position=far, box=Box(far, (1.0, 1.0, 1.0)))
    state = state_json(replace(sample_final(), objects=(fallen, *others)), 0.0)
    assert read_state(state, (), is_final=True).objects[0].position == far
    with pytest.raises(FieldError, match=r"objects\[0\].position: lies outside"):
        read_state(state, (), is_final=False)


def test_two_objects_with_one_id_are_both_kept() -> None:
    """Six of 1,274 recorded games have such a pair."""
    floor, counter, mug, machine = sample_final().objects
    twin = replace(mug, isDirty=True, simbotPickedUp=ABSENT)
    doubled = replace(sample_final(), objects=(floor, counter, mug, twin, machine))
    back = read_state(state_json(doubled, 0.0), (), is_final=True)
    assert [obj.isDirty for obj in back.objects] == [False, False, False, True, False]
    assert back.objects[3].simbotPickedUp is ABSENT
    assert back.get(mug.objectId) is back.objects[2], "the first one is found"


grid = st.integers(-40, 40).map(lambda n: n * 0.25)
slips = st.floats(-0.009, 0.009)
tilts = st.floats(-0.9, 0.9)


@given(grid, grid, slips, slips, st.integers(0, 3), st.integers(-1, 2), tilts, tilts)
def test_rounding_is_undone(
    x: float, z: float, dx: float, dz: float, quarter: int, look: int, a: float, b: float
) -> None:
    seen = AgentState((x + dx, 0.9, z + dz), quarter * 90 + a, look * 30 + b)
    put = snap_to_grid(seen)
    assert put == AgentState((x, 0.9, z), quarter * 90.0, look * 30.0)
    assert snap_to_grid(put) == put


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (0, 0),
        (30, 30),
        (-90, -90),
        (90, 90),
        (270, -90),
        (300, -60),
        (330, -30),
        (360, 0),
        (-330, 30),
    ],
)
def test_a_horizon_is_read_within_half_a_turn(written: float, read: float) -> None:
    for agent, field in ((0, None), (1, "cameraHorizon")):
        state = state_json(sample_final(), 0.0)
        if field:
            state["agents"][agent][field] = written
        else:
            state["agents"][agent]["rotation"]["x"] = written
        back = read_state(state, (), is_final=True)
        assert (back.follower if field else back.commander).horizon == read


@pytest.mark.parametrize(
    ("written", "read"),
    [(91, "91"), (-91, "-91"), (180, "180"), (181, "-179"), (269, "-91"), (500, "140")],
)
def test_a_horizon_beyond_straight_up_or_down_is_refused(written: float, read: str) -> None:
    state = state_json(sample_final(), 0.0)
    state["agents"][1]["cameraHorizon"] = written
    with pytest.raises(FieldError, match=rf"agents\[1\].cameraHorizon: is impossible: {read}\b"):
        read_state(state, (), is_final=True)


def test_the_followers_horizon_is_its_cameras_and_the_commanders_its_rotation() -> None:
    state = state_json(sample_final(), 0.0)
    del state["agents"][1]["cameraHorizon"]
    with pytest.raises(FieldError, match=r"agents\[1\].cameraHorizon: is missing"):
        read_state(state, (), is_final=True)
    state = state_json(sample_final(), 0.0)
    state["agents"][0]["rotation.x"] = 60.0
    assert read_state(state, (), is_final=True).commander.horizon == 60.0


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("metres", [1000.0, -1000.0, 1000.5, -1000.5])
def test_no_home_reaches_farther_than_a_kilometre(axis: int, metres: float) -> None:
    is_far = abs(metres) > 1000
    far = tuple(metres if i == axis else 0.0 for i in range(3))
    floor, *others = sample_final().objects
    for moved in (replace(floor, position=far), replace(floor, box=Box(far, (1.0, 1.0, 1.0)))):
        state = state_json(replace(sample_final(), objects=(*others, moved)), 0.0)
        if is_far:
            with pytest.raises(FieldError, match=rf"objects\[{len(others)}\].* outside any home"):
                read_state(state, (), is_final=False)
        else:
            assert read_state(state, (), is_final=False)
    away = replace(FOLLOWER, position=far)
    state = state_json(replace(sample_final(), follower=away), 0.0)
    if is_far:
        with pytest.raises(FieldError, match=r"agents\[1\].position: lies outside"):
            read_state(state, (), is_final=True)
    else:
        assert read_state(state, (), is_final=True).follower.position == far


def test_a_state_has_two_agents_and_objects(state: Json) -> None:
    one = state | {"agents": state["agents"][:1]}
    with pytest.raises(FieldError, match=r"agents: should hold .*, has 1"):
        read_state(one, (), is_final=True)
    three = state | {"agents": [*state["agents"], {}]}
    assert read_state(three, (), is_final=True).follower == sample_final().follower
    with pytest.raises(FieldError, match="objects: is empty"):
        read_state(state | {"objects": []}, (), is_final=True)


@pytest.mark.parametrize("sign", [-1, 1])
def test_what_is_off_by_more_than_rounding_is_kept(sign: int) -> None:
    on = AgentState((1.0, 0.9, -0.5), 90.0, 30.0)
    for moved in (
        replace(on, position=(1.0 + sign * 0.0101, 0.9, -0.5)),
        replace(on, position=(1.0, 0.9, -0.5 + sign * 0.0101)),
        replace(on, yaw=90.0 + sign * 1.01),
        replace(on, horizon=30.0 + sign * 1.01),
    ):
        assert snap_to_grid(moved) == moved
    assert snap_to_grid(replace(on, yaw=-270.0)) == on
    assert snap_to_grid(replace(on, horizon=30.0 + sign)) == on


def test_states_are_written_as_ai2_thor_has_agents() -> None:
    commander, follower = state_json(sample_start(), 2.5)["agents"]
    assert commander == {
        "thirdPartyCameraId": 0,
        "position": {"x": 0.0, "y": 1.9, "z": 0.0},
        "rotation": {"x": 30.0, "y": 90.0, "z": 0.0},
        "fieldOfView": 90.0,
    }
    assert follower == {
        "name": "agent",
        "position": {"x": 1.0, "y": 0.9, "z": -0.75},
        "rotation": {"x": 0.0, "y": 270.0, "z": 0.0},
        "cameraHorizon": 30.0,
        "isStanding": True,
        "inHighFrictionArea": False,
    }
