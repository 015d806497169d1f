"""The timeline: the whole session in one line, with events and the current step."""

from collections.abc import Sequence

from rich.text import Text

from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.text_layout import (
    COMMANDER_COLOUR,
    DIM_COLOUR,
    FAILURE_COLOUR,
    HIGHLIGHT_COLOUR,
    SUCCESS_COLOUR,
)
from tatc.session.timeline import Moment, progress_change

_EVENT_MARKS = (
    ("▼", FAILURE_COLOUR),
    ("✗", FAILURE_COLOUR),
    ("▲", SUCCESS_COLOUR),
    ("≠", HIGHLIGHT_COLOUR),
    ("✎", COMMANDER_COLOUR),
    ("╵", DIM_COLOUR),
)
"""Goal lost, action failed, goal gained, divergence, by hand, utterance: the first wins."""


def timeline_bar_text(debugger: Debugger, width: int) -> Text:
    """Return the timeline of the current branch, `width` characters wide."""
    moments, width = debugger.moments, max(width, 2)
    scale = (width - 1) / max(debugger.branch.last, 1)
    ranks = [len(_EVENT_MARKS)] * width
    for index in range(1, len(moments)):
        column = round(index * scale)
        ranks[column] = min(ranks[column], _event_rank(moments, index))
    text, here = Text(no_wrap=True), round(debugger.at * scale)
    for column, rank in enumerate(ranks):
        letter, style = _EVENT_MARKS[rank] if rank < len(_EVENT_MARKS) else ("─", DIM_COLOUR)
        text.append(letter, f"bold reverse {HIGHLIGHT_COLOUR}" if column == here else style)
    return text


def _event_rank(moments: Sequence[Moment], index: int) -> int:
    """Return the index of a moment's mark, their number if it has none."""
    moment = moments[index]
    change = progress_change(moments[index - 1], moment)
    holds = (
        change < 0,
        moment.failed,
        change > 0,
        bool(moment.divergence),
        moment.by_hand,
        moment.utterance is not None,
    )
    return holds.index(True) if True in holds else len(holds)
