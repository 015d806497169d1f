"""`tatc understand`: what people ask for in a dialogue, and the words that say so."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tatc.base import files, plain_text
from tatc.base.errors import BadInput
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.evaluation.reports.understanding_score import UnderstandingScore
    from tatc.home.actions import Utterance
    from tatc.language.understanding import Understanding
    from tatc.language.understanding.named_goals import NamedGoals


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Whether goals are scored, and how."""

    score: bool = shared_options.plain_field(False, "--score")
    confusion: bool = shared_options.plain_field(False, "--confusion")
    other_dialogue: bool = shared_options.plain_field(False, "--other-dialogue")
    quick: bool = shared_options.plain_field(False, "--quick")

    def validate(self) -> None:
        """Check that how to score is said only where something is scored."""
        if not self.score and self != ScoreOptions():
            raise BadInput("there is nothing to score", fix="give --score too")


def print_scores(
    paths: Sequence[Path], options: ScoreOptions, workers: int, *, as_json: bool
) -> None:
    """Score games and print the shares."""
    from tatc.evaluation.reports.understanding_score import confusion_rows, score_games, summarize

    scores: list[UnderstandingScore] = []
    scored = score_games(paths, workers, other_dialogue=options.other_dialogue, quick=options.quick)
    with output.progress_counter(len(paths), "scoring dialogues") as count:
        for each in scored:
            scores.append(each)
            count(each.task)
            if each.skipped:
                output.remark(f"skipped: {each.skipped}")
    found = summarize(scores, quick=options.quick)
    if as_json:
        if options.confusion:
            found["confusion"] = [list(row) for row in confusion_rows(scores)]
        output.print_json(found)
    else:
        _print_shares(found)
        if options.confusion:
            output.print_line()
            output.print_table(("task", "understood", "games"), confusion_rows(scores))
    output.exit_for_skipped(sum(1 for each in scores if each.skipped), len(scores))


def print_directive_scores(
    paths: Sequence[Path], options: ScoreOptions, plans: Sequence[str], *, as_json: bool
) -> None:
    """Score annotators' words, and print the shares; `plans` say what types the homes have."""
    from tatc.evaluation.reports.understanding_score import score_directives, summarize_directives
    from tatc.session.alfred.floor_plan_files import read_furniture

    if options != ScoreOptions(score=True, quick=options.quick):
        fix = "leave out --confusion and --other-dialogue"
        raise BadInput("they are for games, not for ALFRED's trajectories", fix=fix)
    scores = list(score_directives(paths, read_furniture(tuple(plans)) if plans else None))
    skipped = [each.skipped for each in scores if each.skipped]
    for line in skipped:
        output.remark(f"skipped: {line}")
    found = summarize_directives(scores)
    if as_json:
        output.print_json(found)
    else:
        columns = ("task of the trajectory", "annotations", "task", "exact", "with steps: task")
        goal, steps = ({**found[of]["per_task"], "all": found[of]} for of in ("goal", "steps"))
        rows = [
            (name, a["n"], a["task"], a["exact"], steps[name]["task"], steps[name]["exact"])
            for name, a in goal.items()
        ]
        output.print_table((*columns, "exact"), rows)
    output.exit_for_skipped(len(skipped))


def _print_shares(found: dict[str, Any]) -> None:
    rows: list[tuple[str, dict[str, Any]]] = list(found["per_task"].items())
    rows += [("all", found), ("surest nine tenths", found["confident"])]
    columns = ("n", "task", "exact", "sufficient", "named")
    output.print_table(
        ("task of the game", *columns),
        ((name, *("-" if row[key] is None else row[key] for key in columns)) for name, row in rows),
    )
    if found["solvable"] is not None:
        left_out = found["n"] - found["solvable"]
        why = "not solved with the true goal"
        output.remark(f"left out of `sufficient`: {plain_text.counted(left_out, 'game')}: {why}")


_STDIN = "-"


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """What of a dialogue is read and printed, and the goals that it may name."""

    upto: int | None = shared_options.plain_field(None, min=0)
    why: bool = shared_options.plain_field(False, "--why")
    goals: Path | None = shared_options.plain_field(None)
    remember: bool = shared_options.plain_field(False, "--remember")


