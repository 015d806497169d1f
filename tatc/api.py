"""The Python API: run and evaluate sessions, compare agents or runs, blame, load a recorded game.

These five and what they return are stable; `docs/how-to/python.md` shows them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tatc.base import arguments
from tatc.base.errors import UnknownName
from tatc.evaluation.blame import blame_run
from tatc.evaluation.runs import eval_options, follower_comparison, rows, run_report
from tatc.evaluation.runs.run_evaluation import locate_run_folder, run_evaluation as _evaluate
from tatc.evaluation.runs.session_selection import select_sessions
from tatc.session import play, records, session_record, session_types, worlds
from tatc.session.agents import session_setup
from tatc.session.agents.agents import agents_given, user_policies

blame = arguments.say_arguments(blame_run.blame)


@arguments.say_arguments
def run(
    task: str | int | None = None,
    *,
    room: str | None = None,
    game: str | Path | None = None,
    params: Sequence[str] = (),
    seed: int = 1,
    commander: session_setup.CommanderArgument = "rule",
    follower: session_setup.FollowerArgument = "rule",
    noise: float = 0.0,
    wording: str = "actions",
    floor_map: str = worlds.SHIPPED_MAP,
    perception: str | None = None,
    goals: str | Path | None = None,
    definitions: Sequence[str | Path] = (),
    policies: Sequence[str | Path] = (),
    watch: Callable[[session_types.SessionEvent], None] | None = None,
) -> records.Record:
    """Run one session, as `tatc run` does, and return its record; nothing is saved.

    Args:
        task: a name or a number; if none, the game's own task.
        room: a shipped room or a room file; if none, the first that the task can be done in.
        game: a recorded game whose initial state to start from, in place of a room.
        params: parameters of the task, "NAME=VALUE" or in order; the seed draws the rest.
        seed: draws where objects are at the start, and task parameters.
        commander: "rule", the name of an entry point, or "module:Class"; or a class, a
            function that makes a Commander, or an instance.
        follower: likewise; also "random", "et" or "et:FILE".
        noise: the probability with which each action of the Follower fails.
        wording: how the rule Commander speaks: "actions", "steps", "bearings" or "goals".
        floor_map: "shipped", "boxes" or a map file.
        perception: what a Follower that perceives is told: "truth", the default, or "masks".
        goals: a file of goals under names of your own, which the Follower recalls; only read.
        definitions: folders of task definitions to add.
        policies: folders of subgoal policies to add.
        watch: called with each logged action as it happens.

    Raises:
        BadInput: something that was named does not exist or does not fit.
    """
    start = play.find_session_start(
        task=task,
        room=room,
        game=game,
        params=params,
        seed=arguments.check_seed(seed),
        task_folders=definitions,
    )
    names = session_setup.agent_name(commander), session_setup.agent_name(follower)
    level = session_setup.parse_perception_level(perception)
    setup = session_setup.SessionSetup(floor_map, *names, noise, wording, perception=level)
    setup = setup.with_settings(goals=_goals_file(goals))
    make_commander = session_setup.agent_maker(commander, "Commander")
    make_follower = session_setup.agent_maker(follower, "Follower")
    agents = play.prepare(setup, session_setup.AgentOverrides(make_commander, make_follower))
    with user_policies(policies):
        result, used = play.run_from_start(start, agents, watch=watch)
    return session_record.make_record(start, result, used, agents.setup)


@arguments.say_arguments
def evaluate(
    games: Sequence[str | Path] = (),
    *,
    rooms: Sequence[str] = (),
    seeds: Sequence[int] = (1,),
    tasks: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 1,
    commander: session_setup.CommanderArgument = "rule",
    follower: session_setup.FollowerArgument = "rule",
    noise: float = 0.0,
    wording: str = "actions",
    floor_map: str = worlds.SHIPPED_MAP,
    perception: str | None = None,
    goals: str | Path | None = None,
    definitions: Sequence[str | Path] = (),
    policies: Sequence[str | Path] = (),
    workers: int = 1,
    out: str | Path | None = None,
    save_records: str = "failures",
    watch: Callable[[rows.SessionRow], None] = lambda row: None,
) -> run_report.RunReport:
    """Run many sessions, as `tatc eval` does, and return the report.

    Each session is saved in `out` when it ends: after an interruption, the same call continues.

    Args:
        games: recorded games; without any, the sessions take place in rooms.
        rooms: shipped rooms or room files; all shipped rooms if none.
        seeds: in rooms, each task is run with each of these.
        tasks: only these; all tasks of the games if none, in rooms the benchmark's twelve.
        limit: a random sample of so many sessions, with each task in proportion.
        seed: draws the sample, and in recorded games the failures of `noise`.
        commander: as of `run`; one that is no name and no class of a module runs in this process.
        follower: likewise; also "random", "et" or "et:FILE".
        noise: the probability with which each action of the Follower fails.
        wording: how the rule Commander speaks: "actions", "steps", "bearings" or "goals".
        floor_map: "shipped", "boxes" or a map file.
        perception: what a Follower that perceives is told: "truth", the default, or "masks".
        goals: a file of goals under names of your own, which the Follower recalls; only read.
        definitions: folders of task definitions to add.
        policies: folders of subgoal policies to add.
        workers: how many processes run sessions.
        out: the folder of the run; one in the user's data folder if none.
        save_records: whose records to save: "failures", "all" or "none".
        watch: called with each session as it ends.

    Raises:
        BadInput: something that was named does not exist, or `out` holds another run.
        OutputError: `out` cannot be made.
    """
    level = session_setup.parse_perception_level(perception)
    [commander_name], commanders = session_setup.names_of_agents([commander], "Commander")
    [follower_name], followers = session_setup.names_of_agents([follower], "Follower")
    names = commander_name, follower_name
    setup = session_setup.SessionSetup(floor_map, *names, noise, wording, perception=level)
    setup = setup.with_settings(goals=_goals_file(goals))
    with agents_given(commanders | followers):
        resolved = session_setup.resolve_agents(setup).setup
        options = replace(
            _options(resolved, games, rooms, seeds, tasks, limit, seed, definitions),
            policies=arguments.texts(policies, "policies"),
            keep=UnknownName.member("choice of records", save_records, eval_options.SaveRecords),
        )
        chosen = select_sessions(options)
        folder = locate_run_folder(None if out is None else Path(out), options)
        _evaluate(folder, options, chosen, workers=workers, on_row=watch)
    return run_report.read_report([folder])


@arguments.say_arguments
def compare(
    followers: Sequence[session_setup.FollowerArgument] = (),
    games: Sequence[str | Path] = (),
    *,
    rooms: Sequence[str] = (),
    seeds: Sequence[int] = (1,),
    tasks: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 1,
    commanders: Sequence[session_setup.CommanderArgument] = (),
    policies: Sequence[str | Path] = (),
    wordings: Sequence[str] = (),
    ablations: bool = False,
    floor_map: str = worlds.SHIPPED_MAP,
    goals: str | Path | None = None,
    definitions: Sequence[str | Path] = (),
    workers: int = 1,
    out: str | Path | None = None,
    watch: follower_comparison.OnContenderRow = lambda contender, row: None,
) -> follower_comparison.FollowerComparison:
    """Run several pairs of agents in the same sessions, as `tatc compare` does.

    Sessions are chosen and saved as by `evaluate`, which explains the arguments; each side has a
    run of its own in the folder `out`.  `followers`, `commanders`, `policies` and `wordings` have
    one for all sides, or one for each, and the first side is compared with the others.  Folders of
    `policies` alone are each compared with the shipped ones.  `ablations` adds the lesser forms of
    learned Followers.  `watch` is called with each session as it ends, and with whose it was.

    Raises:
        BadInput: something that was named does not exist, or `out` holds another run.
        OutputError: `out` cannot be made.
    """
    names, makers = session_setup.names_of_agents(arguments.several(followers), "Follower")
    leaders, more = session_setup.names_of_agents(arguments.several(commanders), "Commander")
    setup = session_setup.SessionSetup(floor_map).with_settings(goals=_goals_file(goals))
    options = _options(setup, games, rooms, seeds, tasks, limit, seed, definitions)
    with agents_given(makers | more):
        contenders = follower_comparison.choose_contenders(
            names,
            arguments.texts(wordings, "wordings"),
            commanders=leaders,
            policies=arguments.texts(policies, "policies"),
            ablation_kind=eval_options.TATC if ablations else "",
        )
        chosen, folder = select_sessions(options), None if out is None else Path(out)
        return follower_comparison.compare_followers(
            folder, options, chosen, contenders, workers=workers, on_row=watch
        )


@arguments.say_arguments
def compare_runs(*runs: str | Path) -> follower_comparison.FollowerComparison:
    """Compare runs that `evaluate` or `tatc eval` kept, in the sessions that they share."""
    return follower_comparison.compare_kept_runs([*map(Path, arguments.texts(runs, "runs"))])


def load_game(path: str | Path) -> records.Game:
    """Read a recorded TEACh game or a record of tatc's.

    The state at the end is read when it is first used.

    Raises:
        BadInput: there is no such file, or it is no game.
    """
    return records.read_game(path)


def _options(
    setup: session_setup.SessionSetup,
    games: Sequence[str | Path],
    rooms: Sequence[str],
    seeds: Sequence[int],
    tasks: Sequence[str],
    limit: int | None,
    seed: int,
    definitions: Sequence[str | Path],
) -> eval_options.EvalOptions:
    return eval_options.EvalOptions(
        games=arguments.texts(games, "games"),
        rooms=arguments.texts(rooms, "rooms"),
        seeds=tuple(arguments.several(seeds)),
        tasks=arguments.texts(tasks, "tasks"),
        limit=limit,
        seed=seed,
        setup=setup,
        definitions=arguments.texts(definitions, "definitions"),
    )


def _goals_file(goals: str | Path | None) -> str | None:
    file = None if goals is None else str(goals)
    session_setup.check_goals(file)
    return file
