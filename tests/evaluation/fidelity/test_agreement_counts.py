"""Counts of agreement."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tatc.evaluation.fidelity.agreement_counts import (
    FIDELITY_MEASURES,
    AgreementCounts,
    Disagreement,
    group_disagreements,
)

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
