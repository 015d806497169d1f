"""The last moment from which all could still become well, of a session that did not end well."""

from collections.abc import Callable
from typing import NamedTuple

from tatc.evaluation.blame.counterfactuals import BudgetSpent

_GUARD_PROBES = 4


class LastGoodMoment(NamedTuple):
    """The last good moment; None if none is known.  It is not final if the budget was spent."""

    moment: int | None
    is_final: bool = True


def last_good_moment(
    is_good: Callable[[int], bool], last: int, *, every_step: bool
) -> LastGoodMoment:
    """Return the last moment from 0 to `last` that is good.

    With `every_step`, each is tried, from the end on.  Else the search goes back in strides that
    double, and bisects the last one.  Then it tries some of the moments that it skipped: a state
    that was lost may be won again.
    """
    known: dict[int, bool] = {}

    def look(moment: int) -> bool:
        known[moment] = known[moment] if moment in known else is_good(moment)
        return known[moment]

    strides = (max(0, last + 1 - (1 << i)) for i in range((last + 1).bit_length() + 1))
    try:
        found = next((m for m in (range(last, -1, -1) if every_step else strides) if look(m)), None)
        while found is not None and not every_step:
            bad = min(m for m in (*known, last + 1) if m > found and not known.get(m))
            while bad - found > 1:
                middle = (found + bad) // 2
                found, bad = (middle, bad) if look(middle) else (found, middle)
            left = [m for m in range(found + 1, last) if m not in known]
            again = next(filter(look, left[:: -max(1, len(left) // _GUARD_PROBES)]), None)
            if again is None:
                break
            found = again
        return LastGoodMoment(found)
    except BudgetSpent:
        return LastGoodMoment(max((m for m, good in known.items() if good), default=None), False)
