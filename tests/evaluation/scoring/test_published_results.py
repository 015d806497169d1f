"""TEACh's published figures: the paper's own, and pooled over some of its tasks."""

import pytest

from tatc.evaluation.scoring.published_results import (
    PUBLISHED_BY_TASK,
    PUBLISHED_OVERALL,
    TEACH_TABLE_5,
    TEACH_TASKS,
    mean_over_kinds,
    published_overall,
)


def test_the_numbers_of_sessions_give_the_papers_rates() -> None:
    for row in TEACH_TABLE_5:
        assert 100 * row.successes / row.sessions == pytest.approx(row.success_percent, abs=0.01)
    sessions = sum(row.sessions for row in TEACH_TABLE_5)
    successes = sum(row.successes for row in TEACH_TABLE_5)
    assert sessions == PUBLISHED_OVERALL.sessions
    assert 100 * successes / sessions == pytest.approx(PUBLISHED_OVERALL.success_percent, abs=0.01)


def test_tasks_are_pooled_by_their_sessions_each_once() -> None:
    assert published_overall(TEACH_TASKS) is PUBLISHED_OVERALL
    assert published_overall(["Coffee", "Candles"]) is published_overall([]) is None
    pooled = published_overall(["Coffee", "Boil X"])
    assert pooled is not None
    assert pooled.success_percent == pytest.approx(100 * 168 / (308 + 202))
    assert pooled.actions == 120, "no Boil X was solved"
    assert pooled.human_actions == round((308 * 72 + 202 * 130) / 510)
    [one] = [published_overall(["Coffee"])]
    assert one is not None
    assert one.success_percent == pytest.approx(
        PUBLISHED_BY_TASK["Coffee"].success_percent, abs=0.01
    )
    unsolved = published_overall(["Sandwich"])
    assert unsolved is not None and unsolved.actions is None
    pooled = published_overall(["Coffee", "Salad", "Salad"])
    assert pooled is not None
    assert pooled.sessions == 308 + 323
    assert pooled.success_percent == pytest.approx(100 * (168 + 5) / 631)
    assert pooled.actions == round((168 * 120 + 5 * 351) / 173)


def test_a_mean_over_kinds_leaves_out_what_has_no_value() -> None:
    assert mean_over_kinds([1.0, None, 4.0]) == 2.5 and mean_over_kinds([None]) is None


# Written off the paper a second time: Table 5's success, its actions, people's (Table 2), sessions.
