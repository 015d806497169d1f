"""Where to click and to stand so that a held object finds a place, and which piece to take."""

from dataclasses import replace

from tatc.commander.candidates import candidate_objects
from tatc.commander.knowledge import Knowledge, kinds_named_in
from tatc.commander.plan_builder import PlanBuilder
from tatc.commander.skills.free_space import fewest_to_clear, has_free_room
from tatc.commander.skills.placing_clicks import placing_preferences
from tatc.home.actions import Verb
from tatc.home.state import AgentState, ObjectState, Pose, Snapshot, Vec3
from tatc.planners.snapshot_view import SnapshotView
from tatc.tdl import ProblemKey, shipped_library
from tests.commander.test_plan_builder import open_kitchen
from tests.sim.box_kitchen import make_object, with_parents

AGENT = AgentState((0, 0.9, 0), 0, 30)
PLATE = make_object("Plate", (0, 0.9, 0), (0.2068, 0.1112, 0.2105), mass=0.62)
EYE: Vec3 = (0.0, 1.6, 0.0)


def _know(*objects: ObjectState) -> Knowledge:
    """Return knowledge of a home with nothing but these objects."""
    _, known, _ = open_kitchen()
    known.view = SnapshotView(Snapshot.from_objects(list(objects), AGENT, AGENT))
    return known


def _key(obj: ObjectState, desired: str = "Plate") -> ProblemKey:
    return ProblemKey(obj.objectId, obj.objectType, "a", "parentReceptacles", desired)


def test_first_piece_leaves_room_for_what_the_task_still_wants():
    """A lettuce slice in the middle would leave no room for this slice of bread."""
    slim = make_object("LettuceSliced", (2, 0.9, 2), (0.12, 0.11, 0.01))
    broad = make_object("BreadSliced", (3, 0.9, 3), (0.1, 0.11, 0.07))
    known = _know(PLATE, slim, broad)
    builder = PlanBuilder(known)
    middle, side = (0.0, 0.91, 0.0), (0.0, 0.91, -0.05)
    first = placing_preferences(builder, PLATE, slim)[0].scorer
    assert first is not None and first(middle, EYE) >= 0.0, "nothing else is wanted there"
    known.open_keys = (_key(broad),)
    first = placing_preferences(builder, PLATE, slim)[0].scorer
    assert first(middle, EYE) < 0.0 <= first(side, EYE)
    known.open_keys = (_key(broad, "Bowl"),)
    other = placing_preferences(builder, PLATE, slim)[0].scorer
    assert other is not None and other(middle, EYE) >= 0.0, "that is wanted elsewhere"


def test_a_pose_is_near_a_free_point_and_nearer_after_a_refusal():
    table = make_object("DiningTable", (0, 0, 0), (1.6, 0.8, 0.6))
    lamp = with_parents(make_object("SaltShaker", (-0.35, 0.8, 0), (0.88, 0.2, 0.6)), table)
    mug = make_object("Mug", (2, 0.9, 2), (0.1, 0.1, 0.1))
    known = _know(table, lamp, mug)
    builder = PlanBuilder(known)
    liked, any_pose = placing_preferences(builder, table, mug)
    assert any_pose.stand is None, "if nothing else is left"
    assert liked.stand(Pose(2.1, 0.0, 270.0, 30.0))
    assert not liked.stand(Pose(-1.5, 0.0, 90.0, 30.0)), "all free points are at the other end"
    action_key = known.action_type_key(builder.action_key(Verb.PLACE, table))
    known.memory.refusal_counts_by_type[action_key] += 1
    nearer = placing_preferences(builder, table, mug)[0].stand
    assert not nearer(Pose(2.1, 0.0, 270.0, 30.0)) and nearer(Pose(1.25, 0.0, 270.0, 30.0))