@shared_options.with_option_groups
def understand(
    dialogue: Annotated[list[str], shared_options.what_argument()],
    explain: ExplainOptions,
    scores: ScoreOptions,
    plans: shared_options.PlansOption = None,
    workers: shared_options.WorkersOption = 1,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Tell what a dialogue asks for, and by which words."""
    from tatc.language.understanding.named_goals import read_goals

    scores.validate()
    if scores.score:
        if explain != ExplainOptions():
            fix = "leave out --upto, --why and --goals"
            raise BadInput("--score reads whole games alone", fix=fix)
        _score(dialogue, scores, plans or (), workers, as_json)
        return
    if plans:
        raise BadInput("--plans is for scores of ALFRED's trajectories", fix="give --score too")
    if len(dialogue) != 1:
        raise BadInput("this explains one dialogue", fix="name one, or give --score")
    if explain.remember and explain.goals is None:
        raise BadInput("there is no file to remember in", fix="name one with --goals")
    utterances = _read(dialogue[0])[: explain.upto]
    known = None if explain.goals is None else read_goals(explain.goals)
    _explain(utterances, known, explain, as_json)


def _score(
    games: list[str], scores: ScoreOptions, plans: Sequence[str], workers: int, as_json: bool
) -> None:
    from tatc.session.records import SESSION_FILES, find_files, trajectory

    paths = find_files(games, SESSION_FILES)
    if all(map(trajectory.is_trajectory_file, paths)):
        print_directive_scores(paths, scores, plans, as_json=as_json)
        return
    if plans:
        fix = "leave it out, or name ALFRED's trajectories alone"
        raise BadInput("--plans is for ALFRED's trajectories", fix=fix)
    print_scores(paths, scores, workers, as_json=as_json)


def _explain(
    utterances: "tuple[Utterance, ...]",
    known: "NamedGoals | None",
    options: ExplainOptions,
    as_json: bool,
) -> None:
    from tatc.language.understanding import understand as understand_dialogue
    from tatc.language.understanding.goal_json import understanding_json

    understood = understand_dialogue(utterances, known)
    if options.remember and options.goals is not None and known is not None:
        _remember(utterances, understood, options.goals)
    if as_json:
        output.print_json(understanding_json(understood))
        return
    if options.why:
        for number, each in enumerate(utterances):
            output.print_line(f"{number:3}  {each.speaker.name.title()}: {each.text}")
        output.print_line()
    _print_goal(understood)
    rows = [(h.things, h.relation, h.place, h.span.utterance) for h in understood.hints]
    if options.why and rows:
        output.print_table(("thing", "is", "place", "said in"), rows)


def _remember(utterances: "tuple[Utterance, ...]", understood: "Understanding", path: Path) -> None:
    from tatc.language.understanding.named_goals import NamedGoal, keep_goal, name_given_in

    name = name_given_in(utterances)
    if name is None or understood.goal is None:
        lacking = "name" if name is None else "goal"
        fix = "say what to do, and `call it the Larry sandwich`"
        raise BadInput(f"the dialogue gives no {lacking}", fix=fix)
    keep_goal(NamedGoal(name, utterances, understood.goal.content), path)
    output.remark(f"remembered: {name}")


def _read(dialogue: str) -> "tuple[Utterance, ...]":
    from tatc.language.understanding.understand import parse_dialogue, read_dialogue_file

    if dialogue == _STDIN:
        return parse_dialogue(files.read_stream(sys.stdin.buffer, "stdin", files.DIALOGUE), "stdin")
    path = Path(dialogue)
    if path.name.endswith((".json", ".json.gz")):
        from tatc.session.records import read_game
        from tatc.session.records.game import dialogue_of

        return dialogue_of(read_game(path))
    return read_dialogue_file(path)


def _print_goal(understood: "Understanding") -> None:
    from tatc.language.understanding.goal_json import evidence_words, goal_lines

    goal = understood.goal
    if goal is None:
        output.print_line("goal: none")
    else:
        name, params = goal.library_task or (goal.task.name, ())
        output.print_line(" ".join(["goal:", name, *params]))
        for line in goal_lines(goal.content):
            output.print_line(f"  {line}")
        output.print_line(f"confidence: {understood.confidence:.2f}")
    if understood.evidence:
        rows = ((e.part, evidence_words(e)) for e in understood.evidence)
        output.print_table(("part", "words"), rows)
    for question in understood.questions:
        output.print_line(f"open: {question.text}")
