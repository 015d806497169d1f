"""What a person says is done with the things that they mean, and nothing is done for a question."""

from collections.abc import Sequence

import pytest

from tatc.home.actions import PRIMITIVE_VERBS, Role, Verb
from tatc.session.session_types import SessionResult
from tests.follower.listener.test_conversation import answers, holds, parents, talk, talk_in

MOTIONS = frozenset(PRIMITIVE_VERBS) - {
    *(Verb.PICKUP, Verb.PLACE, Verb.OPEN, Verb.CLOSE, Verb.TOGGLE_ON, Verb.TOGGLE_OFF),
    *(Verb.SLICE, Verb.POUR),
}


def met(result: SessionResult, verb: Verb) -> list[str]:
    """Return the ids of what the Follower did something with, in order."""
    done = (e for e in result.interactions if e.role is Role.FOLLOWER and e.verb is verb)
    return [each.object_id or "" for each in done if each.success]


def touches(result: SessionResult) -> list[Verb]:
    """Return what the Follower did beside moving and speaking."""
    return [e.verb for e in result.interactions if e.verb in PRIMITIVE_VERBS - MOTIONS]


@pytest.mark.parametrize(
    "lines",
    [
        ["open the drawer and put the fork in it and close it"],
        ["open a drawer", "put the fork in it", "close the drawer"],
        ["open the drawer", "put a fork in there", "shut it"],
        ["open the cabinet, put the cup in it, then close the cabinet"],
    ],
)
def test_it_and_the_place_are_those_that_were_used(lines: Sequence[str]) -> None:
    result = talk(*lines)
    (opened,), (filled,), (closed,) = (
        met(result, verb) for verb in (Verb.OPEN, Verb.PLACE, Verb.CLOSE)
    )
    assert opened == filled == closed


@pytest.mark.parametrize(
    "lines",
    [
        ["put the tomato in the fridge, then bring it back to me"],
        ["put the tomato in the fridge and then get it out again"],
        ["put the tomato in the sink", "give it to me"],
    ],
)
def test_what_comes_after_something_was_put_away_is_done(lines: Sequence[str]) -> None:
    result = talk(*lines)
    assert holds(result) == "Tomato" and Verb.PLACE in touches(result)


@pytest.mark.parametrize(
    ("order", "question", "told"),
    [
        ("turn on the stove", "is the stove on?", "one of them on|two of them on"),
        ("turn on the faucet", "is the tap running?", "Yes"),
        ("heat a mug", "is the mug hot?", "Yes|one of them hot"),
        ("cool the tomato", "is the tomato cold?", "Yes"),
        ("open the fridge", "why is the fridge open?", "I have opened the fridge"),
        ("close the fridge", "why is the fridge shut?", "not I|do not know"),
        ("get a mug", "who left the fridge open?", "fridge"),
        ("get a mug", "what is under the sink?", "Near the sink"),
        ("get a mug", "why is the door open?", "no door"),
        ("wash a mug", "why is the mug dirty?", "do not know"),
        ("wash a mug", "why is it clean?", "I have washed the mug"),
        ("put a fork in the sink", "why is the fork dirty?", "do not know"),
        ("make a coffee", "why is the mug full?", "I have done this: coffee"),
    ],
)
def test_a_question_is_answered_from_what_was_done_and_nothing_is_done(
    order: str, question: str, told: str
) -> None:
    before, result = talk(order), talk(order, question)
    assert any(each in answers(result)[-1] for each in told.split("|"))
    assert touches(result) == touches(before)


@pytest.mark.parametrize("said", ["put the plate on the table", "set a cup on a table"])
def test_where_no_table_is_one_is_soon_told_and_asked(said: str) -> None:
    result = talk_in("FloorPlan1", said)
    assert "no table" in answers(result)[-1] and "counter top" in answers(result)[-1]
    assert not touches(result) and len(result.interactions) < 100


@pytest.mark.parametrize("answer", ["yes", "the counter", "on the counter top please"])
def test_the_place_that_was_offered_is_taken(answer: str) -> None:
    result = talk_in("FloorPlan2", "put the plate on the table", answer)
    assert parents(result, "Plate") & {"CounterTop"}
    assert "I have put the plate on the counter top" in answers(result)[-1]


