"""The passes over a recorded game, and why a recorded action may have been refused."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.evaluation.fidelity.game_fidelity import (
    RefusalCause,
    answer_each_action,
    measure_game,
    refusal_cause,
    replay_by_clicks,
    replay_by_recorded_objects,
    world_for,
)
from tatc.home.actions import TRANSLATION_VERBS, ActionResult, Click, Role, Verb
from tatc.home.state import AgentState, Snapshot
from tatc.session.records import Game, read_game
from tatc.session.records.game import RecordedAttempt, recorded_steps
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.sim.box_kitchen import kitchen


@pytest.fixture(scope="module")
def raw(sample_games: list[Path]) -> dict[str, Any]:
    with gzip.open(sample_games[2]) as file:
        return json.load(file)


@pytest.fixture
def game(raw: dict[str, Any], tmp_path: Path) -> Game:
    return write_and_read(raw, tmp_path / "game.json")


def write_and_read(raw: dict[str, Any], path: Path) -> Game:
    path.write_text(json.dumps(raw))
    return read_game(path)


def flip_answers(
    raw: dict[str, Any], which: Callable[[int, dict[str, Any]], bool]
) -> dict[str, Any]:
    """Return a game with `success` and `oid` of some of its actions turned round."""
    turned = json.loads(json.dumps(raw))
    for i, entry in enumerate(turned["tasks"][0]["episodes"][0]["interactions"]):
        if entry["agent_id"] == 1 and which(i, entry) and "success" in entry:
            entry["success"] = 0 if entry["success"] else 1
            if "oid" in entry:
                entry["oid"] = None if entry["oid"] else "Mug|+00.00|+00.00|+00.00"
    return turned


class RecordingSimulator(EmbeddedSimulator):
    """A world that notes its answers."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[ActionResult] = []

    def step(self, role: Role, action: Any) -> ActionResult:
        answer = super().step(role, action)
        self.answers.append(answer)
        return answer


def test_all_actions_are_counted(game: Game):
    tally = answer_each_action(world_for(game, "boxes"), game, recorded_steps(game))
    mine = [done for done in game.interactions if done.role is Role.FOLLOWER]
    moves = [done.success for done in mine if done.verb in TRANSLATION_VERBS]
    clicks = [done.success for done in mine if done.click is not None]
    assert tally.compared["moves.accepted"] == sum(map(bool, moves))
    assert tally.compared["moves.refused"] == len(moves) - sum(map(bool, moves))
    assert tally.compared["interactions.succeeded"] == sum(map(bool, clicks))
    assert tally.compared["clicks"] == tally.compared["interactions.succeeded"]
    assert tally.compared["interactions.failed"] == len(clicks) - sum(map(bool, clicks))


def test_answers_by_clicks_know_nothing_of_success_and_object(raw: dict[str, Any], tmp_path: Path):
    ends: list[Snapshot] = []
    answers: list[list[ActionResult]] = []
    for name, which in (("as it is", False), ("flipped", True)):
        changed = flip_answers(raw, lambda i, entry, which=which: which)
        game, sim = (write_and_read(changed, tmp_path / f"{name}.json"), RecordingSimulator())
        ends.append(replay_by_clicks(sim, game, recorded_steps(game)))
        answers.append(sim.answers)
    assert answers[0] == answers[1] and ends[0] == ends[1]
    assert any(answer.success for answer in answers[0])


def test_the_answer_to_an_action_knows_nothing_of_its_own_success_and_object(
    raw: dict[str, Any], game: Game, tmp_path: Path
):
    """Later answers may differ: the world goes on from what was recorded."""
    as_it_is = RecordingSimulator()
    steps = recorded_steps(game)
    answer_each_action(as_it_is, game, steps)
    picked = [n for n, (q, _) in enumerate(steps) if not q.is_translation][:40:4]
    for n in picked:
        index = steps[n][0].index
        changed = flip_answers(raw, lambda i, entry, index=index: i == index)
        other = write_and_read(changed, tmp_path / "other.json")
        sim = RecordingSimulator()
        answer_each_action(sim, other, recorded_steps(other)[: n + 1])
        assert sim.answers[n] == as_it_is.answers[n]


