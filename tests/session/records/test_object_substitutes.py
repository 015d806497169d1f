"""Pieces of a world that substitute for recorded pieces which it does not have."""

from dataclasses import replace

from tatc.home.state import ObjectState, Snapshot
from tatc.session.records.game import ObjectSubstitutes
from tests.session.records.sample_record import COMMANDER, FOLLOWER, make_object

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
