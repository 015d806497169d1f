"""TEACh's published figures: the paper's own, and pooled over some of its tasks."""

import pytest

from tatc.evaluation.scoring.published_results import (
    PUBLISHED_BY_TASK,
    PUBLISHED_OVERALL,
    PUBLISHED_SUBGOALS,
    TEACH_TABLE_5,
    TEACH_TASKS,
    mean_over_kinds,
    published_instances,
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


INSTANCES = """
tfd | unseen | E.T.                             |  0.48 |  0.12 | 30
tfd | seen   | E.T.                             |  1.02 |  0.17 | 30
tfd | unseen | HELPER                           | 13.73 |  1.61 | 30
tfd | seen   | HELPER                           | 12.15 |  1.79 | 30
tfd | unseen | HELPER, ground truth             | 30.23 |  9.12 | 50
tfd | unseen | the same, two rounds of feedback | 37.75 | 10.96 | 50
tfd | unseen | MSI-Agent                        | 14.54 |  None | None
tfd | seen   | MSI-Agent                        | 12.70 |  None | None
edh | unseen | E.T.                             |  7.80 |  0.90 | 30
edh | seen   | E.T.                             | 10.20 |  1.70 | 30
edh | unseen | HELPER                           | 17.40 |  2.91 | 30
edh | seen   | HELPER                           | 18.59 |  4.00 | 30
"""
SUBGOALS = """
GotoLocation 51 22, PickupObject 32 21, PutObject 81 46, CoolObject 88 92, HeatObject 85 89,
CleanObject 81 57, SliceObject 25 12, ToggleObject 100 32, mean-of-kinds 68 46
"""


def test_published_instances_are_the_papers() -> None:
    rows = [tuple(map(str.strip, row.split("|"))) for row in INSTANCES.strip().splitlines()]
    found = [row for kind in ("tfd", "edh") for row in published_instances(kind)]
    assert [
        (
            row.benchmark,
            row.split,
            row.system,
            f"{row.success:.2f}",
            "None" if row.path_weighted is None else f"{row.path_weighted:.2f}",
            str(row.failure_limit),
        )
        for row in found
    ] == rows


def test_published_subgoals_are_the_papers() -> None:
    rows = [row.split() for row in SUBGOALS.split(",")]
    found = {name.replace(" ", "-"): row for name, row in PUBLISHED_SUBGOALS.items()}
    assert found == {name: (int(seen), int(unseen)) for name, seen, unseen in rows}
    assert mean_over_kinds([1.0, None, 4.0]) == 2.5 and mean_over_kinds([None]) is None


def test_tasks_are_pooled_by_their_sessions() -> None:
    pooled = published_overall(["Coffee", "Salad", "Salad"])
    assert pooled is not None
    assert pooled.sessions == 308 + 323
    assert pooled.success_percent == pytest.approx(100 * (168 + 5) / 631)
    assert pooled.actions == round((168 * 120 + 5 * 351) / 173)
    assert published_overall(TEACH_TASKS[1:]) is not PUBLISHED_OVERALL
