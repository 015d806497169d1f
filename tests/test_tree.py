"""The shape of the source tree: what every module and every file keeps to."""

import ast
import re
from pathlib import Path

import pytest

import tatc

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for path in sorted(ROOT.rglob("*"))
    if path.is_file()
    and not any(
        # The repository itself may lie under a folder of any name.
        part.startswith(".") or part in {"__pycache__", "venv", "dist"}
        for part in path.relative_to(ROOT).parts[:-1]
    )
]
SOURCES = [path for path in FILES if path.suffix == ".py"]
MODULES = [path for path in SOURCES if path.is_relative_to(ROOT / "tatc")]

TREES = {"tatc", "tests"}
MODULE_LINES = 500
FUNCTION_LINES = 60  # without the docstring
PACKAGE_FILES = 600
PACKAGE_LINES = 84_000
IMPORT_SHARE = 0.06
TOP_ENTRIES = 14  # that a reader sees in tatc/
FILE_BYTES = 2_000_000


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_says_what_it_holds_and_stays_small(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source)), "the module has no docstring"
    assert len(source.splitlines()) <= MODULE_LINES, "the module wants a split"


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_function_can_be_read_at_a_glance(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    long = {
        node.name: lines
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := _lines_without_docstring(node)) > FUNCTION_LINES
    }
    assert not long, "the function wants a split"


def _lines_without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    last = node.end_lineno or node.lineno
    lines = last - node.lineno + 1
    if ast.get_docstring(node) is None:
        return lines
    docstring = node.body[0]
    return lines - ((docstring.end_lineno or 0) - docstring.lineno + 1)


def test_the_package_can_be_held_in_the_head() -> None:
    lines = [path.read_text(encoding="utf-8").splitlines() for path in MODULES]
    assert len(MODULES) <= PACKAGE_FILES
    assert sum(map(len, lines)) <= PACKAGE_LINES
    unseen = {"__init__.py", "__main__.py", "__pycache__", "py.typed"}
    entries = {path.name for path in (ROOT / "tatc").iterdir()} - unseen
    assert len(entries) <= TOP_ENTRIES, entries


def test_imports_take_few_of_the_lines() -> None:
    imports = total = 0
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        total += len(source.splitlines())
        imports += sum(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Import | ast.ImportFrom)
        )
    assert imports <= IMPORT_SHARE * total, f"{imports / total:.2%}"


def test_nothing_is_left_to_do_in_the_sources() -> None:
    pattern = re.compile(r"\b(?:TODO|FIXME|XXX)\b")
    left = [
        f"{_name(path)}:{number}: {line.strip()}"
        for path in SOURCES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line) and path != Path(__file__)
    ]
    assert not left


def test_every_folder_of_the_package_and_the_tests_is_a_package() -> None:
    folders = {path.parent for path in SOURCES if path.parts[len(ROOT.parts)] in TREES}
    assert not [_name(each) for each in folders if not (each / "__init__.py").exists()]


def test_no_file_is_large() -> None:
    """But for the weights of the Follower that ships."""
    plain = [path for path in FILES if path.suffix != ".safetensors"]
    sizes = {_name(path): path.stat().st_size for path in plain}
    assert not {name: size for name, size in sizes.items() if size > FILE_BYTES}


def test_the_changelog_knows_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[(\d[^]]*)\]", text, re.MULTILINE)
    assert versions[0] == tatc.__version__
