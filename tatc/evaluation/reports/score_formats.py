"""Scores as text: how reports and pages write rates, intervals and numbers."""

from tatc.evaluation.scoring import AggregateScore


def format_percent(rate: float | None) -> str:
    """Return a fraction in percent without the sign, a dash for None."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def format_share(rate: float | None) -> str:
    """Return a fraction in percent with the sign, a dash for None."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def format_interval(score: AggregateScore) -> str:
    """Return the 95 % interval of a success rate in percent, a dash without sessions."""
    low, high = score.success_interval
    return f"{100 * low:.1f}-{100 * high:.1f}" if score.sessions else "-"


def format_whole(number: float | None) -> str:
    """Return a number without its decimals, a dash for None."""
    return "-" if number is None else f"{number:.0f}"


def format_ratio(number: float | None) -> str:
    """Return a number with two decimals, a dash for None."""
    return "-" if number is None else f"{number:.2f}"
