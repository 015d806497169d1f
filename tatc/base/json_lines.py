"""Files of JSON lines in which work notes what is done, so that the same command goes on.

A line may be torn by a power cut, or changed by hand: it is passed over, and its work done again.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tatc.base import errors, files, json_fields

Item = TypeVar("Item")


def add_entry(entry: Mapping[str, Any], path: Path) -> None:
    """Add a line to a file, which is made if missing, in a folder that exists."""
    # The line before may be torn.
    files.append_text(f"\n{json.dumps(entry)}\n", path, fix=files.FIX_MAKE_ROOM)


def read_entries(
    path: Path, limits: files.FileLimits, read: Callable[[Mapping[str, Any]], Item]
) -> Iterator[Item]:
    """Yield what `read` makes of each line, without those at which it raises a fault of input."""
    for line in files.read_lines(path, limits):
        with suppress(errors.BadInput, json_fields.FieldError):
            raw = files.parse_json(line, "", limits, files.FINITE_NUMBERS)
            yield read(json_fields.as_mapping(raw, ""))
