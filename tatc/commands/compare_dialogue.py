"""`tatc compare --dialogue`: the same sessions silent, one way, and as a dialogue."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import typer

from tatc.base.errors import BadInput, UnknownName
from tatc.commands.text.exit_status import EXIT_AGENT_CRASHED, EXIT_INPUTS_SKIPPED
from tatc.commands.text.output import (
    print_json,
    print_line,
    print_table,
    progress_bar,
    progress_counter,
    remark,
)

if TYPE_CHECKING:
    from tatc.commands.options.compare_options import CompareOutputOptions, FollowerOptions
    from tatc.commands.options.evaluation_options import RunFolderOptions, SelectionOptions
    from tatc.evaluation.dialogue_worth import (
        AgentPair,
        DialogueCondition,
        KeptMeasures,
        SessionMeasures,
        Trials,
        WorthRow,
    )
    from tatc.session.agents.session_setup import SessionSetup

NOTES = (
    "silent: the Follower is told the task's one line, and nothing else. one-way: the Commander "
    "hears nothing. two-way: a dialogue.",
    "words and tokens: heard, for each goal condition that was met in the end. steps and conflicts "
    "(an action that undid a met condition): of a session.",
    "novel: the share of stated facts that the hearer had neither seen nor heard. sensitive: the "
    "share of messages with a novel fact about an unmet condition.",
    "The measures are tatc's own; docs/how-to/compare.md has the rules.",
)


def compare_dialogue(
    selection: "SelectionOptions",
    followers: "FollowerOptions",
    folder: "RunFolderOptions",
    output: "CompareOutputOptions",
    base: "SessionSetup",
    prepare: "Callable[..., None]",
) -> None:
    """Run each pair of agents under each condition, and print a table.

    What was measured is kept: after an interruption, the same command continues.

    `prepare` gets the setups of all pairs before the first session.

    Raises:
        OutputError: what was measured cannot be kept.
        typer.Exit: inputs were skipped, or an agent crashed and that counts.

    """
    from tatc.evaluation.dialogue_worth import KeptMeasures, Trials
    from tatc.evaluation.runs.session_selection import select_sessions

    _refuse_other_options(selection, followers, folder, output)
    conditions = _parse_conditions(followers.dialogue or "")
    pairs = choose_pairs(
        followers.follower or ("rule",),
        followers.commander or (),
        followers.wording or (),
        rule=base.commander,
    )
    setups = {pair: pair.setup(_base_for(pair, base)) for pair in pairs}
    prepare(*setups.values())
    options = selection.eval_options(base)
    chosen = select_sessions(options, lambda paths: progress_bar(paths, "reading"))
    rows: list[WorthRow] = []
    with progress_counter(len(pairs) * len(conditions) * len(chosen.jobs), "sessions") as count:
        for pair, setup in setups.items():
            for condition in conditions:
                trials = Trials(chosen.jobs, setup, condition, options.definitions)
                kept = KeptMeasures(folder.out, options, chosen, setup, condition)
                if folder.force:
                    kept.delete()
                rows.append(_measured_row(pair, trials, kept, folder.workers, count))
    if output.as_json:
        print_json({"dialogue": [row.to_json() for row in rows]})
    else:
        _print_rows(rows)
    if folder.fail_on_crash and any(row.crashes for row in rows):
        raise typer.Exit(EXIT_AGENT_CRASHED)
    if options.games and (chosen.skipped_rows or any(row.skipped for row in rows)):
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def _measured_row(
    pair: "AgentPair",
    trials: "Trials",
    kept: "KeptMeasures",
    workers: int,
    count: Callable[[str], None],
) -> "WorthRow":
    """Run a pair's sessions under one condition, and return their row of the table."""
    from tatc.evaluation.dialogue_worth import measure_sessions, worth_row

    measured: list[SessionMeasures] = []
    try:
        for each in measure_sessions(trials, kept, workers):
            measured.append(each)
            count(pair.label)
    except KeyboardInterrupt:
        remark(f"finished sessions are kept in {kept.folder}; the same command continues")
        raise
    return worth_row(pair.label, trials.condition, measured)