def test_the_course_is_kept_whatever_is_answered(game: Game):
    """The hand holds what it held in the recording, action by action."""
    sim = world_for(game, "boxes")
    sim.reset(game.scene)
    held = None
    for question, recorded in recorded_steps(game):
        if question.is_translation:
            continue
        sim.put_follower(question.agent)
        sim.apply_recorded_effect(question.action, recorded.object_id)
        if recorded.success and question.verb is Verb.PICKUP:
            held = recorded.object_id
        elif recorded.success and question.verb is Verb.PLACE:
            held = None
        now = sim.snapshot().held_object()
        assert (now and now.objectId) == held


def test_helped_does_no_worse_than_by_clicks(sample_games: list[Path]):
    games = [read_game(path) for path in sample_games[:6]]

    def right(replay: Callable[..., Snapshot], game: Game) -> int:
        end = replay(world_for(game, "boxes"), game, recorded_steps(game))
        wanted = {o.objectId: o.parentReceptacles for o in game.final.objects}
        return sum(wanted.get(o.objectId) == o.parentReceptacles for o in end.objects)

    by_itself = sum(right(replay_by_clicks, game) for game in games)
    assert sum(right(replay_by_recorded_objects, game) for game in games) >= by_itself


def test_a_file_that_is_no_game_is_skipped_with_the_reason(tmp_path: Path):
    path = tmp_path / "no.json"
    path.write_text("{}")
    found = measure_game(path)
    assert "no.json" in found.skipped and not found.counts.compared


def kitchen_with_held(**held: bool) -> Snapshot:
    """Return the kitchen's start with some things of a kind in the hand."""
    start = kitchen().initial
    objects = [replace(obj, isPickedUp=held.get(obj.objectType, False)) for obj in start.objects]
    return Snapshot.from_objects(objects, start.commander, start.follower)


def before_fridge(metres: float) -> AgentState:
    (fridge,) = kitchen().initial.of_type("Fridge")
    x, _, z = fridge.box.center
    return AgentState((x + metres, 0.9, z), 270.0, 0.0)


BODY, NEAR, FAR = AgentState((0.0, 0.9, 0.0), 0.0, 30.0), before_fridge(1.0), before_fridge(3.0)
AT_CEILING = replace(BODY, horizon=-30.0, yaw=180.0)
CENTRE = Click(0.5, 0.5)


@pytest.mark.parametrize(
    ("verb", "held", "body", "click", "cause"),
    [
        (Verb.PLACE, "", BODY, CENTRE, RefusalCause.WRONG_HANDS),
        (Verb.PICKUP, "Mug", BODY, CENTRE, RefusalCause.WRONG_HANDS),
        (Verb.SLICE, "Mug", BODY, CENTRE, RefusalCause.WRONG_HANDS),
        (Verb.SLICE, "", BODY, CENTRE, RefusalCause.WRONG_HANDS),
        (Verb.POUR, "Mug", BODY, CENTRE, RefusalCause.WRONG_HANDS),
        (Verb.OPEN, "", AT_CEILING, CENTRE, RefusalCause.NOTHING_THERE),
        (Verb.OPEN, "", FAR, CENTRE, RefusalCause.TOO_FAR),
        (Verb.OPEN, "", NEAR, CENTRE, RefusalCause.OTHER),
        (Verb.PLACE, "Mug", NEAR, CENTRE, RefusalCause.CLOSED),
        (Verb.PLACE, "Mug", BODY, Click(0.5, 0.6), RefusalCause.NO_SPACE),
    ],
)
def test_a_refusal_has_a_cause(
    verb: Verb, held: str, body: AgentState, click: Click, cause: RefusalCause
):
    now = kitchen_with_held(**{held: True}) if held else kitchen_with_held()
    assert refusal_cause(now, RecordedAttempt(0, verb, body, click)) is cause