@pytest.mark.parametrize(
    ("said", "verb", "most"),
    [
        ("heat the potato", Verb.TOGGLE_ON, 1),
        ("warm up the apple", Verb.TOGGLE_ON, 1),
        ("cool the tomato", Verb.CLOSE, 1),
    ],
)
def test_an_appliance_is_used_once(said: str, verb: Verb, most: int) -> None:
    result = talk(said)
    assert "I have" in answers(result)[-1]
    assert touches(result).count(verb) <= most


def test_a_lamp_out_of_reach_is_told_and_no_drawer_is_opened() -> None:
    result = talk_in("FloorPlan310", "turn on the lamp")
    assert "cannot reach" in answers(result)[-1]
    assert Verb.OPEN not in touches(result)


@pytest.mark.parametrize(
    "lines",
    [
        ["make me a coffee", "bring it to me", "put it on the table"],
        ["make a coffee", "put the mug on the table"],
    ],
)
def test_what_was_made_is_meant_afterwards(lines: Sequence[str]) -> None:
    result = talk(*lines)
    (filled,) = [each for each in result.final.of_type("Mug") if each.simbotIsFilledWithCoffee]
    assert any("DiningTable" in each for each in filled.parentReceptacles or ())


def test_of_several_the_one_that_wants_it_is_meant() -> None:
    result = talk("open a drawer", "open a cabinet", "close the drawer", "close the cabinet")
    assert met(result, Verb.OPEN) == met(result, Verb.CLOSE)


def test_what_was_put_down_is_put_elsewhere() -> None:
    result = talk_in("living-room-01", "get the remote", "put it down", "on the sofa")
    assert parents(result, "RemoteControl") & {"Sofa"}


def test_what_stands_in_for_a_place_on_the_floor_is_told() -> None:
    result = talk_in("bathroom-01", "where is the toilet?", "put the plunger next to the toilet")
    assert not parents(result, "Plunger") & {"Toilet"}
    assert any("nearest to the toilet" in each or "next to" in each for each in answers(result))


@pytest.mark.parametrize("said", ["no, the other drawer", "another drawer, I meant"])
def test_the_other_place_is_not_the_one_that_was_used(said: str) -> None:
    result = talk_in("kitchen-04", "put a fork in the drawer", said)
    first, second = met(result, Verb.PLACE)
    assert first != second and second.startswith("Drawer")


def test_the_thing_that_is_meant_does_not_change_while_it_is_dealt_with() -> None:
    result = talk("wash the mug", "any")
    assert sum(each.isDirty is False for each in result.final.of_type("Mug")) >= 1
    assert len(set(met(result, Verb.PICKUP))) == 1


def test_what_is_near_a_thing_is_neither_that_thing_nor_what_is_held() -> None:
    lines = ("what is near the lamp?", "get the laptop", "what is near the desk?")
    lamp, *_, desk = answers(talk_in("bedroom-01", *lines))[1:]
    assert "a desk" in lamp and "lamp." not in lamp
    assert "a bowl" in desk and "laptop" not in desk
    told = answers(talk_in("bathroom-01", "what is near the toilet?"))[-1]
    assert told == "I have seen nothing near the toilet."


@pytest.mark.parametrize(
    ("said", "told"),
    [("put two plates on the table", "2 plates"), ("put all the plates on the table", "all the")],
)
def test_the_place_that_was_offered_is_taken_for_all_that_was_meant(said: str, told: str) -> None:
    found = answers(talk_in("FloorPlan2", said, "yes"))
    assert any(f"put {told}" in each and "counter top" in each for each in found)


@pytest.mark.parametrize(
    "lines",
    [
        ["put a fork in the fridge", "put a spoon in the other fridge"],
        ["put a fork in the fridge and a spoon in the other fridge"],
    ],
)
def test_where_all_places_were_used_none_is_taken_for_another(lines: Sequence[str]) -> None:
    result = talk(*lines)
    assert len(met(result, Verb.PLACE)) == 1
    assert "any fridge like that" in answers(result)[-1]


def test_the_one_that_wants_it_is_meant_before_the_one_used_last() -> None:
    result = talk("open a drawer", "open another drawer", "close the drawer", "close the drawer")
    assert sorted(met(result, Verb.OPEN)) == sorted(met(result, Verb.CLOSE))
    assert len(met(result, Verb.OPEN)) == 2


def test_what_is_in_the_hand_is_not_out_of_reach() -> None:
    told = answers(talk("pick up the knife", "put it in the toaster"))[-1]
    assert "could not put the knife" in told and "cannot reach" not in told
