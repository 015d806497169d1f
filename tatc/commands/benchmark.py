"""`tatc benchmark`: runs a pair of agents in TATC-Bench, makes its card, and tables of cards."""

from collections import Counter
from dataclasses import dataclass, replace
from math import inf
from os.path import exists, isdir  # unlike Path's, these bear any name
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tatc.base import files
from tatc.base.errors import BadInput, UnknownName
from tatc.commands.options import language_model_options, session_options, shared_options
from tatc.commands.replay import simulator_of, task_of
from tatc.commands.text import output as terminal

if TYPE_CHECKING:
    from tatc.evaluation.benchmark.card import Card
    from tatc.evaluation.runs.eval_options import EvalOptions
    from tatc.evaluation.runs.rows import SessionJob, SessionRow
    from tatc.evaluation.runs.session_selection import SessionSelection
    from tatc.session.agents.session_setup import SessionSetup


@dataclass(frozen=True, slots=True)
class BenchmarkOptions:
    """Who is measured in which sessions, or what is done with cards."""

    follower: str | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_follower
    )
    commander: str | None = shared_options.agents_field(
        None, autocompletion=shared_options.complete_commander
    )
    wording: str | None = shared_options.agents_field(None)
    split: str = shared_options.what_field(
        "test_unseen", autocompletion=shared_options.complete_split
    )
    tracks: str = shared_options.what_field("full,asks,silent")
    trials: int = shared_options.what_field(3, min=1, max=3)
    limit: int | None = shared_options.what_field(None, min=1)
    blame: bool = shared_options.what_field(False, "--blame")
    prices: str = shared_options.what_field("0,0")
    out: Path | None = shared_options.output_field(None)
    table: list[Path] | None = shared_options.output_field(None)
    verify: Path | None = shared_options.output_field(None)
    workers: shared_options.WorkersOption = 1
    force: shared_options.ForceOption = False
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def benchmark(
    given: BenchmarkOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
) -> None:
    """Measure agents in TATC-Bench, and make tables of cards."""
    named = (given.follower, given.table, given.verify)
    if sum(bool(each) for each in named) != 1:
        fix = "name one of --follower NAME, --table CARDS and --verify CARD"
        raise BadInput("there is no one thing to do", fix=fix)
    if given.table:
        _show_table(_cards_in(given.table), given)
    elif given.verify is not None:
        _verify(given.verify)
    else:
        _measure(given, language_model, model_play)


def _measure(
    given: BenchmarkOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
) -> None:
    from tatc.evaluation.benchmark.card import TRACKS, card_bytes, make_card
    from tatc.evaluation.runs.eval_options import EvalOptions, SaveRecords

    if given.out is None:
        raise BadInput("the card has no name", fix="name its file with --out card.json")
    names = session_options.parse_names([given.tracks])
    for name in names or [""]:
        UnknownName.check("track", name, TRACKS)
    prices = _parse_prices(given.prices)
    setup = _setup(given, language_model, model_play)
    options = EvalOptions(split=given.split, limit=given.limit, setup=setup, keep=SaveRecords.ALL)
    chosen = _selection(options, given.trials)
    if language_model.dry_run:
        sessions = len(chosen.jobs) * len(names)
        language_model_options.print_play_estimate(setup, sessions, as_json=given.as_json)
        return
    files.check_writable(given.out, force=True)
    language_model.prepare(setup)
    rows = {name: _run_track(name, options, chosen, given) for name in TRACKS if name in names}
    blamed = rows if given.blame else ()
    blames = {name: _blame_track(given, name, len(rows[name])) for name in blamed}
    card = make_card(options, rows, prices, blames)
    files.write_atomically(card_bytes(card), given.out, force=True)
    _show_table([card], replace(given, out=None))
    terminal.remark(f"card: {given.out}")


def _parse_prices(typed: str) -> tuple[float, float]:
    try:
        asked, answered = (float(each) for each in typed.split(","))
        is_price = 0 <= asked < inf and 0 <= answered < inf
    except ValueError:
        is_price, asked, answered = False, 0.0, 0.0
    if not is_price:
        fix = "name the dollars for a million tokens of requests, and of answers: 0.15,0.6"
        raise BadInput(f"{typed!r} is no pair of prices", where="--prices", fix=fix)
    return asked, answered


def _blame_track(given: BenchmarkOptions, name: str, sessions: int) -> tuple[int, int]:
    """Return how many of a track's sessions the Commander lost, and how many the Follower."""
    from tatc.evaluation.blame.blame_run import blame

    assert given.out is not None
    folder = _runs_of(given.out) / name
    with terminal.progress_counter(sessions, f"blame, {name}") as count:
        blame(folder, workers=given.workers, on_session=count)
    return _saved_blame(folder)


def _saved_blame(folder: Path) -> tuple[int, int]:
    from tatc.evaluation.runs.run_folder import BLAME_FILE

    raw: Any = files.read_json(folder / BLAME_FILE, files.BLAME, files.FINITE_NUMBERS)
    try:
        lost = Counter(each["agent"] for each in raw["blames"] if each["verdict"] == "lost")
    except (LookupError, TypeError) as fault:
        why = "does not say who lost which sessions"
        raise BadInput(why, where=str(folder / BLAME_FILE), fix=files.BLAME.fix) from fault
    return lost["commander"], lost["follower"]


