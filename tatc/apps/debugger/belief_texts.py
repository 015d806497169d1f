"""The texts of the panes about the Follower's belief."""

from itertools import groupby
from operator import attrgetter

from rich.text import Text

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.terminal_drawing import (
    DIM_COLOUR,
    FAILURE_COLOUR,
    FOLLOWER_COLOUR,
    HIGHLIGHT_COLOUR,
    MAX_LISTED,
    SUCCESS_COLOUR,
    append_hanging,
    append_row,
)
from tatc.session.timeline import format_verb_runs
from tatc.session.timeline.belief_summary import (
    BeliefSummary,
    DifferenceKind,
    GoalSummary,
    find_differences,
    summarize_belief,
)

_NO_BELIEF = "This Follower has no belief to show; the Follower listener has one."
_NOT_YET = "The Follower has not acted yet."
_HEADINGS = {
    DifferenceKind.WRONG: "believed wrongly",
    DifferenceKind.NOT_THERE: "believed, and not there",
    DifferenceKind.UNSEEN: "not seen yet",
}
_MARKS = {
    DifferenceKind.WRONG: ("≠ ", FAILURE_COLOUR),
    DifferenceKind.NOT_THERE: ("≠ ", FAILURE_COLOUR),
    DifferenceKind.UNSEEN: ("? ", DIM_COLOUR),
}


def belief_title(debugger: Debugger) -> str:
    """Return the title of the belief pane, with the step if the belief is an earlier one's."""
    here = debugger.belief
    at = "" if here is None or here.index == debugger.at else f" at step {here.index}"
    return f"the Follower's belief{at}"


def belief_text(debugger: Debugger, width: int) -> Text:
    """Return goal, evidence, doubts, plan, and what the Follower has said."""
    here = debugger.belief
    if here is None:
        return Text(_NOT_YET if debugger.branch.shows_belief else _NO_BELIEF, DIM_COLOUR)
    found, text = summarize_belief(here), Text()
    if found.goal is None:
        append_row(text, "goal", "none yet", width, FAILURE_COLOUR)
    else:
        _append_goal(text, found.goal, width)
    for question in found.open_questions:
        append_row(text, "open", question, width, HIGHLIGHT_COLOUR)
    append_row(text, "hints", ", ".join(found.hints), width)
    _append_plan(text, found, width)
    for words in found.said:
        append_row(text, "said", words, width, FOLLOWER_COLOUR)
    append_row(text, "may say", f"{found.utterances_left} more", width, DIM_COLOUR)
    append_row(text, "stopped", found.end, width, HIGHLIGHT_COLOUR)
    return text


def _append_goal(text: Text, goal: GoalSummary, width: int) -> None:
    append_row(text, "goal", goal.task, width, HIGHLIGHT_COLOUR)
    for number, line in enumerate(goal.lines, 1):
        append_row(text, f"     {number}:", line, width)
    for part, words in goal.evidence:
        append_row(text, "heard", f"{words} ({part})", width, DIM_COLOUR)
    sure = "" if goal.confidence is None else f", confidence {goal.confidence:.2f}"
    met = f"{goal.source}{sure}, {goal.met} of {goal.total} met as it believes"
    append_row(text, "is", met, width, SUCCESS_COLOUR if goal.met == goal.total else "")


def _append_plan(text: Text, found: BeliefSummary, width: int) -> None:
    for words in found.done:
        append_hanging(text, Text("      ✓ ", SUCCESS_COLOUR), words, DIM_COLOUR, width)
    if found.doing:
        verbs = format_verb_runs(step.verb for step in found.next_steps)
        append_hanging(text, Text("now   ▸ ", HIGHLIGHT_COLOUR), found.doing, "bold", width)
        append_hanging(text, Text("        "), verbs, FOLLOWER_COLOUR, width)
    for words in found.to_do:
        append_hanging(text, Text("lacks · ", DIM_COLOUR), words, "", width)


def differences_text(debugger: Debugger, width: int) -> Text:
    """Return where belief and world differ: what is wrong first, then what was not seen."""
    here = debugger.belief
    if here is None:
        return Text(_NOT_YET if debugger.branch.shows_belief else _NO_BELIEF, DIM_COLOUR)
    text = Text()
    found = find_differences(here)
    if not any(each.kind is not DifferenceKind.UNSEEN for each in found):
        text.append("All that it has seen is as it believes.\n", SUCCESS_COLOUR)
    for kind, same in groupby(found, key=attrgetter("kind")):
        differences = list(same)
        text.append(f"{_HEADINGS[kind]}: {len(differences)}\n", DIM_COLOUR)
        mark, colour = _MARKS[kind]
        for each in differences[:MAX_LISTED]:
            append_hanging(text, Text(mark, colour), each.text, "", width)
        if len(differences) > MAX_LISTED:
            text.append(f"and {len(differences) - MAX_LISTED} more\n", DIM_COLOUR)
    return text
