"""Language models behind OpenAI-compatible endpoints: one client, one cache, one call log.

    client = chat_client(ModelSettings("qwen3", "http://localhost:8080/v1"))
    answer = client.ask(ChatRequest("qwen3", (ChatMessage("user", "Hello"),)))

Answers are cached by a hash of request and model, so that a run can be done again offline.  The
`openai` package (extra `llm`) is imported when a request is sent, and not before.
"""

from tatc.language.llm.chat_client import ChatClient, chat_client
from tatc.language.llm.openai_endpoint import CallLimits, ModelSettings

__all__ = ["CallLimits", "ChatClient", "ModelSettings", "chat_client"]
