"""Text that is added to files: whole, and never waiting for a pipe's other end."""

import os
from pathlib import Path

import pytest

from tatc.base.errors import OutputError
from tatc.base.files import append_text


def test_text_comes_after_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for text in ("eins\n", "zwei ✓\n"):
        append_text(text, path, fix="")
    assert path.read_text("utf-8") == "eins\nzwei ✓\n"


@pytest.mark.parametrize("name", ["/dev/full", "pipe", "gone/log.jsonl"])
def test_what_takes_no_text_is_named(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match="cannot be written") as fault:
        append_text("a line\n", tmp_path / name, fix="name another file")
    assert name in fault.value.one_line and "name another file" in fault.value.one_line
