"""Published results, from `published_results.toml`, and notes for the tables that show them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tatc.base import files


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


_TABLES: dict[str, Any] = files.package_table("tatc.evaluation.scoring", "published_results.toml")


def _rows(name: str) -> list[list[Any]]:
    """Return the rows of a table, None where a figure was not published."""
    return [[None if cell == -1 else cell for cell in row] for row in _TABLES[name]]


TEACH_TABLE_5 = tuple(PublishedResult(*row) for row in _rows("teach"))
"""TEACh's twelve tasks, in the order of the actions that people need."""

PUBLISHED_OVERALL = PublishedResult("overall", 24.40, 162, 165, 3311)

TEACH_TASKS = tuple(row.task for row in TEACH_TABLE_5)  # the names of the twelve tasks

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


NOTES: dict[str, str] = _TABLES["notes"]
"""What to print below a table: one that has TEACh's figures beside tatc's ("teach"), or whose
overall row has TEACh's result over some of the tasks; below figures of instances, by their kind;
and what figures mean that are at subgoals, or in ALFRED's scenes, where others used AI2-THOR."""

WORLD_NOTES: dict[str, str] = _TABLES["worlds"]
"""The world that tatc's figures come from, by its name in `run.json`."""

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


_ROWS = tuple(PublishedInstances(*row) for row in _rows("instances"))


def published_instances(benchmark: str) -> tuple[PublishedInstances, ...]:
    """Return what was published for a benchmark, "edh" or "tfd"."""
    return tuple(row for row in _ROWS if row.benchmark == benchmark)


MEAN_OVER_KINDS = "mean of kinds"
"""The name of the row that gives each kind of subgoal the same weight, as Table 4's average."""

PUBLISHED_SUBGOALS: dict[str, tuple[int, int]] = {
    kind: (seen, unseen) for kind, (seen, unseen) in _TABLES["subgoals"].items()
}
"""SEQ2SEQ+PM's path-weighted success in percent, in seen and unseen rooms, by kind of subgoal."""


def mean_over_kinds(values: Iterable[float | None]) -> float | None:
    """Return the mean of the kinds that have a value, None if none has."""
    known = [each for each in values if each is not None]
    return fmean(known) if known else None
