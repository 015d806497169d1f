"""Damaged files of every kind: sound ones are read, and damaged ones never end in a traceback."""

import gzip
import json
from pathlib import Path
from random import Random

import pytest

from benchmarks.fuzz.campaign import make_corpus_here, run_campaign
from benchmarks.fuzz.case import copy_target, run_reader
from benchmarks.fuzz.mutate_file import mutate_file
from benchmarks.fuzz.outcomes import Ending, Outcome, classify
from benchmarks.fuzz.targets import FILE, targets_here

COUNT, SEED = 240, 156  # which draw at least two cases of each kind
WHOLE_EVERY = 60  # starting processes takes long; `python -m benchmarks fuzz` starts more
SLOW = 0.05  # the weight of readers that start processes of their own


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    make_corpus_here(folder, targets_here())
    return folder


def test_no_damaged_file_ends_in_a_traceback_a_hang_or_a_wrong_exit(corpus: Path) -> None:
    results = list(run_campaign(corpus, SEED, 0, COUNT, workers=1, whole_every=WHOLE_EVERY))
    findings = [each for each in results if each.outcome.is_finding]
    told = [
        f"{each.index}: {each.kind}: {each.reader}: {each.outcome}: {each.why}" for each in findings
    ]
    assert len(results) == COUNT and not findings, "\n".join(told)
    # The damage is neither too small to be seen nor too large to be read past the first byte.
    answered = sum(each.outcome is Outcome.ANSWER for each in results)
    assert COUNT / 5 < answered < COUNT * 4 / 5


def test_every_reader_takes_sound_files(corpus: Path, tmp_path: Path) -> None:
    targets = [each for each in targets_here() if each.kind not in ("training", "checkpoints")]
    for target in targets:
        for reader in (each for each in target.readers if each.weight > SLOW):
            copy_target(target, corpus, tmp_path / "case")
            paths = [p for each in target.files for p in sorted((tmp_path / "case").glob(each))]
            path = paths[0]
            assert path.exists(), target.files
            found = run_reader(0, target, reader, path, tmp_path / "case", is_whole=False)
            assert found.outcome is Outcome.ANSWER, (target.kind, reader.name, found)
            assert FILE not in found.reader


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        (Ending(0, '{"a": 1}\n'), Outcome.ANSWER),
        (Ending(1, "", "skipped: x\n"), Outcome.ANSWER),
        (Ending(2, "", "skipped: x\nerror: y\n"), Outcome.ERROR_LINE),
        (Ending(2, "", "error: y\nerror: z\n"), Outcome.WRONG_EXIT),
        (Ending(2, "", "error: y\nmore\n"), Outcome.WRONG_EXIT),
        (Ending(2, "", ""), Outcome.WRONG_EXIT),
        (Ending(3, "", "error: y\n"), Outcome.WRONG_EXIT),
        (Ending(0, '{"a": NaN}\n'), Outcome.WRONG_EXIT),
        (Ending(0, "", "\x1b[31m"), Outcome.WRONG_EXIT),
        (Ending(0, "", "Traceback (most recent call last)\n"), Outcome.TRACEBACK),
        (Ending(-9, "", ""), Outcome.WRONG_EXIT),
        (Ending(0, "", "", 2 << 30), Outcome.MEMORY),
        (Ending(None, "", "", 0, True), Outcome.HANG),
    ],
)
def test_endings_are_told_apart(ending: Ending, outcome: Outcome) -> None:
    assert classify(ending, frozenset({0, 1}), is_json=True)[0] is outcome


def test_the_same_seed_does_the_same_damage(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    sound = gzip.compress(json.dumps({"a": [1, {"b": "c"}], "d": None}).encode())

    def damaged(seed: int) -> bytes:
        path.write_bytes(sound)
        mutate_file(path, Random(seed))
        return path.read_bytes()

    results = [damaged(seed) for seed in range(50)]
    assert results == [damaged(seed) for seed in range(50)]
    assert len(set(results)) > 30
