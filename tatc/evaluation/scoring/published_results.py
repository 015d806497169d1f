"""Published results, all of them in AI2-THOR, and notes for the tables that show them.

- TEACh's rule-based agents: Padmakumar et al. 2021 (arXiv:2110.00534), Tables 2 (people) and 5.
- EDH and TfD validation: E.T., Padmakumar et al. 2021; HELPER, Sarch et al. 2023
  (arXiv:2310.15127), Tables 1 and 2, section 4; MSI-Agent, Fu et al. 2024 (arXiv:2409.16686).
- Subgoals of ALFRED: Shridhar et al. 2020 (arXiv:1912.01734), Table 4, the model with both progress
  monitors, on the validation folds.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """One row of Table 5.

    `actions` is the mean number of actions of both agents in a solved session, None where they
    solved none; `human_actions` is that of two people.  `success_percent` is a share of `sessions`.
    """

    task: str
    success_percent: float
    actions: int | None
    human_actions: int
    sessions: int

    @property
    def successes(self) -> int:
        """How many sessions the agents solved."""
        return round(self.success_percent * self.sessions / 100)


TEACH_TABLE_5: tuple[PublishedResult, ...] = (
    PublishedResult("Water Plant", 26.70, 230, 68, 176),
    PublishedResult("Coffee", 54.55, 120, 72, 308),
    PublishedResult("Clean All X", 52.98, 182, 97, 336),
    PublishedResult("Put All X On Y", 52.91, 127, 104, 344),
    PublishedResult("Boil X", 0.0, None, 130, 202),
    PublishedResult("Plate Of Toast", 0.0, None, 136, 225),
    PublishedResult("N Slices Of X In Y", 22.51, 249, 146, 302),
    PublishedResult("Put All X In One Y", 50.98, 150, 148, 306),
    PublishedResult("N Cooked Slices Of X In Y", 1.67, 424, 189, 240),
    PublishedResult("Salad", 1.55, 351, 254, 323),
    PublishedResult("Sandwich", 0.0, None, 242, 241),
    PublishedResult("Breakfast", 0.0, None, 360, 308),
)
"""TEACh's twelve tasks, in the order of the actions that people need.

Table 5 gives no numbers of sessions.  They are Table 2's, which have 304 and 302 sessions for
N Slices Of X In Y and Put All X In One Y; only 302 and 306 give Table 5's rates, and with them
all twelve tasks have 808 successes in 3,311 sessions, Table 5's overall 24.40 %.
"""

PUBLISHED_OVERALL = PublishedResult("overall", 24.40, 162, 165, 3311)

TEACH_TASKS = tuple(row.task for row in TEACH_TABLE_5)
"""The names of the twelve tasks."""

PUBLISHED_BY_TASK = {row.task: row for row in TEACH_TABLE_5}


def published_overall(tasks: Collection[str]) -> PublishedResult | None:
    """Return TEACh's pooled result over these tasks, None where one is none of the twelve."""
    rows = [row for row in TEACH_TABLE_5 if row.task in tasks]
    if not rows or len(rows) < len(set(tasks)):
        return None
    if len(rows) == len(TEACH_TABLE_5):
        return PUBLISHED_OVERALL
    sessions, successes = sum(r.sessions for r in rows), sum(r.successes for r in rows)
    actions = sum(r.successes * (r.actions or 0) for r in rows)
    human_actions = sum(r.sessions * r.human_actions for r in rows)
    return PublishedResult(
        "overall",
        100 * successes / sessions,
        round(actions / successes) if successes else None,
        round(human_actions / sessions),
        sessions,
    )


PUBLISHED_NOTE = (
    "TEACh: the rule-based agents of Padmakumar et al. 2021, Table 5, in AI2-THOR; "
    "people: both players, successful games. People succeeded in 74.17 % of all "
    "sessions collected."
)
"""What to print below a table that has TEACh's figures beside tatc's."""

PUBLISHED_OVERALL_NOTE = "TEACh's overall figures are pooled over its sessions of these tasks."
"""What to print below a table whose overall row has TEACh's result over some of the tasks."""

WORLD_NOTES = {
    "embedded": "tatc's figures are from its embedded world, not AI2-THOR.",
    "thor": "tatc's figures are from the server that answered as AI2-THOR: Unity, or tatc's own "
    "(`tatc thor-server`).",
}
"""The world that tatc's figures come from, by its name in `run.json`."""

