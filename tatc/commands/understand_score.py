"""What `tatc understand --score` prints: the goals of recorded games beside their own tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tatc.base.errors import BadInput
from tatc.commands.options.shared_options import plain_field
from tatc.commands.text.exit_status import EXIT_INPUTS_SKIPPED
from tatc.commands.text.output import print_json, print_line, print_table, progress_counter, remark

if TYPE_CHECKING:
    from tatc.evaluation.reports.understanding_score import UnderstandingScore
    from tatc.language.understanding.model_reader import DialogueReader


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Whether goals are scored, and how."""

    score: bool = plain_field(
        False, "--score", help="Compare the goals of recorded games with the games' own tasks."
    )
    confusion: bool = plain_field(
        False, "--confusion", help="List what was understood in place of each task."
    )
    other_dialogue: bool = plain_field(
        False, "--other-dialogue", help="A control: read another game's dialogue for each."
    )
    quick: bool = plain_field(False, "--quick", help="Score words alone: run no sessions.")

    def validate(self) -> None:
        """Check that how to score is said only where something is scored."""
        if not self.score and self != ScoreOptions():
            raise BadInput("there is nothing to score", fix="give --score too")


def print_scores(
    paths: Sequence[Path],
    options: ScoreOptions,
    read: "DialogueReader | None",
    workers: int,
    *,
    as_json: bool,
) -> None:
    """Score games and print the shares; `read` reads the dialogues, None is the lexicon.

    Raises:
        typer.Exit: some files were skipped (status 1).

    """
    from tatc.evaluation.reports.understanding_score import confusion_rows, score_games, summarize

    scores: list[UnderstandingScore] = []
    scored = score_games(
        paths, workers, other_dialogue=options.other_dialogue, quick=options.quick, read=read
    )
    with progress_counter(len(paths), "scoring dialogues") as count:
        for each in scored:
            scores.append(each)
            count(each.task)
            if each.skipped:
                remark(f"skipped: {each.skipped}")
    found = summarize(scores, quick=options.quick)
    if as_json:
        if options.confusion:
            found["confusion"] = [list(row) for row in confusion_rows(scores)]
        print_json(found)
    else:
        _print_shares(found)
        if options.confusion:
            print_line()
            print_table(("task", "understood", "games"), confusion_rows(scores))
    skipped = sum(1 for each in scores if each.skipped)
    if skipped:
        remark(f"{skipped} of {len(scores)} files were skipped")
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def print_directive_scores(
    paths: Sequence[Path], options: ScoreOptions, plans: Sequence[str], *, as_json: bool
) -> None:
    """Score what annotators of ALFRED's trajectories wrote, and print the shares.

    With `plans`, files with the furniture of floor plans, it is known what types the homes have.
    """
    from tatc.evaluation.alfred.directive_score import score_directives, summarize_directives
    from tatc.session.alfred.floor_plan_files import read_furniture

    if options != ScoreOptions(score=True, quick=options.quick):
        fix = "leave out --confusion and --other-dialogue"
        raise BadInput("they are for games, not for ALFRED's trajectories", fix=fix)
    catalogue = read_furniture(tuple(plans)) if plans else None
    scores = list(score_directives(paths, catalogue))
    skipped = [each.skipped for each in scores if each.skipped]
    for line in skipped:
        remark(f"skipped: {line}")
    found = summarize_directives(scores)
    if as_json:
        print_json(found)
    else:
        columns = ("task of the trajectory", "annotations", "task", "exact", "with steps: task")
        goal, steps = found["goal"], found["steps"]
        names = (*goal["per_task"], "all")
        pairs = zip(
            (*goal["per_task"].values(), goal), (*steps["per_task"].values(), steps), strict=True
        )
        print_table(
            (*columns, "exact"),
            [
                (name, a["n"], a["task"], a["exact"], b["task"], b["exact"])
                for name, (a, b) in zip(names, pairs, strict=True)
            ],
        )
    if skipped:
        remark(f"{len(skipped)} files were skipped")
        raise typer.Exit(EXIT_INPUTS_SKIPPED)


def _print_shares(found: dict[str, Any]) -> None:
    rows: list[tuple[str, dict[str, Any]]] = list(found["per_task"].items())
    rows += [("all", found), ("surest nine tenths", found["confident"])]
    columns = ("n", "task", "exact", "sufficient", "named")
    print_table(
        ("task of the game", *columns),
        ((name, *("-" if row[key] is None else row[key] for key in columns)) for name, row in rows),
    )
    if "read_by" in found:
        remark(f"read by: {found['read_by']}")
    if found["solvable"] is not None:
        left_out = found["n"] - found["solvable"]
        remark(f"{left_out} games are left out of `sufficient`: not solved with the true goal")
