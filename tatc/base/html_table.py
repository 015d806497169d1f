"""Small tables in HTML, for what a notebook shows of a value."""

from collections.abc import Iterable
from html import escape


def html_table(heading: str, rows: Iterable[tuple[str, ...]]) -> str:
    """Return a table under a heading; text in both is escaped."""
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{cells}</tr>" for cells in lines)
    return f"<table><caption>{escape(heading)}</caption>{body}</table>"
