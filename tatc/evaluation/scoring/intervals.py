"""Confidence intervals of rates."""

from math import sqrt

Z_95_PERCENT = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % on either side."""


def wilson_interval(successes: int, tries: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a rate; (0, 1) without any try.

    Wilson (1927).  Unlike the normal interval it stays within 0 and 1, and is useful near both.
    """
    if not tries:
        return 0.0, 1.0
    rate, square = successes / tries, Z_95_PERCENT * Z_95_PERCENT
    middle = rate + square / (2 * tries)
    reach = Z_95_PERCENT * sqrt(rate * (1 - rate) / tries + square / (4 * tries * tries))
    scale = 1 + square / tries
    low = 0.0 if successes == 0 else (middle - reach) / scale
    high = 1.0 if successes == tries else (middle + reach) / scale
    return low, high
