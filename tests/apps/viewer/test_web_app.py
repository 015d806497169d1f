"""What the server answers: the list, sessions, pictures; and what it refuses."""

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tatc.apps.viewer.session_index import open_session_index
from tatc.session.records import read_record
from tests.apps.viewer.conftest import HOST, TOKEN, serve_client, value_of
from tests.command_line import forget_marks


def read(client: TestClient, name: str) -> Any:
    got = client.get(f"data/{name}.js")
    assert got.status_code == 200 and got.text.startswith(f"tatc.put({json.dumps(name)},")
    return value_of(got.text)


def rows(client: TestClient) -> list[dict[str, Any]]:
    found = read(client, "sessions")
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


def test_the_list_has_a_row_a_session(client: TestClient) -> None:
    found = rows(client)
    assert len(found) == 4
    assert all(row["opens"] and row["end"] == "success" for row in found)


def test_a_session_is_told_moment_by_moment(client: TestClient, record: Path) -> None:
    found = [each for each in rows(client) if each["task"] == "Coffee"]
    [row] = [each for each in found if each["place"] in record.name]
    session = read(client, f"session/{row['id']}")
    saved = read_record(record)
    assert session["end"] == "success"
    assert len(session["moments"]) == len(saved.interactions) + 1
    said = [each["text"] for each in session["moments"] if "text" in each]
    assert said == [each.text for each in saved.interactions if each.text]
    first, last = session["moments"][0], session["moments"][-1]
    assert "verb" not in first
    check = session["checks"][last["check"]]
    assert check["met"] == check["total"] == row["total"]
    assert session["decisions"][last["decision"]]["reason"]


def test_objects_follow_their_tracks(client: TestClient) -> None:
    session = read(client, f"session/{rows(client)[0]['id']}")
    held = [each["held"] for each in session["moments"] if "held" in each]
    assert held
    for i in set(held):
        flags = [state[2] for state in session["things"][i]["track"]]
        assert any("held" in each for each in flags)
        assert not all("held" in each for each in flags)
    for obj in session["things"]:
        steps = [state[0] for state in obj["track"]]
        assert steps == sorted(set(steps))


def test_objects_have_the_solids_that_rays_hit(client: TestClient) -> None:
    [row, *_] = [each for each in rows(client) if each["task"] == "Coffee"]
    session = read(client, f"session/{row['id']}")
    shapes, low, high = session["shapes"], session["room"]["low"], session["room"]["high"]
    assert shapes[0] is None and all(len(solid) in (7, 8) for each in shapes[1:] for solid in each)
    opened = 0
    for obj in session["things"]:
        assert len(obj["colour"]) == 7 and int(obj["colour"][1:], 16) >= 0
        x, z = obj["track"][0][1][:2]
        assert low[0] - 0.2 <= x <= high[0] + 0.2 and low[2] - 0.2 <= z <= high[2] + 0.2
        by_door = {"open" in state[2]: state[4:] for state in obj["track"]}
        if obj["type"] == "Cabinet" and len(by_door) == 2:
            opened += 1
            assert by_door[False] == [] and len(shapes[by_door[True][0]]) > 3, "case and door"
    assert opened
    poses = [each["commander"] for each in session["moments"] if "commander" in each]
    assert all(one != other for one, other in pairwise(poses))


def test_pictures_show_what_each_agent_sees(client: TestClient) -> None:
    name = rows(client)[0]["id"]
    last = len(read(client, f"session/{name}")["moments"]) - 1
    seen: list[bytes] = []
    for who in ("follower", "commander"):
        got = client.get(f"pictures/{name}/{last}-{who}.webp")
        assert got.status_code == 200 and got.headers["content-type"] == "image/webp"
        picture = Image.open(BytesIO(got.content))
        assert picture.size == (450, 450)
        assert len(picture.getcolors(450 * 450) or ()) > 10
        seen.append(got.content)
    assert seen[0] != seen[1]


@pytest.mark.parametrize(
    "path",
    [
        *["nothing.html", "data/session/nothing.js", "data/nothing.js", "play/nothing/room"],
        *["pictures/nothing/0-follower.webp", "data/session/%00.js", "/etc/passwd"],
        *["../pyproject.toml", "..%2f..%2fpyproject.toml", "data/session/..%2f..%2fapp.py.js"],
        *["%2e%2e/app.py", "....//app.py", "app.py", "play/../app.py", "pages/index.html"],
    ],
)
def test_what_is_not_there_is_not_served(client: TestClient, path: str) -> None:
    got = client.get(f"http://127.0.0.1:8000/the-token/{path}")
    assert got.status_code in (400, 403, 404), got.text
    assert "import" not in got.text and "root:" not in got.text


