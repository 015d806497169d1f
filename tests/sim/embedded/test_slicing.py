"""What falls from the knife."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from tatc.home.state import Box, ObjectState, Vec3, yaw_sin_cos
from tatc.sim.embedded.placement.observed_surfaces import landing_height_under
from tatc.sim.embedded.slicing import PIECE_DROP_METRES, cut_into_pieces, make_pieces, slice_count
from tatc.sim.embedded.world_state import WorldState
from tatc.sim.maps.recorded_evidence import RecordedEvidence, RestingPose, SlicePlacement
from tests.sim.box_kitchen import make_object, with_parents, world_with


@pytest.mark.parametrize(
    ("kind", "number"), [("Bread", 5), ("Lettuce", 7), ("Potato", 8), ("Tomato", 7)]
)
@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0])
def test_slices_stand_in_a_row_behind_the_thick_first_piece(kind: str, number: int, yaw: float):
    size = (0.08, 0.09, 0.12)
    whole = make_object(kind, (1, 0.9, 2), size, mass=0.4)
    box = Box(whole.box.center, size, yaw)
    whole = replace(whole, rotation=(0.0, yaw, 0.0), box=box)
    first, *others = make_pieces(whole)
    assert len(others) == number - 1
    assert len({piece.objectId for piece in (first, *others)}) == number
    ahead = yaw_sin_cos(yaw)
    alongs = [_along(piece, whole, ahead) for piece in (first, *others)]
    assert alongs == sorted(alongs, reverse=True)
    assert alongs[0] == pytest.approx(0.03) and alongs[1] < 0
    assert first.box.size[2] == pytest.approx(0.49 * 0.12)
    assert min(others, key=lambda piece: piece.box.size[0]) is others[-1]
    for piece in (first, *others):
        assert piece.box.bounds()[0][1] == pytest.approx(0.9 - PIECE_DROP_METRES)
    assert sum(piece.mass for piece in (first, *others)) == pytest.approx(0.4)


def test_a_tomatos_last_slices_are_small_and_higher_than_wide():
    """Of a tomato of 12 cm, the last slice fits into a bowl's area of 9 cm, the third does not."""
    *_, third, _, _, sixth, last = make_pieces(make_object("Tomato", (0, 0, 0), (0.12, 0.12, 0.1)))
    assert last.box.size[0] == pytest.approx(0.0744) and last.box.size[1] == pytest.approx(0.0864)
    assert last.box.size[0] < sixth.box.size[0] < 0.09 < third.box.size[0]


def test_slices_do_not_meet_and_longer_potatoes_and_lettuces_fall_into_more_pieces():
    _, *slices = make_pieces(make_object("Tomato", (0, 0, 0), (0.1, 0.1, 0.1)))
    for before, after in pairwise(slices):
        assert after.box.bounds()[1][2] < before.box.bounds()[0][2]
    potatoes = [make_object("Potato", (0, 0, 0), (0.07, 0.07, z)) for z in (0.08, 0.1, 0.14)]
    assert [len(make_pieces(each)) for each in potatoes] == [6, 8, 9]
    slim = make_object("Lettuce", (0, 0, 0), (0.13, 0.13, 0.24))
    assert len(make_pieces(slim)) == 8


@pytest.mark.parametrize(
    ("kind", "lengths", "width"),
    [("Lettuce", (0.232, 0.27), 0.18), ("Potato", (0.127, 0.15), 0.07)],
)
def test_slices_of_a_longer_vegetable_are_no_thicker(
    kind: str, lengths: tuple[float, float], width: float
):
    rows = [
        make_pieces(make_object(kind, (0, 0, 0), (width, width, length)))[1:] for length in lengths
    ]
    assert len(rows[0]) == len(rows[1])
    for shorter, longer in zip(*rows, strict=True):
        assert longer.box.center[2] == pytest.approx(shorter.box.center[2])
        assert longer.box.size[2] == pytest.approx(shorter.box.size[2])


def test_a_short_lettuces_last_slices_lie_nearer():
    *_, last = make_pieces(make_object("Lettuce", (0, 0, 0), (0.18, 0.18, 0.21)))
    *_, last_of_long = make_pieces(make_object("Lettuce", (0, 0, 0), (0.18, 0.18, 0.25)))
    assert last_of_long.box.center[2] < last.box.center[2] < 0.0


