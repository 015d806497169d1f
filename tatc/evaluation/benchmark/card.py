"""A card of TATC-Bench: who played which sessions, and the figures of each track.

A card is made of the rows of a run for each track, and says of which benchmark: two cards are
compared only if name, version, sessions, world and the words of the text world are the same.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb, fsum
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from tatc.base import code_identity, errors, files, json_fields, version
from tatc.evaluation.page_templates import render_template
from tatc.evaluation.runs import run_conditions, run_identity
from tatc.evaluation.runs.eval_options import DialogueSource, EvalOptions
from tatc.evaluation.runs.rows import SessionRow
from tatc.evaluation.scoring.scores import ratio
from tatc.session.text_world.wording import TEXT_WORLD_VERSION, wording_hash

NAME, VERSION = "TATC-Bench", 1
CARD_FORMAT = "tatc benchmark card"
TRACKS = {"full": DialogueSource.OWN, "asks": DialogueSource.ASKS, "silent": DialogueSource.SILENT}
"""How much is said, by the name of each track."""
TRIALS = 3  # the seeds of a task in a room, and k in pass^k
_RESAMPLES, _TAIL = 2000, 0.025
_IDENTITY = ("name", "version", "split", "sessions", "sessions_hash", "world", "text_world")
_COUNTS = ("sessions", "crashed", "unanswered", "solved")
_MEANS = ("success", "pass_k", "goal_conditions", "steps", "words", "tokens", "cost", "conflicts")
_MAX_SESSIONS = 100_000
_TOKENS_OF_PRICE = 1_000_000
Prices = tuple[float, float]  # dollars for a million tokens of requests, and of answers
NO_PRICES: Prices = (0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackFigures:
    """What one pair of agents reached in one track.

    `success` is pass@1 with a 95 % interval by resampling rooms; `pass_k` is pass^3.
    `goal_conditions` is the mean share that is met at the end of those unmet at the start.  Words,
    the language models' tokens and their `cost`, dollars, are divided by the goal conditions that
    were gained; steps and conflicts are means.  `levels` has sessions and solved ones of each level
    of difficulty.  `blame` is how many sessions the Commander lost and how many the Follower, None
    where nobody asked.  What divides by nothing is None.
    """

    sessions: int
    crashed: int
    unanswered: int
    solved: int
    success: float | None
    interval: tuple[float, float] | None
    pass_k: float | None
    goal_conditions: float | None
    steps: float | None
    words: float | None
    tokens: float | None
    cost: float | None
    conflicts: float | None
    levels: tuple[tuple[int, int], ...]
    blame: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card; `identity` says of which benchmark it is, `listed` has each session.

    `listed` has for each track the sessions' keys, and whether each was solved.
    """

    identity: Mapping[str, Any]
    agents: str
    program: str
    tracks: Mapping[str, TrackFigures]
    listed: Mapping[str, Mapping[str, bool]]
    prices: Prices = NO_PRICES

    def to_json(self) -> dict[str, Any]:
        """Return the card as JSON."""
        return {
            "format": CARD_FORMAT,
            "benchmark": dict(self.identity),
            "agents": self.agents,
            "program": self.program,
            "prices": self.prices,
            "tracks": {name: asdict(each) for name, each in self.tracks.items()},
            "sessions": {name: dict(each) for name, each in self.listed.items()},
        }


def level_of(row: SessionRow) -> int:
    """Return a session's level of difficulty, 1 to 4, by unmet conditions and what is shut."""
    return 1 + (row.before.unmet > 2) + (row.before.unmet > 5) + row.shut


def make_card(
    options: EvalOptions,
    rows: Mapping[str, Sequence[SessionRow]],
    prices: Prices = NO_PRICES,
    blames: Mapping[str, tuple[int, int]] = MappingProxyType({}),
) -> Card:
    """Return the card of the rows of each track, all of the same sessions.

    `blames` has for a track how many sessions the Commander lost, and how many the Follower.
    """
    keys = sorted({row.key for each in rows.values() for row in each})
    identity = {
        "name": NAME,
        "version": VERSION,
        "split": options.split,
        "sessions": len(keys),
        "sessions_hash": run_identity.hash_of_keys(keys),
        "world": options.setup.sim,
        "text_world": f"{TEXT_WORLD_VERSION} {wording_hash()}",
    }
    setup = options.setup
    told = {"setup": run_identity.identifying_options(options)["setup"]}
    return Card(
        identity,
        f"{setup.commander} + {setup.follower}{run_conditions.conditions_of_run(told)}",
        f"tatc {version.__version__}, code {code_identity.code_hash()}",
        {name: figures_of(each, prices, blames.get(name)) for name, each in rows.items()},
        {name: {row.key: row.success for row in each} for name, each in rows.items()},
        prices,
    )


