from dataclasses import replace

from tatc.sim.stove_knobs import burners_of
from tests.sim.box_kitchen import make_object

KNOB = make_object("StoveKnob", (0, 0.8, 0), (0.04, 0.04, 0.04))
NEAR_BURNER = make_object("StoveBurner", (0.1, 0.9, 0), (0.2, 0.02, 0.2))
FAR_BURNER = make_object("StoveBurner", (0.9, 0.9, 0), (0.2, 0.02, 0.2))


def test_what_the_backend_says_comes_first():
    said = replace(KNOB, controlledObjects=(FAR_BURNER.objectId,))
    assert burners_of("FloorPlan1", said, [NEAR_BURNER, FAR_BURNER]) == (FAR_BURNER.objectId,)


def test_the_table_knows_recorded_kitchens():
    knob = replace(KNOB, objectId="StoveKnob|-00.48|+00.88|-02.19")
    other = replace(FAR_BURNER, objectId="StoveBurner|-00.47|+00.92|-02.37")
    for place in ("FloorPlan1", "FloorPlan1_physics"):
        assert burners_of(place, knob, [NEAR_BURNER, other]) == (other.objectId,)


def test_the_nearest_burner_serves_where_nothing_is_known():
    assert burners_of("kitchen-01", KNOB, [FAR_BURNER, NEAR_BURNER]) == (NEAR_BURNER.objectId,)
    assert burners_of("FloorPlan1", KNOB, [FAR_BURNER, NEAR_BURNER]) == (NEAR_BURNER.objectId,)


def test_a_room_without_burners_has_none():
    assert burners_of("kitchen-01", KNOB, [KNOB]) == ()
