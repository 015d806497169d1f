"""What hides an object is found by looking for it."""

from tatc.home.camera.geometry import Geometry
from tatc.home.state import AgentState, ObjectState, Pose
from tatc.planners.grid import NavigationGrid
from tatc.planners.viewpoints import find_occluders
from tests.object_factory import PORTABLE, make_object

AGENT = AgentState((0.0, 0.9, 0.0), 0.0, 0.0)
CELLS = [(x, z) for x in range(-3, 4) for z in range(-3, 2)]


def _poses():
    start = Pose(0.0, 0.0, 0.0, 0.0)
    return NavigationGrid(CELLS).shortest_paths_from(start).poses_by_cost((0.0, 30.0))


def _occluder_types(*others: ObjectState) -> list[str]:
    mug = make_object("Mug", (0, 0.9, 1), (0.1, 0.1, 0.1), affordances=PORTABLE)
    objects = [mug, *others]
    found = find_occluders(Geometry(objects), 0, _poses(), AGENT)
    return [objects[i].objectType for i in found]


def test_object_in_front_is_first_occluder():
    box = make_object("Box", (0, 0.9, 0.8), (0.6, 0.6, 0.1), affordances=PORTABLE)
    beside = make_object("Vase", (0.9, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=PORTABLE)
    assert _occluder_types(beside, box)[0] == "Box"


def test_object_behind_or_far_is_no_occluder():
    low = make_object("Table", (0, 0.2, 1), (1.0, 0.2, 1.0))
    far = make_object("Vase", (3.0, 0.9, 1.0), (0.1, 0.3, 0.1), affordances=PORTABLE)
    assert "Vase" not in _occluder_types(low, far)


def test_unreachable_object_has_no_occluders():
    mug = make_object("Mug", (0, 0.9, 9), (0.1, 0.1, 0.1), affordances=PORTABLE)
    box = make_object("Box", (0, 0.9, 8), (0.6, 0.6, 0.1), affordances=PORTABLE)
    assert find_occluders(Geometry([mug, box]), 0, _poses(), AGENT) == ()
