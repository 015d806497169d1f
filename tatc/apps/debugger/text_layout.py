"""What all panes share: colours, the length of lists, and text wrapped beside a heading."""

from textwrap import wrap

from rich.text import Text

DIM_COLOUR, HIGHLIGHT_COLOUR = "#7f8694", "#ffd65c"
SUCCESS_COLOUR, FAILURE_COLOUR = "#7ee2a8", "#ff8d85"
COMMANDER_COLOUR, FOLLOWER_COLOUR = "#d6a0ff", "#78d6ff"
"""The colours of the Commander and the Follower."""

MAX_LISTED = 40
"""The most lines of one list in a pane; longer ones are slow to lay out."""


def append_hanging(text: Text, head: Text, body: str, style: str, width: int) -> None:
    """Append a heading and a body that is wrapped beside it."""
    text_width = max(width - len(head), 12)
    lines = wrap(body, text_width) or [""]
    text.append_text(head)
    text.append(f"{lines[0]}\n", style)
    for line in lines[1:]:
        text.append(f"{' ' * len(head)}{line}\n", style)


def append_row(text: Text, name: str, value: str, width: int, style: str = "") -> None:
    """Append a named value; append nothing if it is empty."""
    if value:
        append_hanging(text, Text(f"{name:<8}", DIM_COLOUR), value, style, width)
