"""Counts of agreement, and their rates per action and session with intervals over floor plans."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from tatc.evaluation.fidelity.agreement_counts import (
    FIDELITY_MEASURES,
    AgreementCounts,
    Disagreement,
    group_disagreements,
)
from tatc.evaluation.fidelity.fidelity_report import measure_rates
from tatc.evaluation.fidelity.game_fidelity import GameFidelity

answers = st.lists(st.tuples(st.sampled_from(FIDELITY_MEASURES), st.booleans()))
DISAGREEMENT = Disagreement("clicks", "Pickup", "-", "Mug", "means nothing", "b", 3)


def count_answers(of: list[tuple[str, bool]]) -> AgreementCounts:
    made = AgreementCounts()
    for name, agrees in of:
        made.count(name, agrees)
    return made


@given(answers, answers)
def test_adding_tallies_is_counting_all_in_one(
    one: list[tuple[str, bool]], other: list[tuple[str, bool]]
):
    added = count_answers(one)
    added.add(count_answers(other))
    assert added == count_answers(one + other)


@given(answers)
def test_every_measure_has_n_and_rate(of: list[tuple[str, bool]]):
    found = count_answers(of).rates()
    assert list(found) == ["moves", "clicks", "interactions", "ends"]
    parts = [
        (name, found[group][part] if part else found[group])
        for name in FIDELITY_MEASURES
        for group, _, part in [name.partition(".")]
    ]
    for name, rate in parts:
        n = sum(each == name for each, _ in of)
        agreed = sum(each == name and agrees for each, agrees in of)
        assert rate["n"] == n
        assert rate["rate"] == (round(agreed / n, 6) if n else None)


def test_what_is_alike_is_counted_together_and_the_first_is_shown():
    earlier = replace(DISAGREEMENT, game="a", index=9)
    other = replace(DISAGREEMENT, target="Cup")
    assert group_disagreements([DISAGREEMENT, other, earlier]) == [(earlier, 2), (other, 1)]


def game(plan: str, agreed: int, compared: int) -> GameFidelity:
    counts = AgreementCounts(Counter(clicks=compared), Counter(clicks=agreed))
    return GameFidelity("a game", plan, "a game", counts)


GAMES = st.lists(
    st.tuples(st.sampled_from("ABCDE"), st.integers(0, 6), st.integers(0, 6)).map(
        lambda drawn: game(drawn[0], min(drawn[1:]), max(drawn[1:]))
    ),
    max_size=12,
)


def test_each_session_counts_the_same_however_often_its_people_tried():
    """One session of 1 in 1, one of 0 in 9: 10 % of the actions, 50 % by session."""
    rates = measure_rates("clicks", [game("A", 1, 1), game("A", 0, 9)])
    assert (rates.per_action.n, rates.per_action.rate) == (10, 0.1)
    assert (rates.per_session.n, rates.per_session.rate) == (2, 0.5)


def test_a_session_without_such_an_action_counts_nowhere():
    rates = measure_rates("clicks", [game("A", 1, 2), game("B", 0, 0)])
    assert (rates.per_session.n, rates.per_session.rate) == (1, 0.5)
    assert rates.per_session.interval is None
    nothing = measure_rates("clicks", [])
    assert (nothing.per_action.n, nothing.per_action.rate) == (0, None)


def test_a_measure_can_gather_what_is_counted_under_several_names():
    counts = AgreementCounts(Counter(one=3, two=1, three=5), Counter(one=2, two=1))
    rates = measure_rates("both", [GameFidelity("a game", "A", "a game", counts)], ("one", "two"))
    assert (rates.per_action.n, rates.per_action.rate) == (4, 0.75)


def test_the_bootstrap_draws_floor_plans_and_not_sessions():
    """Of two plans, a quarter of the draws has the first alone, a quarter the second."""
    games = [game("A", 4, 4), *(game("B", 1, 4) for _ in range(20))]
    rates = measure_rates("clicks", games)
    assert rates.per_action.interval == rates.per_session.interval == (0.25, 1.0)
    one_plan = measure_rates("clicks", games[1:])
    assert one_plan.per_action.interval is None


def test_an_interval_narrows_with_more_floor_plans():
    def width(plans: int) -> float:
        interval = measure_rates(
            "clicks", [game(str(i), i % 2, 1) for i in range(plans)]
        ).per_action.interval
        assert interval is not None
        return interval[1] - interval[0]

    # Of a share of one half in n plans, 95 % lie within 1.96 / sqrt(n) / 2 on either side.
    assert width(100) == pytest.approx(1.96 / 10, abs=0.03)
    assert width(100) < width(10)


@given(GAMES, st.randoms(use_true_random=False))
def test_the_order_of_games_makes_no_difference(games: list[GameFidelity], random: object):
    shuffled = list(games)
    random.shuffle(shuffled)  # pyright: ignore
    assert measure_rates("clicks", shuffled) == measure_rates("clicks", games)


@given(GAMES)
def test_rates_and_the_ends_of_intervals_are_shares(games: list[GameFidelity]):
    rates = measure_rates("clicks", games)
    for estimate in (rates.per_action, rates.per_session):
        values = [estimate.rate or 0.0, *(estimate.interval or ())]
        assert all(0.0 <= value <= 1.0 for value in values)
        if estimate.interval:
            assert estimate.interval[0] <= estimate.interval[1]