@pytest.mark.parametrize(("kind", "aside"), [("Lettuce", 0.01), ("Tomato", 0.0)])
@pytest.mark.parametrize("yaw", [0.0, 90.0])
def test_slices_of_a_lettuce_stand_in_the_middle_of_its_box(kind: str, aside: float, yaw: float):
    """Its position may be to one side of that; a tomato's slices stand at its position."""
    size, sideways = (0.18, 0.18, 0.25), yaw_sin_cos(yaw + 90.0)
    middle = 1 + 0.01 * sideways[0], 1.0, 2 + 0.01 * sideways[1]
    whole = make_object(kind, (1, 1, 2), size)
    whole = replace(whole, position=(1, 1, 2), rotation=(0.0, yaw, 0.0), box=Box(middle, size, yaw))
    for piece in make_pieces(whole):
        x, _, z = piece.box.center
        assert (x - 1) * sideways[0] + (z - 2) * sideways[1] == pytest.approx(aside)


def test_an_apple_falls_into_wedges_around_its_core():
    wedges = make_pieces(make_object("Apple", (0, 0, 0), (0.1, 0.12, 0.1)))
    assert [piece.box.yaw for piece in wedges] == [0.0, 120.0, 240.0]
    middles = [piece.box.center for piece in wedges]
    assert sum(x for x, _, _ in middles) == pytest.approx(0.0, abs=1e-9)
    assert sum(z for _, _, z in middles) == pytest.approx(0.0, abs=1e-9)


def _along(piece: ObjectState, whole: ObjectState, ahead: tuple[float, float]) -> float:
    (x, _, z), (ox, _, oz) = piece.box.center, whole.box.center
    return (x - ox) * ahead[0] + (z - oz) * ahead[1]


def test_a_loafs_heel_is_no_slice():
    heel, first, *_ = make_pieces(make_object("Bread", (0, 0, 0), (0.3, 0.1, 0.1)))
    assert (heel.objectType, first.objectType) == ("Bread", "BreadSliced")
    assert heel.objectId.endswith("|Bread_0")
    assert first.objectId.endswith("|BreadSliced_1")
    assert not heel.affordances.sliceable and not heel.affordances.cookable
    assert first.affordances.cookable


def test_an_egg_is_cracked():
    egg = make_object("Egg", (0, 0.9, 0), (0.05, 0.06, 0.05))
    (cracked,) = make_pieces(egg)
    assert cracked.objectId == f"{egg.objectId}|EggCracked_0"
    assert cracked.objectType == "EggCracked" and cracked.affordances.cookable
    assert cracked.box.bounds()[0][1] == pytest.approx(0.9)


def test_cooked_food_gives_cooked_slices():
    for done in (True, False):
        potato = make_object("Potato", (0, 0, 0), (0.08, 0.08, 0.08), isCooked=done)
        assert {piece.isCooked for piece in make_pieces(potato)} == {done}


WHOLE = make_object("Tomato", (1, 0.9, 2), (0.1, 0.1, 0.1), name="Tomato_a(Clone)_copy_4")
LYING_PIECE = SlicePlacement((0.03, 0.01, -0.02), (0.09, 0.02, 0.08), 90.0, (0.0, 270.0, 90.0))


