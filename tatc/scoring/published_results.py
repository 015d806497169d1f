"""What others have published: the rule-based agents of TEACh's paper, and people.

Source: Padmakumar et al. 2021 (arXiv:2110.00534), Table 5 for the agents, which ran in
AI2-THOR; the means of both players' actions in successful games for people.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """One row of Table 5.

    `success_percent` is in percent; `actions` are those of both agents in a session, None
    where no policy was finished; `human_actions` those of two people.
    """

    task: str
    success_percent: float
    actions: int | None
    human_actions: int


TEACH_TABLE_5: tuple[PublishedResult, ...] = (
    PublishedResult("Water Plant", 26.70, 230, 68),
    PublishedResult("Coffee", 54.55, 120, 72),
    PublishedResult("Clean All X", 52.98, 182, 97),
    PublishedResult("Put All X On Y", 52.91, 127, 104),
    PublishedResult("Boil X", 0.0, None, 130),
    PublishedResult("Plate Of Toast", 0.0, None, 136),
    PublishedResult("N Slices Of X In Y", 22.51, 249, 146),
    PublishedResult("Put All X In One Y", 50.98, 150, 148),
    PublishedResult("N Cooked Slices Of X In Y", 1.67, 424, 189),
    PublishedResult("Salad", 1.55, 351, 254),
    PublishedResult("Sandwich", 0.0, None, 242),
    PublishedResult("Breakfast", 0.0, None, 360),
)
"""TEACh's twelve tasks in the order of what they take people."""

PUBLISHED_OVERALL = PublishedResult("overall", 24.40, 162, 165)

TEACH_TASKS = tuple(row.task for row in TEACH_TABLE_5)
"""The names of the twelve tasks."""

PUBLISHED_BY_TASK = {row.task: row for row in (*TEACH_TABLE_5, PUBLISHED_OVERALL)}

PUBLISHED_NOTE = (
    "TEACh: the rule-based agents of Padmakumar et al. 2021, Table 5, in AI2-THOR; "
    "people: both players, successful games. People succeeded in 74.17 % of all "
    "sessions collected."
)
"""What has to stand beside a table that shows both."""

WORLD_NOTES = {
    "embedded": "tatc's figures are from its embedded world, not AI2-THOR.",
    "thor": "tatc's figures are from what answered as AI2-THOR: Unity, or tatc's own "
    "server in its place.",
}
"""Which world our figures are of, by the name that a run has for it."""

INSTANCE_NOTES = {
    "edh": "E.T. in AI2-THOR: 10.2 % (1.7 % path-weighted) of seen EDH validation, "
    "7.8 % (0.9 %) of unseen; Padmakumar et al. 2021. The instances here are tatc's "
    "or the user's, their world and frames tatc's own, not AI2-THOR's.",
    "tfd": "E.T. in AI2-THOR: 1.02 % (0.17 % path-weighted) of seen TfD validation, "
    "0.48 % (0.12 %) of unseen; Padmakumar et al. 2021. The world and the frames here "
    "are tatc's own, not AI2-THOR's.",
}
"""What has to stand beside figures of EDH and TfD."""
