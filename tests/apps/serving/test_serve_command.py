"""What is wrong with `tatc serve` is one line with the fix."""

import sys
from pathlib import Path

import pytest

from tatc.apps.serving.session_table import read_client_tokens
from tatc.base import errors
from tests.command_line import run_tatc


def refused(*words: str) -> str:
    done = run_tatc("serve", "mcp", *words)
    assert done.exit_code == 2, done.output
    assert done.output.count("\n") == 1
    return done.output


def test_without_the_extra_the_fix_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "tatc.apps.serving.mcp_server", raising=False)
    line = refused("coffee")
    assert "this needs mcp (extra mcp), which is not installed (run: " in line
    assert "pip install" in line


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("coffee --as driver", "unknown role 'driver' (name follower or commander)"),
        ("coffee --grain fine", "unknown grain 'fine' (name primitives or go-to)"),
        ("coffee --as commander --wording steps", "wording: tool calls play the Commander"),
        ("coffee --follower rule", "(leave it out, or play the other role)"),
        ("coffee --wording loud", "loud"),
        ("coffee --commander rul", "did you mean 'rule'?"),
        ("coffee --commander me", "only `tatc run` lets you type"),
        ("unheard-of", "unknown task"),
        ("", "name a task"),
        ("coffee --port 8000", "add --http, or leave them out"),
        ("coffee --http --tokens none.txt", "none.txt"),
        ("coffee --allow-host tatc", "add --http, or leave them out"),
        ("coffee --http --allow-host http://tatc", "--allow-host: is no name of a host"),
        ("coffee --http --allow-host *", "--allow-host: is no name of a host"),
        ("coffee --http --host no.such.host.invalid", "cannot listen"),
    ],
)
def test_wrong_options_are_one_line(words: str, why: str) -> None:
    pytest.importorskip("mcp", reason="needs the extra: mcp")
    assert why in refused(*words.split())


@pytest.mark.parametrize("command", ["mcp", "openenv"])
def test_a_folder_that_takes_no_records_is_named_before_any_client_plays(
    command: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("mine")
    done = run_tatc("serve", command, "coffee", "--save", f"{tmp_path}/file")
    assert done.exit_code == 2 and done.output.count("\n") == 1, done.output
    assert "cannot be made" in done.output and "--save" in done.output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--split test", "unknown split 'test'"),
        ("coffee --split train", "a split brings its own tasks and rooms"),
        ("--split train --room kitchen-01", "a split brings its own tasks and rooms"),
        ("coffee --max-sessions 0", "--max-sessions"),
    ],
)
def test_a_wrong_split_is_refused(words: str, why: str) -> None:
    done = run_tatc("serve", "openenv", *words.split())
    assert done.exit_code == 2 and why in done.output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no client"),
        ("# nobody\n\n", "there is no client"),
        ("ann\n", "line 1: there are 1 words"),
        ("ann 1234567890123456\nben b en\n", "line 2: there are 3 words"),
        ("ann short\n", "line 1: the token of ann is short"),
        ("ann 1234567890123456\nben 1234567890123456\n", "line 2: the name or token of ben"),
        ("ann 1234567890123456\nann 6543210987654321\n", "line 2: the name or token of ann"),
        ("ann \udcff\n", "is no text in UTF-8"),
    ],
)
def test_a_file_of_tokens_with_a_fault_is_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "clients.txt"
    path.write_text(text, errors="surrogateescape")
    with pytest.raises(errors.BadInput, match=why):
        read_client_tokens(path)
