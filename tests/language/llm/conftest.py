"""An endpoint of the tests' own, and a key that must never be found in a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tatc.language.llm import ModelSettings
from tests.language.llm.stub_endpoint import MODEL, StubEndpoint, stub_endpoint

KEY = "sk-0123456789-of-nobody"


@pytest.fixture(scope="session")
def running_endpoint() -> Iterator[StubEndpoint]:
    pytest.importorskip("openai", reason="needs the extra: llm")
    with stub_endpoint() as stub:
        yield stub


@pytest.fixture
def stub(
    running_endpoint: StubEndpoint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> StubEndpoint:
    """Return the endpoint as new; the key is in the environment, the user's cache elsewhere."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache-home"))
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.001)  # seconds, not 0.5
    running_endpoint.reset()
    return running_endpoint


@pytest.fixture
def settings(stub: StubEndpoint, tmp_path: Path) -> ModelSettings:
    """Return how to ask the endpoint, with a cache and a log of the test's own."""
    cache, log = str(tmp_path / "answers"), str(tmp_path / "calls.jsonl")
    return ModelSettings(MODEL, stub.base_url, timeout_seconds=20, cache=cache, log=log)
