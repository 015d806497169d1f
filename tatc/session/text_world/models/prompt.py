"""What a model is told besides the texts of the text world.

Whatever comes from the home, the other agent or a file stands between the marks of data, which the
text itself cannot hold.  All words are in the text world's `wording.json`.
"""

import json
from collections.abc import Sequence

from tatc.home.actions import Role
from tatc.session.text_world import rules_for
from tatc.session.text_world.tools import ToolSpec
from tatc.session.text_world.wording import phrase


def system_prompt(role: Role, tools: Sequence[ToolSpec], *, as_json: bool) -> str:
    """Return what a model is told before a session; with the tools if it calls them in JSON."""
    start, end = _marks()
    told = [rules_for(role), _words("data").format(start=start, end=end)]
    if not as_json:
        return "\n".join((*told, _words("one_call")))
    schemas = (json.dumps(each.schema(), separators=(",", ":")) for each in tools)
    return "\n".join((*told, _words("json").format(), *schemas))


def as_data(text: str) -> str:
    """Return a text between the marks of data, with those that it holds taken out."""
    start, end = _marks()
    while start in text or end in text:  # taking one out may make another
        text = text.replace(start, "").replace(end, "")
    return f"{start}\n{text}\n{end}"


def no_call() -> str:
    """Return what a model is told that answered in words alone."""
    return _words("no_call")


def _marks() -> tuple[str, str]:
    return _words("start"), _words("end")


def _words(name: str) -> str:
    return phrase("prompt", name)
