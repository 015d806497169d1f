"""The log of calls: a line of JSON for each, in a file that several processes may share.

A line has neither the words of the request nor those of the answer, which are in the cache under
the same hash, and no key.
"""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from tatc.base.atomic_files import append_text


class CallEnd(StrEnum):
    """How a call ended."""

    ANSWERED = "answered"
    CACHED = "from the cache"
    FAILED = "failed"
    NOT_SENT = "not sent"


@dataclass(frozen=True, slots=True)
class CallEntry:
    """One call: what was asked for by its hash, how it ended, and what it cost.

    `tries` counts the times that an answered request was sent, `seconds` the time that passed.
    `why` says what went wrong, "" if nothing did.
    """

    request: str
    model: str
    end: CallEnd
    request_tokens: int
    answer_tokens: int
    tries: int
    seconds: float
    why: str = ""


class CallLog:
    """Appends entries to a file, or keeps none."""

    def __init__(self, path: str | None) -> None:
        """Log to a file; None logs nothing."""
        self._path = None if path is None else Path(path)

    def add(self, entry: CallEntry) -> None:
        """Add a line.

        Raises:
            OutputError: it cannot be written.

        """
        if self._path is None:
            return
        line = json.dumps(asdict(entry), ensure_ascii=False)
        append_text(f"{line}\n", self._path, fix="name another file with --call-log")
