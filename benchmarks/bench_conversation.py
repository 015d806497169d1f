"""Talk with the listener: what it understands of our own cases, and which orders it carries out.

The cases are those of tests/language/conversation.  An order is drawn for a room: a skill, a thing
that it can be done with there, a place.  It counts if its goal holds at the end of the session in
the world itself.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from tatc.commander.oracle import CommanderView, Oracle
from tatc.home.actions import Action, Verb
from tatc.home.state import ObjectState, Snapshot
from tatc.language.conversation import act_classifier, orders, utterance_reading
from tatc.session.agents import session_setup
from tatc.session.play import prepare, run_from_start
from tatc.session.start import free_start
from tatc.tdl import Task
from tatc.tdl.properties import is_of_type_or_class
from tests.language.conversation import cases

ROOMS = (
    *("kitchen-01", "FloorPlan2", "FloorPlan6", "living-room-01", "FloorPlan202", "bedroom-01"),
    *("FloorPlan302", "bathroom-01", "FloorPlan402", "kitchen-03", "FloorPlan10"),
)
LEVELS = ("truth", "masks")
ACTED_ON = {
    "open": "openable",
    "close": "openable",
    "switch on": "toggleable",
    "switch off": "toggleable",
    "wash": "dirtyable",
    "fill": "canFillWithLiquid",
    "empty": "canFillWithLiquid",
    "slice": "sliceable",
}
NEEDED = {"wash": "Sink", "fill": "Sink", "empty": "Sink", "slice": "Knife"}
NEEDED |= {"heat": "Microwave", "cool": "Fridge", "throw away": "GarbageCan"}
HEATED = ("Potato", "Apple", "Bread", "Tomato", "Mug", "Plate", "Egg", "Cup")
PLACES = (
    "CounterTop",
    "DiningTable",
    "Desk",
    "Bed",
    "Sofa",
    "Sink",
    "Fridge",
    "CoffeeTable",
    "Shelf",
)
NOT_NAMED = set("Floor Wall Ceiling Window Painting Mirror StoveKnob StoveBurner".split())
REACH_METRES = 1.6


class _Speaker:
    """Gives one order and says nothing more, but that any will do where it is asked which."""

    decisions = ()

    def __init__(self, words: str) -> None:
        self._words = [words]

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Need nothing."""

    def act(self, view: CommanderView) -> Action:
        """Say the order, then stop."""
        if any("do you mean" in each.text.lower() for each in view.utterances):
            return Action(Verb.TEXT, text="any of them")
        return Action(Verb.TEXT, text=self._words.pop()) if self._words else Action(Verb.STOP)


def run(
    games: Path | None = None, seed: int = 1, count: int = 100
) -> Iterator[tuple[str, float, str]]:
    """Yield what reading an order takes, and how many of `count` are carried out at each level."""
    began = process_time()
    act_classifier.classify("hello")
    yield "the classifier fitted", process_time() - began, "s"
    yield from _cases_read()
    said = [
        _drawn(Random(seed + k), free_start(ROOMS[k % len(ROOMS)], seed + k).scene.initial)
        for k in range(count)
    ]
    words = [each.told() for each in said if each is not None]
    began = process_time()
    for each in words:
        utterance_reading.read_utterance(each, ())
    yield "an order read", 1_000 * (process_time() - began) / len(words), "ms"
    for level in LEVELS:
        done = [
            _is_carried_out(each, ROOMS[k % len(ROOMS)], seed + k, level)
            for k, each in enumerate(said)
            if each is not None
        ]
        yield f"orders carried out at {level}, of {len(done)}", 100 * sum(done) / len(done), "%"


def _cases_read() -> Iterator[tuple[str, float, str]]:
    """Yield how many of our own utterances and turns of conversations are understood."""
    sets = {"first half": "tuned", "second half": "second_half", "kept aside": "kept_aside"}
    for half, name in (sets | {"strangers": "strangers", "households": "households"}).items():
        read = cases.read_cases(f"cases_{name}.toml")
        right = [cases.is_read_right(case) for case in read["case"]]
        yield f"utterances read right of {len(right)}, {half}", sum(right), ""
        marks = _turns_right(read)
        yield f"turns understood of {len(marks)}, {half}", sum(marks), ""
        alone = [ok for each in read["conversation"] for ok in cases.changes_right(each["turn"])]
        yield f"the same without earlier turns' mistakes, {half}", sum(alone), ""
    for name in (
        "voices",
        "manners",
        "plain",
        "indirect",
        "changes",
        "kinds",
        "people",
        "people_kinds",
    ):
        marks = _turns_right(cases.read_cases(f"cases_{name}.toml"))
        yield f"turns understood of {len(marks)}, {name}", sum(marks), ""
    limits: Any = cases.read_cases("cases_limits.toml")
    for half in ("tuned", "aside"):
        right = [cases.is_limit_right(case) for kind in limits.values() for case in kind[half]]
        yield f"limits told or asked about of {len(right)}, {half}", sum(right), ""


def _turns_right(read: dict[str, list[dict[str, Any]]]) -> list[bool]:
    """Return for each turn of some conversations whether it is understood."""
    marks: list[bool] = []
    for conversation in read["conversation"]:
        before: list[str] = []
        for turn, acts, agenda, answer in cases.turns_of(conversation["turn"]):
            marks.append(cases.is_turn_right(turn, acts, before, agenda, answer))
            before = agenda
    return marks


def _drawn(rng: Random, home: Snapshot) -> orders.Order | None:
    """Return an order that can be carried out in a home, None where the drawn skill cannot."""
    skill = rng.choice([*orders.order_table()["skills"]])
    types = sorted({each.objectType for each in home.objects} - NOT_NAMED)
    able = ACTED_ON.get(skill, "" if skill == orders.GO_TO else "pickupable")
    things = sorted(
        {o.objectType for o in home.objects if not able or getattr(o.affordances, able)}
    )
    things = [each for each in things if each not in NOT_NAMED and "Sliced" not in each]
    if skill in ("heat", "cool"):
        things = [each for each in HEATED if each in types]
    if (
        skill in ("water", orders.PUT_DOWN)
        or NEEDED.get(skill, types[0]) not in types
        or not things
    ):
        return None
    places = [each for each in PLACES if each in types] if skill == orders.PUT else [""]
    found = orders.Order(skill, rng.choice(things), place=rng.choice(places) if places else "")
    return found if found.is_possible and found.goal is not None else None


def _is_carried_out(order: orders.Order, room: str, seed: int, level: str) -> bool:
    setup = session_setup.SessionSetup(
        follower="listener", perception=session_setup.parse_perception_level(level)
    ).with_settings(talk="person")
    speaker = _Speaker(order.told())
    agents = prepare(setup, session_setup.AgentOverrides(lambda: speaker))
    result, _ = run_from_start(free_start(room, seed), agents)
    final = result.final
    if order.skill == orders.GO_TO:
        return any(_gap(each, final) < REACH_METRES for each in _meant(order, final))
    if order.skill == orders.LOOK_AT:
        said = [each.text for each in result.interactions if each.verb is Verb.TEXT]
        return bool(_meant(order, final)) and " is " in said[-1]
    goal = order.goal
    return goal is not None and goal.task.check(final).success


def _meant(order: orders.Order, home: Snapshot) -> list[ObjectState]:
    return [each for each in home.objects if is_of_type_or_class(each, order.thing)]


def _gap(obj: ObjectState, home: Snapshot) -> float:
    x, _, z = home.follower.position
    return obj.box.horizontal_distance(x, z)
