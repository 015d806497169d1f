"""Names of files made from ids, names and seeds, which may come from a client, a file or a model.

Such a text may lead out of its folder, be too long, be a device of Windows, or be another's but for
case or for how its letters are composed, which some file systems take for the same name.
"""

import re
from base64 import b32encode
from collections.abc import Iterable
from hashlib import sha256
from unicodedata import normalize

from tatc.base.errors import BadInput

MAX_NAME = 120
"""The longest text that is a file's name as it stands, in characters; a suffix may follow."""
_PLAIN = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]{0,118}[a-z0-9_-])?")
_EXACT = re.compile(r"""[^-./\\:*?"<>|](?:[^/\\:*?"<>|]*[^./\\:*?"<>| ])?""")
_PLAIN_OR_CAPITALS = re.compile(_PLAIN.pattern.replace("a-z", "A-Za-z"))
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_KEPT_OF_OTHERS = 60  # characters, for people
_HASH_BYTES = 10


def file_name(text: str, suffix: str = "", *, has_hash: bool = False) -> str:
    """Return the name of the file that belongs to a text: different texts have different names.

    A text of lower case letters, digits and `_.-` inside is its own name; one that `has_hash` of
    all that it stands for may have capitals, too.  Of any other, what can be shown is kept, and a
    hash follows after `~`, which no plain name has.
    """
    plain = _PLAIN_OR_CAPITALS if has_hash else _PLAIN
    if plain.fullmatch(text) and not _DEVICE.fullmatch(text):
        return text + suffix
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()[:_HASH_BYTES]
    shown = re.sub(r"[^A-Za-z0-9_]+", "-", text[:_KEPT_OF_OTHERS]).strip("-")
    if _DEVICE.fullmatch(shown):
        shown = ""
    return f"{shown or 'name'}~{b32encode(digest).decode().lower()}{suffix}"


def check_exact_names(names: Iterable[str]) -> None:
    """Check that names can be those of files as they stand, and that no two are alike."""
    known: dict[str, str] = {}
    for name in names:
        is_exact = _EXACT.fullmatch(name) and name.isprintable() and not _DEVICE.fullmatch(name)
        if not is_exact or len(name) > MAX_NAME:
            fix = "rename it in the file that it is from"
            raise BadInput("can be no file's name everywhere", where=f"{name:.80}", fix=fix)
        other = known.setdefault(normalize("NFC", name).casefold(), name)
        if other != name:
            why = f"is a file's name like {other}, but for case or for how it is composed"
            raise BadInput(why, where=name, fix="name their files in two calls, with two folders")
