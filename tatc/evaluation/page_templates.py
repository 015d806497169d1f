"""HTML and SVG from `templates/`, with everything inserted escaped; and scores as text."""

from functools import cache
from typing import TYPE_CHECKING, Any

from tatc.base.plain_text import counted
from tatc.evaluation.scoring.scores import AggregateScore

if TYPE_CHECKING:
    from jinja2 import Environment


def render_template(name: str, **values: object) -> str:
    """Return a template filled in with these values; text in them is escaped."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> "Environment":
    # Who runs a session needs no templates.
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    # Any: jinja2 leaves the type of its filters open.
    environment: Any = Environment(
        loader=PackageLoader("tatc.evaluation"),
        autoescape=select_autoescape(["html", "svg"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": format_percent,
        "share": format_share,
        "interval": format_interval,
        "whole": format_whole,
        "ratio": format_ratio,
        "counted": counted,
    }
    return environment


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