def figures_of(
    rows: Sequence[SessionRow], prices: Prices = NO_PRICES, blame: tuple[int, int] | None = None
) -> TrackFigures:
    """Return the figures of the sessions of a track; a crashed one counts as not solved."""
    ran = [row for row in rows if not row.skipped and not row.unanswered]
    levels = [[row.success for row in ran if level_of(row) == level] for level in range(1, 5)]
    gained, tokens = sum(map(_gained, ran)), sum(row.model_tokens for row in ran)
    spent = (row.model_tokens - row.answer_tokens for row in ran)
    dollars = prices[0] * sum(spent) + prices[1] * sum(row.answer_tokens for row in ran)
    shares = [_gained(row) / row.before.unmet for row in ran if row.before.unmet]
    return TrackFigures(
        sessions=len(ran),
        crashed=sum(row.crashed for row in ran),
        unanswered=sum(bool(row.unanswered) for row in rows),
        solved=sum(row.success for row in ran),
        success=ratio(sum(row.success for row in ran), len(ran)),
        interval=_interval_by_room(ran),
        pass_k=pass_power_k(ran, TRIALS),
        goal_conditions=fsum(shares) / len(shares) if shares else None,
        steps=ratio(sum(row.steps for row in ran), len(ran)),
        words=ratio(sum(row.words for row in ran), gained),
        tokens=ratio(tokens, gained) if tokens else None,
        cost=dollars / _TOKENS_OF_PRICE / gained if dollars and gained else None,
        conflicts=ratio(sum(row.conflicts or 0 for row in ran), len(ran)),
        levels=tuple((len(each), sum(each)) for each in levels),
        blame=blame,
    )


def _gained(row: SessionRow) -> int:
    """Return how many goal conditions are met at the end that were not at the start."""
    return max(0, min(row.after.met, row.after.total) - row.before.met)


def pass_power_k(rows: Iterable[SessionRow], k: int) -> float | None:
    """Return pass^k: the chance that k sessions of one task in one room are all solved.

    It is the mean of C(c, k) / C(n, k) over groups of n >= k sessions with c solved ones.
    """
    groups: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in rows:
        groups[row.place, row.task].append(row.success)
    shares = [comb(sum(each), k) / comb(len(each), k) for each in groups.values() if len(each) >= k]
    return fsum(shares) / len(shares) if shares else None


def _interval_by_room(rows: Sequence[SessionRow]) -> tuple[float, float] | None:
    """Return the middle 95 % of the share solved when the rooms are drawn again, 2000 times."""
    by_room: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_room[row.place].append(row.success)
    counts = [(sum(each), len(each)) for _, each in sorted(by_room.items())]
    if not counts:
        return None
    rng = Random(NAME)
    draws = (rng.choices(counts, k=len(counts)) for _ in range(_RESAMPLES))
    shares = sorted(sum(solved for solved, _ in each) / sum(n for _, n in each) for each in draws)
    return shares[int(_TAIL * _RESAMPLES)], shares[int((1 - _TAIL) * _RESAMPLES)]


# Cards as files: a card may come from anywhere, so that every field that is used is checked.


def card_bytes(card: Card) -> bytes:
    """Return a card as the content of its file; equal cards have equal bytes."""
    return f"{json.dumps(card.to_json(), indent=1, sort_keys=True)}\n".encode()


def read_card(path: Path) -> Card:
    """Return the card in a file, or raise a BadInput that says what is wrong in it."""
    raw: Any = files.read_json(path, files.CARD, files.FINITE_NUMBERS)
    with json_fields.errors_in(path, errors.BadInput, files.CARD.fix):
        return _parse_card(raw)


def _parse_card(raw: object) -> Card:
    card = json_fields.as_mapping(raw, "")
    if card.get("format") != CARD_FORMAT:
        raise json_fields.FieldError("format", f"should be {CARD_FORMAT!r}")
    identity = json_fields.as_mapping(card.get("benchmark"), "benchmark")
    if missing := [name for name in _IDENTITY if name not in identity]:
        raise json_fields.FieldError(f"benchmark.{missing[0]}", "is missing")
    if (identity["name"], identity["version"]) != (NAME, VERSION):
        why = f"should be version {VERSION} of {NAME}: cards of another version cannot be compared"
        raise json_fields.FieldError("benchmark.version", why)
    tracks = json_fields.as_mapping(card.get("tracks"), "tracks")
    listed = json_fields.as_mapping(card.get("sessions"), "sessions")
    if not tracks or tracks.keys() - TRACKS or tracks.keys() != listed.keys():
        why = f"should be some of {', '.join(TRACKS)}, each listed"
        raise json_fields.FieldError("tracks", why)
    names = [name for name in TRACKS if name in tracks]
    read = Card(
        {name: identity[name] for name in _IDENTITY},
        json_fields.get_text(card, "agents"),
        json_fields.get_text(card, "program"),
        {name: _parse_figures(tracks[name], f"tracks.{name}") for name in names},
        {name: _parse_listed(listed[name], f"sessions.{name}") for name in names},
        _pair(card.get("prices", NO_PRICES), "prices"),
    )
    for name, figures in read.tracks.items():
        solved = sum(read.listed[name].values())
        if solved != figures.solved:
            why = f"says {figures.solved}, and {solved} of the listed sessions are solved"
            raise json_fields.FieldError(f"tracks.{name}.solved", why)
    return read


