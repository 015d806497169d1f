"""Understanding by a language model, with the lexicon in its place where the model fails."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tatc.base.errors import ModelFailure
from tatc.base.json_fields import FieldError
from tatc.home.actions import Role, Utterance
from tatc.language.llm import ChatClient
from tatc.language.llm.chat_request import ChatRequest
from tatc.language.understanding.goal import ReadBy, Understanding
from tatc.language.understanding.memory import GoalMemory
from tatc.language.understanding.model_answer import read_model_answer
from tatc.language.understanding.model_request import correction_request, goal_request
from tatc.language.understanding.understand import understand

MAX_REQUEST_TOKENS = 16_000
"""The longest request that is sent, as estimated; the lexicon reads a longer dialogue."""

DialogueReader = Callable[[Sequence[Utterance]], Understanding]
"""Returns what a dialogue means; `understand` is one."""


class ModelReader:
    """A reader of dialogues that asks a model.

    An answer that is no goal is told to the model once; then, and where the model gives no
    answer, the lexicon's reading is returned as `ReadBy.FALLBACK`.
    """

    def __init__(self, client: ChatClient, memory: GoalMemory | None = None) -> None:
        """Read with a client's model; the memory's goals have names, and are examples too."""
        self._client = client
        self._memory = memory

    def __call__(self, utterances: Sequence[Utterance]) -> Understanding:
        """Return what a dialogue means; the model is not asked where the Commander is silent.

        Raises:
            ModelRefusal: the endpoint refuses such requests.
            OutputError: the cache or the log cannot be written.

        """
        by_lexicon = understand(utterances, self._memory)
        if not any(each.speaker is Role.COMMANDER for each in utterances):
            return by_lexicon
        try:
            return self._ask(utterances, by_lexicon)
        except ModelFailure as fault:
            self._client.warn(f"the lexicon reads in place of the model: {fault.one_line}")
            return replace(by_lexicon, read_by=ReadBy.FALLBACK)

    def request(self, utterances: Sequence[Utterance]) -> ChatRequest:
        """Return the request that a dialogue makes."""
        return goal_request(self._client.settings, utterances, self._memory or GoalMemory())

    def _ask(self, utterances: Sequence[Utterance], by_lexicon: Understanding) -> Understanding:
        """Return the model's reading.

        Raises:
            ModelFailure: there is none, or it was wrong twice.

        """
        request = self.request(utterances)
        tokens = request.estimated_tokens()
        if tokens > MAX_REQUEST_TOKENS:
            why = f"the dialogue makes a request of {tokens:,} tokens"
            raise ModelFailure(f"{why}, more than {MAX_REQUEST_TOKENS:,}")
        answer = self._client.ask(request)
        try:
            return read_model_answer(answer.text, utterances, by_lexicon)
        except FieldError as fault:
            request = correction_request(request, answer.text, str(fault))
        answer = self._client.ask(request)
        try:
            return read_model_answer(answer.text, utterances, by_lexicon)
        except FieldError as fault:
            raise ModelFailure(f"the model's answer is no goal: {fault}") from fault


def readings_used(readings: Sequence[ReadBy]) -> str:
    """Return which readings a session used, such as "model" or "model 3, lexicon 1".

    It is "" where no model was asked.
    """
    asked = [each for each in readings if each is not ReadBy.LEXICON]
    by_model = asked.count(ReadBy.MODEL)
    by_lexicon = len(asked) - by_model
    if by_model and by_lexicon:
        return f"model {by_model}, lexicon {by_lexicon}"
    if not asked:
        return ""
    return "model" if by_model else "lexicon"
