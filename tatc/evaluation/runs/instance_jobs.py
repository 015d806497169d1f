"""The jobs of a run of EDH or TfD instances."""

from collections.abc import Iterator
from dataclasses import replace

from tatc.base.errors import BadInput
from tatc.evaluation.instances.source_games import find_game_of_instance, games_by_id
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.instance_dialogue import DialogueSource
from tatc.evaluation.runs.jobs import SessionJob, TrackProgress, unreadable_row
from tatc.evaluation.runs.rows import SessionRow
from tatc.session.records import (
    INSTANCE_FILES,
    find_files,
    find_games,
    read_game_header,
    read_instance,
)


def instance_jobs(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    """Yield a job for each instance of the run's kind.

    With `DialogueSource.OTHER`, each names the next instance of another game, in their order.
    A file that is no instance, or whose game is not found, becomes a row in `skipped_rows`.
    """
    jobs = list(_own_jobs(options, track_progress, skipped_rows))
    for i, job in enumerate(jobs):
        if options.dialogue is DialogueSource.OTHER:
            others = (each for each in (*jobs[i + 1 :], *jobs[:i]) if each.game_id != job.game_id)
            job = replace(job, dialogue_path=next((each.path for each in others), None))
        yield job


def _own_jobs(
    options: EvalOptions, track_progress: TrackProgress, skipped_rows: list[SessionRow]
) -> Iterator[SessionJob]:
    paths = find_files(options.games, INSTANCE_FILES)
    known = games_by_id(track_progress(find_games(options.recorded))) if options.recorded else {}
    for path in track_progress(paths):
        try:
            instance = read_instance(path)
            game = known.get(instance.game_id) or find_game_of_instance(path, instance.game_id)
            head = read_game_header(game)
        except BadInput as fault:
            skipped_rows.append(unreadable_row(path, fault))
            continue
        if instance.benchmark == options.kind:
            job = SessionJob.from_header(instance.name, head, path, options.seed)
            yield replace(job, game_path=str(game), game_id=instance.game_id)
