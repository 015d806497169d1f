"""Followers that read dialogue with a memory of the user's, by a language model, or as directives.

A Follower can if its class takes `read`, a function from utterances to an understanding; then its
`understood_by` says which readings a session used.
"""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.follower import Follower
from tatc.language.llm import ModelSettings, chat_client
from tatc.language.understanding import understand
from tatc.language.understanding.alfred.directive_goal import DirectiveReader
from tatc.language.understanding.memory import GoalMemory, read_memory
from tatc.language.understanding.model_reader import ModelReader

_READER_PARAMETER, _RECALLS = "read", "recalls_names"


def check_reads(made: Any, name: str, option: str = "--model") -> None:
    """Check that a Follower's class, or what makes one, takes a reader of dialogue."""
    if option == "--model" and not reads_dialogue(made):
        why = f"the Follower {name} reads no dialogue that a model could read"
        fix = "leave it out, or name --follower listener or llm"
        raise BadInput(why, where=option, fix=fix)
    if option != "--model" and not recalls_names(made):
        why = f"the Follower {name} reads no dialogue that could recall a name"
        fix = "leave it out, or name --follower listener"
        raise BadInput(why, where=option, fix=fix)


def reads_dialogue(made: Any) -> bool:
    """Return whether what makes a Follower takes a reader of dialogue."""
    found: Any = getattr(made, "func", made)  # of a partial
    return isinstance(found, type) and _READER_PARAMETER in signature(found).parameters


def recalls_names(made: Any) -> bool:
    """Return whether what makes a Follower takes a reader that knows names of the user's.

    One that should not says so by a class attribute, `recalls_names = False`.
    """
    return reads_dialogue(made) and bool(getattr(getattr(made, "func", made), _RECALLS, True))


def check_memory(memory_file: str | None) -> None:
    """Check that a memory is there, and can be read; None is none."""
    if memory_file is None:
        return
    if not Path(memory_file).is_file():
        fix = "make one with `tatc understand DIALOGUE --memory FILE --remember`"
        raise BadInput("there is no such memory", where=memory_file, fix=fix)
    read_memory(Path(memory_file))


def with_reading(
    made: Callable[..., Follower],
    name: str,
    settings: ModelSettings | None,
    memory_file: str | None,
    *,
    directives: bool = False,
) -> Callable[[], Follower]:
    """Return what makes a Follower that reads dialogue with a memory, by a model or by itself.

    The entries of a `memory_file` are added to those that a Follower of the user's own has.  With
    `directives`, what it hears are those of ALFRED's annotators, which a Follower that takes a
    reader reads as such.
    """
    if settings is None and memory_file is None:
        if directives and reads_dialogue(made):
            return partial(made, read=DirectiveReader())
        return made
    if settings is not None:
        check_reads(made, name)
    if memory_file is not None:
        check_reads(made, name, "--memory")
    # A listener with a file of the user's own has a memory.
    memory: GoalMemory | None = getattr(getattr(made, "func", made), "memory", None)
    if memory_file is not None:
        memory = (memory or GoalMemory()).with_entries(read_memory(Path(memory_file)).entries)
    if settings is not None:
        return partial(made, read=ModelReader(chat_client(settings), memory))
    return partial(made, read=partial(understand, memory=memory))


def memory_label(memory_file: str | None) -> str:
    """Return how records and rows name a memory: its file, and a hash of it; "" for none."""
    if memory_file is None:
        return ""
    path = Path(memory_file)
    held = path.read_bytes() if path.is_file() else b""
    return f"{path.name} {sha256(held).hexdigest()[:12]}"


def understanding_used(follower: object) -> str:
    """Return which readings a Follower's session used, "" where no model was asked."""
    return str(getattr(follower, "understood_by", ""))