INSTANCE_NOTES = {
    "edh": "E.T.: Padmakumar et al. 2021; HELPER: Sarch et al. 2023; both in AI2-THOR on TEACh's "
    "own instances. The instances here are tatc's or the user's, their world and frames tatc's "
    "own, not AI2-THOR's.",
    "tfd": "E.T.: Padmakumar et al. 2021; HELPER: Sarch et al. 2023; MSI-Agent: Fu et al. 2024; "
    "all in AI2-THOR. The world and the frames here are tatc's own, not AI2-THOR's.",
}
"""What to print below figures of EDH and TfD instances, by the kind of instance."""

ALFRED_NOTE = (
    "Success is by ALFRED's own test, goal conditions are those that hold at the end, and the "
    "length is that of the agent's actions beside the expert's. Published, of models that see, in "
    "AI2-THOR (test seen / unseen, %): SEQ2SEQ 4.0 / 0.4, ESCAPE 65.1 / 60.8; test unseen: FILM "
    "26.5, Prompter 45.7, people 91.0. tatc's rule pair knows the whole state."
)
"""What figures in ALFRED's scenes mean, and what others have reached in AI2-THOR.

SEQ2SEQ and people: Shridhar et al. 2020 (arXiv:1912.01734); the others as their papers report.
"""
THOR_WORLD = "AI2-THOR"


@dataclass(frozen=True, slots=True)
class PublishedInstances:
    """A published figure, in percent; `failure_limit` failed actions end an instance, if given."""

    system: str
    benchmark: str
    split: str
    success: float
    path_weighted: float | None
    perception: str
    failure_limit: int | None


_FROM_IMAGES = "estimated from images"
_FRAMES = "frames"
_ROWS = (
    PublishedInstances("E.T.", "tfd", "unseen", 0.48, 0.12, _FRAMES, 30),
    PublishedInstances("E.T.", "tfd", "seen", 1.02, 0.17, _FRAMES, 30),
    PublishedInstances("HELPER", "tfd", "unseen", 13.73, 1.61, _FROM_IMAGES, 30),
    PublishedInstances("HELPER", "tfd", "seen", 12.15, 1.79, _FROM_IMAGES, 30),
    PublishedInstances("HELPER, ground truth", "tfd", "unseen", 30.23, 9.12, "ground truth", 50),
    PublishedInstances(
        "the same, two rounds of feedback", "tfd", "unseen", 37.75, 10.96, "ground truth", 50
    ),
    PublishedInstances("MSI-Agent", "tfd", "unseen", 14.54, None, _FROM_IMAGES, None),
    PublishedInstances("MSI-Agent", "tfd", "seen", 12.70, None, _FROM_IMAGES, None),
    PublishedInstances("E.T.", "edh", "unseen", 7.8, 0.9, _FRAMES, 30),
    PublishedInstances("E.T.", "edh", "seen", 10.2, 1.7, _FRAMES, 30),
    PublishedInstances("HELPER", "edh", "unseen", 17.40, 2.91, _FROM_IMAGES, 30),
    PublishedInstances("HELPER", "edh", "seen", 18.59, 4.00, _FROM_IMAGES, 30),
)


def published_instances(benchmark: str) -> tuple[PublishedInstances, ...]:
    """Return what was published for a benchmark, "edh" or "tfd"."""
    return tuple(row for row in _ROWS if row.benchmark == benchmark)


MEAN_OVER_KINDS = "mean of kinds"
"""The name of the row that gives each kind of subgoal the same weight, as Table 4's average."""


PUBLISHED_SUBGOALS = {
    "GotoLocation": (51, 22),
    "PickupObject": (32, 21),
    "PutObject": (81, 46),
    "CoolObject": (88, 92),
    "HeatObject": (85, 89),
    "CleanObject": (81, 57),
    "SliceObject": (25, 12),
    "ToggleObject": (100, 32),
    MEAN_OVER_KINDS: (68, 46),
}
"""SEQ2SEQ+PM's path-weighted success in percent, in seen and unseen rooms, by kind of subgoal."""

SUBGOALS_NOTE = (
    "The expert's course is imposed up to each subgoal, which is done by ALFRED's own test. Path "
    "weights compare the agent's actions with the expert's in that subgoal. SEQ2SEQ+PM: Shridhar "
    "et al. 2020, Table 4, path-weighted, validation seen / unseen, in AI2-THOR. tatc's rule pair "
    "knows the whole state and is told the subgoal's own object, place or pose."
)
"""What figures at subgoals mean."""


def mean_over_kinds(values: Iterable[float | None]) -> float | None:
    """Return the mean of the kinds that have a value, None if none has."""
    known = [each for each in values if each is not None]
    return fmean(known) if known else None
