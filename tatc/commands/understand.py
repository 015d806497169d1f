"""`tatc understand`: what people ask for in a dialogue, and the words that say so."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tatc.base import errors, files
from tatc.commands.options import shared_options
from tatc.commands.text import output

if TYPE_CHECKING:
    from tatc.home.actions import Utterance
    from tatc.language.understanding import Understanding


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """What of a dialogue is read and printed, and the goals that it may name."""

    upto: int | None = shared_options.plain_field(None, min=0)
    why: bool = shared_options.plain_field(False, "--why")
    goals: Path | None = shared_options.plain_field(None)
    remember: bool = shared_options.plain_field(False, "--remember")


@shared_options.with_option_groups
def understand(
    dialogue: Annotated[str, shared_options.what_argument()],
    explain: ExplainOptions,
    as_json: shared_options.JsonOption = False,
) -> None:
    """Tell what a dialogue asks for, and by which words."""
    from tatc.language.understanding import goal_json, understand as understand_dialogue
    from tatc.language.understanding.named_goals import read_goals

    if explain.remember and explain.goals is None:
        raise errors.BadInput("there is no file to remember in", fix="name one with --goals")
    utterances = _read(dialogue)[: explain.upto]
    known = None if explain.goals is None else read_goals(explain.goals)
    understood = understand_dialogue(utterances, known)
    if explain.remember and explain.goals is not None:
        _remember(utterances, understood, explain.goals)
    if as_json:
        output.print_json(goal_json.understanding_json(understood))
        return
    if explain.why:
        for number, each in enumerate(utterances):
            output.print_line(f"{number:3}  {each.speaker.name.title()}: {each.text}")
        output.print_line()
    _print_goal(understood)
    rows = [(h.things, h.relation, h.place, h.span.utterance) for h in understood.hints]
    if explain.why and rows:
        output.print_table(("thing", "is", "place", "said in"), rows)


def _remember(utterances: "tuple[Utterance, ...]", understood: "Understanding", path: Path) -> None:
    from tatc.language.understanding.named_goals import NamedGoal, keep_goal, name_given_in

    name = name_given_in(utterances)
    if name is None or understood.goal is None:
        lacking = "name" if name is None else "goal"
        fix = "say what to do, and `call it the Larry sandwich`"
        raise errors.BadInput(f"the dialogue gives no {lacking}", fix=fix)
    keep_goal(NamedGoal(name, utterances, understood.goal.content), path)
    output.remark(f"remembered: {name}")


def _read(dialogue: str) -> "tuple[Utterance, ...]":
    from tatc.language.understanding.understand import parse_dialogue, read_dialogue_file

    if dialogue == "-":
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
