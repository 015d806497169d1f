"""What commands do with a language model that reads dialogue: readings, and estimates."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tatc.commands.text.output import print_json, print_line, remark

if TYPE_CHECKING:
    from tatc.home.actions import Utterance
    from tatc.language.llm import ModelSettings
    from tatc.language.understanding.model_reader import ModelReader
    from tatc.language.understanding.named_goals import NamedGoals


def model_reader(settings: "ModelSettings", memory: "NamedGoals | None") -> "ModelReader":
    """Return a reader that says on stderr where the model fails."""
    from tatc.language.llm import chat_client
    from tatc.language.understanding.model_reader import ModelReader

    warn_on_stderr(settings)
    return ModelReader(chat_client(settings), memory)


def warn_on_stderr(settings: "ModelSettings") -> None:
    """Say on stderr, from now on, where this process does without the model."""
    from tatc.language.llm import chat_client

    chat_client(settings).warn = remark


def print_estimate(
    reader: "ModelReader", dialogues: "Iterable[Sequence[Utterance]]", *, as_json: bool
) -> None:
    """Print how many requests the dialogues make, and about how many tokens these have."""
    requests = [reader.request(each) for each in dialogues]
    found = {
        "dry_run": True,
        "requests": len(requests),
        "request_tokens": sum(each.estimated_tokens() for each in requests),
        "answer_tokens_at_most": sum(each.max_answer_tokens for each in requests),
    }
    if as_json:
        print_json(found)
        return
    print_line(f"requests: {found['requests']:,}; nothing was sent")
    print_line(f"tokens of requests, about: {found['request_tokens']:,}")
    print_line(f"tokens of answers, at most: {found['answer_tokens_at_most']:,}")
