"""TEACh's published figures: the paper's own, and pooled over some of its tasks."""

import pytest

from tatc.scoring.published_results import (
    PUBLISHED_BY_TASK,
    PUBLISHED_OVERALL,
    TEACH_TABLE_5,
    TEACH_TASKS,
    published_overall,
)


def test_the_numbers_of_sessions_give_the_papers_rates() -> None:
    for row in TEACH_TABLE_5:
        assert 100 * row.successes / row.sessions == pytest.approx(row.success_percent, abs=0.01)
    sessions = sum(row.sessions for row in TEACH_TABLE_5)
    successes = sum(row.successes for row in TEACH_TABLE_5)
    assert sessions == PUBLISHED_OVERALL.sessions
    assert 100 * successes / sessions == pytest.approx(PUBLISHED_OVERALL.success_percent, abs=0.01)


def test_all_tasks_have_the_papers_last_row() -> None:
    assert published_overall(TEACH_TASKS) is PUBLISHED_OVERALL


def test_some_tasks_are_pooled() -> None:
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


def test_tasks_beyond_the_paper_have_no_result() -> None:
    assert published_overall(["Coffee", "Candles"]) is None
    assert published_overall([]) is None


# Written off the paper a second time: Table 5's success, its actions, people's (Table 2), sessions.
PAPER = """
Water Plant                26.70 230  68 176
Coffee                     54.55 120  72 308
Clean All X                52.98 182  97 336
Put All X On Y             52.91 127 104 344
Boil X                      0.00   - 130 202
Plate Of Toast              0.00   - 136 225
N Slices Of X In Y         22.51 249 146 302
Put All X In One Y         50.98 150 148 306
N Cooked Slices Of X In Y   1.67 424 189 240
Salad                       1.55 351 254 323
Sandwich                    0.00   - 242 241
Breakfast                   0.00   - 360 308
overall                    24.40 162 165 3311
"""


def test_the_table_is_the_papers() -> None:
    rows = [row.rsplit(maxsplit=4) for row in PAPER.strip().splitlines()]
    found = {
        row.task: (row.success_percent, row.actions, row.human_actions, row.sessions)
        for row in (*TEACH_TABLE_5, PUBLISHED_OVERALL)
    }
    assert found == {
        task: (float(success), None if actions == "-" else int(actions), int(people), int(sessions))
        for task, success, actions, people, sessions in rows
    }
    assert TEACH_TASKS == tuple(row[0] for row in rows[:-1])


def test_tasks_are_pooled_by_their_sessions() -> None:
    pooled = published_overall(["Coffee", "Salad", "Salad"])
    assert pooled is not None
    assert pooled.sessions == 308 + 323
    assert pooled.success_percent == pytest.approx(100 * (168 + 5) / 631)
    assert pooled.actions == round((168 * 120 + 5 * 351) / 173)
    assert published_overall(TEACH_TASKS[1:]) is not PUBLISHED_OVERALL
