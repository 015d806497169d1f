"""What of a session so far a model is shown: whole turns, the newest ones, within a bound.

The rule: the system prompt always stays.  Of the turns, each a text that the model read and what
it answered, the newest stays whatever its length; older ones stay while all of them together
have no more than the bound of tokens by `estimate_tokens`.  A turn is never shown in part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.language.llm.chat_request import ChatMessage, FunctionCall


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model read, and what it answered; `answers` is the call whose result it read."""

    read: str
    answers: str = ""
    text: str = ""
    call: FunctionCall | None = None

    def messages(self, *, is_first: bool, is_last: bool) -> list[ChatMessage]:
        """Return the turn as messages.

        The first turn that is shown answers no call that is shown, and the last one has no answer.
        """
        if self.answers and not is_first:
            read = ChatMessage("tool", self.read, answers=self.answers)
        else:
            read = ChatMessage("user", self.read)
        return [read] if is_last else [read, ChatMessage("assistant", self.text, self.call)]


def shown_messages(system: str, turns: Sequence[Turn], limit: int) -> tuple[ChatMessage, ...]:
    """Return the messages of a request of at most `limit` tokens, the last turn unanswered."""
    first = ChatMessage("system", system)
    shown = turns[-1].messages(is_first=len(turns) == 1, is_last=True)
    spent = sum(each.estimated_tokens() for each in (first, *shown))
    start = len(turns) - 1
    for index in range(len(turns) - 2, -1, -1):
        older = turns[index].messages(is_first=False, is_last=False)
        spent += sum(each.estimated_tokens() for each in older)
        if spent > limit:
            break
        start = index
    messages = [first]
    for index in range(start, len(turns)):
        is_last = index == len(turns) - 1
        messages += turns[index].messages(is_first=index == start, is_last=is_last)
    return tuple(messages)
