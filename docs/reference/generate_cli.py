"""Write the reference of the command line, docs/reference/cli.md, from the commands.

    python docs/reference/generate_cli.py

`tests/test_docs.py` fails when the page is not what this would write.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from tatc.cli import app

PAGE = Path(__file__).with_name("cli.md")
COLUMNS = "100"
HEAD = """# Command line

Every command with its options, as `--help` prints them.
[Exit status](../how-to/run.md#exit-status) says what the numbers mean that a command ends with.
`tatc --install-completion` installs completion for your shell.
"""


def cli_page() -> str:
    """Return the page in Markdown."""
    return "\n".join((HEAD, *_sections(get_command(app), ())))


def _sections(command: object, words: tuple[str, ...]) -> Iterator[str]:
    if words:
        yield f"## tatc {' '.join(words)}\n\n```text\n{_help_text(words)}\n```\n"
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from _sections(inner, (*words, name))


def _help_text(words: tuple[str, ...]) -> str:
    env = {"COLUMNS": COLUMNS, "TERMINAL_WIDTH": COLUMNS, "NO_COLOR": "1", "TERM": "dumb"}
    result = CliRunner().invoke(app, [*words, "--help"], prog_name="tatc", env=os.environ | env)
    return "\n".join(line.rstrip() for line in result.output.strip().splitlines())


if __name__ == "__main__":
    PAGE.write_text(cli_page(), encoding="utf-8")
