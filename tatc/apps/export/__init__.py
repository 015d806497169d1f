"""`tatc export`: a session as a film or a transcript, or many as demonstrations for models."""

from enum import StrEnum
from pathlib import Path

from tatc.base.errors import BadInput, UnknownName


class ExportFormat(StrEnum):
    """An export format; the value is the file's suffix."""

    GIF = "gif"
    MP4 = "mp4"
    TXT = "txt"
    CHAT = "chat"


def export_format_of(path: Path, named: str | None = None) -> ExportFormat:
    """Return the named format, or that of a file's suffix if none is named."""
    if named is not None:
        return UnknownName.member("format", named, ExportFormat)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in tuple(ExportFormat):
        what = f"no format has the suffix {path.suffix!r}"
        fix = f"name the file's format with --format: {', '.join(ExportFormat)}"
        raise BadInput(what, where=str(path), fix=fix)
    return ExportFormat(suffix)
