"""What the pointing Follower makes of goals: what is done, where things go, and how it searches."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from hypothesis import given, strategies as st

from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import decision, floor_map, network, policy, way_ahead
from tatc.follower.learned.pointing.goal_memory import SAME_PLACE_METRES, GoalMemory
from tatc.follower.learned.pointing.instance_memory import FEATURE_COUNT, Floats, Instance
from tatc.follower.learned.pointing.pointing_follower import PointingFollower
from tatc.home.actions import INTERACTION_VERBS, Click, Verb
from tatc.language.object_names import words_for_type
from tests.follower.learned.pointing.test_pointing_follower import Home, memory_of, model

TYPES = ("Bread", "BreadSliced", "CounterTop", "CoffeeMachine", "Knife", "Mug", "Plate", "Toaster")
MIDDLE = floor_map.MIDDLE


def at(x: float, z: float) -> Floats:
    return np.array([x, 0.9, z], np.float32)


def thing(kind: str, x: float = 0.0, z: float = 0.0) -> Instance:
    return Instance(kind, at(x, z) - 0.05, at(x, z) + 0.05, 1)


def put(memory: GoalMemory, text: str, held: str, on: str, x: float = 0.0) -> None:
    memory.begin_utterance(text)
    memory.note(Verb.PLACE, thing(on), held, at(x, 0.0))


def test_what_was_put_there_by_the_same_words_or_brought_there_is_done():
    memory = GoalMemory(TYPES)
    put(memory, "bring the bread sliced to the plate", "BreadSliced", "Plate")
    put(memory, "clear away the bread sliced", "BreadSliced", "CounterTop", 2.0)
    brought, cleared, other = (thing("BreadSliced", x) for x in (0.1, 2.0, 4.0))
    assert memory.is_done(cleared) and not memory.is_done(brought)
    memory.begin_utterance("heat the bread sliced with the toaster")
    assert [memory.is_done(e) for e in (brought, cleared, other)] == [True, False, False]
    assert not memory.is_done(thing("Bread", 0.1)), "it is of another type"
    memory.begin_utterance("bring the bread sliced to the plate")
    assert memory.is_done(brought) and not memory.is_done(cleared)
    memory.note(Verb.PICKUP, brought, None, at(0.0, 0.0))
    assert not memory.is_done(brought), "it was taken away again"
    put(memory, "bring the bread sliced to the plate", "BreadSliced", "CounterTop", 6.0)
    memory.begin_utterance("heat the bread sliced with the toaster")
    assert not memory.is_done(thing("BreadSliced", 6.0)), "not where words wanted it"


def test_what_it_put_elsewhere_than_steps_say_is_not_meant():
    memory = GoalMemory(TYPES)
    put(memory, "put the bread sliced on the plate", "BreadSliced", "Plate")
    put(memory, "put the mug in the sink basin", "Mug", "Sink", 2.0)
    sliced, mug = thing("BreadSliced", 0.1), thing("Mug", 2.0)
    for text, is_done in (
        ("pick up the left bread sliced in the toaster, turn left", True),
        ("pick up the bread sliced on the plate", False),
        ("pick up the bread sliced", False),  # from anywhere
        ("pick up the mug on the counter top", False),  # of another type
        ("pick up the bread sliced in the toaster, pick up the bread sliced on the plate", False),
    ):
        memory.begin_utterance(text)
        assert memory.is_done(sliced) is is_done, text
    assert not memory.is_done(mug)
    memory.begin_utterance("pick up the mug in the sink basin")
    assert not memory.is_done(mug), "a sink and its basin are one place"


def test_told_in_goals_it_points_at_nothing_done_where_it_knows_another_of_its_type():
    home = Home()
    for text, others_left in (("wash the mug", True), ("wash the mug", False), ("walk", True)):
        follower = PointingFollower(model())
        memory = follower.memory
        follower.read(text)
        memory.look(home.view())
        mugs = thing("Mug"), thing("Mug", 3.0)
        for each in mugs[: 1 if others_left else 2]:
            memory.goals.note(Verb.PLACE, thing("CounterTop"), "Mug", each.middle)
        memory.ordered = [*mugs]
        worth = follower._policy._worth_of_aims(memory, 4, Verb.FORWARD)[2:].tolist()
        first = -np.inf if others_left and memory.goals.goals else -policy.DONE_PENALTY
        assert worth == [first, 0.0 if others_left else first], text


def test_a_knife_is_kept_where_something_is_to_be_cut():
    home = Home()
    place = decision.VERB_IDS[Verb.PLACE]
    for mode, penalty in ((InputMode.FULL, policy.KNIFE_PENALTY), (InputMode.NO_GOAL_MEMORY, 0.0)):
        follower = PointingFollower(model(), mode)
        worth = []
        for text, held in (("cut up the bread", "Knife"), ("cut up the bread", "Mug"),
                           ("wash the knife", "Knife")):  # fmt: skip
            follower.read(text)
            follower.memory.held_type = held
            seen = follower.memory.look(home.view())
            given_worth = follower._policy._given_worth(follower.memory, seen, 0, None)
            worth.append(float(given_worth[place]))
        assert worth == [-penalty, 0.0, 0.0], mode


def test_what_it_opened_after_steps_that_are_told_again_is_not_meant():
    memory = memory_of(Home())[0]
    opened = memory.ordered[0]
    texts = "open the upper cabinet", "open the upper cabinet", "open the lower cabinet"
    for text, is_done in zip(texts, (False, True, False), strict=True):
        memory.begin_utterance(text)
        assert memory.is_done(opened) is is_done
        memory.act(Verb.OPEN, opened, Click(0.5, 0.5))
        memory.note_result(True)


def test_it_asks_how_after_it_looked_in_vain():
    for mode, asks in ((InputMode.FULL, True), (InputMode.NO_QUESTIONS, False)):
        follower = PointingFollower(model(), mode)
        memory, policy = follower.memory, follower._policy
        cabinet, mug = thing("Cabinet"), thing("Mug")

        def asks_after(number: int, verb: Verb, on: Instance | None = None) -> bool:
            return policy._asks_way(memory, number, verb, on)  # noqa: B023

        follower.read("wash the mug")
        memory.look(Home().view())
        assert not asks_after(network.NOT_SEEN, Verb.FORWARD), "it did not look yet"
        assert asks_after(network.NOTHING, Verb.TEXT) is asks, "it has no idea"
        memory.done = [decision.Done(Verb.TURN_LEFT), decision.Done(Verb.OPEN, "Cabinet")] * 2
        assert asks_after(network.NOT_SEEN, Verb.FORWARD) is asks
        assert asks_after(2, Verb.OPEN, cabinet) is asks
        assert not asks_after(2, Verb.PICKUP, mug), "it sees what it needs"
        memory.done.append(decision.Done(Verb.PICKUP, "Mug"))
        assert not asks_after(network.NOT_SEEN, Verb.FORWARD), "it got on"
        assert not asks_after(network.NOTHING, Verb.TEXT)
        follower.read("walk two steps, pick up the mug")
        memory.done = [decision.Done(Verb.TURN_LEFT)] * 9
        assert not asks_after(network.NOT_SEEN, Verb.FORWARD), "told in steps"


@given(st.floats(-2, 2), st.floats(-2, 2))
def test_a_thing_is_done_where_it_was_put_and_nowhere_else(x: float, z: float):
    memory = GoalMemory(TYPES)
    put(memory, "wash the mug", "Mug", "CounterTop")
    gap = float(np.hypot(np.float32(x), np.float32(z)))
    if abs(gap - SAME_PLACE_METRES) > 1e-3:
        assert memory.is_done(thing("Mug", x, z)) is (gap < SAME_PLACE_METRES)


@pytest.mark.parametrize(
    ("text", "held", "on", "is_let"),
    [
        ("bring the mug to the counter top", "Mug", "CounterTop", True),
        ("bring the mug to the counter top", "Mug", "CoffeeMachine", False),
        ("bring the mug to the counter top", "Plate", "CoffeeMachine", True),
        ("heat the bread sliced with the toaster", "BreadSliced", "CounterTop", False),
        ("make coffee in the mug", "Mug", "CoffeeMachine", True),
        ("make coffee in the mug", "Mug", "CounterTop", False),
        ("cut up the bread", "Knife", "CounterTop", True),
        ("put the mug on the plate", "Mug", "CounterTop", True),  # no goal: steps
    ],
)
def test_what_words_say_to_bring_is_put_nowhere_else(text: str, held: str, on: str, is_let: bool):
    memory = GoalMemory(TYPES)
    memory.begin_utterance(text)
    assert memory.lets_put(held, on) is is_let


def test_what_was_put_down_and_taken_again_is_kept_until_something_else_was_done():
    memory = GoalMemory(TYPES)
    put(memory, "cut up the bread", "Knife", "CounterTop")
    memory.note(Verb.PICKUP, thing("Knife"), None, at(0, 0))
    assert not memory.lets_put("Knife", "CounterTop") and memory.lets_put("Knife", "Bread")
    memory.note(Verb.OPEN, thing("Cabinet"), "Knife", at(1, 0))
    assert memory.lets_put("Knife", "CounterTop")
    put(memory, "clear away the knife", "Knife", "CounterTop")
    assert memory.lets_put("Knife", "CounterTop"), "that is what words ask for"


def decision_of(window: floor_map.Window, looked: tuple[int, ...] = (1, 1, 1, 1)):
    numbers = np.zeros(decision.NUMBER_COUNT, np.int16)
    numbers[decision.NUMBERS["looked"]] = looked
    features = np.zeros((0, FEATURE_COUNT), np.float16)
    return decision.Decision(features, np.zeros(0, np.int16), 0, window, numbers)


def room(width: int = 9, depth: int = 9) -> floor_map.Window:
    """Return a window of a closed room that was seen; the body stands in its middle."""
    window = np.zeros((floor_map.WINDOW_SIDE,) * 2, np.uint8)
    half, deep = width // 2, depth // 2
    window[MIDDLE - deep - 1 : MIDDLE + deep + 2, MIDDLE - half - 1 : MIDDLE + half + 2] = (
        floor_map.BLOCKED
    )
    window[MIDDLE - deep : MIDDLE + deep + 1, MIDDLE - half : MIDDLE + half + 1] = (
        floor_map.FLOOR_SEEN
    )
    return window


def test_it_looks_around_and_then_goes_where_its_map_ends():
    assert way_ahead.exploring_verb(decision_of(room(), (1, 0, 0, 0))) is Verb.TURN_RIGHT
    assert way_ahead.exploring_verb(decision_of(room(), (1, 1, 1, 0))) is Verb.TURN_LEFT
    assert way_ahead.exploring_verb(decision_of(room())) is None, "all was seen"
    open_ahead, open_behind = room(), room()
    open_ahead[MIDDLE - 5, MIDDLE] = floor_map.FLOOR_SEEN
    open_behind[MIDDLE + 5, MIDDLE] = floor_map.FLOOR_SEEN
    assert way_ahead.exploring_verb(decision_of(open_ahead)) is Verb.FORWARD
    assert way_ahead.exploring_verb(decision_of(open_behind)) is Verb.TURN_RIGHT
    open_ahead[MIDDLE - 5, MIDDLE] |= floor_map.VISITED
    assert way_ahead.exploring_verb(decision_of(open_ahead)) is None, "it was there"


def test_a_path_ends_where_the_body_can_get_to():
    box = np.array([[0.0, 5.5 * 0.25, 0.2, 0.2]], np.float32)  # within the wall, and nearer beyond
    (length,) = floor_map.lengths_to_instances(room(), box)
    assert length < floor_map.FAR
    (length,) = floor_map.lengths_to_instances(room(3, 3), box + np.float32([0, 1, 0, 0]))
    assert length == floor_map.FAR, "it is out of reach from all of the room"
    seen = decision_of(room())
    features = np.zeros((1, FEATURE_COUNT), np.float16)
    features[0, [2, 4, 5, 7]] = box[0] / (2, 2, 1, 1)
    losses = way_ahead.losses(replace(seen, features=features), 0)
    assert losses[Verb.FORWARD] == 0 < losses[Verb.BACKWARD]


def test_where_nothing_is_left_to_see_it_does_not_look_for_more():
    home = Home()
    for mode, looks in ((InputMode.FULL, False), (InputMode.NO_SEARCH, True)):
        follower = PointingFollower(model(), mode)
        follower.read("wash the mug")
        seen = follower.memory.look(home.view())
        worth = follower._policy._worth_of_aims(follower.memory, 2 + len(seen.types), None)
        assert bool(worth[network.NOT_SEEN] == 0) is looks and worth[network.NOTHING] == 0
    follower = PointingFollower(model())
    follower.read("walk two steps")
    follower.memory.look(home.view())
    assert not follower._policy._worth_of_aims(follower.memory, 80, None).any(), "told in steps"


@pytest.mark.parametrize("mode", [InputMode.NO_WORDS, InputMode.NO_MEMORY, InputMode.NO_GEOMETRY])
def test_without_words_or_memory_or_places_it_knows_no_goals(mode: InputMode):
    memory = decision.SessionMemory({"Mug": 2}, mode)
    memory.begin_utterance("wash the mug")
    assert memory.goals.goals == () and not memory.goals.named


def test_it_does_not_point_at_what_it_can_do_nothing_to():
    home = Home()
    for mode in (InputMode.FULL, InputMode.NO_GOAL_MEMORY):
        follower = PointingFollower(model(), mode)
        follower.read("bring the mug to the coffee machine")
        follower.memory.held_type = "Mug"
        seen = follower.memory.look(home.view())
        worth = follower._policy._worth_of_aims(follower.memory, 2 + len(seen.types), Verb.FORWARD)
        table = next(
            i for i, e in enumerate(follower.memory.ordered) if e.object_type == "CounterTop"
        )
        assert bool(worth[2 + table] == 0), "something may be done to it"
        for verb in set(INTERACTION_VERBS) - {Verb.PLACE}:
            follower.memory._refused.add((verb, follower.memory.ordered[table]))
        worth = follower._policy._worth_of_aims(follower.memory, 2 + len(seen.types), Verb.FORWARD)
        assert bool(worth[2 + table] == 0) is (mode is InputMode.NO_GOAL_MEMORY)


def test_what_words_name_is_remembered_first_and_a_thing_that_refused_all_clicks_is_clicked_again():
    memory, seen = memory_of(Home(), *[Verb.TURN_RIGHT] * 2)
    hidden = memory.ordered[seen.in_view :]
    far = hidden[-1].object_type
    memory.begin_utterance(f"wash the {words_for_type(far)}")
    assert far in memory.goals.named
    again, shown = memory.instances.ordered(memory.goals.named)
    assert again[shown].object_type == far
    chosen = min(memory.ordered[: seen.in_view], key=lambda each: each.size)
    crop = memory.instances.crop(chosen)
    chosen.refused_points = [*memory.instances.points[::2, ::2].reshape(-1, 3)]
    assert (memory.instances.crop(chosen) == crop).all()