def test_moments_that_are_not_there_have_no_picture(client: TestClient) -> None:
    name = rows(client)[0]["id"]
    for picture in ("9999-follower", "-1-follower", "0-nobody"):
        assert client.get(f"pictures/{name}/{picture}.webp").status_code == 404


def test_a_fault_is_told_where_the_session_would_be(damaged: Path, tmp_path: Path) -> None:
    with serve_client(open_session_index([damaged]), tmp_path) as client:
        for row in rows(client):
            session = read(client, f"session/{row['id']}")
            assert bool(session.get("error")) is bool(row["error"])
            picture = client.get(f"pictures/{row['id']}/0-follower.webp")
            assert picture.status_code == (404 if row["error"] else 200)


def without_records(run: Path, folder: Path, **options: Any) -> Path:
    """Return a copy of a run that has kept no record."""
    copytree(run, folder)
    results = folder / "results.jsonl"
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    results.write_text("".join(json.dumps(r | {"record": None}) + "\n" for r in lines))
    identity = json.loads((folder / "run.json").read_text())
    identity["options"] |= options
    (folder / "run.json").write_text(json.dumps(identity))
    forget_marks(folder)
    return folder


def test_a_session_whose_record_was_not_kept_is_run_again(run_folder: Path, tmp_path: Path) -> None:
    copy = without_records(run_folder, tmp_path / "run")
    with serve_client(open_session_index([run_folder, copy]), tmp_path) as client:
        found = rows(client)
        for kept, gone in zip(found[:4], found[4:], strict=True):
            assert kept["opens"] and gone["opens"] and kept["pair"] == gone["pair"]
            one = read(client, f"session/{kept['id']}")
            other = read(client, f"session/{gone['id']}")
            assert other["again"] and not one["again"]
            assert one["moments"] == other["moments"]


@pytest.mark.parametrize(
    "options",
    [
        {"policies": ["own"]},
        {"kind": "edh", "recorded": ["."]},
        {"cascaded": True},
        {"subgoals": ["PickupObject"]},
        {"setup": {"memory": "mine.jsonl 0123"}},
        {"setup": {"language": "steps"}},
    ],
)
def test_a_session_that_cannot_be_run_again_says_so(
    run_folder: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    known = json.loads((run_folder / "run.json").read_text())["options"]["setup"]
    options = options | {"setup": known | options.get("setup", {})}
    copy = without_records(run_folder, tmp_path / "run", **options)
    with serve_client(open_session_index([copy]), tmp_path) as client:
        row = rows(client)[0]
        session = read(client, f"session/{row['id']}")
        assert not row["opens"] and "--save-records all" in session["error"]


def test_recorded_people_are_shown_too(sample_games: list[Path], tmp_path: Path) -> None:
    with serve_client(open_session_index(sample_games[:1]), tmp_path) as client:
        [row] = rows(client)
        session = read(client, f"session/{row['id']}")
        assert session["commander"] == "people" and session["decisions"] == []
        assert len(session["moments"]) > 20


@pytest.mark.parametrize("path", ["", "data/sessions.js", "play/new", "base.js"])
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
    ("name", "value", "status"),
    [
        ("origin", f"http://{HOST}", 200),
        *[("host", own, 200) for own in ("localhost:8000", "127.0.0.1", "[::1]:80", "10.0.0.7")],
        *[("origin", f"http://{name}", 403) for name in ("evil.example", f"{HOST}.evil.com", "x")],
        ("origin", "null", 403),
        *[("host", name, 403) for name in ("evil.example", "evil.example:8000", "", "[", "a b")],
        *[("content-length", given, 413) for given in ("9" * 5000, "\xb2", "-1", "1e3", "")],
    ],
)
def test_what_a_request_says_of_itself_decides_whether_it_is_answered(
    client: TestClient, name: str, value: str, status: int
) -> None:
    headers = {name: value.encode("latin-1")}
    assert client.get("index.html", headers=headers).status_code == status
    if status != 200:
        assert client.post("play/new", headers=headers).status_code == status


def test_a_large_request_is_refused_whether_it_says_its_length_or_not(client: TestClient) -> None:
    for content in (b"x" * 100_000, iter([b'"' + b"x" * 40_000, b"x" * 40_000 + b'"'])):
        got = client.post("play/new", content=content)
        assert ("content-length" in got.request.headers) is isinstance(content, bytes)
        assert got.status_code == 413 and "65536" in got.text


@pytest.mark.parametrize("path", ["index.html", "data/sessions.js", "nothing"])
def test_pages_may_ask_nothing_of_other_machines(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and "http" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
