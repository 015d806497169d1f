"""A person talks with the listening Follower in a kitchen."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from tatc.commander.oracle import CommanderView, Oracle
from tatc.home.actions import PRIMITIVE_VERBS, Action, Role, Verb
from tatc.session.agents.session_setup import AgentOverrides, SessionSetup
from tatc.session.play import prepare, run_from_start
from tatc.session.session_types import SessionResult
from tatc.session.start import free_start
from tatc.tdl import Task


class Talker:
    """Says its lines when it is its turn, and `interruptions` after so many primitives."""

    decisions = ()

    def __init__(self, lines: Sequence[str], interruptions: dict[int, str] | None = None) -> None:
        self._lines, self._interruptions = list(lines), interruptions or {}
        self._asked = 0

    def begin(self, oracle: Oracle, task: Task) -> None:
        pass

    def act(self, view: CommanderView) -> Action:
        return Action(Verb.TEXT, text=self._lines.pop(0)) if self._lines else Action(Verb.STOP)

    def interject(self) -> Action | None:
        self._asked += 1
        words = self._interruptions.get(self._asked)
        return None if words is None else Action(Verb.TEXT, text=words)


def talk(*lines: str, interruptions: dict[int, str] | None = None) -> SessionResult:
    """Return the session of a person who says these lines in a small kitchen."""
    return talk_in("kitchen-01", *lines, interruptions=interruptions)


def talk_in(room: str, *lines: str, interruptions: dict[int, str] | None = None) -> SessionResult:
    """Return the session of a person who says these lines in a room."""
    setup = SessionSetup(follower="listener").with_settings(talk="person")
    agents = prepare(setup, AgentOverrides(lambda: Talker(lines, interruptions)))
    return run_from_start(free_start(room, 1), agents)[0]


def answers(result: SessionResult) -> list[str]:
    """Return what the Follower said."""
    said = (e for e in result.interactions if e.verb is Verb.TEXT and e.role is Role.FOLLOWER)
    return [each.text for each in said]


def holds(result: SessionResult) -> str:
    """Return the type of what is held at the end, "" for nothing."""
    held = result.final.held_object()
    return "" if held is None else held.objectType


def test_the_first_thing_that_is_seen_to_be_so_is_meant() -> None:
    result = talk("wash a dirty mug")
    assert "I have washed the dirty mug" in answers(result)[-1]
    assert sum(each.isDirty is True for each in result.final.of_type("Mug")) == 1  # of two


def test_single_orders_are_done_one_after_another() -> None:
    result = talk("get me a mug, then open the fridge")
    assert holds(result) == "Mug"
    assert all(each.isOpen for each in result.final.of_type("Fridge"))
    assert "pick up the mug then open the fridge" in answers(result)[1]


def test_it_is_the_thing_named_last() -> None:
    result = talk("get me a mug", "put it in the sink")
    assert holds(result) == ""
    mugs = result.final.of_type("Mug")
    assert any("Sink" in name for mug in mugs for name in mug.parentReceptacles or ())


def test_it_never_quits() -> None:
    result = talk(*["asdf qwer"] * 12, "get me a mug")
    assert holds(result) == "Mug"


def test_words_without_a_meaning_are_quoted() -> None:
    (_, reply) = answers(talk("fly to the moon"))
    assert '"fly to the moon"' in reply and "I could" in reply


@pytest.mark.parametrize("said", ["stop!", "wait a second"])
def test_stop_stops_before_the_next_primitive(said: str) -> None:
    result = talk("wash all the plates", interruptions={12: said})
    at = next(i for i, each in enumerate(result.interactions) if each.text == said)
    after = result.interactions[at + 1 :]
    assert not any(each.verb in PRIMITIVE_VERBS for each in after)
    done = [each for each in result.interactions if each.verb in PRIMITIVE_VERBS]
    assert 0 < len(done) < 12


def test_what_means_nothing_does_not_make_it_go_on() -> None:
    result = talk("asdf qwer", interruptions={1: "wash all the plates", 8: "stop"})
    assert '"asdf qwer"' in answers(result)[-1]


def test_go_on_goes_on() -> None:
    result = talk("get me a mug", "go on", interruptions={4: "stop"})
    assert holds(result) == "Mug"


def test_what_was_cancelled_is_not_done() -> None:
    result = talk("wash all the plates", "open the fridge", interruptions={6: "never mind"})
    assert result.final.of_type("Fridge")[0].isOpen
    assert not any("washed" in each for each in answers(result))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("what are you holding?", "mug"),
        ("where is it?", "in my hand"),
        ("where is the fridge?", "fridge"),
        ("have you found a mug?", "in my hand"),
        ("where are you?", "at the"),
        ("what do you see?", "see"),
        ("are you done?", "Yes"),
        ("what are you doing?", "Nothing"),
        ("where is the sofa?", "not seen any sofa"),
        ("where is the gizmo?", "gizmo"),
        ("what can you do?", "coffee"),
        ("thanks", "welcome"),
        ("you idiot", "sorry"),
        ("wyd rn", "Nothing"),
        ("whereabouts have you gotten to, my dear?", "at the"),
    ],
)
def test_it_answers_from_what_it_believes(asked: str, told: str) -> None:
    assert told in answers(talk("get me a mug", asked))[-1]


def test_the_same_is_not_said_twice_in_a_row() -> None:
    said = answers(talk(*["hello"] * 4, *["asdf"] * 4, *["where are you?"] * 4))
    assert all(first != second for first, second in pairwise(said))


def test_goodbye_ends_the_session_with_what_was_done() -> None:
    result = talk("get me a mug", "goodbye", "open the fridge")
    assert answers(result)[-1].endswith("I have picked up the mug.")
    assert not result.final.of_type("Fridge")[0].isOpen


@pytest.mark.parametrize("meant", ["no, a cup", "not the mug, a cup", "a cup instead"])
def test_a_correction_puts_what_is_meant_in_the_place_of_the_last_order(meant: str) -> None:
    result = talk("get me a mug", interruptions={3: meant})
    assert holds(result) == "Cup"
    assert any("pick up the cup" in each for each in answers(result))


def test_what_is_denied_is_not_done() -> None:
    result = talk("get me a mug and open the fridge", interruptions={3: "don't open the fridge"})
    assert holds(result) == "Mug"
    assert not result.final.of_type("Fridge")[0].isOpen


def test_what_cannot_be_found_is_asked_for_and_does_not_hold_up_the_rest() -> None:
    result = talk("get me a basketball", "why?", "open the fridge")
    lost, why = answers(result)[-4:-2]
    assert "basketball" in lost and lost.endswith("?")
    assert why == lost
    assert result.final.of_type("Fridge")[0].isOpen


def test_a_dish_is_asked_about_and_made() -> None:
    said = answers(talk("make a salad with lettuce and one slice of tomato", "two slices"))
    assert "How many slices of lettuce would you like?" in said
    assert "2 slices of lettuce" in said[-1] and said[-1].startswith(("I have", "Done"))


def test_two_sessions_are_alike() -> None:
    lines = "get me a mug", "put it down", "what do you see?", "make coffee"
    assert talk(*lines).interactions == talk(*lines).interactions


def parents(result: SessionResult, kind: str) -> set[str]:
    """Return the types of what objects of a type are in or on at the end."""
    found = result.final.of_type(kind)
    return {name.split("|")[0] for each in found for name in each.parentReceptacles or ()}


def test_what_is_ordered_after_stop_takes_the_place_of_what_was_stopped() -> None:
    result = talk("wash all the plates", "open the fridge", interruptions={6: "stop"})
    assert "opened the fridge" in answers(result)[-1]
    assert result.final.of_type("Fridge")[0].isOpen
    assert not any(each.verb is Verb.PICKUP for each in result.interactions)


def test_go_on_returns_once_to_what_was_left_for_another_order() -> None:
    lines = "open the fridge", "go on", "go on"
    said = answers(talk("open a drawer", *lines, interruptions={2: "stop"}))
    assert sum("opened the drawer" in each for each in said) == 1
    assert "go on with" in said[-1] or "nothing left to do" in said[-1]


def test_what_was_left_for_another_order_can_be_forgotten() -> None:
    lines = "open the fridge", "forget it", "go on"
    result = talk("open a drawer", *lines, interruptions={2: "stop"})
    assert not any(each.isOpen for each in result.final.of_type("Drawer"))


def test_what_cannot_be_done_does_not_hold_up_the_rest() -> None:
    result = talk("find a basketball, then open the fridge")
    assert result.final.of_type("Fridge")[0].isOpen
    assert any("cannot find any basketball" in each for each in answers(result))


def test_it_tells_how_many_of_several_it_found() -> None:
    said = answers(talk("wash three plates"))
    assert any("only two of three plates" in each for each in said)


def test_a_thing_is_put_back_where_it_was() -> None:
    result = talk("get me a mug", "put it back")
    taken = next(each for each in result.interactions if each.verb is Verb.PICKUP)
    before, after = (
        next(each for each in moment.objects if each.objectId == taken.object_id)
        for moment in (result.start, result.final)
    )
    assert not after.isPickedUp
    assert {*(after.parentReceptacles or ())} & {*(before.parentReceptacles or ())}


def test_where_to_put_a_thing_is_asked_and_answered() -> None:
    result = talk("get me a mug", "put it away", "on the table")
    assert "Where shall I put the mug?" in answers(result)
    assert "DiningTable" in parents(result, "Mug")


def test_another_one_is_another_one() -> None:
    result = talk("open a drawer", "open another drawer")
    opened = {each.object_id for each in result.interactions if each.verb is Verb.OPEN}
    assert len(opened) == 2 and all("Drawer" in (each or "") for each in opened)


def test_two_things_are_put_together_since_it_has_one_hand() -> None:
    result = talk("bring me two forks")
    assert "one thing at a time" in answers(result)[1] and holds(result) == ""
    assert parents(result, "Fork") == {"CounterTop"} and len(result.final.of_type("Fork")) > 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("open the window", "cannot open the window"),
        ("make toast and knit me a cardigan", "knit me a cardigan"),
        ("get me a mug and knit me a cardigan", "knit me a cardigan"),
        ("tidy up a bit", '"tidy up a bit"'),
        ("get me the red cup", "cannot tell which cup is red"),
        ("get me another mug that i can use", "mug"),
    ],
)
def test_what_it_leaves_out_is_told(said: str, told: str) -> None:
    assert any(told in each for each in answers(talk(said, interruptions={2: "stop"})))


def test_what_a_thing_is_for_tells_it() -> None:
    assert holds(talk("get me something to cut bread with")) in ("Knife", "ButterKnife")


def test_hints_and_other_words_are_orders_too() -> None:
    assert holds(talk("i could really do with a mug")) == "Mug"
    assert all(each.isOpen for each in talk("the fridge should be open").final.of_type("Fridge"))


def test_all_of_what_is_not_there_is_not_said_to_be_found() -> None:
    said = answers(talk_in("FloorPlan401", "find all the forks"))[-1]
    assert "fork" in said and "found" not in said


def test_which_of_several_is_meant_is_asked() -> None:
    lines = "go to the counter", "get the knife", "get the mug", "the one in the coffee machine"
    result = talk_in("FloorPlan1", *lines)
    question = next(each for each in answers(result) if "Which mug" in each)
    assert "the one on the counter top" in question and "in the coffee machine" in question
    taken = [each.object_id for each in result.interactions if each.verb is Verb.PICKUP][-1]
    before = next(each for each in result.start.objects if each.objectId == taken)
    assert any("CoffeeMachine" in name for name in before.parentReceptacles or ())


@pytest.mark.parametrize("answer", ["no", "none of them", "open the fridge and close it"])
def test_what_was_not_told_which_is_not_done(answer: str) -> None:
    lines = "go to the counter", "get the knife", "throw the mug away", answer, "open the fridge"
    result = talk_in("FloorPlan1", *lines)
    assert any("Which mug" in each for each in answers(result))
    assert any(each.startswith("I will not throw away the mug.") for each in answers(result))
    assert not any("GarbageCan" in name for name in parents(result, "Mug"))
    assert result.final.of_type("Fridge")[0].isOpen


def test_which_of_several_may_be_told_after_something_else() -> None:
    lines = "go to the counter", "get the knife", "get the mug", "hold on a second", "the first one"
    result = talk_in("FloorPlan1", *lines)
    assert holds(result) == "Mug"
    assert any('Say "go on"' in each or "waiting" in each for each in answers(result))


def test_a_question_about_a_dish_is_asked_again_after_another_order() -> None:
    result = talk("make a salad", "open the fridge")
    said = answers(result)
    assert said.count("What shall I put in it?") == 2
    assert result.final.of_type("Fridge")[0].isOpen


def test_a_thing_is_put_beside_what_has_yet_to_be_found() -> None:
    assert "CounterTop" in parents(talk("put the mug next to the toaster"), "Mug")


def test_a_slice_is_what_was_cut() -> None:
    result = talk("slice the bread and put one slice on the plate")
    assert "Plate" in parents(result, "BreadSliced")


@pytest.mark.parametrize(
    ("asked", "told"),
    [("how many mugs are there?", "a mug"), ("how many plates are in the sink?", "no plates in")],
)
def test_how_many_is_a_number(asked: str, told: str) -> None:
    assert told in answers(talk("get a mug", asked))[-1]


def test_them_is_what_was_named_last() -> None:
    lines = "get me a mug", "get a fork and a spoon", "put them on the table"
    result = talk(*lines, interruptions={1: "stop"})
    assert any("put the fork on the table then put the spoon" in each for each in answers(result))
    assert not any("put the mug" in each for each in answers(result))
