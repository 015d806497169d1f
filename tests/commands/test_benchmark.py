"""TATC-Bench: fixed sessions, tracks, cards that can be verified, and tables of them."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.evaluation.benchmark.card import VERSION, figures_of, level_of, read_card
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.runs.run_folder import BLAME_FILE
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.follower.rule_follower import RuleFollower
from tatc.home.actions import Action, Role, Verb
from tatc.home.observation import Observation
from tatc.session.records import SessionEnd, read_record
from tatc.session.start import load_split, split_names
from tests.command_line import run_tatc

STOP = Action(Verb.STOP)
WORDS = ("benchmark", "--follower", "rule", "--limit", "2")


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the card of the rule-based pair, and its runs."""
    folder = tmp_path_factory.mktemp("cards")
    done = run_tatc(*WORDS, "--out", folder / "rule.json")
    assert done.exit_code == 0, done.output
    return folder


def row(room: str, task: str, seed: int, *, solved: bool, met: int = 0, **more: Any) -> SessionRow:
    end = SessionEnd.SUCCESS if solved else SessionEnd.GAVE_UP
    before = GoalConditionCounts(4, 2)
    after = GoalConditionCounts(4, 4 if solved else met)
    key = f"{room} {task} {seed}"
    more = {"before": before, "after": after, "place": room, "task": task} | more
    return SessionRow(key=key, end=end.value, seed=seed, **more)


def test_each_track_says_as_much_as_it_should(cards: Path) -> None:
    card = read_card(cards / "rule.json")
    full, asks, silent = (card.tracks[name] for name in ("full", "asks", "silent"))
    assert (full.solved, asks.solved, silent.solved) == (2, 2, 0)
    assert full.steps and not silent.steps
    (record,) = list((cards / "rule.runs" / "silent" / "records").iterdir())[:1]
    saved = json.loads(gzip.decompress(record.read_bytes()))
    assert "silent" in json.dumps(saved), "a record says how much was said"


def test_a_card_is_made_twice_with_the_same_bytes_and_goes_on(cards: Path, tmp_path: Path) -> None:
    first = (cards / "rule.json").read_bytes()
    results = cards / "rule.runs" / "full" / "results.jsonl"
    kept = results.read_bytes()
    results.write_bytes(kept.splitlines(keepends=True)[0])
    assert run_tatc(*WORDS, "--out", cards / "rule.json").exit_code == 0
    assert (cards / "rule.json").read_bytes() == first and results.read_bytes() == kept


def test_a_card_says_who_lost_which_sessions(tmp_path: Path) -> None:
    card = tmp_path / "random.json"
    words = ("benchmark", "--follower", "random", "--limit", "2", "--tracks", "full,silent")
    done = run_tatc(*words, "--blame", "--prices", "1,2", "--out", card)
    assert done.exit_code == 0, done.output
    tracks = read_card(card).tracks
    assert tracks["full"].blame == (0, 2), "the Follower does what it likes"
    assert tracks["silent"].blame == (0, 2) and "0 C, 2 F" in done.stdout
    assert run_tatc("benchmark", "--verify", card).exit_code == 0
    (tmp_path / "random.runs" / "full" / BLAME_FILE).write_text("{}")
    wrong = run_tatc("benchmark", "--verify", card)
    assert wrong.exit_code == 2 and "does not say who lost" in wrong.stderr
    for prices in ("1", "1,x", "-1,2", "1,inf"):
        refused = run_tatc(*words, "--prices", prices, "--out", card)
        assert refused.exit_code == 2 and "no pair of prices" in refused.stderr


def test_what_is_not_said_has_its_own_reason(tmp_path: Path) -> None:
    card = tmp_path / "steps.json"
    words = ("--follower", "tests.commands.test_benchmark:Complaining", "--wording", "steps")
    done = run_tatc("benchmark", *words, "--limit", "1", "--tracks", "asks", "--out", card)
    assert done.exit_code == 0, done.output
    (path,) = (tmp_path / "steps.runs" / "asks" / "records").iterdir()
    record = read_record(path)
    said = [each.text for each in record.interactions if each.role is Role.COMMANDER]
    assert "Okay." in said and "Okay." in {each.utterance for each in record.decisions}
    assert run_tatc("benchmark", "--verify", card).exit_code == 0


class Complaining(RuleFollower):
    """Says something after each instruction that is no question, before it asks."""

    turns = 0

    def act(self, observation: Observation) -> Action:
        self.turns += 1
        if self.turns % 3 == 2:
            return Action(Verb.TEXT, text="I do not like that.")
        return Action(Verb.TEXT, text="What should I do next?") if self.turns < 30 else STOP


