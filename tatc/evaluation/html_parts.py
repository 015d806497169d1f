"""Pieces of an HTML page: no script, nothing fetched from anywhere."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from tatc.scoring import AggregateScore


def html_document(title: str, parts: Iterable[str]) -> str:
    """Return a page of these parts, its style within it."""
    style = files("tatc.evaluation").joinpath("page.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>"
        f"{''.join(parts)}</body></html>\n"
    )


def tiles(pairs: Iterable[tuple[str, str]]) -> str:
    """Return figures, each with its name under it."""
    cells = "".join(
        f'<div class="tile"><b>{escape(value)}</b>{escape(name)}</div>' for value, name in pairs
    )
    return f'<div class="tiles">{cells}</div>'


def section(title: str, *parts: str) -> str:
    """Return a heading with what stands under it."""
    return f"<h2>{escape(title)}</h2>{''.join(parts)}"


def card(content: str) -> str:
    """Return content on a card."""
    return f'<div class="card">{content}</div>'


def small_print(text: str) -> str:
    """Return a line of small print."""
    return f'<p class="faint">{escape(text)}</p>'


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], last_row_class: str = "") -> str:
    """Return a table; `last_row_class` is a class for its last row."""
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    marks = [""] * (len(rows) - 1) + [f' class="{last_row_class}"' if last_row_class else ""]
    body = "".join(f"<tr{mark}>{line}</tr>" for mark, line in zip(marks, lines, strict=False))
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def format_percent(rate: float | None) -> str:
    """Return a rate in percent, without the sign."""
    return "-" if rate is None else f"{100 * rate:.2f}"


def format_share(rate: float | None) -> str:
    """Return a rate in percent."""
    return "-" if rate is None else f"{100 * rate:.1f} %"


def format_interval(score: AggregateScore) -> str:
    """Return a score's 95 % interval in percent."""
    low, high = score.success_interval
    return f"{100 * low:.1f}-{100 * high:.1f}" if score.sessions else "-"


def format_whole(number: float | None) -> str:
    """Return a number without decimals."""
    return "-" if number is None else f"{number:.0f}"


def format_ratio(number: float | None) -> str:
    """Return a number with two decimals."""
    return "-" if number is None else f"{number:.2f}"