@pytest.mark.parametrize("yaw", [0.0, 90.0, 217.0])
def test_a_piece_lies_as_others_of_its_model_were_seen_to(yaw: float):
    whole = replace(WHOLE, rotation=(0.0, yaw, 0.0), box=replace(WHOLE.box, yaw=yaw))
    rule, seen = make_pieces(whole), {"TomatoSliced_6": LYING_PIECE}
    *others, last = make_pieces(whole, seen, landing_height=0.8)
    assert [piece.objectId for piece in (*others, last)] == [p.objectId for p in rule]
    ahead, (x, y, z) = yaw_sin_cos(yaw), last.box.center
    assert y == pytest.approx(0.81) and last.box.size == LYING_PIECE.size
    assert _along(last, whole, ahead) == pytest.approx(-0.02)
    assert (x - 1) ** 2 + (z - 2) ** 2 == pytest.approx(0.03**2 + 0.02**2)
    assert last.rotation == (0.0, (270.0 + yaw) % 360.0, 90.0)
    for piece, as_ruled in zip(others, rule[:-1], strict=True):
        assert piece.box.bounds()[0][1] == pytest.approx(0.8)
        assert piece.box.center[::2] == as_ruled.box.center[::2]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_model_falls_into_as_many_pieces_as_the_last_one_seen_tells(one: int, other: int):
    seen = {f"TomatoSliced_{i}": LYING_PIECE for i in (one, other)}
    backwards = dict(reversed(seen.items()))
    number = max(one, other) + 1 if max(one, other) else 7
    made = make_pieces(WHOLE, seen)
    assert len(made) == number and made == make_pieces(WHOLE, backwards)
    assert {piece.objectId for piece in made} == {
        f"{WHOLE.objectId}|TomatoSliced_{i}" for i in range(number)
    }


TABLE = make_object("DiningTable", (1, 0, 2), (1, 0.9, 1))
DISH = make_object("Plate", (1, 0.9, 2), (0.2, 0.02, 0.2))


def _world_with(heights: list[float], *parents: ObjectState) -> WorldState:
    """Return a house in which things rested on a table at heights elsewhere."""
    middle = TABLE.box.center[1]
    rests = tuple(RestingPose((0.1, y - middle, 0), (0, 0, 0)) for y in heights)
    traces = RecordedEvidence({TABLE.name: rests}, {"Tomato_a": {"TomatoSliced_6": LYING_PIECE}})
    return world_with(TABLE, DISH, with_parents(WHOLE, *parents), evidence=traces)


@pytest.mark.parametrize(
    ("heights", "ground"),
    [
        ([0.9] * 5 + [0.89] * 3, 0.89),
        ([0.9] * 40 + [0.89] * 2, 0.9),
        ([0.85] * 9, None),
        ([0.92] * 9, None),
        ([], None),
    ],
)
def test_the_ground_is_the_lowest_height_at_which_several_things_rested(
    heights: list[float], ground: float | None
):
    world = _world_with(heights, TABLE)
    assert landing_height_under(world, world.objects[-1]) == (
        None if ground is None else pytest.approx(ground)
    )


def test_where_pieces_lay_is_the_ground():
    world, middle = _world_with([0.9] * 5 + [0.89] * 3, TABLE), TABLE.box.center[1]
    grounds = {TABLE.name: (0.885 - middle, 0.886 - middle, 0.887 - middle, 0.2)}
    seen = WorldState(world.snapshot(), replace(world.evidence, landing_heights=grounds))
    assert landing_height_under(seen, seen.objects[-1]) == pytest.approx(0.886)


def test_pieces_in_the_house_lie_on_the_ground_as_seen():
    world = _world_with([0.89] * 3, TABLE)
    whole = world.objects[-1]
    cut_into_pieces(world, whole)
    *others, last = world.of_type("TomatoSliced")
    assert last.box.center[1] == pytest.approx(0.9)
    assert all(p.box.bounds()[0][1] == pytest.approx(0.89) for p in others)


def test_a_plate_shows_no_ground():
    world = _world_with([0.89] * 3, TABLE, DISH)
    assert landing_height_under(world, world.objects[-1]) is None


@pytest.mark.parametrize(
    ("size", "count"),
    [
        ((0.266, 0.098, 0.266), 6),
        ((0.156, 0.082, 0.382), 7),
        ((0.136, 0.149, 0.266), 7),
        ((0.118, 0.148, 0.287), 9),
        ((0.140, 0.144, 0.345), 8),
        ((0.142, 0.160, 0.268), 5),
        ((0.182, 0.168, 0.220), 6),
    ],
)
def test_loaves_of_a_shape_fall_into_as_many_pieces(size: Vec3, count: int):
    assert slice_count("Bread", size) == count


@pytest.mark.parametrize("kind", ["Apple", "Bread", "Lettuce", "Potato", "Tomato"])
@pytest.mark.parametrize("length", [0.01, 0.1, 1.0, 30.0])
def test_everything_falls_into_some(kind: str, length: float):
    assert 3 <= slice_count(kind, (0.1, 0.1, length)) <= 9
