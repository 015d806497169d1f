"""`tatc fidelity`: how far tatc's world agrees with what AI2-THOR answered in recordings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import isdir  # unlike Path's, it bears a name that is too long
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tatc.base import errors, files, folder_lock, plain_text
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.fidelity.agreement_counts import AgreementCounts
    from tatc.evaluation.fidelity.fidelity_cache import FidelityCache
    from tatc.evaluation.fidelity.fidelity_report import FidelityReport, RateEstimate
    from tatc.evaluation.fidelity.game_fidelity import GameFidelity

_MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class FidelityOptions:
    """What is compared with AI2-THOR, how, and what is written."""

    games: shared_options.GamesArgument
    only_plans: shared_options.OnlyPlansOption = None
    without_plans: shared_options.WithoutPlansOption = None
    floor_map: str = shared_options.map_field()
    workers: int = shared_options.plain_field(1, min=1)
    at: int | None = shared_options.plain_field(None, min=0)
    out: Path | None = shared_options.plain_field(None)
    html: Path | None = shared_options.plain_field(None)
    force: shared_options.ForceOption = False
    plans: shared_options.PlansOption = None
    as_json: shared_options.JsonOption = False


@shared_options.with_option_groups
def fidelity(chosen: FidelityOptions) -> None:
    """Compare tatc's world with what AI2-THOR answered."""
    from tatc.evaluation.runs.run_report import FIDELITY_FILE
    from tatc.session.worlds import SHIPPED_MAP

    out = chosen.out
    given = {
        "--at": chosen.at is not None,
        "--out": out is not None,
        "--html": chosen.html is not None,
        "--map": chosen.floor_map != SHIPPED_MAP,
        "--only-plans": bool(chosen.only_plans),
        "--without-plans": bool(chosen.without_plans),
        "--plans": bool(chosen.plans),
        "--json": chosen.as_json,
    }
    are_trajectories = bool(chosen.plans) or _are_trajectories(chosen.games)
    if chosen.at is not None:
        _refuse_other_options("--at", given, but=("--at", "--map"))
    elif are_trajectories:
        but = ("--plans", "--map", "--json", "--only-plans", "--without-plans")
        _refuse_other_options("a trajectory", given, but=but)
    if out is not None:
        out = out / FIDELITY_FILE if isdir(out) else out
        files.check_writable(out, force=chosen.force)
    if chosen.html is not None:
        files.check_writable(chosen.html, force=chosen.force)
    if chosen.at is not None:
        _explain_action(chosen.games, chosen.at, chosen.floor_map)
    elif are_trajectories:
        _compare_trajectories(chosen)
    else:
        _compare_games(chosen, out)


def _are_trajectories(games: Sequence[str]) -> bool:
    from tatc.session.records import SESSION_FILES, find_files, trajectory

    first = next(iter(find_files(games, SESSION_FILES)), None) if games else None
    return first is not None and first.name == trajectory.TRAJECTORY_FILE_NAME


def _refuse_other_options(option: str, given: Mapping[str, bool], but: Sequence[str]) -> None:
    for name, is_given in given.items():
        if is_given and name not in but:
            raise errors.BadInput(f"{option} does not go with {name}", fix=f"take {name} away")


def _compare_games(chosen: FidelityOptions, out: Path | None) -> None:
    from tatc.commands.options.session_options import selected_games
    from tatc.evaluation.fidelity import fidelity_cache, fidelity_report, game_fidelity

    name = game_fidelity.map_label(chosen.floor_map)
    selected = selected_games(chosen.games, chosen.only_plans, chosen.without_plans)
    kept = fidelity_cache.FidelityCache(selected.paths, name)
    with folder_lock.held(kept.path):
        floor_map = chosen.floor_map
        report = fidelity_report.FidelityReport()
        skipped = list(selected.skipped_lines)
        for measured in _measured_games(kept, selected.paths, floor_map, chosen.workers):
            if measured.skipped:
                skipped.append(measured.skipped)
            else:
                report.add(measured)
        for line in skipped:
            output.remark(f"skipped: {line}")
        if not report.games:
            raise errors.BadInput("none of these is a game", fix="name recorded games")
        if chosen.html is not None:
            from tatc.evaluation.reports.report_page import fidelity_page

            page = fidelity_page(report, floor_map, name).encode()
            files.write_atomically(page, chosen.html, force=True)
        if chosen.as_json:
            output.print_json({"map": name, **report.summary()})
        else:
            _print_report(report, floor_map)
            output.print_line(f"Map: {name}")
        path = fidelity_report.save_report(report.full_json(floor_map, name), out)
        kept.delete()
        output.remark(f"{plain_text.counted(report.games, 'game')}, map {name}; report: {path}")
        output.exit_for_skipped(len(skipped))


