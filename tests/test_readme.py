"""Every command in the documents runs, and prints what the document shows.

A `console` block holds command lines after `$ ` and what they print; the commands of
one document run in one folder, in order, under a home of their own.  Output shown is
compared as doctest does: `...` stands for anything.  A command on `games/` gets recorded
games of a few tasks there and needs the recorded data.  Any other block of shell
lines carries a comment above it: `<!-- run line -->`, `<!-- test line -->` or
`<!-- not run: why -->`.  A block with `title="NAME"` after its language is a file, which
is written to that folder first; the other `python` blocks of a document are one program,
which runs last.

A command that is no more than `tatc` and its words runs in this process; a line for the shell, a
program and `tatc thor-server` run in processes of their own.
"""

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from gzip import decompress
from pathlib import Path

import pytest
from typer.main import get_command

from tatc.cli import app
from tatc.follower.learned import LEARNED_FAMILY
from tatc.session.agents.agent_names import COMMANDERS, FOLLOWERS, MODEL_AGENT
from tests.command_line import run_tatc

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
SHELL = {"console", "sh", "bash", "shell"}
FENCE = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (run line|test line|not run: .+) -->\s*\Z")
GAMES_OF_TASKS = {"Coffee", "Water Plant", "Plate Of Toast", "Salad"}
DOCTEST_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    title: str | None
    mark: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    line: str
    shown: str


def _blocks(document: Path) -> Iterator[Block]:
    text = document.read_text(encoding="utf-8")
    for fence in FENCE.finditer(text):
        mark = MARK.search(text[: fence.start()])
        yield Block(fence[1], fence[2], mark[1] if mark else None, fence[3])


def _commands(document: Path) -> Iterator[Command]:
    for block in _blocks(document):
        if block.language == "console" and block.mark is None:
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                line, _, shown = part.replace("\\\n", " ").partition("\n")
                yield Command(line, shown)


def _write_files(document: Path, folder: Path) -> None:
    """Write the files that a document shows."""
    for block in _blocks(document):
        if block.title is not None:
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")


def _program(document: Path) -> str:
    """Return the Python that a document shows beside its files."""
    blocks = (b for b in _blocks(document) if b.language == "python" and b.title is None)
    return "\n".join(block.text for block in blocks if block.mark is None)


def _command_marked(mark: str) -> str:
    [block] = [each for each in _blocks(ROOT / "README.md") if each.mark == mark]
    [line] = block.text.splitlines()
    return line


def _is_for_a_shell(line: str) -> bool:
    return bool(set(line) & set("<>|&;$*")) or not line.startswith("tatc ")


def _run(command: Command, folder: Path) -> None:
    words = shlex.split(command.line)
    if _is_for_a_shell(command.line) or words[1] == "thor-server":
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command.line],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        status, printed, crash = done.returncode, done.stdout, None
    else:
        result = run_tatc(*words[1:])
        status, printed, crash = result.exit_code, result.output, result.exception
    expected = 2 if command.shown.startswith("error: ") else 0
    assert status == expected, f"$ {command.line}\n{printed}\n{crash!r}"
    if command.shown:
        same = doctest.OutputChecker().check_output(command.shown, printed, DOCTEST_FLAGS)
        assert same, f"$ {command.line}\n{printed}\n--- shown:\n{command.shown}"


