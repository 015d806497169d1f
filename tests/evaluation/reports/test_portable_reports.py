"""Pages and tables that are handed around: no folders of the machine, no formulas."""

import json
from csv import reader
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tatc.base.plain_text import PathShortener
from tatc.evaluation.reports.report_page import portable_comparison, sessions_csv
from tatc.evaluation.runs.follower_comparison import Contender, FollowerComparison, compare_pair
from tatc.evaluation.runs.rows import SessionFailure
from tatc.evaluation.runs.run_folder import RunFolder
from tatc.evaluation.runs.run_report import RunReport, read_report
from tatc.session.records import read_record
from tests.command_line import forget_marks, run_tatc


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run of a room file, and the records of its sessions."""
    home = tmp_path_factory.mktemp("somebody")
    room = home / "rooms" / "mine.json"
    room.parent.mkdir()
    assert run_tatc("rooms", "new", "--kind", "kitchen", "--seed", 3, "--out", room).exit_code == 0
    words = ("--tasks", "coffee", "--commander", "tests.evaluation.runs.agents:Stops")
    done = run_tatc(
        "eval", "--room", room, *words, "--out", home / "runs" / "first", "--save-records", "all"
    )
    assert done.exit_code == 0, done.output
    (home / "runs" / "broken.game.json").write_text('{"tasks": 5}')
    return home


@pytest.fixture
def report(home: Path) -> RunReport:
    return read_report([RunFolder(home / "runs" / "first")])


def _all_text(folder: Path) -> str:
    return "\n".join(each.read_text() for each in folder.rglob("*.js"))


def test_pages_and_tables_have_no_folders_of_this_machine(home: Path, tmp_path: Path) -> None:
    files = tmp_path / "page.html", tmp_path / "table.csv"
    line = ("--html", files[0], "--csv", files[1], "--site", tmp_path / "site")
    assert run_tatc("report", home / "runs" / "first", *line).exit_code == 0
    page, table = (each.read_text() for each in files)
    assert "tatc debug --record first/records/" in page and "mine" in page
    for text in (page, table, _all_text(tmp_path / "site")):
        assert home.name not in text and str(tmp_path) not in text


def test_a_site_has_no_folders_of_this_machine(home: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        text = (home / "runs" / "broken.game.json").read_text()
        (tmp_path / name / "broken.game.json").write_text(text)
    named = (home / "runs" / "first", home / "runs" / "broken.game.json")
    both = (tmp_path / "first", tmp_path / "second")
    words = ("--export", tmp_path / "site", "--no-pictures")
    assert run_tatc("view", *named, *both, *words).exit_code == 1  # none can be read
    text = _all_text(tmp_path / "site")
    assert home.name not in text and str(tmp_path) not in text
    assert "broken.game.json: tasks" in text
    listed = (tmp_path / "site" / "data" / "sessions.js").read_text()
    rows = json.loads(listed[listed.index(",") + 1 : -3])["rows"]
    assert len({row[2] for row in rows}) == 4  # sources of one name stay apart


def test_a_session_that_cannot_be_shown_names_no_folder(home: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--tasks", "coffee", "--save-records", "none", "--out", run)
    assert run_tatc("eval", "--room", "kitchen-01", *words).exit_code == 0
    identity = json.loads((run / "run.json").read_text())
    identity["options"]["setup"]["follower"] = "elsewhere:X"
    (run / "run.json").write_text(json.dumps(identity))
    forget_marks(run)
    assert run_tatc("view", run, "--export", tmp_path / "site").exit_code == 0
    text = _all_text(tmp_path / "site")
    assert "run.json: options.setup.follower" in text and str(tmp_path) not in text


def test_a_comparison_tells_followers_of_one_file_name_apart(report: RunReport) -> None:
    contenders = [Contender(name, "steps") for name in ("et:/a/x.st", "et:/b/x.st", "et:x.st")]
    setups = [{"setup": {"follower": each.follower}} for each in contenders]
    reports = {
        each.label: replace(report, identity={**report.identity, "options": options})
        for each, options in zip(contenders, setups, strict=True)
    }
    first, *others = contenders
    pairs = tuple(compare_pair(reports, first, each) for each in others)
    found = portable_comparison(FollowerComparison(reports, pairs))
    assert list(found.reports) == ["et:a/x.st (steps)", "et:b/x.st (steps)", "et:x.st (steps)"]
    assert {each.first.label for each in found.pairs} == {"et:a/x.st (steps)"}


def test_a_record_names_a_checkpoint_without_its_folders(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra: learned")
    from tatc.follower.learned.learned_followers import SHIPPED_CHECKPOINT

    path = tmp_path / "coffee.game.json"
    follower = f"et:{SHIPPED_CHECKPOINT}"
    words = ("--follower", follower, "--wording", "steps", "--save", path, "--quiet")
    assert run_tatc("run", "coffee", "--room", "kitchen-01", *words).exit_code in (0, 1)
    assert dict(read_record(path).options)["follower"] == f"et:{SHIPPED_CHECKPOINT.name}"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "=1+1", "@SUM(A1)", "-2+3"])
def test_no_cell_of_a_table_is_a_formula(report: RunReport, start: str) -> None:
    [row] = report.rows
    text = f"{start}cmd|' /C calc'!A0"
    failure = SessionFailure(text, text, text, None)
    changed = replace(row, key=text, task=text, params=(text,), place=text, split=text)
    changed = replace(changed, skipped=text, failure=failure)
    folders = {text: report.folders[row.key]}
    table = sessions_csv(replace(report, rows=(changed,), folders=folders))
    _, cells = reader(table.splitlines())
    assert cells.count(f"'{text}") == 9
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@\t"))]


def test_numbers_stay_numbers_in_a_table(report: RunReport) -> None:
    [row] = report.rows
    table = sessions_csv(replace(report, seconds={row.key: -1.5}))
    _, cells = reader(table.splitlines())
    assert "-1.5" in cells


_NAMES = st.text("ab.", min_size=1, max_size=3).filter(lambda name: set(name) != {"."})
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map(lambda names: "/" + "/".join(names))


@given(st.lists(_PATHS, min_size=1, max_size=5))
def test_short_paths_are_relative_and_tell_files_apart(paths: list[str]) -> None:
    shortener = PathShortener.of(paths)
    short = {path: shortener.shorten(path) for path in paths}
    assert not [each for each in short.values() if each.startswith("/")]
    assert all(path.endswith(f"/{each}") for path, each in short.items())


@pytest.mark.parametrize("text", ["rule", "runs/a", "et:models/x.st", "a:b", "", "module:Class"])
def test_what_is_no_absolute_path_stays(text: str) -> None:
    assert PathShortener.of(["/home/me/x"]).shorten(text) == text
