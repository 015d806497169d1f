"""`tatc understand`: what people ask for in a dialogue, and the words that say so."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tatc.commands.output import (
    examples_epilog,
    print_json,
    print_line,
    print_table,
    progress_counter,
    remark,
)
from tatc.commands.shared_options import JsonOption, WorkersOption, what_argument
from tatc.errors import BadInput

if TYPE_CHECKING:
    from tatc.actions import Utterance
    from tatc.evaluation.understanding_score import UnderstandingScore
    from tatc.understanding import Understanding

EXAMPLES = examples_epilog(
    "tatc understand dialogue.txt",
    "tatc understand - < dialogue.txt",
    "tatc understand game.json --upto 3 --why",
    "tatc understand dialogue.txt --memory mine.jsonl --remember",
    "tatc understand games/ --score --confusion --workers 4",
)

_STDIN = "-"


def understand(
    dialogue: Annotated[
        list[str],
        what_argument(
            metavar="GAME|FILE|-",
            help="A recorded game, a text with lines `Commander: ...` and `Follower: ...`, or - "
            "for such lines on stdin. With --score: files, folders or glob patterns of games.",
        ),
    ],
    upto: Annotated[
        int | None,
        typer.Option("--upto", min=0, metavar="N", help="Read only the first N utterances."),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Print the dialogue too, and where things are said to be.")
    ] = False,
    memory: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Goals under names of your own, which the dialogue may say."
        ),
    ] = None,
    remember: Annotated[
        bool,
        typer.Option(
            "--remember",
            help="Add this dialogue and its goal to --memory, under the name that it gives, such "
            "as `call it the Larry sandwich`.",
        ),
    ] = False,
    score: Annotated[
        bool,
        typer.Option(
            "--score", help="Compare the goals of recorded games with the games' own tasks."
        ),
    ] = False,
    confusion: Annotated[
        bool, typer.Option("--confusion", help="List what was understood in place of each task.")
    ] = False,
    other_dialogue: Annotated[
        bool,
        typer.Option("--other-dialogue", help="A control: read another game's dialogue for each."),
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Score words alone: run no sessions.")
    ] = False,
    workers: WorkersOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Tell what a dialogue asks for, and by which words.

    With --score, `task` is the share of games whose task was understood, `exact` that with all
    parameters that matter, and `sufficient` the share of games in which the rule pair, given the
    understood goal, ends with the game's own task done, among those where it does so given the
    true one.
    """
    if score:
        if upto is not None or why or memory is not None:
            fix = "leave out --upto, --why and --memory"
            raise BadInput("--score reads whole games alone", fix=fix)
        _score(dialogue, workers, other_dialogue, quick, confusion, as_json)
        return
    if confusion or other_dialogue or quick:
        raise BadInput("there is nothing to score", fix="give --score too")
    if len(dialogue) != 1:
        raise BadInput("this explains one dialogue", fix="name one, or give --score")
    if remember and memory is None:
        raise BadInput("there is no file to remember in", fix="name one with --memory")
    utterances = _read(dialogue[0])[:upto]
    understood = _understand(utterances, memory, remember)
    _explain(utterances, understood, why=why, as_json=as_json)


def _understand(
    utterances: "tuple[Utterance, ...]", path: Path | None, remember: bool
) -> "Understanding":
    """Return what is understood, with the memory at a path, to which it is added if asked."""
    from tatc.understanding import understand as understand_dialogue
    from tatc.understanding.memory import MemoryEntry, name_given_in, read_memory, write_memory

    if path is None:
        return understand_dialogue(utterances)
    known = read_memory(path)
    understood = understand_dialogue(utterances, known)
    if remember:
        name = name_given_in(utterances)
        if name is None or understood.goal is None:
            lacking = "name" if name is None else "goal"
            fix = "say what to do, and `call it the Larry sandwich`"
            raise BadInput(f"the dialogue gives no {lacking}", fix=fix)
        entry = MemoryEntry(name, utterances, understood.goal.content)
        write_memory(known.remember(entry), path)
        remark(f"remembered: {name}")
    return understood


def _explain(
    utterances: "tuple[Utterance, ...]", understood: "Understanding", *, why: bool, as_json: bool
) -> None:
    from tatc.understanding.goal_json import understanding_json

    if as_json:
        print_json(understanding_json(understood))
        return
    if why:
        _print_dialogue(utterances)
    _print_goal(understood)
    if why:
        _print_hints(understood)


def _read(dialogue: str) -> "tuple[Utterance, ...]":
    from tatc.understanding.dialogue_files import parse_dialogue, read_dialogue_file

    if dialogue == _STDIN:
        return parse_dialogue(sys.stdin.read(), "stdin")
    path = Path(dialogue)
    if path.name.endswith((".json", ".json.gz")):
        from tatc.records import read_game
        from tatc.records.dialogue import dialogue_of

        return dialogue_of(read_game(path))
    return read_dialogue_file(path)


def _print_dialogue(utterances: "tuple[Utterance, ...]") -> None:
    for number, each in enumerate(utterances):
        print_line(f"{number:3}  {each.speaker.name.title()}: {each.text}")
    print_line()


def _print_goal(understood: "Understanding") -> None:
    from tatc.understanding.goal_json import evidence_words, goal_lines

    goal = understood.goal
    if goal is None:
        print_line("goal: none")
    else:
        name, params = goal.library_task or (goal.task.name, ())
        print_line(" ".join(["goal:", name, *params]))
        for line in goal_lines(goal.content):
            print_line(f"  {line}")
        print_line(f"confidence: {understood.confidence:.2f}")
    if understood.evidence:
        print_table(("part", "words"), ((e.part, evidence_words(e)) for e in understood.evidence))
    for question in understood.questions:
        print_line(f"open: {question.text}")


def _print_hints(understood: "Understanding") -> None:
    rows = [(h.things, h.relation, h.place, h.span.utterance) for h in understood.hints]
    if rows:
        print_table(("thing", "is", "place", "said in"), rows)


def _score(
    games: list[str],
    workers: int,
    other_dialogue: bool,
    quick: bool,
    confusion: bool,
    as_json: bool,
) -> None:
    from tatc.evaluation.understanding_score import confusion_rows, score_games, summarize
    from tatc.records import find_games

    paths = find_games(games)
    scores: list[UnderstandingScore] = []
    with progress_counter(len(paths), "scoring dialogues") as count:
        for each in score_games(paths, workers, other_dialogue=other_dialogue, quick=quick):
            scores.append(each)
            count(each.task)
            if each.skipped:
                remark(f"skipped: {each.skipped}")
    found = summarize(scores, quick=quick)
    if as_json:
        if confusion:
            found["confusion"] = [list(row) for row in confusion_rows(scores)]
        print_json(found)
    else:
        _print_shares(found)
        if confusion:
            print_line()
            print_table(("task", "understood", "games"), confusion_rows(scores))
    skipped = sum(1 for each in scores if each.skipped)
    if skipped:
        remark(f"{skipped} of {len(scores)} files were skipped")
        raise typer.Exit(1)


def _print_shares(found: dict[str, Any]) -> None:
    rows: list[tuple[str, dict[str, Any]]] = list(found["per_task"].items())
    rows += [("all", found), ("surest nine tenths", found["confident"])]
    columns = ("n", "task", "exact", "sufficient", "named")
    print_table(
        ("task of the game", *columns),
        ((name, *("-" if row[key] is None else row[key] for key in columns)) for name, row in rows),
    )
    if found["solvable"] is not None:
        left_out = found["n"] - found["solvable"]
        remark(f"{left_out} games are left out of `sufficient`: not solved with the true goal")