def _name(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the current folder of a document, under a home of its own."""
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name, value in {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = set(sys.modules)
    yield made
    for name in set(sys.modules) - known:
        if str(made) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]  # another document may have a file of this name


def _of_documents(items: Callable[[Path], object]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("document", [*filter(items, DOCUMENTS)], ids=_name)


def _commands_on_games(document: Path) -> list[Command]:
    return [each for each in _commands(document) if "games/" in each.line]


def _other_commands(document: Path) -> list[Command]:
    found = [each for each in _commands(document) if "games/" not in each.line]
    if code := _program(document):
        found.append(Command(shlex.join([sys.executable, "-c", code]), ""))
    return found


@_of_documents(_other_commands)
def test_commands_run_and_print_what_is_shown(document: Path, folder: Path) -> None:
    _write_files(document, folder)
    for command in _other_commands(document):
        _run(command, folder)


@pytest.fixture(scope="module")
def few_games(sample_games: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a recorded game of each of a few tasks, named by the task."""
    made = tmp_path_factory.mktemp("few") / "games"
    made.mkdir()
    for path in reversed(sample_games):
        text = decompress(path.read_bytes())
        task = json.loads(text)["tasks"][0]["task_name"]
        if task in GAMES_OF_TASKS:
            (made / f"{task.lower().replace(' ', '-')}.game.json").write_bytes(text)
    return made


@_of_documents(_commands_on_games)
def test_commands_on_recorded_games(document: Path, folder: Path, few_games: Path) -> None:
    (folder / "games").symlink_to(few_games)
    for command in _commands_on_games(document):
        _run(command, folder)


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_shell_blocks_run_or_say_why_not(document: Path) -> None:
    for block in _blocks(document):
        if block.language in SHELL - {"console"}:
            assert block.mark, f"no comment above this block:\n{block.text}"
    for command in _commands(document):
        assert command.line.startswith("tatc "), command.line


def test_the_run_line_installs_and_runs(folder: Path) -> None:
    *install, run = _command_marked("run line").split(" && ")
    assert install == ["python3 -m venv .venv", ".venv/bin/pip install -q ."]
    assert run == ".venv/bin/tatc run coffee"
    _run(Command(run.removeprefix(".venv/bin/"), ""), folder)


def test_the_test_line_installs_all_light_extras() -> None:
    *install, test = _command_marked("test line").split(" && ")
    assert install == [
        "python3 -m venv .venv",
        ".venv/bin/pip install -q -e '.[fast,thor,gym,dev]'",
    ]
    assert test == ".venv/bin/pytest -q -n auto"


FIGURE_ROW = re.compile(r"^\|[^|]+\|([^|]+)\| `([^`|]+)` \|$", re.MULTILINE)


def _figures(document: str) -> list[tuple[str, str]]:
    """Return each figure under "Measured" in a document, with its command."""
    text = (ROOT / document).read_text(encoding="utf-8")
    section = re.split(r"^##? Measured$", text, flags=re.MULTILINE)[1]
    if document == "README.md":
        section, _, _ = section.partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("|")]
    headings = [line for line in rows if line.startswith("|---")]
    figures = FIGURE_ROW.findall(section)
    assert len(figures) == len(rows) - 2 * len(headings), "a row has no figure or no command"
    return figures


@pytest.mark.parametrize("document", ["README.md", "docs/reference/measured.md"])
def test_every_figure_names_its_command(document: str) -> None:
    known = getattr(get_command(app), "commands")  # noqa: B009 - typer's own type
    figures = _figures(document)
    assert figures
    for _, command in figures:
        words = shlex.split(command)
        if words[:3] == ["python", "-m", "benchmarks"]:
            assert (ROOT / "benchmarks" / f"bench_{words[3]}.py").is_file(), command
        else:
            assert words[0] == "tatc" and words[1] in known, command


def test_the_readme_repeats_figures_of_the_full_table() -> None:
    assert set(_figures("README.md")) <= set(_figures("docs/reference/measured.md"))


AGENT_FIGURE = re.compile(r"\[([^\]]+)\]\(docs/reference/measured\.md#([\w-]+)\)")


def test_the_figures_of_the_agents_stand_in_the_full_table() -> None:
    """Each is linked to the section whose table has it, beside its command."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n## Who plays\n")[2].partition("\n## ")[0]
    measured = (ROOT / "docs" / "reference" / "measured.md").read_text(encoding="utf-8")
    tables = {
        heading.lower().replace(",", "").replace(" ", "-"): table
        for heading, _, table in (part.partition("\n") for part in measured.split("\n## "))
    }
    figures = AGENT_FIGURE.findall(section)
    assert len(figures) > 10
    for figure, anchor in figures:
        assert any(figure in shown for shown, _ in FIGURE_ROW.findall(tables[anchor])), figure


def test_every_agent_of_tatc_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("\n## Who plays\n")[2].partition("\n## ")[0]
    shown = set(re.findall(r"`([\w-]+)`", section))
    assert set(COMMANDERS) | set(FOLLOWERS) | {LEARNED_FAMILY, MODEL_AGENT} <= shown
