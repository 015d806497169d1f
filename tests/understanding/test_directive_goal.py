"""Goals of sentences as ALFRED's annotators write them; all sentences here are our own."""

import pytest

from tatc.actions import Role, Utterance
from tatc.understanding.directive_goal import DirectiveGoal, read_directives
from tatc.understanding.directives import understand_directives

_GOALS = {
    "Lay a magazine, no: a book, on the bed.": DirectiveGoal("simple", "Book", "Bed"),
    "Move the loaf from the counter to the fridge.": DirectiveGoal("simple", "Bread", "Fridge"),
    "Throw the bar of soap away.": DirectiveGoal("simple", "SoapBar", "GarbageCan"),
    "Set the candle next to the sink.": DirectiveGoal("simple", "Candle", "CounterTop"),
    "Store a sponge in the cupboard below the sink.": DirectiveGoal(
        "simple", "DishSponge", "Cabinet"
    ),
    "Put two watches in the safe.": DirectiveGoal("two", "Watch", "Safe"),
    "Bring the newspapers to the sofa.": DirectiveGoal("two", "Newspaper", "Sofa"),
    "Put a chilled egg in the microwave.": DirectiveGoal("cool", "Egg", "Microwave"),
    "Cool a pan in the refrigerator, then set it on the stove.": DirectiveGoal(
        "cool", "Pan", "StoveBurner"
    ),
    "Microwave a mug and place it in the sink.": DirectiveGoal("heat", "Mug", "SinkBasin"),
    "Place a warm slice of potato into the bin.": DirectiveGoal(
        "heat", "Potato", "GarbageCan", is_sliced=True
    ),
    "Rinse a fork in the sink and put it into a drawer.": DirectiveGoal("clean", "Fork", "Drawer"),
    "Put a wet cloth in the tub.": DirectiveGoal("clean", "Cloth", "BathtubBasin"),
    "Put a plate with a spoon on it on the island.": DirectiveGoal(
        "movable", "Spoon", "DiningTable", "Plate"
    ),
    "Lay the keys in a bowl and put the bowl on the ottoman.": DirectiveGoal(
        "movable", "KeyChain", "Ottoman", "Bowl"
    ),
    "Put a pan in the pot that is on the dining table.": DirectiveGoal(
        "movable", "Pan", "DiningTable", "Pot"
    ),
    "Inspect a vase by the light of a tall lamp.": DirectiveGoal(
        "look", "Vase", toggle="FloorLamp"
    ),
    "Turn on the lamp with a pillow in hand.": DirectiveGoal("look", "Pillow", toggle="DeskLamp"),
}


@pytest.mark.parametrize("sentence", _GOALS)
def test_sentence_asks_for_a_task_with_its_parameters(sentence: str) -> None:
    assert read_directives(sentence) == _GOALS[sentence]


def test_words_for_several_types_mean_what_the_home_has() -> None:
    sentence = "Put a cup on the table."
    assert read_directives(sentence) == DirectiveGoal("simple", "Cup", "DiningTable")
    home = ("Mug", "SideTable", "Bed")
    assert read_directives(sentence, (), home) == DirectiveGoal("simple", "Mug", "SideTable")


def test_steps_say_what_the_sentence_leaves_out() -> None:
    steps = (
        "Grab the potato by the stove.",
        "Heat it in the microwave and take it out.",
        "Put it on the kitchen counter.",
    )
    found = read_directives("Prepare a potato.", steps)
    assert found == DirectiveGoal("heat", "Potato", "CounterTop")
    cut = read_directives("Put the lettuce in the fridge.", ("Cut the lettuce with the knife.",))
    assert cut == DirectiveGoal("simple", "Lettuce", "Fridge", is_sliced=True)


def test_directives_become_a_task_of_alfreds() -> None:
    heard = [
        Utterance(Role.FOLLOWER, "What should I do?", 0.0),
        Utterance(Role.COMMANDER, "Put a hot tomato in the sink.", 1.0),
    ]
    goal = understand_directives(heard).goal
    assert goal is not None
    assert goal.library_task == ("Heat And Place", ("Tomato", "SinkBasin"))
    assert goal.task.name == "Heat And Place"


@pytest.mark.parametrize("words", ["Make coffee.", "", "zebra", "Put it there."])
def test_other_words_are_read_as_any_dialogue(words: str) -> None:
    found = understand_directives([Utterance(Role.COMMANDER, words, 0.0)])
    asked = found.goal and found.goal.library_task
    assert asked == (("Coffee", ()) if "coffee" in words else None)
