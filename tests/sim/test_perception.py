"""Views: what is in view, numbers, and a frame that does not tell where the world's origin is."""

from dataclasses import replace

import numpy as np
import pytest

from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.camera.rays import Eye
from tatc.home.camera.views import TracedView
from tatc.home.percepts import MIN_TRUTH_PIXELS, VIEW_SIDE_PIXELS, PerceptionLevel, View
from tatc.home.state import ABSENT, AgentState, Box, ObjectState, Scene, Snapshot
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception
from tests.sim.box_kitchen import kitchen

WITHIN_THEIR_BOXES = {"Bread", "Egg", "Fridge", "Microwave", "Mug", "Potato", "Toaster", "Tomato"}
LOOK_AROUND = (Verb.TURN_RIGHT, Verb.FORWARD, Verb.LOOK_DOWN, Verb.TURN_RIGHT, Verb.BACKWARD)


def begin(
    scene: Scene, level: PerceptionLevel = PerceptionLevel.TRUTH
) -> tuple[EmbeddedSimulator, Perception]:
    sim = EmbeddedSimulator()
    return sim, Perception(sim, level, sim.reset(scene).follower)


def look(perception: Perception) -> View:
    view = perception.view()
    assert view is not None
    return view


def views_of(scene: Scene, level: PerceptionLevel = PerceptionLevel.TRUTH) -> list[View]:
    sim, perception = begin(scene, level)
    views = [look(perception)]
    for verb in LOOK_AROUND:
        assert sim.step(Role.FOLLOWER, Action(verb)).success
        views.append(look(perception))
    return views


def moved(scene: Scene, dx: float, dy: float, dz: float) -> Scene:
    """Return the same room elsewhere in the world, with other ids."""

    def shifted(obj: ObjectState) -> ObjectState:
        x, y, z = obj.position
        names = {"objectId": f"{obj.objectId}|moved", "name": "moved"}
        parents = obj.parentReceptacles
        if parents is not None:
            parents = tuple(f"{parent}|moved" for parent in parents)
        box = obj.box.translate(dx, dy, dz)
        place = (x + dx, y + dy, z + dz)
        return replace(obj, box=box, position=place, parentReceptacles=parents, **names)

    def walked(agent: AgentState) -> AgentState:
        x, y, z = agent.position
        return replace(agent, position=(x + dx, y + dy, z + dz))

    start = scene.initial
    objects = [shifted(obj) for obj in start.objects]
    snapshot = Snapshot.from_objects(objects, walked(start.commander), walked(start.follower))
    return replace(scene, initial=snapshot)


def turned(scene: Scene, quarters: int) -> Scene:
    """Return a scene in which the Follower starts turned by quarters to the right."""
    start = scene.initial
    body = replace(start.follower, yaw=90.0 * quarters)
    return replace(scene, initial=Snapshot.from_objects(start.objects, start.commander, body))


def seen_types(view: View) -> set[str]:
    return {each.object_type for each in view.percepts}


def test_a_pixel_shows_what_its_own_ray_hits_at_its_distance():
    sim, perception = begin(kitchen())
    view, snapshot = look(perception), sim.snapshot()
    world = sim._world_state
    assert world is not None
    eye = eye_of(snapshot.follower)
    for row in range(2, VIEW_SIDE_PIXELS, 9):
        for column in range(1, VIEW_SIDE_PIXELS, 7):
            hit = world.geometry.cast_ray(eye, eye.ray(column, row, VIEW_SIDE_PIXELS))
            place = view.pixels[row, column]
            if hit is None:
                assert place == -1 and np.isfinite(view.depth[row, column])  # a wall
            elif place >= 0:
                assert view.percepts[place].object_type == snapshot.objects[hit.index].objectType
                assert view.depth[row, column] == pytest.approx(hit.distance)


def test_only_what_fills_enough_pixels_is_perceived():
    for view in views_of(kitchen()):
        assert view.percepts
        for place, percept in enumerate(view.percepts):
            assert percept.pixel_count == (view.pixels == place).sum() >= MIN_TRUTH_PIXELS


@pytest.mark.parametrize("quarters", range(4))
def test_boxes_depths_and_odometry_are_in_one_frame(quarters: int):
    views = views_of(turned(kitchen(), quarters))
    assert views[0].body == AgentState((0.0, 0.0, 0.0), 0.0, 30.0)
    assert views[1].body == AgentState((0.0, 0.0, 0.0), 90.0, 30.0)
    assert views[2].body.position == (0.25, 0.0, 0.0)
    checked: set[str] = set()
    for view in views:
        eye = eye_of(view.body)
        for place, percept in enumerate(view.percepts):
            if percept.object_type not in WITHIN_THEIR_BOXES:
                continue
            row, column = np.argwhere(view.pixels == place)[0].tolist()
            checked.add(percept.object_type)
            assert is_in_box(eye, column, row, view.depth[row, column], percept.state.box)
    assert len(checked) >= 3


