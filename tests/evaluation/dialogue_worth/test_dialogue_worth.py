"""What dialogue is worth: what is heard in each condition, and how it is counted."""

from dataclasses import replace
from math import comb
from pathlib import Path

import pytest

from tatc.commander import CommanderView
from tatc.evaluation.dialogue_worth.measured_session import (
    ERROR_TYPE_BY_CODE,
    DialogueCondition,
    ErrorType,
    SessionMeasures,
    SessionMeter,
)
from tatc.evaluation.dialogue_worth.sessions import (
    KeptMeasures,
    measure_session,
    pass_power_k,
    worth_row,
)
from tatc.evaluation.dialogue_worth.stated_facts import Fact, FactRelation, stated_facts
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.home.actions import Action, ActionResult, Click, Role, Verb
from tatc.home.refusals import RefusalCode
from tatc.session import play
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.records import Interaction
from tatc.session.session_types import SessionEvent
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tests.session.text_world.sessions import opening

RULES = SessionSetup()
HEARD: list[tuple[str, ...]] = []


class Eavesdropper:
    """A Commander that notes what it is told, speaks twice, and stops."""

    def begin(self, oracle: object, task: object) -> None:
        HEARD.clear()

    def act(self, view: CommanderView) -> Action:
        HEARD.append(tuple(each.text for each in view.utterances))
        if len(HEARD) > 2:
            return Action(Verb.STOP)
        return Action(Verb.TEXT, text="TurnLeft TurnLeft")

    @property
    def decisions(self) -> tuple[()]:
        return ()


def measured(condition: DialogueCondition, setup: SessionSetup = RULES) -> SessionMeasures:
    setup = play.prepare(setup).setup
    return measure_session(opening("coffee", "kitchen-01", 2), setup, condition, "a", "g")


@pytest.fixture(scope="module")
def by_condition() -> dict[DialogueCondition, SessionMeasures]:
    return {condition: measured(condition) for condition in DialogueCondition}


def test_without_words_the_rule_pair_gets_nowhere(
    by_condition: dict[DialogueCondition, SessionMeasures],
) -> None:
    silent = by_condition[DialogueCondition.SILENT]
    assert not silent.success
    assert (silent.steps, silent.messages) == (0, 1)
    assert ("missing step", silent.goal_conditions - silent.goal_conditions_met) in silent.errors


def test_one_way_words_are_the_commanders_alone(
    by_condition: dict[DialogueCondition, SessionMeasures],
) -> None:
    one, two = by_condition[DialogueCondition.ONE_WAY], by_condition[DialogueCondition.TWO_WAY]
    assert two.success
    assert 0 < one.messages < two.messages
    assert one.words < two.words
    assert 0 < two.novel_facts <= two.facts
    assert 0 < two.belief_messages <= two.messages


@pytest.mark.parametrize("condition", [DialogueCondition.ONE_WAY, DialogueCondition.TWO_WAY])
def test_only_in_a_dialogue_does_the_commander_hear(condition: DialogueCondition) -> None:
    measured(condition, SessionSetup(commander=f"{__name__}:Eavesdropper"))
    assert len(HEARD) == 3
    assert any(HEARD) is (condition is DialogueCondition.TWO_WAY)


def test_a_random_partner_is_measured_too() -> None:
    row = worth_row(
        "r",
        DialogueCondition.TWO_WAY,
        [measured(DialogueCondition.TWO_WAY, SessionSetup(follower="random"))],
    )
    assert row.sessions == 1
    assert row.crashes == 0
    assert set(dict(row.errors)) == {kind.value for kind in ErrorType}


def test_every_refusal_has_a_kind_of_mistake() -> None:
    assert set(ERROR_TYPE_BY_CODE) == set(RefusalCode)
    assert ErrorType.MISSING_STEP not in ERROR_TYPE_BY_CODE.values()


def test_pass_power_k_is_the_mean_over_groups() -> None:
    outcomes = {"a": (True, True, False, True), "b": (False, True, False, False)}
    sessions = [
        SessionMeasures(f"{name}{i}", name, success=won)
        for name, row in outcomes.items()
        for i, won in enumerate(row)
    ]
    expected = [(k, (comb(3, k) + comb(1, k)) / comb(4, k) / 2) for k in (1, 2, 4)]
    assert pass_power_k(sessions) == tuple(expected)
    assert pass_power_k([]) == ()


def test_crashed_sessions_count_and_skipped_ones_do_not() -> None:
    sessions = [
        SessionMeasures("1", "g", success=True, words=6, goal_conditions_met=3, goal_conditions=3),
        SessionMeasures("2", "g", crash="ValueError: no"),
        SessionMeasures("3", "g", skipped="no room"),
    ]
    row = worth_row("p", DialogueCondition.SILENT, sessions)
    assert (row.sessions, row.crashes, row.skipped) == (2, 1, 1)
    assert (row.success, row.words, row.novelty) == (0.5, 2.0, None)


