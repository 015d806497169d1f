"""Comparisons: which pairs there are, and what is said of each."""

from tatc.evaluation.runs.follower_comparison import Contender, PairComparison, pairs_to_compare
from tatc.evaluation.scoring.scores import PairedOutcomes

RULE, ET = Contender("rule", "actions"), Contender("et", "steps")
BLANK = Contender("et-frame-blank", "steps", ablation_of="et (steps)")


def _pair(*counts: int) -> PairComparison:
    return PairComparison(RULE, ET, PairedOutcomes(*counts), (), ())


def test_ablations_are_compared_with_their_own_full_form() -> None:
    random = Contender("random", "actions")
    pairs = pairs_to_compare([RULE, ET, random, BLANK])
    assert pairs == [(RULE, ET), (RULE, random), (ET, BLANK)]
    assert pairs_to_compare([ET, BLANK]) == [(ET, BLANK)]


def test_the_verdict_is_one_sentence() -> None:
    assert _pair(11, 1, 0, 0).verdict() == (
        "rule (actions) solved 12 of 12, et (steps) 11 of 12: a difference of 8 points "
        "(-17 to 35), not significant: p = 1"
    )
    assert "of -100 points" in _pair(0, 0, 9, 0).verdict()
    assert _pair(0, 0, 9, 0).verdict().endswith(", significant: p = 0.0039")
    assert "no session in common" in _pair(0, 0, 0, 0).verdict()


def test_different_wordings_are_warned_of() -> None:
    assert "rule hears actions and et hears steps" in _pair(1, 0, 0, 0).wording_warning()
    same = PairComparison(ET, BLANK, PairedOutcomes(1, 0, 0, 0), (), ())
    assert same.wording_warning() == ""
