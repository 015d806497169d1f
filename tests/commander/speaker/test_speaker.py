"""The simulated user: free wordings that mean the task, answers, and feedback."""

import re
from dataclasses import replace
from itertools import pairwise
from math import cos, hypot, radians, sin
from random import Random

import pytest
from hypothesis import given, strategies as st

from tatc.commander import CommanderView
from tatc.commander.speaker import SpeakerCommander
from tatc.commander.speaker.speaker import THANKS, FollowerQuestion, Places, hear_question, misspell
from tatc.commander.speaker.wordings import request_for
from tatc.follower.listener.heard_dialogue import lost_words
from tatc.home.actions import Role, Utterance, Verb
from tatc.home.state import Snapshot
from tatc.language.understanding import understand
from tatc.session.start import SessionStart, start_from_room_name
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library

TASKS = [
    ("Coffee", ""),
    ("Water Plant", ""),
    ("Boil X", "Potato"),
    ("Plate Of Toast", ""),
    ("Clean All X", "Mug"),
    ("Clean All X", "Drinkware"),
    ("Put All X On Y", "Book on Bed"),
    ("Put All X On Y", "RemoteControl on Chairs"),
    ("Put All X In One Y", "Watch on Box"),
    ("Put All X In One Y", "SmallHandheldObjects on Tables"),
    ("N Slices Of X In Y", "2 Tomato in Bowl"),
    ("N Slices Of X In Y", "1 Lettuce on Plate"),
    ("N Cooked Slices Of X In Y", "3 Potato on Plate"),
    ("Salad", "1 2 1"),
    ("Salad", "0 2 1"),
    ("Sandwich", "1 1"),
    ("Sandwich", "0 2"),
    ("Breakfast", "1 1 1 Bowl 1 Plate 0 0 0 0 0 0 0 CounterTop"),
    ("Breakfast", "2 2 0 Plate 0 Plate 0 0 0 0 0 0 0 DiningTable"),
    ("Breakfast", "1 0 0 Plate 0 Plate 1 1 0 0 0 0 0 DiningTable"),
    ("Breakfast", "1 0 0 Plate 0 Plate 0 0 0 1 1 2 1 DiningTable"),
    ("Breakfast", "1 1 1 Bowl 1 Plate 1 1 0 1 1 1 1 CounterTop"),
    ("Breakfast", "2 0 1 Plate 0 Plate 1 0 0 0 0 0 0 DiningTable"),
]


@pytest.mark.parametrize(("name", "params"), TASKS, ids=[f"{a} {b}" for a, b in TASKS])
def test_every_wording_means_the_task(name: str, params: str) -> None:
    task = shipped_library().compile(name, params.split())
    texts: set[str] = set()
    for seed in range(20):
        text = request_for(task, Random(seed)).words
        goal = understand([Utterance(Role.COMMANDER, text, 0.0)]).goal
        assert goal is not None and goal.library_task == (name, tuple(params.split())), text
        texts.add(text)
    assert len(texts) > 5


@pytest.fixture(scope="module")
def start() -> SessionStart:
    return start_from_room_name(None, shipped_library(), "Salad", ["2", "1", "0"], 3)


@pytest.fixture
def sim(start: SessionStart) -> EmbeddedSimulator:
    world = EmbeddedSimulator(None)
    world.reset(start.scene)
    return world


def _begun(sim: EmbeddedSimulator, start: SessionStart, **style: float) -> SpeakerCommander:
    speaker = SpeakerCommander(**style)  # type: ignore[arg-type]
    speaker.begin(sim, start.task)
    return speaker


def _told(text: str) -> CommanderView:
    return CommanderView((Utterance(Role.FOLLOWER, text, 0.0),), None)


@pytest.fixture
def asked(sim: EmbeddedSimulator, start: SessionStart) -> SpeakerCommander:
    """Return a speaker that was asked what to do, and has said all of it."""
    speaker = _begun(sim, start, partial=0.0)
    speaker.act(_told("What shall I do?"))
    return speaker


def test_the_same_seed_says_the_same(sim: EmbeddedSimulator, start: SessionStart) -> None:
    def opening(seed: int) -> str | None:
        return _begun(sim, start, speaker_seed=seed).act(_told("Hello!")).text

    assert opening(4) == opening(4)
    assert len({opening(seed) for seed in range(8)}) > 4


def test_what_it_left_out_is_answered(sim: EmbeddedSimulator, start: SessionStart) -> None:
    for seed in range(6):
        speaker = _begun(sim, start, speaker_seed=seed, partial=1.0)
        said = [
            Utterance(Role.COMMANDER, speaker.act(_told(text)).text or "", 0.0)
            for text in ("What shall I do?", "How many slices of lettuce would you like?")
        ]
        goal = understand(said).goal
        assert goal is not None and goal.library_task == ("Salad", ("2", "1", "0"))


def test_it_knows_where_things_are(sim: EmbeddedSimulator, asked: SpeakerCommander) -> None:
    answer = asked.act(_told("Where is the lettuce?")).text or ""
    hints = understand([Utterance(Role.COMMANDER, answer, 0.0)]).hints
    now = sim.snapshot()
    holders = {
        now.get(parent).objectType.removesuffix("Basin")  # type: ignore[union-attr]
        for lettuce in now.of_type("Lettuce")
        for parent in lettuce.parentReceptacles or ()
    }
    assert hints and hints[0].things == "Lettuce"
    assert {each.place for each in hints} <= holders
    knife = asked.act(_told("I cannot find any knife. Where should I look?")).text or ""
    assert knife.startswith("The knife is ")
    unknown = asked.act(_told("Where is the tennis racket?")).text
    assert unknown == "I do not know where a tennis racket is."


