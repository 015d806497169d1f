"""Dialogues as text: a line for each utterance, `Commander: ...` or `Follower: ...`."""

import re
from pathlib import Path

from tatc.base.errors import BadInput
from tatc.base.file_reading import DIALOGUE, read_bytes
from tatc.home.actions import Role, Utterance

_LINE_PATTERN = re.compile(r"\s*(commander|follower|driver)\s*:(.*)", re.IGNORECASE)
_FIX = "begin each line with `Commander:` or `Follower:`"


def read_dialogue_file(path: Path) -> tuple[Utterance, ...]:
    """Return the utterances of a file."""
    data = read_bytes(path, DIALOGUE)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise BadInput("is no text in UTF-8", where=str(path), fix=DIALOGUE.fix) from fault
    return parse_dialogue(text, str(path))


def parse_dialogue(text: str, where: str) -> tuple[Utterance, ...]:
    """Return the utterances of a text; blank lines do not count, times are line numbers.

    TEACh's name "Driver" stands for the Follower too.
    """
    utterances: list[Utterance] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        found = _LINE_PATTERN.fullmatch(line.rstrip("\r"))
        if found is None:
            why = f"does not name its speaker: {line.strip()[:40]!r}"
            raise BadInput(why, where=f"{where}:{number}", fix=_FIX)
        role = Role.COMMANDER if found[1].lower() == "commander" else Role.FOLLOWER
        utterances.append(Utterance(role, found[2].strip(), float(number)))
    return tuple(utterances)
