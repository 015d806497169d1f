"""The Follower that people's games taught: what it reads, and how it goes on with a session."""

from dataclasses import replace

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

from tatc.follower import PastAction
from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import decision
from tatc.follower.learned.pointing.people_follower import (
    MAX_EVENTS,
    History,
    PeopleFollower,
)
from tatc.home.actions import INTERACTION_VERBS, Click, Role, Utterance, Verb
from tatc.home.observation import ObservedResult
from tatc.home.percepts import View
from tatc.language import InstructionRequest, TaskDone, hear, say
from tests.follower.learned.pointing.test_pointing_follower import BLOCKED, OK, Home, model, told

ORDER = Utterance(Role.COMMANDER, "It's the RED mug, 2nd drawer!", 1.0)
REPLY = Utterance(Role.FOLLOWER, "okay", 2.0)


@pytest.fixture
def home() -> Home:
    return Home()


def people(home: Home, verb: Verb, *done: Verb) -> PeopleFollower:
    """Return one that likes a verb best, and has it and others from people for all in view."""
    kinds = {each.object_type for each in home.view().percepts}
    pairs = tuple((each.value, kind) for each in (verb, *done) for kind in sorted(kinds))
    return PeopleFollower(replace(model(verb), verb_object_pairs=pairs), InputMode.NO_REACH)


def click_on(view: View, place: int) -> Click:
    rows, columns = (view.pixels == place).nonzero()
    return Click((columns[0] + 0.5) / len(view.pixels), (rows[0] + 0.5) / len(view.pixels))


def test_the_newest_is_read_first_and_only_the_first_orders_are_recalled_for_long():
    memory = decision.SessionMemory({})
    history = History(memory)
    assert history.hear(ORDER) == "holding nothing, told its the red mug 2nd drawer"
    memory.done += [
        decision.Done(Verb.FORWARD),
        decision.Done(Verb.PICKUP, "Mug"),
        decision.Done(Verb.OPEN, "Fridge", False),
    ]
    memory.held_type = "Mug"
    text = "holding Mug, said okay, did pickup mug, told its the red mug 2nd drawer"
    assert history.hear(REPLY) == text and not history.has_acted
    memory.done += [decision.Done(Verb.OPEN, "Drawer")] * 2 * MAX_EVENTS
    assert history.has_acted
    phrases = history.hear(REPLY).split(", ")
    assert len(phrases) == 1 + MAX_EVENTS + 1 and phrases[-1].startswith("told its the red mug")


def test_it_takes_a_session_over_with_what_was_seen_and_is_held(home: Home):
    view = home.view()
    small = [k for k, each in enumerate(view.percepts) if 20 < each.pixel_count < 500]
    kind = view.percepts[small[0]].object_type
    mine = people(home, Verb.PLACE, Verb.PICKUP)
    mine.begin_after([ORDER, PastAction(Verb.TURN_LEFT)], tuple, lambda: [view])
    assert mine.act(told(home)).verb is not Verb.PLACE
    taken = PastAction(Verb.PICKUP, kind, None, click_on(view, small[0]))
    before = len(mine.memory.instances.instances)
    mine.begin_after([ORDER, taken], tuple, lambda: [view])
    assert mine.memory.held_type == kind
    assert len(mine.memory.instances.instances) == before - 1
    assert mine.act(told(home)).verb is Verb.PLACE


def test_it_is_done_only_after_it_has_done_something(home: Home):
    mine = people(home, Verb.TEXT, Verb.OPEN)
    assert hear(mine.act(told(home)).text or "") == InstructionRequest()
    assert mine.act(told(home, "the mug")).verb is not Verb.TEXT
    view = home.view()
    opened = PastAction(Verb.OPEN, view.percepts[0].object_type, None, click_on(view, 0))
    mine.begin_after([ORDER, opened], tuple, lambda: [view])
    assert mine.act(told(home)).verb is Verb.TEXT
    assert mine.act(told(home, say(TaskDone()))).verb is Verb.STOP


@pytest.mark.parametrize("verb", [Verb.OPEN, Verb.BACKWARD])
def test_what_failed_is_not_tried_for_ever_and_what_people_never_did_not_at_all(
    verb: Verb, home: Home
):
    mine = people(home, verb)
    found = [mine.act(told(home, "the mug")).verb]
    failed = BLOCKED if verb is Verb.BACKWARD else ObservedResult(False)
    found += [mine.act(told(home, last=failed)).verb for _ in range(8)]
    assert found[0] is verb and found[-1] is not verb
    assert {each for each in found if each in INTERACTION_VERBS} <= {verb}
    assert mine.act(told(home, last=OK)).verb is not Verb.TEXT
