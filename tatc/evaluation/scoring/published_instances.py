"""Published results on TEACh's EDH and TfD validation instances, all of them in AI2-THOR.

Sources: E.T., Padmakumar et al. 2021 (arXiv:2110.00534); HELPER, Sarch et al. 2023
(arXiv:2310.15127), Tables 1 and 2, and section 4 for the limits; MSI-Agent, Fu et al. 2024
(arXiv:2409.16686).
"""

from dataclasses import dataclass

THOR_WORLD = "AI2-THOR"


@dataclass(frozen=True, slots=True)
class PublishedInstances:
    """One published figure.

    `success` and `path_weighted` are percents, the latter None where it is not given here.
    `failure_limit` is the number of failed actions that ended an instance, None where it is not
    given here.
    """

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
