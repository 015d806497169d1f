"""Without the token nothing is served, and other origins and names are refused."""

import pytest
from starlette.testclient import TestClient

from tests.apps.viewer.conftest import HOST, TOKEN

PLACES = ["", "index.html", "data/sessions.js", "data/play.js", "play/new", "base.js"]


@pytest.mark.parametrize("path", PLACES)
@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", f"x/{TOKEN}"])
def test_nothing_is_served_without_the_token(client: TestClient, token: str, path: str) -> None:
    got = client.get(f"http://{HOST}/{token}/{path}")
    assert got.status_code == 403
    assert "ends with a token" in got.text and TOKEN not in got.text


def test_the_token_alone_leads_to_the_list(client: TestClient) -> None:
    got = client.get(f"http://{HOST}/{TOKEN}")
    assert got.status_code == 200 and "<title>Sessions" in got.text
    assert client.get("index.html").text == got.text


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"http://{HOST}.evil.example", "http://x"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_origins_are_refused(client: TestClient, origin: str, method: str) -> None:
    got = client.request(method, "play/new", headers={"origin": origin}, json={})
    assert got.status_code == 403 and "may not use" in got.text


def test_the_pages_own_origin_is_answered(client: TestClient) -> None:
    own = {"origin": f"http://{HOST}"}
    assert client.get("data/sessions.js", headers=own).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "", "[", "a b"])
def test_a_foreign_name_for_this_machine_is_not_answered(client: TestClient, host: str) -> None:
    got = client.get("index.html", headers={"host": host})
    assert got.status_code == 403


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:80", "10.0.0.7"])
def test_its_own_names_and_addresses_are_answered(client: TestClient, host: str) -> None:
    assert client.get("index.html", headers={"host": host}).status_code == 200


def test_a_large_request_is_refused(client: TestClient) -> None:
    got = client.post("play/new", content=b"x" * 100_000)
    assert got.status_code == 413 and "65536" in got.text


def test_a_large_request_that_does_not_say_its_length_is_refused(client: TestClient) -> None:
    got = client.post("play/new", content=iter([b'"' + b"x" * 40_000, b"x" * 40_000 + b'"']))
    assert "transfer-encoding" in got.request.headers
    assert got.status_code == 413 and "65536" in got.text


@pytest.mark.parametrize("length", ["9" * 5000, "\N{SUPERSCRIPT TWO}", "-1", "1e3", ""])
def test_a_length_that_is_none_is_refused(client: TestClient, length: str) -> None:
    headers = [("content-length", length.encode("latin-1"))]
    assert client.get("index.html", headers=headers).status_code == 413


@pytest.mark.parametrize("path", ["index.html", "data/sessions.js", "nothing"])
def test_pages_may_ask_nothing_of_other_machines(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "http" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