@pytest.mark.parametrize(
    ("speaker", "words", "facts"),
    [
        (
            Role.COMMANDER,
            "Forward Pickup Mug at 0.10 0.20",
            [
                ("Mug", FactRelation.TO_DO, "Pickup"),
                ("Mug", FactRelation.PART_OF_VIEW, "upper left"),
            ],
        ),
        (Role.COMMANDER, "wash the mug", [("Mug", FactRelation.TO_DO, "wash")]),
        # The mug is in the hand, and the counter top in nothing that was named.
        (
            Role.COMMANDER,
            "put the mug on the counter top",
            [("CounterTop", FactRelation.TO_DO, "Place")],
        ),
        (
            Role.COMMANDER,
            "turn right, pick up the mug in the cabinet",
            [("Mug", FactRelation.TO_DO, "Pickup"), ("Mug", FactRelation.IN, "Cabinet")],
        ),
        (
            Role.FOLLOWER,
            "I could not Pickup Mug at 0.10 0.20: hand full",
            [("Mug", FactRelation.REFUSES, "Pickup: hand full")],
        ),
        (
            Role.FOLLOWER,
            "I could not Forward: path blocked",
            [("way", FactRelation.REFUSES, "Forward: path blocked")],
        ),
        (Role.FOLLOWER, "What should I do next?", []),
        (Role.FOLLOWER, "please make a coffee", []),
        (Role.COMMANDER, "We are done. Thank you!", [("task", FactRelation.IS, "done")]),
    ],
)
def test_facts_that_words_state(
    speaker: Role, words: str, facts: list[tuple[str, FactRelation, str]]
) -> None:
    assert stated_facts(words, speaker) == tuple(Fact(*each) for each in facts)


def test_free_words_state_what_is_wanted() -> None:
    subjects = {fact.subject for fact in stated_facts("Please make a coffee.", Role.COMMANDER)}
    assert subjects
    assert {fact.relation for fact in stated_facts("Please make a coffee.", Role.COMMANDER)} == {
        FactRelation.TO_DO
    }


def test_a_fact_is_novel_once() -> None:
    start = opening("coffee", "kitchen-01", 2)
    sim = EmbeddedSimulator()
    sim.reset(start.scene)
    meter = SessionMeter(sim, start.task, DialogueCondition.TWO_WAY)
    meter.begin()
    words = "Pickup Mug at 0.10 0.20"
    for time in (0.1, 0.2):
        meter.watch(SessionEvent(Interaction(Role.COMMANDER, Verb.TEXT, time, True, text=words)))
    found = meter.measures("a", "g", start.task.check(sim.snapshot()))
    assert (found.messages, found.facts) == (2, 4)
    assert 1 <= found.novel_facts <= 2
    assert found.belief_messages == 1


def test_an_action_that_undoes_a_met_condition_is_a_conflict() -> None:
    start = opening("coffee", "kitchen-01", 2)
    sim = EmbeddedSimulator()
    now = sim.reset(start.scene)
    progress = iter((3, 2, 3))

    class Task:
        def check(self, snapshot: object) -> object:
            return replace(start.task.check(now), goal_conditions_satisfied=next(progress))

    meter = SessionMeter(sim, Task(), DialogueCondition.TWO_WAY)  # type: ignore[arg-type]
    meter.begin()
    done = Interaction(Role.FOLLOWER, Verb.POUR, 0.1, True, click=Click(0.5, 0.5))
    for _ in range(2):
        meter.watch(SessionEvent(done, ActionResult(True)))
    assert meter.measures("a", "g", start.task.check(now)).conflicts == 1


def test_kept_measures_with_impossible_fields_are_measured_again(tmp_path: Path) -> None:
    options = EvalOptions(rooms=("kitchen-01",), tasks=("coffee",))
    selection = SessionSelection((), ())
    kept = KeptMeasures(tmp_path, options, selection, SessionSetup(), DialogueCondition.SILENT)
    good = SessionMeasures("a", "g", steps=3, errors=(("other", 2),), crash="ValueError: no")
    kept.add(good)
    kept.add(SessionMeasures("b", "g", skipped="no room"))
    (path,) = tmp_path.iterdir()
    line = path.read_text()
    wrong = {'"steps": 3': '"steps": -1', '"other"': '"odd"', '"success": false': '"success": 1'}
    assert all(each in line for each in wrong)
    path.write_text(line + "".join(line.replace('"a"', '"c"').replace(*x) for x in wrong.items()))
    assert kept.by_key() == {"a": good}