def _setup(
    given: BenchmarkOptions,
    language_model: language_model_options.LanguageModelOptions,
    model_play: language_model_options.ModelPlayOptions,
) -> "SessionSetup":
    """Return the agents; a Follower that takes goals, or is a model, has a Commander of words."""
    from tatc.home.agent_traits import traits_of
    from tatc.session.agents import agent_names, agents
    from tatc.session.agents.session_setup import SessionSetup, resolve_agents

    assert given.follower is not None
    follower = given.follower
    takes_words = agent_names.is_model_agent(follower)
    takes_words = takes_words or traits_of(agents.follower_factory(follower)).tells_goal
    commander = given.commander or ("speaker" if takes_words else "rule")
    wording = given.wording or agents.usual_wording(commander, follower)
    setup = SessionSetup(commander=commander, follower=follower, wording=wording)
    setup = model_play.applied_to(setup, language_model)
    language_model.check_processes(given.workers, plays=setup.has_model_agent)
    return resolve_agents(setup).setup


def _selection(options: "EvalOptions", trials: int) -> "SessionSelection":
    """Return the sessions of the split, of each task in each room the first so many seeds."""
    from tatc.evaluation.runs import session_selection

    jobs = session_selection.select_sessions(replace(options, limit=None)).jobs
    kept: list[SessionJob] = []
    found = Counter[tuple[str, str]]()
    for job in sorted(jobs, key=lambda each: each.seed):
        found[job.place, job.task] += 1
        kept += [job] if found[job.place, job.task] <= trials else []
    kept = session_selection.sample_jobs(kept, options.limit or len(kept), options.seed)
    return session_selection.SessionSelection(tuple(sorted(kept, key=lambda each: each.key)))


def _run_track(
    name: str, options: "EvalOptions", chosen: "SessionSelection", given: BenchmarkOptions
) -> "tuple[SessionRow, ...]":
    from tatc.evaluation.benchmark.card import TRACKS
    from tatc.evaluation.runs.run_evaluation import run_evaluation
    from tatc.evaluation.runs.run_folder import RunFolder

    assert given.out is not None
    folder = RunFolder(_runs_of(given.out) / name)
    kept = f"finished sessions are kept in {folder.path}; this command continues"
    bar = terminal.progress_counter(len(chosen.jobs), name)
    with terminal.told_if_interrupted(kept), bar as count:
        return run_evaluation(
            folder,
            replace(options, dialogue=TRACKS[name]),
            chosen,
            workers=given.workers,
            force=given.force,
            on_row=lambda row: count(""),
            on_remark=terminal.remark,
        )


def _runs_of(card: Path) -> Path:
    return card.with_name(f"{card.stem}.runs")


def _cards_in(paths: list[Path]) -> "list[Card]":
    from tatc.evaluation.benchmark.card import read_card

    groups = (sorted(path.glob("*.json")) if isdir(path) else [path] for path in paths)
    found = [each for group in groups for each in group]
    if not found:
        raise BadInput("holds no card", where=str(paths[0]), fix="name cards, or their folder")
    return [read_card(each) for each in found]


def _show_table(cards: "list[Card]", given: BenchmarkOptions) -> None:
    from tatc.evaluation.benchmark.card import COLUMNS, table_of, table_text

    cells = table_of(cards)
    if given.out is not None:
        text = table_text(cards, given.out.suffix)
        files.write_atomically(text.encode(), given.out, force=given.force)
        terminal.print_line(given.out)
    elif given.as_json:
        terminal.print_json({"cards": [card.to_json() for card in cards]})
    else:
        about = cards[0].identity
        terminal.print_line(
            "{name} {version}, {split}, {sessions} sessions, {world} world".format_map(about)
        )
        terminal.print_table(COLUMNS, cells)


def _verify(path: Path) -> None:
    """Replay the records of a card's runs, and check its figures against them."""
    from tatc.evaluation.benchmark.card import figures_of, read_card
    from tatc.evaluation.runs.run_folder import RunFolder
    from tatc.session.records import read_record
    from tatc.session.session_record import replay_record
    from tatc.session.worlds import SHIPPED_MAP

    card = read_card(path)
    for name, figures in card.tracks.items():
        folder = _runs_of(path) / name
        if not exists(folder):
            fix = "put the runs beside the card, as `tatc benchmark` keeps them"
            raise BadInput("holds no run of this track", where=str(folder), fix=fix)
        rows = RunFolder(folder).rows()
        for row in terminal.progress_bar(rows, name):
            where = folder / (row.record or row.key)
            if row.record is None:
                raise BadInput("has no record", where=f"{folder}: {row.key}", fix="run it again")
            record = read_record(where)
            task = task_of(record, ())
            world = simulator_of(record, where, SHIPPED_MAP, task)
            if not replay_record(record, world, task).is_same or record.success is not row.success:
                raise BadInput("replays to something else than it says", where=str(where))
        solved = {row.key: row.success for row in rows}
        blame = None if figures.blame is None else _saved_blame(folder)
        if figures_of(rows, card.prices, blame) != figures or solved != card.listed[name]:
            why = f"the figures of {name} are not those of its sessions"
            raise BadInput(why, where=str(path), fix="make the card again")
    total = sum(each.sessions for each in card.tracks.values())
    terminal.print_line(f"{path}: {total} sessions replayed, the figures are theirs")