def test_a_card_is_verified_by_its_records(cards: Path, tmp_path: Path) -> None:
    card = cards / "rule.json"
    done = run_tatc("benchmark", "--verify", card)
    assert done.exit_code == 0 and "6 sessions replayed" in done.stdout
    other = tmp_path / "rule.json"
    other.write_bytes(card.read_bytes())
    missing = run_tatc("benchmark", "--verify", other)
    assert missing.exit_code == 2 and "holds no run of this track" in missing.stderr
    raw = json.loads(card.read_bytes())
    raw["tracks"]["full"]["steps"] += 1
    better = cards / "better.json"
    better.write_text(json.dumps(raw))
    (cards / "better.runs").symlink_to(cards / "rule.runs")
    done = run_tatc("benchmark", "--verify", better)
    assert done.exit_code == 2 and "the figures of full are not those" in done.stderr
    better.unlink()
    (cards / "better.runs").unlink()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw["benchmark"].update(version=VERSION + 1), "cards of another version"),
        (lambda raw: raw["tracks"]["full"].update(solved=3), "of the listed sessions are solved"),
        (lambda raw: raw["tracks"].pop("full"), "each listed"),
        (lambda raw: raw["tracks"]["full"].update(interval=[1]), "should have two numbers"),
        (lambda raw: raw.update(format="a run"), "format"),
        (lambda raw: raw["tracks"]["full"].update(blame=3), "blame"),
        (lambda raw: raw.update(prices=["a", 1]), "prices"),
    ],
)
def test_a_wrong_card_is_one_line(cards: Path, tmp_path: Path, change: Any, words: str) -> None:
    raw = json.loads((cards / "rule.json").read_bytes())
    change(raw)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(raw))
    done = run_tatc("benchmark", "--table", wrong)
    assert done.exit_code == 2 and words in done.stderr and str(wrong) in done.stderr


def test_tables_hold_cards_of_the_same_sessions_alone(cards: Path, tmp_path: Path) -> None:
    shown = run_tatc("benchmark", "--table", cards)
    assert shown.exit_code == 0 and "rule + rule" in shown.stdout
    for suffix, sign in (
        (".md", "| rule + rule |"),
        (".tex", r"\%"),
        (".html", "<td>rule + rule"),
    ):
        out = tmp_path / f"table{suffix}"
        assert run_tatc("benchmark", "--table", cards, "--out", out).exit_code == 0
        assert sign in out.read_text()
    assert run_tatc("benchmark", "--table", cards, "--out", tmp_path / "a.doc").exit_code == 2
    raw = json.loads((cards / "rule.json").read_bytes())
    raw["benchmark"]["sessions_hash"] = "other"
    (tmp_path / "other.json").write_text(json.dumps(raw))
    mixed = run_tatc("benchmark", "--table", cards, "--table", tmp_path / "other.json")
    assert mixed.exit_code == 2 and "cannot be compared" in mixed.stderr


def test_figures_are_of_what_was_gained() -> None:
    rows = [row("a", "t", seed, solved=seed < 2, met=3, words=10, conflicts=1) for seed in range(3)]
    rows += [row("b", "t", seed, solved=True, words=10, conflicts=0) for seed in range(3)]
    figures = figures_of(rows)
    assert (figures.sessions, figures.solved, figures.pass_k) == (6, 5, 0.5)
    assert figures.goal_conditions == pytest.approx((5 + 0.5) / 6)
    assert figures.words == pytest.approx(60 / 11) and figures.conflicts == 0.5
    assert figures.tokens is None and figures.interval == (2 / 3, 1.0)
    asked = [replace(each, model_tokens=3_000, answer_tokens=1_000) for each in rows]
    priced = figures_of(asked, prices=(1.0, 2.0))
    assert priced.tokens == pytest.approx(18_000 / 11) and figures.cost is None
    assert priced.cost == pytest.approx((12_000 * 1 + 6_000 * 2) / 1e6 / 11)
    assert figures_of([]).success is None


def test_levels_are_by_conditions_and_by_what_is_shut() -> None:
    easy = row("a", "t", 1, solved=True)
    many = row("a", "t", 2, solved=True, before=GoalConditionCounts(9, 1), shut=True)
    assert (level_of(easy), level_of(many)) == (1, 4)


def test_splits_that_test_list_the_same_sessions_for_ever() -> None:
    listed = {
        name: load_split(name) for name in split_names() if name.endswith(("unseen", "tasks"))
    }
    counts = {name: len(split.sessions()) for name, split in listed.items()}
    assert counts == {
        "valid_unseen": 240, "test_unseen": 240, "test_tasks": 45,
        "ithor_valid_unseen": 213, "ithor_test_unseen": 216, "ithor_test_tasks": 33,
    }  # fmt: skip
    for split in listed.values():
        rooms = {room for room, _ in split.rooms()}
        assert all(
            room in rooms and task in split.tasks and split.first_seed <= seed <= split.last_seed
            for room, task, seed in split.sessions()
        )
