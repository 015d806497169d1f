"""Answers to recorded actions: what is counted, and what the answers cannot know."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tatc.actions import TRANSLATIONS, ActionResult, Role, Verb
from tatc.evaluation.fidelity.measure import measure, world_for
from tatc.evaluation.fidelity.passes import by_clicks, helped, one_by_one
from tatc.records import Game, read_game
from tatc.records.course import course_of
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Snapshot


@pytest.fixture(scope="module")
def raw(sample_games: list[Path]) -> dict[str, Any]:
    with gzip.open(sample_games[2]) as file:
        return json.load(file)


@pytest.fixture
def game(raw: dict[str, Any], tmp_path: Path) -> Game:
    return written(raw, tmp_path / "game.json")


def written(raw: dict[str, Any], path: Path) -> Game:
    path.write_text(json.dumps(raw))
    return read_game(path)


def flipped(
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


class Noting(EmbeddedSimulator):
    """A world that notes its answers."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[ActionResult] = []

    def step(self, role: Role, action: Any) -> ActionResult:
        answer = super().step(role, action)
        self.answers.append(answer)
        return answer


def test_all_actions_are_counted(game: Game):
    tally = one_by_one(world_for(game, "boxes"), game, course_of(game))
    mine = [done for done in game.interactions if done.role is Role.FOLLOWER]
    moves = [done.success for done in mine if done.verb in TRANSLATIONS]
    clicks = [done.success for done in mine if done.click is not None]
    assert tally.asked["moves.accepted"] == sum(map(bool, moves))
    assert tally.asked["moves.refused"] == len(moves) - sum(map(bool, moves))
    assert tally.asked["interactions.succeeded"] == sum(map(bool, clicks))
    assert tally.asked["clicks"] == tally.asked["interactions.succeeded"]
    assert tally.asked["interactions.failed"] == len(clicks) - sum(map(bool, clicks))


def test_answers_by_clicks_know_nothing_of_success_and_object(
    raw: dict[str, Any], tmp_path: Path
):
    ends: list[Snapshot] = []
    answers: list[list[ActionResult]] = []
    for name, which in (("as it is", False), ("flipped", True)):
        changed = flipped(raw, lambda i, entry, which=which: which)
        game, sim = written(changed, tmp_path / f"{name}.json"), Noting()
        ends.append(by_clicks(sim, game, course_of(game)))
        answers.append(sim.answers)
    assert answers[0] == answers[1] and ends[0] == ends[1]
    assert any(answer.success for answer in answers[0])


def test_the_answer_to_an_action_knows_nothing_of_its_own_success_and_object(
    raw: dict[str, Any], game: Game, tmp_path: Path
):
    """Later answers may differ: the world goes on from what was recorded."""
    as_it_is = Noting()
    steps = course_of(game)
    one_by_one(as_it_is, game, steps)
    picked = [n for n, (q, _) in enumerate(steps) if not q.moves][:40:4]
    for n in picked:
        index = steps[n][0].index
        changed = flipped(raw, lambda i, entry, index=index: i == index)
        other = written(changed, tmp_path / "other.json")
        sim = Noting()
        one_by_one(sim, other, course_of(other)[: n + 1])
        assert sim.answers[n] == as_it_is.answers[n]


def test_the_course_is_kept_whatever_is_answered(game: Game):
    """The hand holds what it held in the recording, action by action."""
    sim = world_for(game, "boxes")
    sim.reset(game.scene)
    held = None
    for question, recorded in course_of(game):
        if question.moves:
            continue
        sim.put_follower(question.body)
        sim.impose(question.action, recorded.object_id)
        if recorded.success and question.verb is Verb.PICKUP:
            held = recorded.object_id
        elif recorded.success and question.verb is Verb.PLACE:
            held = None
        now = sim.snapshot().held()
        assert (now and now.objectId) == held


def test_helped_does_no_worse_than_by_clicks(sample_games: list[Path]):
    games = [read_game(path) for path in sample_games[:6]]
    by_itself = aided = 0
    for game in games:
        steps = course_of(game)
        wanted = {o.objectId: o.parentReceptacles for o in game.final.objects}
        for pass_, end in (
            ("clicks", by_clicks(world_for(game, "boxes"), game, steps)),
            ("helped", helped(world_for(game, "boxes"), game, steps)),
        ):
            right = sum(
                wanted.get(o.objectId) == o.parentReceptacles for o in end.objects
            )
            if pass_ == "helped":
                aided += right
            else:
                by_itself += right
    assert aided >= by_itself


def test_a_file_that_is_no_game_is_skipped_with_the_reason(tmp_path: Path):
    path = tmp_path / "no.json"
    path.write_text("{}")
    found = measure(path)
    assert "no.json" in found.skipped and not found.tally.asked
