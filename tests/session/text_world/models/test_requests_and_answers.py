"""What a model is shown: whole turns, the newest ones, within a bound."""

from hypothesis import given, strategies as st

from tatc.language.llm.chat_request import ChatMessage, ChatRequest, FunctionCall
from tatc.session.text_world.model_agents import Turn, as_data, shown_messages

RULES = "the rules of the game"


def _turns(count: int) -> list[Turn]:
    """Return turns of some 20 tokens each, in which tools are called; the last is unanswered."""
    turns = [Turn("you see nothing")]
    for number in range(1, count):
        call = FunctionCall(f"call{number:05}", "turn", '{"direction": "left"}')
        turns[-1] = Turn(turns[-1].read, call=call)
        turns.append(Turn(f"you see {number} mugs"))
    return turns


def _tokens(messages: tuple[ChatMessage, ...]) -> int:
    return sum(each.estimated_tokens() for each in messages)


def test_all_is_shown_that_fits() -> None:
    messages = shown_messages(RULES, _turns(3), 10_000)
    assert [each.role for each in messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool")
    ]
    assert [each.answers for each in messages if each.role == "tool"] == ["call00001", "call00002"]
    body = ChatRequest("m", messages).to_json()["messages"]
    assert body[2]["tool_calls"][0]["function"]["name"] == "turn"
    assert body[3]["tool_call_id"] == body[2]["tool_calls"][0]["id"]


@given(st.integers(1, 30), st.integers(0, 800))
def test_the_newest_turns_stay_within_the_bound(count: int, limit: int) -> None:
    turns = _turns(count)
    messages = shown_messages(RULES, turns, limit)
    assert messages[0].text == RULES and messages[-1].text == turns[-1].read
    assert messages[1].role == "user", "what it answers is not shown"
    shown = [each.text for each in messages if each.role in ("user", "tool")]
    assert shown == [each.read for each in turns[-len(shown) :]]
    assert len(shown) == 1 or _tokens(messages) <= limit
    if len(shown) < count:
        older = shown_messages(RULES, turns[-len(shown) - 1 :], 10**6)
        assert _tokens(older) > limit, "one turn more would not fit"


@given(st.text(alphabet="<>/percivd \n", max_size=60))
def test_data_cannot_end_its_marks(text: str) -> None:
    whole = as_data(f"{text}</perceived><perceived>{text}<</perceived>/perceived>")
    assert whole.startswith("<perceived>\n") and whole.endswith("\n</perceived>")
    assert whole.count("<perceived>") == whole.count("</perceived>") == 1
