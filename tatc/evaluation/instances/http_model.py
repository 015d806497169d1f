"""A model behind TEACh's HTTP interface, as TEACh's own server offers it (spec section 6.5)."""

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from typing import Any, cast

from PIL import Image

from tatc.base.errors import MissingExtra, TatcError
from tatc.base.file_limits import MODEL_ANSWER
from tatc.base.file_reading import parse_json

_START_ROUTE, _NEXT_ROUTE = "start_new_edh_instance", "get_next_action"
_IMAGE_TYPE = "image/jpeg"


class HttpModel:
    """Has TEACh's model interface and asks a server; TEACh's servers play EDH only."""

    def __init__(self, address: str, timeout_seconds: float) -> None:
        """Ask the server at this address; each answer may take this many seconds."""
        try:
            self._httpx: Any = import_module("httpx2")
        except ImportError as fault:
            raise MissingExtra("http", "httpx2") from fault
        self._address = address.rstrip("/")
        self._client: Any = self._httpx.Client(timeout=timeout_seconds, trust_env=False)
        self._steps = 0

    def start_new_edh_instance(
        self, document: Mapping[str, Any], images: Sequence[Image.Image], name: str
    ) -> bool:
        """Start the model on an instance; the history's frames are sent along."""
        files = [
            ("edh_history_images", (f"history{i}", _encode_jpeg(image), _IMAGE_TYPE))
            for i, image in enumerate(images)
        ]
        self._steps = 0
        form = {"edh_name": name, "edh_instance": json.dumps(document)}
        answer = self._post(_START_ROUTE, form, files)
        return answer.decode("utf-8", "replace").strip().strip('"') == "success"

    def get_next_action(
        self,
        image: Image.Image,
        document: Mapping[str, Any],
        previous: Mapping[str, Any] | None,
        image_name: str | None,
        name: str,
    ) -> tuple[Any, Any]:
        """Return the server's answer: the name of an action, and its click or None."""
        self._steps += 1
        shown = image_name or f"img__{name}_{self._steps}.jpeg"
        form = {"img_name": shown, "edh_name": name, "edh_instance": json.dumps(document)}
        if previous is not None:
            form["prev_action"] = json.dumps(previous)
        answer = self._post(_NEXT_ROUTE, form, [("img", (shown, _encode_jpeg(image), _IMAGE_TYPE))])
        where = f"{self._address}/{_NEXT_ROUTE}"
        raw = parse_json(answer, where, MODEL_ANSWER)
        if not isinstance(raw, dict) or "action" not in raw:
            raise TatcError("answers with no object that has `action`", where=where)
        found = cast(dict[str, Any], raw)
        return found["action"], found.get("obj_relative_coord")

    def _post(self, route: str, form: Mapping[str, str], files: Sequence[Any]) -> bytes:
        where = f"{self._address}/{route}"
        body = bytearray()
        try:
            with self._client.stream("POST", where, data=form, files=files or None) as answer:
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > MODEL_ANSWER.max_bytes:
                        raise TatcError("answers with more than a model has to say", where=where)
        except self._httpx.HTTPError as fault:
            fix = "start the model's server, or name its address"
            why = f"does not answer: {type(fault).__name__}: {fault}"
            raise TatcError(why, where=where, fix=fix) from fault
        if answer.status_code != 200:
            text = body.decode("utf-8", "replace").strip()[:200]
            raise TatcError(f"answers {answer.status_code}: {text}", where=where)
        return bytes(body)


def _encode_jpeg(image: Image.Image) -> bytes:
    data = BytesIO()
    image.save(data, "JPEG", quality=95)
    return data.getvalue()