def is_in_box(eye: Eye, column: int, row: int, distance: float, box: Box) -> bool:
    ray = np.array(eye.ray(column, row, VIEW_SIDE_PIXELS))
    point = np.array(eye.position) + distance * ray / np.linalg.norm(ray)
    low, high = (np.array(corner) for corner in box.bounds())
    return bool(((low - 1e-6 <= point) & (point <= high + 1e-6)).all())


def test_the_same_room_elsewhere_in_the_world_gives_the_same_views():
    home = views_of(kitchen())
    for here, there in zip(home, views_of(moved(kitchen(), 16.0, 0.0, -8.0)), strict=True):
        assert here.body == there.body
        assert (here.pixels == there.pixels).mean() > 0.999
        assert [each.number for each in here.percepts] == [each.number for each in there.percepts]
        for one, other in zip(here.percepts, there.percepts, strict=True):
            assert one.state.objectId == other.state.objectId == one.state.name
            assert one.state.position == pytest.approx(other.state.position)
            assert one.state.box.center == pytest.approx(other.state.box.center, abs=0.05)


def test_an_object_keeps_the_number_of_its_first_sight():
    views = views_of(kitchen())
    assert [each.number for each in views[0].percepts] == [*range(1, len(views[0].percepts) + 1)]
    by_number: dict[int, str] = {}
    for percept in (each for view in views for each in view.percepts):
        assert by_number.setdefault(percept.number, percept.object_type) == percept.object_type
        assert percept.state.objectId == f"{percept.object_type}|{percept.number}"
    assert len(by_number) > len(views[0].percepts)


def test_what_holds_what_is_for_the_follower_to_find_out():
    for percept in look(begin(kitchen())[1]).percepts:
        state = percept.state
        assert state.parentReceptacles is None and state.controlledObjects is None
        teach = (state.simbotObjectClass, state.simbotLastParentReceptacle)
        assert {*teach, state.simbotIsReceptacleOf} == {ABSENT}
        assert (state.mass, state.salientMaterials) == (0.0, ())


def test_masks_give_types_and_pixels_alone_and_link_no_views():
    for view in views_of(kitchen(), PerceptionLevel.MASKS):
        assert [each.number for each in view.percepts] == [*range(len(view.percepts))]
        assert {each.state for each in view.percepts} == {None}
    assert begin(kitchen(), PerceptionLevel.MASKS)[1].number_of("Mug|1|2|3") is None


def test_what_is_shut_in_or_held_is_not_in_view():
    sim, perception = begin(turned(kitchen(), 0))
    assert "SaltShaker" not in seen_types(look(perception))  # it lies in the drawer
    assert "Mug" in seen_types(look(perception))
    mug = next(obj for obj in sim.snapshot().objects if obj.objectType == "Mug")
    x, y, _ = eye_of(sim.snapshot().follower).project(mug.box.center)
    assert sim.step(Role.FOLLOWER, Action(Verb.PICKUP, Click(x, y))).success
    assert "Mug" not in seen_types(look(perception))


def test_the_box_of_the_floor_is_what_of_it_is_in_view():
    [floor] = [p for p in look(begin(kitchen())[1]).percepts if p.object_type == "Floor"]
    assert floor.state.position == floor.state.box.center
    width, _, depth = floor.state.box.size
    assert width < 6.0 and depth < 6.0  # those of the whole floor


def test_a_view_stays_the_same_until_something_changes():
    sim, perception = begin(kitchen())
    first = look(perception)
    assert look(perception) is first
    sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    again = look(perception)
    assert again is not first
    sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    assert [each.state for each in look(perception).percepts if each.object_type != "Floor"] == [
        each.state for each in first.percepts if each.object_type != "Floor"
    ]


def test_a_view_from_a_pose_is_made_once_while_the_home_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
):
    sim, perception = begin(kitchen())
    trace, traced = sim.trace_view, list[AgentState]()

    def counted(size: int) -> TracedView | None:
        traced.append(sim.snapshot().follower)
        return trace(size)

    monkeypatch.setattr(sim, "trace_view", counted)
    seen = [look(perception)]
    for _ in range(16):
        sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
        seen.append(look(perception))
    assert len(traced) == 4
    assert all(seen[i] is seen[i % 4] for i in range(len(seen)))
    mug = next(obj for obj in sim.snapshot().objects if obj.objectType == "Mug")
    sim.move_object(mug.objectId, (0.0, 5.0, 0.0), mug.rotation)
    assert look(perception) is not seen[0]
    assert len(traced) == 5


def test_what_is_carried_leaves_the_views_of_other_objects_as_they_are():
    sim, perception = begin(kitchen())
    [mug] = [o for o in sim.snapshot().objects if o.objectType == "Mug"]
    x, y, depth = eye_of(sim.snapshot().follower).project(mug.box.center)
    assert depth > 0.0
    before = look(perception)
    assert sim.step(Role.FOLLOWER, Action(Verb.PICKUP, Click(x, y))).success
    held = look(perception)
    assert held is not before
    sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
    look(perception)
    sim.step(Role.FOLLOWER, Action(Verb.TURN_RIGHT))
    assert look(perception) is held
    other = Perception(sim, PerceptionLevel.TRUTH, sim.snapshot().follower)
    assert look(other) is not held
