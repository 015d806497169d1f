"""Text from people and files: whether it can be saved, how it is shown and handed around."""

import codecs
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f"  # line feeds, and all else that the terminal obeys
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # separators, and marks that turn letters round
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065"  # what is there and not seen
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
    "\ud800-\udfff]"  # halves of a pair
    # Joiners belong to emoji and to some scripts; beside ASCII they only hide.
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
_WHOLE_NUMBER = re.compile("[0-9]{1,18}")
_CONTROL_PICTURES = 0x2400  # U+2400 to U+241F name the control characters U+0000 to U+001F
_LONGEST_SAVED = 100_000  # characters
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


def is_savable(value: object) -> bool:
    """Return whether a value is a text that a file can hold, and not too long."""
    return isinstance(value, str) and len(value) <= _LONGEST_SAVED and is_encodable(value)


def printable(text: str) -> str:
    """Return a text of the same length, on one line, in which a terminal finds nothing to obey.

    Whatever shows a text from a file, an agent or a person as a line, or in one, calls this, so
    that the text cannot pass for lines of tatc's own.  Control characters other than tabs become
    their symbols (a line feed becomes "␊"); those without one, separators of lines and characters
    that deceive the eye become U+FFFD.
    """

    def symbol_for(found: re.Match[str]) -> str:
        code = ord(found[0])
        if code < 0x20:
            return chr(_CONTROL_PICTURES + code)
        return _SYMBOL_FOR_DELETE if code == 0x7F else _REPLACEMENT

    return _UNSHOWABLE.sub(symbol_for, text)


def whole_number(text: str) -> int | None:
    """Return the number of up to 18 ASCII digits (Python refuses 4,300), None for other text."""
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else None


_PATH_START = (
    r"(?:(?<![:/<~\w.-])/{1,3}(?=[^\s/])|(?<=:)(?:///|/)(?=[^\s/])"  # not the // of an address
    r"|[A-Za-z]:[\\/]|(?<![:\w])\\\\(?=\w)|~[\w.-]+/)"
)
_PATH_IN_QUOTES = re.compile(rf"(?<=['\"`]){_PATH_START}[^'\"`\n]*")
_PATH_IN_TEXT = re.compile(rf"(?<![\w./'\"`~-]){_PATH_START}[^\s'\"`<>|;,(){{}}\[\]]*")
_PATH_OF_HOME = re.compile(
    r"/(?:home|Users|export/home)/[^/]*|/root|/[A-Za-z]:/+Users/+[^/]*|/~[^/]*"
)


def _last_part(found: re.Match[str]) -> str:
    """Return a path's last part, ~ for a home; without a folder it may be an option, as /C."""
    path = "/" + found[0].replace("\\", "/").strip("/")
    is_home = _PATH_OF_HOME.fullmatch(path) or path == Path.home().as_posix()
    folder, _, name = path.rpartition("/")
    return "~" if is_home else name if folder else found[0]


PLAIN_SIGNS = "tatc-plain-signs"
"""The error handler of a stream that writes a plain sign in place of one it cannot encode."""
_PLAIN_BY_SIGN = str.maketrans("✓✗≠→…▸▶◀·╵─●○▪◆◎▲▼✎", "vx#>~>><-'-*o.+@^!%")


def _plain_signs(fault: UnicodeError) -> tuple[str, int]:
    assert isinstance(fault, UnicodeEncodeError)
    plain = fault.object[fault.start : fault.end].translate(_PLAIN_BY_SIGN)
    return plain.encode("ascii", "backslashreplace").decode(), fault.end


codecs.register_error(PLAIN_SIGNS, _plain_signs)


def counted(number: int, noun: str) -> str:
    """Return "1 game" or "2,000 games"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class PathShortener:
    """Cuts absolute paths down to as many of their last parts as tell them apart.

    So files that are handed around do not name the machine's folders; relative paths stay.
    `short` has the short forms of known absolute paths, the longest path first; `folders` are the
    folders around them, the current folder and the user's home.
    """

    short: Mapping[Path, str]
    folders: tuple[str, ...]

    @staticmethod
    def of(texts: Iterable[str]) -> "PathShortener":
        """Return the shortener for the absolute paths among these texts."""
        paths = {Path(path) for _, path in map(_split_family, texts)}
        known = sorted((path for path in paths if path.is_absolute()), key=_by_length)
        short = {path: _shortest_end(path, paths) for path in known}
        folders = {*(path.parent for path in known), Path.cwd(), Path.home()}
        deep = sorted((each for each in folders if each.parts[1:]), key=_by_length)
        return PathShortener(short, tuple(map(str, deep)))

    def shorten(self, text: str) -> str:
        """Return a path without its machine's folders; `et:FILE` is an agent with a path."""
        family, path = _split_family(text)
        if not Path(path).is_absolute():
            return text
        for known, short in self.short.items():
            if Path(path).is_relative_to(known):
                return family + (Path(short) / Path(path).relative_to(known)).as_posix()
        return family + Path(path).name

    def shorten_in(self, text: str) -> str:
        """Return a text, such as an error message, without its machine's folders.

        Known folders are cut off; of any other absolute path its last part is left, and of a
        user's home a tilde.
        """
        for folder in self.folders:
            text = text.replace(f"{folder}/", "")
        return _PATH_IN_TEXT.sub(_last_part, _PATH_IN_QUOTES.sub(_last_part, text))

    def shorten_all(self, value: Any) -> Any:
        """Return a JSON value with every path in it shortened."""
        if isinstance(value, str):
            return self.shorten(value)
        if isinstance(value, Mapping):
            known = cast(Mapping[str, Any], value)
            return {name: self.shorten_all(each) for name, each in known.items()}
        if isinstance(value, list | tuple):
            return [self.shorten_all(each) for each in cast(list[Any], value)]
        return value


def _shortest_end(path: Path, known: Collection[Path]) -> str:
    """Return the fewest last parts of a path that no other known path ends with."""
    for count in range(1, len(path.parts)):
        end = path.parts[-count:]
        if sum(each.parts[-count:] == end for each in known) == 1:
            return "/".join(end)
    return path.name


def _by_length(path: Path) -> tuple[int, str]:
    return -len(str(path)), str(path)


def texts_in(value: Any) -> Iterable[str]:
    """Yield every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in cast(Mapping[str, Any], value).values():
            yield from texts_in(each)
    elif isinstance(value, list | tuple):
        for each in cast(list[Any], value):
            yield from texts_in(each)


def _split_family(text: str) -> tuple[str, str]:
    """Return what stands before the path in the name of an agent with a file, and the path."""
    family, colon, path = text.partition(":")
    return (f"{family}:", path) if colon and Path(path).is_absolute() else ("", text)
