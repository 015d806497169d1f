"""The frame of the command line: help, versions, errors, exit statuses."""

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

import tatc
from tatc.base.errors import BadInput, TatcError
from tatc.base.interrupts import EXIT_INTERRUPTED
from tatc.cli import ErrorBoundary, app
from tatc.commands.text import output
from tatc.commands.text.output import EXIT_BAD_INPUT
from tests.command_line import run_tatc

ROOT = Path(__file__).parents[1]
HEAVY = {"numpy", "scipy", "networkx", "numba", "PIL", "rich", "textual", "starlette"}


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name, inner in getattr(command, "commands", {}).items():
        if not inner.hidden:
            yield from _commands(inner, (*words, name))


COMMANDS = list(_commands(get_command(app)))


def _groups() -> set[tuple[str, ...]]:
    return {words[:-1] for words in COMMANDS if words}


def _command_text(words: tuple[str, ...]) -> str:
    return " ".join(("tatc", *words))


@cache
def _help_text(words: tuple[str, ...]) -> str:
    """Return the help of a command on a screen of 80 columns."""
    return run_tatc(*words, "--help").stdout


def _examples(words: tuple[str, ...]) -> list[str]:
    _, _, end = _help_text(words).partition("Examples:\n")
    return [line.strip() for line in end.splitlines() if line.strip()]


@pytest.mark.parametrize("words", COMMANDS, ids=_command_text)
def test_help_ends_with_examples_of_the_command(words: tuple[str, ...]) -> None:
    shown = _examples(words)
    assert shown and shown[0].startswith(_command_text(words))
    assert all(each.startswith("tatc ") for each in shown)


@pytest.mark.parametrize("words", COMMANDS, ids=_command_text)
def test_examples_are_lines_that_the_command_takes(words: tuple[str, ...]) -> None:
    for line in _examples(words):
        words_of_line, _, _ = line.partition(" < ")  # what stands behind it is the shell's
        command, rest = get_command(app), shlex.split(words_of_line, comments=True)[1:]
        context = command.make_context("tatc", list(rest), resilient_parsing=False)
        while inner := getattr(command, "commands", None):
            command, rest = inner[rest[0]], rest[1:]
            context = command.make_context(command.name, list(rest), parent=context)


@pytest.mark.parametrize("words", COMMANDS, ids=_command_text)
def test_a_flag_has_one_form(words: tuple[str, ...]) -> None:
    """A flag without a name given would come with a `--no-` form of its own."""
    command = get_command(app)
    for word in words:
        command = getattr(command, "commands", {})[word]
    assert not [each.name for each in command.params if each.secondary_opts]


@pytest.mark.parametrize("words", COMMANDS, ids=_command_text)
def test_help_names_values_and_no_types_of_python(words: tuple[str, ...]) -> None:
    assert not re.search(r"<(list|str|int|float|path|bool)\b", _help_text(words))


@pytest.mark.parametrize("words", sorted(_groups()), ids=_command_text)
def test_each_command_is_listed_by_a_whole_sentence(words: tuple[str, ...]) -> None:
    listed = _help_text(words).partition("]...\n")[2].partition("Options:")[0]
    assert listed.count("\n  ") >= 2 and "..." not in listed