def _base_for(pair: "AgentPair", base: "SessionSetup") -> "SessionSetup":
    """Return the setup without what a Follower does not use: perception, and named goals."""
    from tatc.home.agent_traits import traits_of
    from tatc.session.agents.agents import follower_factory

    traits = traits_of(follower_factory(pair.follower))
    return base.with_settings(
        perception=base.perception if traits.perceives else None,
        goals=base.get("goals") if traits.recalls_names else None,
    )


def choose_pairs(
    followers: Sequence[str], commanders: Sequence[str], wordings: Sequence[str], *, rule: str
) -> "list[AgentPair]":
    """Return the pairs of agents: each Follower with its Commander.

    Args:
        followers: by name.
        commanders: one for all, one for each, or none for the usual one of each.
        wordings: likewise; the rule Commander's.
        rule: the name of the rule Commander, with its planner.
    """
    from tatc.evaluation.dialogue_worth import AgentPair
    from tatc.home.agent_traits import traits_of
    from tatc.language import Wording
    from tatc.session.agents.agent_names import COMMANDERS_WITH_WORDING
    from tatc.session.agents.agents import follower_factory, wording_for_follower

    for option, given in (("--commander", commanders), ("--wording", wordings)):
        if len(given) not in (0, 1, len(followers)):
            why = f"{len(given)} values of {option} for {len(followers)} Followers"
            raise BadInput(why, fix=f"give {option} once, or once for each")
    pairs: list[AgentPair] = []
    for i, follower in enumerate(followers):
        usual = "speaker" if traits_of(follower_factory(follower)).tells_goal else rule
        commander = commanders[i % len(commanders)] if commanders else usual
        wording = wordings[i % len(wordings)] if wordings else wording_for_follower(follower)
        plain = commander not in COMMANDERS_WITH_WORDING and not wordings
        pairs.append(AgentPair(commander, follower, Wording.ACTIONS if plain else wording))
    return pairs


def _parse_conditions(text: str) -> "list[DialogueCondition]":
    from tatc.evaluation.dialogue_worth import DialogueCondition

    names = [each.strip() for each in text.split(",")]
    for name in names:
        if name not in list(DialogueCondition):
            known = (*DialogueCondition,)
            raise UnknownName("condition", name, known, fix=f"name some of {','.join(known)}")
    return [DialogueCondition(name) for name in dict.fromkeys(names)]


def _refuse_other_options(
    selection: "SelectionOptions",
    followers: "FollowerOptions",
    folder: "RunFolderOptions",
    output: "CompareOutputOptions",
) -> None:
    refused = {
        "--html": output.html is not None,
        "--ablations": followers.ablations,
        f"--kind {selection.kind}": selection.kind != "tatc",
        "--cascaded": selection.cascaded,
        "--subgoals": bool(selection.subgoals),
    }
    for option, is_given in refused.items():
        if is_given:
            raise BadInput(f"{option} does not go with --dialogue", fix="leave one of them out")


def _print_rows(rows: "Sequence[WorthRow]") -> None:
    headings = (
        "agents", "dialogue", "sessions", "success %", "steps", "words", "tokens", "conflicts",
        "novel %", "sensitive %", "crashed",
    )  # fmt: skip
    print_table(
        headings,
        [
            (
                row.pair,
                row.condition.value,
                row.sessions,
                _percent(row.success),
                _number(row.steps),
                _number(row.words),
                _number(row.tokens),
                _number(row.conflicts, 2),
                _percent(row.novelty),
                _percent(row.belief_sensitive),
                row.crashes,
            )
            for row in rows
        ],
    )
    print_line()
    for row in rows:
        passed = ", ".join(f"k={k} {100 * value:.1f} %" for k, value in row.pass_k)
        errors = ", ".join(f"{count} {name}" for name, count in row.errors if count)
        print_line(f"{row.pair} {row.condition.value}: pass^k {passed}; errors: {errors or 'none'}")
    print_line()
    for note in NOTES:
        print_line(note)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
