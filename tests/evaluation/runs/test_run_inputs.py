"""The identity of a run holds what its files hold: after a change, nothing is resumed."""

import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import run_tatc

CHANGED = "has changed (name another folder with --out, or give --force to start again)"
_AGENT = "from {base} import RuleFollower\nclass Mine(RuleFollower): pass\n"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """Return two generated kitchens of one name."""
    folder = tmp_path_factory.mktemp("rooms")
    texts: dict[int, str] = {}
    for seed in (7, 8):
        path = folder / f"{seed}.json"
        words = ("rooms", "new", "--kind", "kitchen", "--seed", seed, "--out", path)
        assert run_tatc(*words).exit_code == 0
        texts[seed] = json.dumps(json.loads(path.read_text()) | {"name": "kitchen-x"})
    return texts


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the current folder, from which modules are imported anew."""
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def _eval(*words: object) -> str:
    """Run coffee in a kitchen, and return what is wrong."""
    own = () if "--room" in words else ("--room", "kitchen-01")
    done = run_tatc("eval", *own, "--tasks", "coffee", *words, "--out", "run", "--json")
    assert done.exit_code == (2 if done.stderr else 0), done.output
    return done.stderr


def test_a_room_file_that_changed_is_named(here: Path, rooms: dict[int, str]) -> None:
    Path("room.json").write_text(rooms[7])
    words = ("--room", "room.json")
    assert _eval(*words) == _eval(*words) == ""
    Path("room.json").write_text(rooms[8])
    assert _eval(*words) == f"error: run: holds another run: room.json {CHANGED}\n"
    assert _eval(*words, "--force") == ""


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({"helper.py": "from tatc.follower.rule_follower import RuleFollower"}, "helper.py"),
        (
            {
                "helper.py": "from kit.parts import RuleFollower",
                "kit/__init__.py": "",
                "kit/parts.py": "from .inner import *",
                "kit/inner.py": "from tatc.follower.rule_follower import RuleFollower",
            },
            "kit/inner.py",
        ),
        (
            {
                "helper.py": "from tatc.follower.rule_follower import RuleFollower\n"
                "def later():\n    import lazy.deep\n",
                "lazy/__init__.py": "",
                "lazy/deep.py": "x = 1",
            },
            "lazy/deep.py",
        ),
        ({"helper.py": "import unused\nfrom tatc.follower.rule_follower import *"}, "agent.py"),
    ],
)
def test_a_module_of_an_agent_that_changed_is_named(
    here: Path, files: dict[str, str], changed: str
) -> None:
    Path("unused.py").write_text("")
    for name, text in {**files, "agent.py": _AGENT.format(base="helper")}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    Path("beside.py").write_text("")  # which nothing imports
    assert _eval("--follower", "agent:Mine") == ""
    Path("beside.py").write_text("x = 1")
    assert _eval("--follower", "agent:Mine") == ""
    with Path(changed).open("a") as file:
        file.write("\n# changed")
    assert f"{changed} has changed" in _eval("--follower", "agent:Mine")


def test_tasks_policies_and_what_policies_import_are_named(here: Path) -> None:
    for name in ("tasks", "own"):
        os.mkdir(name)
    Path("own/mine.py").write_text("import helps\n")
    Path("helps.py").write_text("")
    words = ("--policies", "own")
    sys.path.insert(0, str(here))
    try:
        assert _eval(*words) == ""
        Path("helps.py").write_text("x = 1")
        assert "helps.py has changed" in _eval(*words)
        Path("own/more.py").write_text("")
        why = _eval(*words)
        assert "helps.py has changed" in why and "own/more.py is new" in why
    finally:
        sys.path.remove(str(here))


def test_a_game_that_changed_is_named(here: Path, sample_games: list[Path]) -> None:
    game = Path("a.game.json.gz")
    game.write_bytes(sample_games[0].read_bytes())
    words = ("eval", game, "--out", "run", "--json")
    assert run_tatc(*words).exit_code == 0
    held = (here / "run" / "results.jsonl").read_bytes()
    game.write_bytes(gzip.compress(gzip.decompress(game.read_bytes()) + b"\n"))
    done = run_tatc(*words)
    assert done.exit_code == 2 and f"a.game.json.gz {CHANGED}" in done.stderr
    game.write_bytes(sample_games[0].read_bytes())
    assert run_tatc(*words).exit_code == 0
    assert (here / "run" / "results.jsonl").read_bytes() == held
