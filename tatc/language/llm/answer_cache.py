"""Answers of models in a folder, by the hash of request and model.

Each file holds the request beside the answer, so that it can be read and checked.  No file holds
a key: requests have none.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from tatc.base.atomic_files import make_folder, write_atomically
from tatc.base.errors import BadInput
from tatc.base.file_limits import CACHED_ANSWER
from tatc.base.file_reading import FINITE_NUMBERS, read_json
from tatc.base.json_fields import FieldError, as_integer, as_mapping, as_text
from tatc.language.llm.chat_request import ChatAnswer, ChatRequest, FunctionCall

ANSWER_FORMAT = "tatc model answer"
ANSWER_VERSION = 1
_MAX_TOKENS = 10**9


class AnswerCache:
    """The answers in a folder, which is made when the first one is kept."""

    def __init__(self, folder: str | None) -> None:
        """Use this folder, or by default one in the user's cache folder."""
        self._folder = user_cache_path("tatc") / "model-answers" if folder is None else Path(folder)

    def find(self, request: ChatRequest) -> ChatAnswer | None:
        """Return the answer to an equal request, None if there is none."""
        path = self._path(request)
        if not path.exists():
            return None
        raw: Any = read_json(path, CACHED_ANSWER, FINITE_NUMBERS)
        try:
            return _read_answer(raw, request)
        except FieldError as fault:
            where = f"{path}: {fault.field}" if fault.field else str(path)
            raise BadInput(fault.why, where=where, fix=CACHED_ANSWER.fix) from fault

    def keep(self, request: ChatRequest, answer: ChatAnswer) -> None:
        """Write an answer's file.

        Raises:
            OutputError: it cannot be written.

        """
        path = self._path(request)
        make_folder(path.parent, fix="name another folder with --answers")
        document = {
            "format": ANSWER_FORMAT,
            "version": ANSWER_VERSION,
            "request": request.to_json(),
            "answer": {
                "text": answer.text,
                "request_tokens": answer.request_tokens,
                "answer_tokens": answer.answer_tokens,
            }
            | ({} if answer.call is None else {"call": asdict(answer.call)}),
        }
        text = json.dumps(document, ensure_ascii=False, indent=1)
        write_atomically(f"{text}\n".encode(), path, force=True)

    def _path(self, request: ChatRequest) -> Path:
        name = request.hash
        return self._folder / name[:2] / f"{name}.json"


def _read_answer(value: object, request: ChatRequest) -> ChatAnswer:
    raw = as_mapping(value, "")
    if raw.get("format") != ANSWER_FORMAT or raw.get("version") != ANSWER_VERSION:
        raise FieldError("version", f"should be {ANSWER_FORMAT!r} of version {ANSWER_VERSION}")
    if raw.get("request") != request.to_json():
        raise FieldError("request", "is not the one that the file is named after")
    answer = as_mapping(raw.get("answer"), "answer")
    return ChatAnswer(
        as_text(answer.get("text"), "answer.text"),
        _read_count(answer.get("request_tokens"), "answer.request_tokens"),
        _read_count(answer.get("answer_tokens"), "answer.answer_tokens"),
        None if "call" not in answer else _read_call(as_mapping(answer["call"], "answer.call")),
    )


def _read_call(raw: Mapping[str, Any]) -> FunctionCall:
    id_, name, arguments = (
        as_text(raw.get(field), f"answer.call.{field}") for field in ("id", "name", "arguments")
    )
    return FunctionCall(id_, name, arguments)


def _read_count(value: object, field: str) -> int:
    count = as_integer(value, field)
    if not 0 <= count <= _MAX_TOKENS:
        raise FieldError(field, f"is impossible: {count}")
    return count
