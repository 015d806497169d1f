"""`tatc view --export`: the pages as files, with the same data as the server's."""

from pathlib import Path

from tests.apps.viewer.conftest import value_of
from tests.command_line import run_tatc


def test_every_picture_that_is_named_is_there(site: Path) -> None:
    [session] = (site / "data" / "session").iterdir()
    for moment in value_of(session.read_text())["moments"]:
        for who in ("follower", "commander"):
            name = f"{moment['picture']}-{who}.webp"
            assert (site / "pictures" / session.stem / name).is_file()


def test_nothing_of_it_needs_a_server(site: Path) -> None:
    assert value_of((site / "data" / "sessions.js").read_text())["live"] is False
    assert not (site / "play.html").exists()
    for page in site.glob("*.html"):
        assert "http" not in page.read_text().replace("http-equiv", "")


def test_a_folder_with_other_things_is_kept(short: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    refused = run_tatc("view", short, "--export", tmp_path, "--no-pictures")
    assert refused.exit_code == 2 and "is not empty" in refused.stderr
    forced = run_tatc("view", short, "--export", tmp_path, "--no-pictures", "--force")
    assert forced.exit_code == 0 and not (tmp_path / "pictures").exists()
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_fault_is_exported_in_its_own_place(damaged: Path, tmp_path: Path) -> None:
    done = run_tatc("view", damaged, "--export", tmp_path / "site", "--no-pictures")
    assert (done.exit_code, done.stderr.count("left out: ")) == (1, 3)
    found = [value_of(path.read_text()) for path in (tmp_path / "site/data/session").iterdir()]
    assert sorted(bool(each.get("error")) for each in found) == [False, True, True, True]
