"""What hides an object is found by looking for it."""

from tatc.camera.geometry import Geometry
from tatc.planners.grid import Grid
from tatc.planners.hiding import hiders
from tatc.state import ObjectState, Pose
from tests.boxes import LOOSE, thing

CELLS = [(x, z) for x in range(-3, 4) for z in range(-3, 2)]


def _poses():
    start = Pose(0.0, 0.0, 0.0, 0.0)
    return Grid(CELLS).search(start).poses_by_cost((0.0, 30.0))


def _seen(*others: ObjectState) -> list[str]:
    mug = thing("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1), affordances=LOOSE)
    objects = [mug, *others]
    found = hiders(Geometry(objects), 0, _poses(), 0.9)
    return [objects[i].objectType for i in found]


def test_what_stands_before_a_thing_comes_first():
    box = thing("Box", (0, 0.9, 0.8), (0.6, 0.6, 0.1), affordances=LOOSE)
    beside = thing("Vase", (0.9, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=LOOSE)
    assert _seen(beside, box)[0] == "Box"


def test_what_stands_behind_a_thing_or_far_off_does_not_hide_it():
    low = thing("Table", (0, 0.2, 1), (1.0, 0.2, 1.0))
    far = thing("Vase", (3.0, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=LOOSE)
    assert "Vase" not in _seen(low, far)


def test_out_of_reach_nothing_hides_a_thing():
    mug = thing("Mug", (0, 0.9, 9), (0.1, 0.1, 0.1), affordances=LOOSE)
    box = thing("Box", (0, 0.9, 8), (0.6, 0.6, 0.1), affordances=LOOSE)
    assert hiders(Geometry([mug, box]), 0, _poses(), 0.9) == ()