def test_an_appliance_with_one_place_has_no_room_beside_what_is_in_it():
    toaster = make_object("Toaster", (0, 0.9, 0), (0.2, 0.2, 0.3))
    slices = [make_object("BreadSliced", (x, 0.9, 1), (0.1, 0.1, 0.03)) for x in (1, 2)]
    toast = with_parents(slices[0], toaster)
    builder = PlanBuilder(_know(toaster, toast, slices[1]))
    assert not has_free_room(builder, toaster, slices[1])
    assert fewest_to_clear(builder, toaster, slices[1], lambda _: False) == (toast,)
    assert fewest_to_clear(builder, toaster, slices[1], lambda _: True) == ()
    assert has_free_room(builder, toaster, toast), "it is in its own place"
    assert has_free_room(PlanBuilder(_know(toaster, *slices)), toaster, slices[1])


def test_fewest_things_are_taken_out_of_a_dish():
    cup = with_parents(make_object("Cup", (0, 0.93, 0), (0.14, 0.1, 0.14)), PLATE)
    fork = with_parents(make_object("Fork", (0.08, 0.93, 0), (0.01, 0.01, 0.1)), PLATE)
    piece = make_object("BreadSliced", (2, 0.9, 2), (0.1, 0.1, 0.02))
    builder = PlanBuilder(_know(PLATE, cup, fork, piece))
    assert not has_free_room(builder, PLATE, piece)
    assert fewest_to_clear(builder, PLATE, piece, lambda _: False) == (cup,)
    assert fewest_to_clear(builder, PLATE, piece, lambda obj: obj is cup) == ()


def test_thin_pieces_are_taken_before_a_thick_one_unless_it_is_cooked():
    pieces = [
        make_object("PotatoSliced", (x, 0.9, 1), (0.08, 0.08, thickness))
        for x, thickness in ((0.2, 0.06), (1.0, 0.01), (2.0, 0.011))
    ]
    thick, near, far = pieces
    assert candidate_objects(_key(thick), _know(*pieces)) == (near, far, thick)
    assert candidate_objects(_key(far), _know(*pieces)) == (far, near, thick)
    cooked = replace(thick, isCooked=True)
    assert candidate_objects(_key(cooked), _know(cooked, near, far)) == (cooked,)
    held = replace(thick, isPickedUp=True)
    assert candidate_objects(_key(held), _know(held, near, far))[0] == held


def test_what_is_held_is_taken_before_what_was_meant_if_it_is_as_done():
    own, other = (make_object("Mug", (x, 0.9, 1), (0.1, 0.1, 0.1)) for x in (0.2, 2.0))
    assert candidate_objects(_key(own), _know(own, other)) == (own, other)
    held = replace(other, isPickedUp=True)
    assert candidate_objects(_key(own), _know(own, held)) == (held, own)
    cooked = replace(own, isCooked=True)
    assert candidate_objects(_key(cooked), _know(cooked, held)) == (cooked, held)


def test_a_stranger_is_what_the_task_does_not_name():
    known = _know(PLATE)
    apple = make_object("Apple", (1, 0.9, 1), (0.1, 0.1, 0.1))
    assert not known.is_stranger(apple), "while no task is known"
    task = shipped_library().compile("N Slices Of X In Y", ("2", "Tomato", "on", "Plate"))
    known.task_kinds = frozenset(kinds_named_in(task.definition))
    assert known.is_stranger(apple) and not known.is_stranger(PLATE)
    assert not known.is_stranger(make_object("TomatoSliced", (1, 0.9, 1), (0.1, 0.1, 0.01)))


def test_body_stands_where_some_point_in_a_closed_box_is_in_reach():
    """Boxes do not tell where a microwave has room, but nothing is put where no hand reaches."""
    _, known, ids = open_kitchen()
    oven, egg = known.snapshot.get(ids["Microwave"]), known.snapshot.get(ids["Egg"])
    first = placing_preferences(PlanBuilder(known), oven, egg)[0]
    x, _, z = oven.box.center
    near, far = (first.stand(Pose(x + away, z, 270.0, 0.0)) for away in (1.4, 1.7))
    assert near and not far
