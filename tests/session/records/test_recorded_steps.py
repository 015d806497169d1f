"""A recorded session as attempts that can be repeated, in a world with other pieces too."""

from dataclasses import replace
from pathlib import Path

from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.state import AgentState, ObjectState, Snapshot
from tatc.session.records import COMMANDER_POSE, Interaction, logged_pose, read_game, write_record
from tatc.session.records.game import (
    ObjectSubstitutes,
    RecordedAttempt,
    RecordedResult,
    agent_state_at,
    recorded_steps,
)
from tests.session.records.sample_record import (
    COMMANDER,
    FOLLOWER,
    make_object,
    sample_final,
    sample_objects,
    sample_record,
)

AHEAD = replace(FOLLOWER, position=(1.25, 0.9, -0.75))


def _steps_of(folder: Path, *interactions: Interaction, final: Snapshot | None = None):
    path = folder / "steps.game.json"
    changed = {"interactions": interactions, "final": final or sample_final()}
    write_record(sample_record(**changed), path)
    return recorded_steps(read_game(path))


def test_each_attempt_has_the_pose_before_it(tmp_path: Path) -> None:
    mug, click = sample_objects()[2].objectId, Click(0.5, 0.25)
    you, me = Role.COMMANDER, Role.FOLLOWER
    turned = replace(AHEAD, yaw=0.0)
    steps = _steps_of(
        tmp_path,
        Interaction(me, Verb.TEXT, 0.1, True, text="hello"),
        Interaction(you, Verb.FORWARD, 0.2, True, pose=COMMANDER_POSE),
        Interaction(me, Verb.FORWARD, 0.3, True, pose=logged_pose(AHEAD)),
        Interaction(me, Verb.PAN_LEFT, 0.4, False, pose=logged_pose(AHEAD)),
        Interaction(me, Verb.TURN_RIGHT, 0.5, True, pose=logged_pose(turned)),
        Interaction(me, Verb.PICKUP, 0.6, True, click=click, object_id=mug),
        Interaction(me, Verb.PLACE, 0.7, False, click=click),
    )
    assert steps == (
        (RecordedAttempt(2, Verb.FORWARD, FOLLOWER), RecordedResult(True, None)),
        (RecordedAttempt(3, Verb.PAN_LEFT, AHEAD), RecordedResult(False, None)),
        (RecordedAttempt(5, Verb.PICKUP, turned, click), RecordedResult(True, mug)),
        (RecordedAttempt(6, Verb.PLACE, turned, click), RecordedResult(False, None)),
    )
    assert [attempt.is_translation for attempt, _ in steps] == [True, True, False, False]
    assert steps[2][0].action == Action(Verb.PICKUP, click)


def test_a_slice_says_how_the_whole_lay_at_the_end(tmp_path: Path) -> None:
    cut = make_object("Bread", (0.2, 0.9, -1.4), (0.1, 0.1, 0.3), "pickupable", isSliced=True)
    cut = replace(cut, rotation=(0.0, 40.0, 0.0))
    whole = make_object("Tomato", (0.5, 0.9, -1.4), (0.1, 0.1, 0.1), "pickupable")
    final = Snapshot.from_objects((*sample_objects(), cut, whole), COMMANDER, FOLLOWER)
    click = Click(0.5, 0.5)
    entries = [
        Interaction(Role.FOLLOWER, verb, 0.1, True, click=click, object_id=found)
        for verb, found in (
            (Verb.SLICE, cut.objectId),
            (Verb.SLICE, whole.objectId),
            (Verb.SLICE, "Lettuce|0|0|0"),
            (Verb.SLICE, None),
            (Verb.PICKUP, cut.objectId),
        )
    ]
    found = [result.sliced_pose for _, result in _steps_of(tmp_path, *entries, final=final)]
    assert found == [(cut.position, (0.0, 40.0, 0.0)), None, None, None, None]


def test_a_logged_pose_is_read_as_it_was_logged() -> None:
    for yaw in (0.0, 90.0, 180.0, 270.0):
        agent = AgentState((2.75, 0.9, -1.75), yaw, -30.0)
        assert agent_state_at(logged_pose(agent)) == agent


BREAD = "Bread|+00.00|+00.90|-01.40"


def _piece(number: int, whole: str = BREAD, kind: str = "BreadSliced", **known) -> ObjectState:
    made = make_object(kind, (0.0, 0.9, -1.4), (0.1, 0.1, 0.02), "pickupable", **known)
    return replace(made, objectId=f"{whole}|{kind}_{number}")


def _world(*objects: ObjectState) -> Snapshot:
    return Snapshot.from_objects(objects, COMMANDER, FOLLOWER)


def _id(number: int) -> str:
    return _piece(number).objectId


def test_missing_pieces_get_the_last_free_ones_and_keep_them() -> None:
    world = _world(*(_piece(i) for i in range(1, 4)))
    substitutes = ObjectSubstitutes()
    assert substitutes.object_id_in(_id(2), world) == _id(2)
    assert substitutes.object_id_in(_id(8), world) == _id(3)
    assert substitutes.object_id_in(_id(9), world) == _id(2)
    assert substitutes.object_id_in(_id(8), world) == _id(3)
    # More are missing than there are: the last one again.
    assert substitutes.object_id_in(_id(10), world) == _id(1)
    assert substitutes.object_id_in(_id(11), world) == _id(3)


def test_other_objects_held_pieces_and_wholes_are_no_substitutes() -> None:
    other = _piece(5, whole="Bread|+01.00|+00.90|-01.40")
    held = _piece(3, isPickedUp=True)
    world = _world(_piece(1), other, held, make_object("Mug", (0, 0.9, 0), (0.1, 0.1, 0.1)))
    substitutes = ObjectSubstitutes()
    assert substitutes.object_id_in(_id(8), world) == _id(1)
    assert substitutes.object_id_in("Mug|9|9|9", world) is None
    assert substitutes.object_id_in(f"{BREAD}|TomatoSliced_1", world) is None
    assert ObjectSubstitutes().object_id_in(_id(8), _world(other)) is None
