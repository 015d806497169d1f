"""What a notebook shows of values beside their reprs, and the tables of pandas made of them."""

from collections.abc import Iterable, Mapping
from html import escape
from importlib import import_module
from typing import Any


def html_table(heading: str, rows: Iterable[tuple[object, ...]]) -> str:
    """Return a table under a heading, without the rows whose last cell says nothing."""
    kept = (row for row in rows if row[-1] not in (None, ""))
    lines = ("".join(f"<td>{escape(_in_words(cell))}</td>" for cell in row) for row in kept)
    body = "".join(f"<tr>{cells}</tr>" for cells in lines)
    return f"<table><caption>{escape(heading)}</caption>{body}</table>"


def _in_words(cell: object) -> str:
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def dataframe(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return rows as a table of pandas, which has to be installed."""
    return import_module("pandas").DataFrame([*rows])
