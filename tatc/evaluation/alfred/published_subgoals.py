"""Published results at single subgoals of ALFRED: Table 4 of its paper.

Source: Shridhar et al. 2020 (arXiv:1912.01734), the model with both progress monitors, on the
validation folds, in AI2-THOR.
"""

from collections.abc import Iterable
from dataclasses import dataclass

MEAN = "mean of kinds"
"""The name of the row that gives each kind of subgoal the same weight, as Table 4's average."""


@dataclass(frozen=True, slots=True)
class PublishedSubgoal:
    """Path-weighted success in percent, in seen and in unseen rooms."""

    seen: int
    unseen: int


PUBLISHED_SUBGOALS = {
    "GotoLocation": PublishedSubgoal(51, 22),
    "PickupObject": PublishedSubgoal(32, 21),
    "PutObject": PublishedSubgoal(81, 46),
    "CoolObject": PublishedSubgoal(88, 92),
    "HeatObject": PublishedSubgoal(85, 89),
    "CleanObject": PublishedSubgoal(81, 57),
    "SliceObject": PublishedSubgoal(25, 12),
    "ToggleObject": PublishedSubgoal(100, 32),
    MEAN: PublishedSubgoal(68, 46),
}
"""SEQ2SEQ+PM's results by the kind of subgoal."""

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
    return sum(known) / len(known) if known else None