@pytest.mark.parametrize("columns", [60, 300])
def test_help_is_whole_at_any_width(columns: int) -> None:
    """From the real script: CliRunner's screen is always 80 wide."""
    shown = subprocess.run(
        [Path(sys.executable).with_name("tatc"), "report", "--help"],
        env=os.environ | {"COLUMNS": str(columns)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "--apart" in shown and "tatc report runs/" in shown
    assert max(map(len, shown.splitlines())) <= min(columns, 100)


def test_version() -> None:
    done = run_tatc("--version")
    assert (done.exit_code, done.stdout) == (0, f"tatc {tatc.__version__}\n")


def test_an_unknown_command_is_bad_input_with_an_offer() -> None:
    done = run_tatc("reprot")
    assert (done.exit_code, done.stdout) == (EXIT_BAD_INPUT, "")
    assert "'reprot'" in done.stderr and "'report'" in done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=_command_text)
def test_an_unknown_option_is_bad_input(words: tuple[str, ...]) -> None:
    done = run_tatc(*words, "--no-such-option")
    assert (done.exit_code, done.stdout) == (EXIT_BAD_INPUT, "")
    assert "--no-such-option" in done.stderr


def test_help_needs_no_heavy_import() -> None:
    """`tatc --help` stays quick because nothing heavy is imported for it."""
    code = "import sys, tatc.cli; print(*{m.split('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


MODEL = "tests.evaluation.instances.models:Silent"
TWO = "--follower rule --follower random"
BAD_LINES = {
    "alfred generate --out new": "should say where to generate (give --rooms or --scenes)",
    "alfred experts --out new broken.json": "broken.json",
    "run": "there is nothing to do (name a task with --task",
    "run --task coffee --save a.json --no-save": "--save does not go with --no-save",
    "run --task cofee": "did you mean 'Coffee'",
    "run coffee --task salad": "two tasks are named: 'coffee' and --task 'salad' (leave",
    "run coffee --follower ett": "unknown Follower 'ett' (did you mean 'et'",
    "blame broken.json": "broken.json",
    "debug coffee --at 99 --print": "--at: there is no step 99: the session ends at step 1",
    "debug coffee --record broken.json": "(leave out the task)",
    "debug --task coffee --room kitchen-01": "needs a terminal (--print tells",
    "run --task coffee --room kitchen-99": "unknown room 'kitchen-99' (did you mean",
    "run --task coffee --room no/such.json": "no/such.json",
    "run --task coffee --param Mug": "'Mug' is one too many",
    "run --task 'clean all x' --param colour=red": "no parameter 'colour'",
    "run --task 'clean all x' --param Unicorn": "no object class 'Unicorn'",
    "run --task coffee --tasks nowhere": "nowhere: cannot be read",
    "run --task coffee --tasks empty": "empty: holds no task files",
    "run --task coffee --save empty": "empty: is a folder",
    "run --task coffee --save broken.json": "there is a file already (give --force",
    "run --task coffee --seed x": "Invalid value for '--seed'",
    "run --task coffee --seed": "Option '--seed' requires an argument. (tatc run --help)",
    "run --task coffee --sed 3": "No such option: --sed (Possible options: --save, --scene,",
    "run coffee salad": "Got unexpected extra argument(s) (salad) (tatc run --help)",
    "rn coffee": "No such command 'rn'. Did you mean 'run'? (tatc --help)",
    "maps buld": "No such command 'buld'. Did you mean 'build'? (tatc maps --help)",
    "--sed 3": "No such option: --sed (tatc --help)",
    "run --task coffee --wording step": "unknown wording 'step' (did you mean 'steps'",
    "run --task coffee --follower et:no.pth": "no.pth: there is no such file",
    "train --out x --width 10": "--width 10 is no multiple of 4",
    "train-et x --games x --visual x --out x --device gpu": "unknown device 'gpu'",
    "train-et no.edh0.json --visual no.pth --out x": "there is no such file",
    "train-et x --visual no.pth --out x --width 20": "--width 20 is no multiple of 12",
    "follower inspect broken.json": "broken.json: is no checkpoint of tatc's",
    "run --task coffee --noise 2": "(tatc run --help)",
    "run --task coffee --policies nowhere": "nowhere: cannot be read",
    "run --task coffee --planner pdl": "unknown planner 'pdl'",
    "run --game {}.json --room kitchen-01": "(leave out --room)",
    "run --task coffee --sim thro": "unknown world 'thro' (did you mean 'thor'",
    "run --task coffee --scene FloorPlan1": "(add --sim thor)",
    "run --task coffee --sim thor --map broken.json": "(leave out --map)",
    "run --task coffee --sim thor --thor-executable nowhere": "no such program",
    "rooms capture": "name the scenes to capture, or --all",
    "rooms capture FloorPlan1 --all": "name the scenes to capture, or --all",
    "check nowhere": "nowhere: there is no such file",
    "check 'no*match.json'": "nothing matches this pattern",
    "tasks cofee": "unknown task 'cofee' (did you mean 'Coffee' or 'Make Coffee'? tatc tasks lists",
    "rooms new --kind kitchn --seed 1": "unknown kind of room 'kitchn'",
    "rooms show kitchn-01": "did you mean 'kitchen-01'",
    "rooms import nowhere": "nowhere: there is no such file",
    "maps build nowhere --out m.json": "nowhere: there is no such file",
    "maps build {}.json --out broken.json": "there is a file already (give --force",
    "replay broken.json": "broken.json: line 2 column 1: is not JSON",
    "replay {}.json": "{}.json: is JSON but not a game",
    "eval": "there is nothing to run (name games, --rooms, --room or --split)",
    "eval x --kind hde": "unknown kind 'hde' (name tatc, edh or tfd)",
    "eval --kind edh": "there is nothing to run (name edh instances)",
    "eval empty --kind edh": "empty: there are no instances in this folder",
    "compare --room kitchen-01 --follower rule": "a comparison takes two",
    "compare --rooms --follower rule --follower rlue": "unknown Follower 'rlue'",
    "instances nowhere --out x": "nowhere: there is no such file",
    "instances {}.json --out x --kind hde": "unknown kind 'hde'",
    "look kitchen-01 --step 3 --out o": "kitchen-01: a room has no steps (take --step",
    "look kitchen-01 --pose=nan,0,0,0 --out o": "--pose 'nan,0,0,0' is no pose in a room",
    "look kitchen-01 --pose here --out o": "--pose 'here' is not four numbers",
    "export nowhere --out x.gif": "nowhere: there is no such file",
    "export {}.json --out x.avi": "no format has the suffix '.avi' (name the file's",
    "export {}.json --out x --format gfi": "unknown format 'gfi' (did you mean 'gif'",
    "view nowhere": "nowhere",
    "report nowhere": "nowhere: is no run",
    "fidelity": "Missing argument",
    "fidelity {}.json --at 3 --out report.json": "--at does not go with --out (take",
    "fidelity {}.json --only-plans 3,12345": "--only-plans: '12345' is no floor plan",
    "fidelity {}.json --only-plans ,": "--only-plans: names no floor plan (write",
    "fidelity {}.json --without-plans '1 4'": "--without-plans: '1 4' is no floor plan",
    "play nonsense": "unknown task 'nonsense' (tatc tasks lists them all)",
    "play coffee --grain fine": "unknown grain 'fine' (name ",
    "serve mcp nonsense": "unknown task 'nonsense' (tatc tasks lists them all)",
    "serve mcp coffee --port 8800": "are for HTTP (add --http",
    "serve openenv coffee --as judge": "unknown role 'judge' (name ",
    "thor-server run nowhere.py": "nowhere.py: there is no such script",
    "thor-server --rooms nowhere": "--rooms nowhere: there is no such folder",
    "thor-server run": "no script is named (tatc thor-server run SCRIPT)",
    "thor-server walk x.py": "unknown word 'walk' (tatc thor-server run SCRIPT)",
    "thor-server --python nowhere run broken.json": "nowhere: is no interpreter",
    "alfred generate --rooms --type bake --out new": "bake",
    "alfred generate --rooms --out .": "is not empty",
    "run --commander me --follower listener coffee --remember a": "(name one with --goals)",
    "run coffee --follower listener --goals a.jsonl --remember !": "--remember: should have",
    "run coffee --follower listener --goals broken.json": "broken.json:1",
    "run coffee --goals a.jsonl --follower rule": "--goals: the Follower rule reads no",
    "run coffee --commander me --follower listener --wording steps": "wording",
    "debug coffee --breakpoints broken.json": "broken.json: line 1: unknown break",
    "debug coffee --print --commander me --follower listener": "only `tatc run` lets you type",
    "eval --room kitchen-01 --commander me --follower listener": "only `tatc run` lets you type",
    "eval --rooms --room kitchen-01": "all rooms",
    "eval games --rooms": "their own rooms",
    "eval --rooms nowhere": "nowhere is none (name ithor or generated after it",
    "eval --rooms --seeds 5-1": "no number or range",
    "eval --rooms --shard 3/2": "no shard",
    "eval --rooms --save-records some": "unknown choice",
    "eval kitchen-01": "is a room, not a game (write --room kitchen-01)",
    "eval x --games y": "name recorded games without an option",
    "eval x --kind edh --controls": "leave out --controls",
    "eval x --kind tfd --follower random --goal true": "accepts no goal",
    "eval x --kind tfd --follower random --goal false": "unknown goal",
    "eval x --kind edh --follower random --perception truth": "does not perceive",
    "eval x --feedback 2": "is for instances",
    f"eval x --kind tfd --feedback 1 --follower {MODEL}": "not for models",
    "eval --rooms --subgoals all": "--subgoals is for sessions in ALFRED's trajectories",
    "eval x --subgoals all --planner pddl": "plans whole tasks",
    "compare --room kitchen-01 --follower et": "add --ablations",
    f"compare --room kitchen-01 {TWO} {'--wording steps ' * 3}": "of --follower for 3 sides",
    "compare a.json,b.json": "there is nothing to run",
    "compare rule,et a --follower rule": "sides are named in two ways",
    "run boil-x --param Mug": "Mug is none of its types",
    "run coffee --room kitchen-1": "did you mean 'kitchen-01'?",
    "compare --room kitchen-01 rule,rlue": "unknown Follower or Commander 'rlue'",
    "eval --room kitchen-01 --dialogue loud": "loud",
    "eval --room kitchen-01 --dialogue other": "--dialogue is for instances",
    "eval --split test_unsen": "did you mean 'test_unseen' or",
    "eval --split train": "has starts without end, and no list of sessions",
    "eval --split test_unseen --room kitchen-01": "a split lists its rooms and seeds",
    "benchmark": "name one of --follower NAME, --table CARDS and --verify CARD",
    "benchmark --follower rule": "name its file with --out card.json",
    "benchmark --follower rule --out c.json --tracks loud": "unknown track 'loud'",
    "benchmark --table nowhere.json": "nowhere.json",
    "understand a.txt b.txt": "Got unexpected extra argument",
    "understand - --remember": "there is no file to remember in",
    "tasks --tasks .": "broken.json: line 2 column 1: is not JSON",
    "rooms new --kind kitchen --seed -1": "seed",
    "play coffee --as cook": "cook",
    "play coffee --follower listener": "tool calls play the Follower already",
    "play coffee --commander llm": "llm does not play beside an agent that tool calls play",
    "play coffee --as both --wording steps": "tool calls play the Commander already",
}


@pytest.fixture
def bad_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.json").write_text("{\n")
    (tmp_path / "{}.json").write_text("{}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", BAD_LINES)
def test_bad_input_is_one_line_and_status_2(line: str, bad_folder: Path) -> None:
    before = sorted(bad_folder.rglob("*"))
    done = run_tatc(*shlex.split(line))
    assert (done.exit_code, done.stdout) == (EXIT_BAD_INPUT, ""), done.output
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    assert BAD_LINES[line] in done.stderr
    assert sorted(bad_folder.rglob("*")) == before


# These read nothing that a user names.
NO_INPUT = {("rooms", "list")}


def test_bad_input_is_tried_on_every_command() -> None:
    leaves = {words for words in COMMANDS if words not in _groups() | NO_INPUT}
    assert not [
        _command_text(words)
        for words in leaves
        if not any(line.startswith(" ".join(words)) for line in BAD_LINES)
    ]


def _raises(error: BaseException) -> typer.Typer:
    """Return an application with the real boundary and a command that fails."""
    small = typer.Typer(cls=ErrorBoundary, rich_markup_mode=None)

    @small.command()
    def fail() -> None:
        raise error

    @small.command()
    def work() -> None:
        typer.echo("done")

    return small


@pytest.mark.parametrize(
    ("error", "status", "stderr"),
    [
        (TatcError("it is so", where="a.json"), 2, "error: a.json: it is so\n"),
        (BadInput("it is so", fix="mend it"), 2, "error: it is so (mend it)\n"),
        (TatcError("two\nlines"), 2, "error: two lines\n"),
        (PermissionError(13, "Permission denied", "x"), 2, "error: x: Permission"),
        (OSError(28, "No space left on device"), 2, "error: No space left"),
        (OSError("odd"), 2, "error: odd\n"),
        (KeyboardInterrupt(), EXIT_INTERRUPTED, "interrupted\n"),
        (typer.Exit(1), 1, ""),
    ],
    ids=repr,
)
def test_the_boundary(error: BaseException, status: int, stderr: str) -> None:
    done = CliRunner().invoke(_raises(error), ["fail"])
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.startswith(stderr) and bool(done.stderr) == bool(stderr)


def test_a_bug_is_not_hidden_by_the_boundary() -> None:
    done = CliRunner().invoke(_raises(RuntimeError("a bug")), ["fail"])
    assert isinstance(done.exception, RuntimeError)


_SCRIPT = """
import sys, time
import typer
from tatc.cli import app, main

@app.command()
def wait() -> None:
    print("waiting", flush=True)
    time.sleep(60)

@app.command()
def count(lines: int) -> None:
    for line in range(lines):
        print(line)

main()
"""


def _process(*words: str, **streams: Any) -> subprocess.Popen[str]:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.Popen([sys.executable, "-c", _SCRIPT, *words], text=True, **streams)


def test_ctrl_c_ends_a_command_with_one_line() -> None:
    with _process("wait") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (EXIT_INTERRUPTED, "interrupted\n")


@pytest.mark.parametrize("lines", ["3", "100000"])
def test_a_reader_that_leaves_is_no_error(lines: str) -> None:
    with _process("count", lines) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("lines", ["3", "100000"])
def test_a_full_disk_is_one_line(lines: str) -> None:
    with open("/dev/full", "w") as full, _process("count", lines, stdout=full) as process:
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == EXIT_BAD_INPUT
    assert stderr.startswith("error: ") and stderr.count("\n") == 1


def test_a_table_is_whole_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_table(["name", "steps"], [["x" * 120, 7], ["[bold]", 12]])
    lines = capsys.readouterr().out.splitlines()
    assert lines == [line.rstrip() for line in lines]
    assert lines[1].split() == ["x" * 120, "7"]
    assert lines[2].split() == ["[bold]", "12"]
    assert lines[1].index("7") == lines[2].index("12") + 1


def test_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_json({"b": "two\nlines é", "a": None})
    assert capsys.readouterr().out == '{"b": "two\\nlines \\u00e9", "a": null}\n'


def test_results_stay_on_stdout_while_a_bar_is_on_the_terminal() -> None:
    code = """
from tatc.commands.text.output import print_json, progress_bar, remark
for each in progress_bar(range(3), "checking"):
    print_json(each)
    print("plain")
    remark(f"seen {each}")
"""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
        text=True,
    ) as process:
        stdout, _ = process.communicate(timeout=20)
    os.close(theirs)
    screen = os.read(ours, 100_000).decode()
    os.close(ours)
    assert (process.returncode, stdout) == (0, "0\nplain\n1\nplain\n2\nplain\n")
    assert "checking" in screen
    lines = screen.replace("\x1b[2K", "\r").replace("\r", "\n").splitlines()
    assert [line for line in lines if "seen" in line] == ["seen 0", "seen 1", "seen 2"]


def test_progress_yields_all_and_prints_nothing_without_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert list(output.progress_bar([3, 1, 2], "checking")) == [3, 1, 2]
    assert capsys.readouterr() == ("", "")


LONG = "x" * 300  # longer than a name may be on any file system


@pytest.mark.parametrize(
    "words",
    [
        *("replay {}", "view {}", "check {}", "report {}", "understand {}", "rooms show {}"),
        *("eval --room kitchen-01 --tasks coffee --out {}", "fidelity {} --out {}"),
        *("run coffee --save {}", "run coffee --policies {}", "run coffee --frames {}"),
        *("thor-server --rooms {}", "thor-server run {}"),
    ],
)
def test_a_name_that_is_too_long_is_one_line(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_tatc(*words.format(LONG, LONG).split())
    errors = [line for line in done.output.splitlines() if line.startswith("error: ")]
    assert done.exit_code == EXIT_BAD_INPUT and len(errors) == 1 and LONG[:90] in errors[0], (
        done.output
    )
