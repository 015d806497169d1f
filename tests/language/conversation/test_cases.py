"""Utterances of our own, on which the code was tuned."""

from collections import defaultdict

import pytest

from tests.language.conversation.cases import is_read_right, read_cases


@pytest.mark.parametrize(
    ("name", "all_least", "kind_least"),
    [
        ("cases_tuned.toml", 0.97, 0.97),
        ("cases_second_half.toml", 0.86, 0.6),
        ("cases_people.toml", 0.95, 0.9),
        ("cases_kept_aside.toml", 0.8, 0.0),
        ("cases_strangers.toml", 0.95, 0.6),
        ("cases_households.toml", 0.96, 0.9),
    ],
)
def test_most_utterances_are_read_right(name: str, all_least: float, kind_least: float) -> None:
    right = defaultdict[str, list[bool]](list)
    for case in read_cases(name)["case"]:
        right[case["act"]].append(is_read_right(case))
    for act, marks in right.items():
        least = kind_least if len(marks) < 30 else all_least
        assert sum(marks) >= least * len(marks), act
    every = [mark for marks in right.values() for mark in marks]
    assert sum(every) >= all_least * len(every)