def _parse_figures(raw: object, field: str) -> TrackFigures:
    with json_fields.faults_under(field):
        figures = json_fields.as_mapping(raw, "")
        counts = {n: json_fields.as_count(figures.get(n), n, _MAX_SESSIONS) for n in _COUNTS}
        means: dict[str, Any] = {
            name: None if figures.get(name) is None else json_fields.as_number(figures[name], name)
            for name in _MEANS
        }
        levels = json_fields.as_list(figures.get("levels"), "levels", 4)
        interval, blame = figures.get("interval"), figures.get("blame")
        return TrackFigures(
            **counts,
            **means,
            interval=None if interval is None else _pair(interval, "interval"),
            levels=tuple(_counts(each, "levels") for each in levels),
            blame=None if blame is None else _counts(blame, "blame"),
        )


def _counts(value: object, field: str) -> tuple[int, int]:
    first, second = _pair(value, field)
    return int(first), int(second)


def _pair(value: object, field: str) -> tuple[float, float]:
    found = [json_fields.as_number(each, field) for each in json_fields.as_list(value, field, 2)]
    if len(found) != 2:
        raise json_fields.FieldError(field, "should have two numbers")
    return found[0], found[1]


def _parse_listed(raw: object, field: str) -> dict[str, bool]:
    with json_fields.faults_under(field):
        listed = json_fields.as_mapping(raw, "")
        return {key: json_fields.get_flag(listed, key) for key in listed}


# The table of several cards.

COLUMNS: Mapping[str, Callable[[Card, str, TrackFigures], str]] = {
    "agents": lambda card, track, found: card.agents,
    "track": lambda card, track, found: track,
    "pass@1 %": lambda card, track, found: _percent(found.success),
    "95 %": lambda card, track, found: "-".join(_percent(each) for each in found.interval or ()),
    f"pass^{TRIALS} %": lambda card, track, found: _percent(found.pass_k),
    "goal conditions %": lambda card, track, found: _percent(found.goal_conditions),
    "solved by level": lambda card, track, found: ", ".join(f"{k}/{n}" for n, k in found.levels),
    "steps": lambda card, track, found: _number(found.steps),
    "words": lambda card, track, found: _number(found.words),
    "tokens": lambda card, track, found: _number(found.tokens),
    "cents": lambda card, track, found: _number(None if found.cost is None else 100 * found.cost),
    "conflicts": lambda card, track, found: _number(found.conflicts),
    "lost by": lambda card, track, found: "{} C, {} F".format(*found.blame) if found.blame else "-",
}


def table_of(cards: Sequence[Card]) -> list[list[str]]:
    """Return the cells of the table: a row for each card and track, as `COLUMNS` names them.

    Cards of other sessions, another world or other words of the text world are a BadInput.
    """
    for card in cards[1:]:
        for name in _IDENTITY:
            one, other = cards[0].identity[name], card.identity[name]
            if one != other:
                what = f"{cards[0].agents} and {card.agents} cannot be compared"
                why = f"{what}: {name} is {one} and {other}"
                raise errors.BadInput(why, fix="make a table of each, or run the older card again")
    return [
        [cell(card, track, found) for cell in COLUMNS.values()]
        for card in cards
        for track, found in card.tracks.items()
    ]


def table_text(cards: Sequence[Card], suffix: str) -> str:
    """Return the table as the content of a file with this suffix: .md, .tex, .html."""
    if suffix not in (".md", ".tex", ".html"):
        raise errors.BadInput(f"no table is written as {suffix!r}", fix="name .md, .tex or .html")
    title = f"{NAME} {VERSION}, {cards[0].identity['split']}"
    return render_template(f"benchmark{suffix}", title=title, head=[*COLUMNS], rows=table_of(cards))


def _percent(share: float | None) -> str:
    return _number(None if share is None else 100 * share)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
