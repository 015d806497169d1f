"""`tatc play`: a session whose agents are played by tool calls, one JSON object a line."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tatc.base import errors, files
from tatc.commands.options import shared_options
from tatc.commands.options.session_options import PlayedAgentOptions, SessionOptions
from tatc.commands.text.output import exit_for_end, print_json, print_lines, remark

if TYPE_CHECKING:
    from tatc.home.actions import Role
    from tatc.session.tool_session import ToolSession


class PlayAgentOptions(PlayedAgentOptions):
    """Which agent is played, and who plays the other."""


@dataclass(frozen=True, slots=True)
class PlayOutputOptions:
    """What is printed, and what is saved where."""

    save: Path | None = shared_options.output_field(None)
    force: shared_options.ForceOption = False
    json: bool = shared_options.output_field(False, "--json")
    print_tools: bool = shared_options.output_field(False, "--print-tools")


@shared_options.with_option_groups
def play(session: SessionOptions, agents: PlayAgentOptions, output: PlayOutputOptions) -> None:
    """Play one agent, or both, in the text world."""
    from tatc.commands.text.session_narrator import outcome_lines
    from tatc.session.records import write_record
    from tatc.session.text_world import rules_for

    if output.save is not None:
        files.check_writable(output.save, force=output.force)
    game = _begin(session, agents)
    if output.print_tools:
        for role in sorted(game.plays):
            name = role.name.lower()
            print_json({"role": name, "rules": rules_for(role), "tools": game.tools(role)})
        return
    _print_text(game, game.turn, game.text(game.turn), as_json=output.json)
    if sys.stdin.isatty():
        remark('type calls such as {"name": "ask"}; Ctrl-D ends the session')
    while game.end is None and (line := sys.stdin.buffer.readline(files.TOOL_CALL.max_bytes)):
        if line.strip():
            _answer(game, line, as_json=output.json)
    record = game.record()
    if output.save is not None:
        write_record(record, output.save, force=output.force)
    for line in outcome_lines(record):
        remark(line)
    exit_for_end(record.end)


def _begin(session: SessionOptions, agents: PlayAgentOptions) -> "ToolSession":
    from tatc.apps.serving.session_table import parse_roles, setup_for
    from tatc.session.play import prepare
    from tatc.session.text_world import parse_grain
    from tatc.session.tool_session import ToolSession

    plays, grain = parse_roles(agents.played), parse_grain(agents.grain)
    setup = setup_for(plays, agents.commander, agents.follower, agents.wording)
    prepare(setup)
    return ToolSession(session.find_start(), setup, plays=plays, grain=grain)


def _answer(game: "ToolSession", line: bytes, *, as_json: bool) -> None:
    role = game.turn
    try:
        call: Any = files.parse_json(line, "the call", files.TOOL_CALL)
        if not isinstance(call, dict):
            raise errors.BadInput("a call is a JSON object", fix=files.TOOL_CALL.fix)
    except errors.BadInput as fault:
        _print_text(game, role, f"refused: {fault}", as_json=as_json)
        return
    given = cast(dict[str, Any], call)
    text = game.call(role, given.get("name"), given.get("arguments"))
    if game.end is None and game.turn is not role and game.turn in game.plays:
        _print_text(game, game.turn, game.text(game.turn), as_json=as_json)
    else:
        _print_text(game, role, text, as_json=as_json)


def _print_text(game: "ToolSession", role: "Role", text: str, *, as_json: bool) -> None:
    if not as_json:
        print_lines((*text.splitlines(), ""))
        return
    end = None if game.end is None else game.end.value
    print_json({"role": role.name.lower(), "text": text, "tokens": game.tokens(role), "end": end})
