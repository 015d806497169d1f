"""`tatc understand`: what people ask for in a dialogue, and the words that say so."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.output import examples_epilog, print_json, print_line, print_table
from tatc.commands.shared_options import JsonOption, what_argument

if TYPE_CHECKING:
    from tatc.actions import Utterance
    from tatc.understanding import Understanding

EXAMPLES = examples_epilog(
    "tatc understand dialogue.txt",
    'echo "Commander: put the remotes on the sofa" | tatc understand -',
    "tatc understand game.json --upto 3 --why",
)

_STDIN = "-"


def understand(
    dialogue: Annotated[
        str,
        what_argument(
            metavar="GAME|FILE|-",
            help="A recorded game, a text with lines `Commander: ...` and `Follower: ...`, or - "
            "for such lines on stdin.",
        ),
    ],
    upto: Annotated[
        int | None,
        typer.Option("--upto", min=0, metavar="N", help="Read only the first N utterances."),
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Print the dialogue too, and where things are said to be.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell what a dialogue asks for: the goal, the words it rests on, and what is in doubt."""
    from tatc.understanding import understand as understand_dialogue
    from tatc.understanding.goal_json import understanding_json

    utterances = _read(dialogue)[:upto]
    understood = understand_dialogue(utterances)
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
