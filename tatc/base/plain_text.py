"""Text from people and files: whether it can be saved, and how a terminal may show it."""

import re

_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters; the terminal obeys them
    "\u2028-\u202e\u2066-\u2069"  # line separators, and marks that turn the order of letters
    "\ud800-\udfff]"  # halves of a pair
)
_WHOLE_NUMBER = re.compile("[0-9]{1,18}")
_CONTROL_PICTURES = 0x2400  # U+2400 to U+241F name the control characters U+0000 to U+001F
_SYMBOL_FOR_DELETE, _REPLACEMENT = "\u2421", "\ufffd"


def is_encodable(text: str) -> bool:
    """Return whether a text can be written as UTF-8: it has no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Return a text of the same length in which a terminal finds nothing to obey.

    Control characters other than tabs and line feeds become their symbols (an escape becomes
    "␛"); those without one become U+FFFD.
    """
    return _UNSHOWABLE.sub(_symbol_for, text)


def _symbol_for(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return _SYMBOL_FOR_DELETE if code == 0x7F else _REPLACEMENT


def whole_number(text: str) -> int | None:
    """Return the number that a text of ASCII digits writes, None for any other text.

    More than 18 digits are no number: Python takes long over them and refuses 4,300.
    """
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else None


def file_name_part(text: str) -> str:
    """Return a text as part of a file's name: lower case letters, digits, dashes, underscores."""
    return re.sub(r"[^\w-]+", "-", text.lower())