def test_it_tells_which_is_meant(sim: EmbeddedSimulator, asked: SpeakerCommander) -> None:
    assert asked.act(_told("Which lettuce do you mean?")).verb is Verb.OPEN_PROGRESS_CHECK
    progress = asked._task.check(sim.snapshot())  # type: ignore[attr-defined]
    answer = asked.act(CommanderView((), progress)).text or ""
    found = re.fullmatch(
        r"The lettuce that I mean is (?:(\d+) degrees to your (left|right)|straight ahead of you), "
        r"(\d+\.\d) metres away\.",
        answer,
    )
    assert found, answer
    body, away = sim.snapshot().follower, float(found[3])
    yaw = radians(body.yaw + (-1 if found[2] == "left" else 1) * int(found[1] or 0))
    x, z = body.position[0] + away * sin(yaw), body.position[2] + away * cos(yaw)
    nearest = min(
        hypot(t.position[0] - x, t.position[2] - z) for t in sim.snapshot().of_type("Lettuce")
    )
    assert nearest < 0.1 * away + 0.1


def test_it_never_says_the_same_twice_in_a_row(
    sim: EmbeddedSimulator, asked: SpeakerCommander
) -> None:
    progress, said = asked._task.check(sim.snapshot()), []  # type: ignore[attr-defined]
    for _ in range(6):
        asked.act(_told("I am done."))
        said.append(asked.act(CommanderView((), progress)).text)
    assert all(one != other for one, other in pairwise(said))


def test_what_a_drawer_leaves_behind_is_in_it_all_the_same(sim: EmbeddedSimulator) -> None:
    before = sim.snapshot()
    knife = before.of_type("Knife")[0]
    gone = tuple(
        replace(each, parentReceptacles=()) if each is knife else each for each in before.objects
    )
    now = Snapshot.from_objects(gone, before.commander, before.follower)
    place = Places(before, before).of_object(knife.objectId)
    assert place is not None and Places(before, now).of_object(knife.objectId) == place
    assert Places(now, now).of_object(knife.objectId) is None


def test_feedback_comes_from_the_progress_check(
    sim: EmbeddedSimulator, start: SessionStart, asked: SpeakerCommander
) -> None:
    assert asked.act(_told("I am done. Did I miss anything?")).verb is Verb.OPEN_PROGRESS_CHECK
    progress = start.task.check(sim.snapshot())
    assert not progress.success
    assert (asked.act(CommanderView((), progress)).text or "").startswith("Not yet. ")
    asked.act(_told("Done?"))
    assert asked.act(CommanderView((), replace(progress, success=True))).text == THANKS
    assert asked.act(_told("You are welcome")).verb is Verb.STOP
    assert [each.utterance for each in asked.decisions][-1] == THANKS


def test_it_says_where_what_is_missing_is(
    sim: EmbeddedSimulator, start: SessionStart, asked: SpeakerCommander
) -> None:
    told = asked.act(_told("I could not do all of it. Where should I look?"))
    assert told.verb is Verb.OPEN_PROGRESS_CHECK
    words = asked.act(CommanderView((), start.task.check(sim.snapshot()))).text or ""
    hints = understand([Utterance(Role.COMMANDER, words, 0.0)]).hints
    assert {"Lettuce", "Knife"} <= {each.things for each in hints}


def test_patience_ends(asked: SpeakerCommander) -> None:
    for _ in range(60):
        action = asked.act(_told("Where is the lettuce?"))
    assert action.verb is Verb.STOP


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("What shall I do?", "goal"),
        ("How many slices of tomato would you like?", "count of Tomato"),
        ("Shall I use a plate or a bowl?", "container"),
        ("Where shall I serve it?", "table"),
        ("Shall they all be in one and the same place?", "one place"),
        ("Where is the knife?", "where"),
        ("Which cabinet?", "which"),
        ("Which one?", "which"),
        ("Which?", "which"),
        ("Is it complete to your satisfaction? Did I miss anything?", "end"),
        ("Hm.", ""),
    ],
)
def test_questions_are_heard(text: str, about: str) -> None:
    assert hear_question(text).asks_about == about


@pytest.mark.parametrize(
    ("missing", "things"),
    [({"Knife", "ButterKnife"}, "Knife"), ({"Bread", "BreadSliced"}, "Bread"), ({"Sofa"}, "Sofa")],
)
def test_what_the_listener_cannot_find_is_heard(missing: set[str], things: str) -> None:
    assert hear_question(lost_words(frozenset(missing))) == FollowerQuestion("where", things)
    assert lost_words(frozenset()) == ""


@given(st.text(max_size=80), st.integers(0, 99))
def test_typos_come_at_their_rate_and_keep_the_words(text: str, seed: int) -> None:
    assert misspell(text, 0.0, Random(seed)) == text
    assert len(misspell(text, 1.0, Random(seed)).split(" ")) == len(text.split(" "))
    hear_question(text)


def test_typos_are_understood() -> None:
    right = 0
    for seed in range(40):
        text = misspell("Please put all the remote controls on the sofa", 0.2, Random(seed))
        goal = understand([Utterance(Role.COMMANDER, text, 0.0)]).goal
        right += goal is not None and goal.library_task is not None
    assert right >= 36