def _measured_games(
    kept: "FidelityCache", paths: Sequence[Path], floor_map: str, workers: int
) -> "Iterator[GameFidelity]":
    from tatc.evaluation.fidelity.game_fidelity import measure_games

    known = kept.cached_games()
    yield from known.values()
    if known:
        output.remark(
            f"continues: {len(known)} of {plain_text.counted(len(paths), 'game')} compared already"
        )
    others = [path for path in paths if path not in known]
    told = output.told_if_interrupted("compared games are kept; the same command continues")
    with told, output.progress_counter(len(others), "comparing games") as count:
        for measured in measure_games(others, floor_map, workers):
            kept.add(measured)
            yield measured
            count("")


def _print_report(report: "FidelityReport", floor_map: str) -> None:
    from tatc.evaluation.fidelity.fidelity_report import disagreement_command, format_rate_interval
    from tatc.evaluation.page_templates import format_share

    def cells(found: "RateEstimate") -> tuple[object, ...]:
        return found.n, format_share(found.rate), format_rate_interval(found.interval)

    measures = (*report.measures(), *report.refusal_measures())
    rows = [(each.measure, *cells(each.per_action), *cells(each.per_session)) for each in measures]
    columns = ("answers compared", "n", "agree", "95 %", "sessions", "per session", "95 %")
    output.print_table(columns, rows)
    how = "Per session: the mean over sessions of the session's own rate. "
    output.print_lines((f"{how}95 %: bootstrap over floor plans.", ""))
    causes = report.most_frequent_causes()
    columns = ("n", "answers", "verb", "cause of disagreement")
    output.print_table(columns, [(n, e.measure, e.verb, e.reason) for e, n in causes])
    output.print_line()
    kinds = report.commonest_disagreements(_MAX_LISTED)
    columns = ("n", "answers", "verb", "held", "target", "here")
    rows = [(n, e.measure, e.verb, e.held, e.target, e.reason) for e, n in kinds]
    output.print_table(columns, rows)
    commands = (disagreement_command(each, floor_map) for each, _ in kinds)
    output.print_lines(("", "One of each:", *(f"  {command}" for command in commands)))


def _explain_action(games: Sequence[str], at: int, floor_map: str) -> None:
    from tatc.evaluation.fidelity.game_fidelity import inspect_action, world_for
    from tatc.session.records import find_games, read_game

    paths = find_games(games)
    if len(paths) != 1:
        raise errors.BadInput("--at looks at one game", fix="name one game file")
    game = read_game(paths[0])
    output.print_lines(inspect_action(world_for(game, floor_map), game, at))


# `tatc fidelity` of trajectories: what the experts of ALFRED's trajectories did.

_NOTE = (
    "Every recorded action succeeded in AI2-THOR 2.1.0, so that acceptance alone proves little: "
    "controls.refused is the share refused from random poses."
)


def _compare_trajectories(chosen: FidelityOptions) -> None:
    from tatc.commands.options.session_options import selected_games
    from tatc.evaluation.alfred import alfred_trajectory_fidelity
    from tatc.evaluation.fidelity.game_fidelity import map_label

    selected = selected_games(chosen.games, chosen.only_plans, chosen.without_plans)
    paths, plans = selected.paths, tuple(chosen.plans or ())
    found: list[AgreementCounts | str] = []
    with output.progress_counter(len(paths), "comparing trajectories") as count:
        measure = alfred_trajectory_fidelity.measure_trajectories
        for each in measure(paths, plans, chosen.floor_map, chosen.workers):
            found.append(each)
            count("")
    skipped = [*selected.skipped_lines, *(each for each in found if isinstance(each, str))]
    for line in skipped:
        output.remark(f"skipped: {line}")
    rates, name = alfred_trajectory_fidelity.fidelity_json(found), map_label(chosen.floor_map)
    if chosen.as_json:
        output.print_json({"map": name, **rates})
    else:
        _print_rates(rates)
        output.print_line(f"Map: {name}")
    output.exit_for_skipped(len(skipped))


def _print_rates(rates: dict[str, Any]) -> None:
    rows: list[tuple[object, ...]] = []
    for group, members in rates.items():
        cells = {"": members} if "rate" in members else {}
        cells |= {f".{name}": each for name, each in members.items() if isinstance(each, dict)}
        for name, each in cells.items():
            rate = "-" if each["rate"] is None else f"{each['rate']:.1%}"
            rows.append((f"{group}{name}", each["n"], rate))
    output.print_table(("answers compared", "n", "rate"), rows)
    output.print_line(_NOTE)
