"""The formats that a session can be exported in, and which of them is meant."""

from enum import StrEnum
from pathlib import Path

from tatc.errors import BadInput, UnknownName


class Format(StrEnum):
    """What a session can be exported as; the value is the file's suffix."""

    GIF = "gif"
    MP4 = "mp4"
    RRD = "rrd"
    TXT = "txt"


_NAMES = ", ".join(Format)


def format_of(path: Path, named: str | None = None) -> Format:
    """Return the format that is named, or else the one of a file's suffix.

    Raises:
        BadInput: there is no such format, or none for this suffix.

    """
    if named is not None:
        if named not in tuple(Format):
            raise UnknownName("format", named, Format, fix=f"name one of {_NAMES}")
        return Format(named)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in tuple(Format):
        what = f"no format has the suffix {path.suffix!r}"
        fix = f"name the file's format with --format: {_NAMES}"
        raise BadInput(what, where=str(path), fix=fix)
    return Format(suffix)
