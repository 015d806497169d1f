"""The mutation runner: which tests run a line, and what becomes of a mutant in a fork."""

import json
from pathlib import Path

import pytest

from benchmarks.mutants.covering_tests import measure_tests
from benchmarks.mutants.forked_pytest import TIMED_OUT, TestChoice, run_forked

MODULE = "fruit/price.py"
SOURCE = '''\
"""Prices."""

DISCOUNT = 2


def price(count: int) -> int:
    while count < 0:
        count += 1
    return (
        3 * count
        - DISCOUNT
    )


def unused() -> int:
    return 7
'''
TESTS = """\
from fruit.price import price


def test_none_is_paid_back():
    assert price(0) == -2


def test_two():
    assert price(2) == 4


def test_other():
    assert True
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        MODULE: SOURCE,
        "fruit/__init__.py": "",
        "test_price.py": TESTS,
        "conftest.py": "import sys; sys.path.insert(0, '.'); import fruit.price",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def _line_of(text: str) -> int:
    return 1 + next(i for i, line in enumerate(SOURCE.splitlines()) if text in line)


def test_a_line_has_the_tests_that_run_it(project: Path) -> None:
    found = measure_tests(project, "fruit", ["test_price.py"])
    both = {"test_price.py::test_none_is_paid_back", "test_price.py::test_two"}
    assert set(found.tests_of(project, MODULE, _line_of("- DISCOUNT"))) == both
    assert found.tests_of(project, MODULE, _line_of("return 7")) == []
    # What runs on import may matter to any test.
    on_import = found.tests_of(project, MODULE, _line_of("DISCOUNT = 2"))
    assert set(on_import) == both | {"test_price.py::test_other"}
    assert not found.failed


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("3 * count", "3 * count", 0),
        ("3 * count", "4 * count", 1),
        ("return 7", "return 8", 0),
        ("DISCOUNT = 2", "DISCOUNT = 1 / 0", 4),  # conftest.py cannot be imported
        ("count < 0", "True", TIMED_OUT),
    ],
)
def test_a_mutant_is_tried_in_a_fork(old: str, new: str, status: int | None, project: Path) -> None:
    limit = 1.5 if status is TIMED_OUT else 20.0  # seconds; a busy machine may be slow
    chosen = TestChoice({"test_price.py::test_two": limit})
    replaced = (MODULE, SOURCE.replace(old, new))
    found, _ = run_forked(project, ["test_price.py"], [chosen], replaced=replaced, seconds=30)
    assert found == status
    assert (project / MODULE).read_text() == SOURCE


def test_mutants_are_drawn_by_seed_and_named_by_their_text(project: Path) -> None:
    pytest.importorskip("cosmic_ray", reason="needs the extra: mutation")
    from benchmarks.mutants.mutations import draw_mutants, list_mutations

    mutations = list_mutations(project, "fruit")
    one, more = (list(draw_mutants(project, mutations, 5, count)) for count in (4, 9))
    assert more[:4] == one and len(more) == 9
    everything = list(draw_mutants(project, mutations, 5, None))
    keys = {mutant.key for mutant in everything}
    assert (MODULE, "price", "3 * count", "3 / count") in keys
    assert (MODULE, "", "DISCOUNT = 2", "DISCOUNT = 3") in keys
    assert len({mutant.source for mutant in everything}) == len(everything)


def test_each_mutant_that_is_named_as_equivalent_is_one_of_the_present_code() -> None:
    root = Path(__file__).parents[2]
    entries = json.loads((root / "benchmarks/mutants/equivalent.json").read_text("utf-8"))
    for entry in entries:
        assert entry["reason"] and entry["after"] != entry["before"]
        if entry["file"] != "*":
            source = (root / entry["file"]).read_text("utf-8")
            lines = {line.strip() for line in source.splitlines()}
            assert set(entry["before"].splitlines()) <= lines, entry
            names = filter(None, entry["definition"].split("."))
            assert all(f"def {name}(" in source or f"class {name}" in source for name in names), (
                entry
            )
    keys = [
        tuple(entry[name] for name in ("file", "definition", "before", "after"))
        for entry in entries
    ]
    assert len(set(keys)) == len(keys)
