"""Counts of agreement."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tatc.evaluation.fidelity.tally import MEASURES, Disagreement, Tally, kinds_of

answers = st.lists(st.tuples(st.sampled_from(MEASURES), st.booleans()))
APART = Disagreement("clicks", "Pickup", "-", "Mug", "means nothing", "b", 3)


def tally(of: list[tuple[str, bool]]) -> Tally:
    made = Tally()
    for name, agrees in of:
        made.count(name, agrees)
    return made


@given(answers, answers)
def test_adding_tallies_is_counting_all_in_one(
    one: list[tuple[str, bool]], other: list[tuple[str, bool]]
):
    added = tally(one)
    added.add(tally(other))
    assert added == tally(one + other)


@given(answers)
def test_every_measure_has_n_and_rate(of: list[tuple[str, bool]]):
    found = tally(of).rates()
    assert list(found) == ["moves", "clicks", "interactions", "ends"]
    parts = [
        (name, found[group][part] if part else found[group])
        for name in MEASURES
        for group, _, part in [name.partition(".")]
    ]
    for name, rate in parts:
        n = sum(each == name for each, _ in of)
        agreed = sum(each == name and agrees for each, agrees in of)
        assert rate["n"] == n
        assert rate["rate"] == (round(agreed / n, 6) if n else None)


def test_what_is_alike_is_counted_together_and_the_first_is_shown():
    earlier = replace(APART, game="a", index=9)
    other = replace(APART, target="Cup")
    assert kinds_of([APART, other, earlier]) == [(earlier, 2), (other, 1)]
