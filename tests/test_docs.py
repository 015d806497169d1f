"""What the documents say of the code is so: files that exist, commands as they are."""

import re
import runpy
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tatc.session.agents.agent_names import COMMANDER_GROUP, FOLLOWER_GROUP

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FILE_NAME = re.compile(r"`((?:tatc|tests|docs|benchmarks|examples)/(?:[\w./-]*(?:/|\.\w+))?)`")
MIN_QUESTIONS = 10  # of the map in CONTRIBUTING.md
PAGE_CHARACTERS = 12_000
AGENTS_LINES = 60
RELEASE_CHARACTERS = 8_000  # of the changelog


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_that_a_document_names_exist(document: Path) -> None:
    named = FILE_NAME.findall(document.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_map_answers_each_question_with_a_file() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section, _, _ = text.partition("\n## Where is ...?\n")[2].partition("\n## ")
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    assert len(rows) >= MIN_QUESTIONS
    assert [row for row in rows if not FILE_NAME.search(row.split("|")[2])] == []


def test_what_coding_agents_read_first_is_short() -> None:
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= AGENTS_LINES


def test_the_reference_of_the_command_line_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "reference" / "generate_cli.py"))
    fix = "run python docs/reference/generate_cli.py"
    assert script["PAGE"].read_text(encoding="utf-8") == script["cli_page"](), fix


def test_the_page_on_plug_ins_has_every_group_of_entry_points() -> None:
    page = (ROOT / "docs" / "reference" / "plug-ins.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {COMMANDER_GROUP, FOLLOWER_GROUP, "console_scripts", *project["entry-points"]}
    assert groups == set(re.findall(r"^\| `([\w.]+)` \|", page, re.MULTILINE))


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"[\w/-]+\.md$", text, re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert listed == pages


def test_every_link_between_documents_leads_to_a_file() -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text):
            assert (document.parent / target).exists(), f"{document}: {target}"


RENAMED = (ROOT / "docs" / "reference" / "renamed.md").read_text(encoding="utf-8")


def test_the_new_names_of_renamed_names_exist() -> None:
    rows = re.findall(r"^\| `(tatc[\w.]*)` \| `[\w.]+` \| `([\w.]+)` \|$", RENAMED, re.MULTILINE)
    assert len(rows) > 100
    for module, name in rows:
        if module == "tatc.apps.envs":
            pytest.importorskip("gymnasium", reason="needs the extra: gym")
        assert hasattr(import_module(module), name.partition(".")[0]), f"{module}: {name}"


def test_the_new_places_of_moved_modules_exist() -> None:
    moved = RENAMED.partition("\n## 0.2.0: modules\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(tatc[\w.]*)` \| (.+) \|$", moved, re.MULTILINE)
    assert len(rows) > 50
    for old, new in rows:
        for module in re.findall(r"`([\w.]+)`", new):
            assert find_spec(module), f"{old}: {module}"


@pytest.mark.parametrize("version", ["0.2.0", "0.1.0"])
def test_the_changelog_of_a_release_is_short(version: str) -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## [{version}]")[2].partition("\n## [")[0]
    assert 0 < len(section) <= RELEASE_CHARACTERS


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_page_can_be_read_in_one_go(document: Path) -> None:
    """Only references may be longer."""
    if document.parent.name != "reference":
        assert len(document.read_text(encoding="utf-8")) <= PAGE_CHARACTERS
