"""The last moment from which all could still become well, of a session that did not end well."""

from collections.abc import Callable
from dataclasses import dataclass

from tatc.evaluation.blame.counterfactuals import BudgetSpent

_GUARD_PROBES = 4


@dataclass(frozen=True, slots=True)
class LastGoodMoment:
    """The last good moment; None if there is none, or none is known.

    `is_exact` says that no later moment is good as far as was looked: bisection looks at a sample
    of them, a search of every step at all.  False where the budget ended the search.
    """

    moment: int | None
    is_exact: bool = True


def last_good_moment(
    is_good: Callable[[int], bool], last: int, *, every_step: bool
) -> LastGoodMoment:
    """Return the last moment from 0 to `last` that is good.

    Without `every_step`, the search goes back from the end in strides that double, bisects the last
    one, and then looks at moments in between that it skipped: a state that was lost may be won
    again.
    """
    known: dict[int, bool] = {}

    def look(moment: int) -> bool:
        known[moment] = known[moment] if moment in known else is_good(moment)
        return known[moment]

    try:
        if every_step:
            return LastGoodMoment(next((m for m in range(last, -1, -1) if look(m)), None))
        found = _stride_back(look, last)
        if found is None:
            return LastGoodMoment(None)
        while True:
            bad = min(m for m in (*known, last + 1) if m > found and not known.get(m))
            found = _bisect(look, found, bad)
            left = [m for m in range(found + 1, last) if m not in known]
            probes = left[:: max(1, len(left) // _GUARD_PROBES)]
            again = next((m for m in reversed(probes) if look(m)), None)
            if again is None:
                return LastGoodMoment(found)
            found = again
    except BudgetSpent:
        return LastGoodMoment(max((m for m, good in known.items() if good), default=None), False)


def _stride_back(look: Callable[[int], bool], last: int) -> int | None:
    """Return a good moment of those at 1, 2, 4, ... before the last one, or at 0."""
    moment, stride = last, 1
    while not look(moment):
        if moment == 0:
            return None
        moment, stride = max(0, moment - stride), stride * 2
    return moment


def _bisect(look: Callable[[int], bool], good: int, bad: int) -> int:
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if look(middle) else (good, middle)
    return good
