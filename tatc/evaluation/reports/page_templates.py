"""HTML and SVG from the templates in `templates/`, with everything inserted escaped."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from tatc.evaluation.reports import score_formats


def render_template(name: str, **values: object) -> str:
    """Return a template filled in with these values; text in them is escaped."""
    return _environment().get_template(name).render(values)


@cache
def _environment() -> Environment:
    # Any: jinja2 leaves the type of its filters open.
    environment: Any = Environment(
        loader=PackageLoader("tatc.evaluation"),
        autoescape=select_autoescape(["html", "svg"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": score_formats.format_percent,
        "share": score_formats.format_share,
        "interval": score_formats.format_interval,
        "whole": score_formats.format_whole,
        "ratio": score_formats.format_ratio,
    }
    return environment
