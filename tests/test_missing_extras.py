"""What a missing optional dependency gives: one error from any import, and a command that helps."""

import json
import subprocess
import sys
from importlib import metadata
from importlib.metadata import Distribution, PackageNotFoundError
from os import PathLike
from pathlib import Path
from shlex import split

import pytest

from tatc.base import errors
from tatc.base.errors import MissingExtra, TatcError

EXTRA_PACKAGES = (
    *("numba", "ai2thor", "msgpack", "gymnasium", "pettingzoo", "torch", "safetensors", "ray"),
    *("httpx2", "openai", "mcp", "inspect_ai", "openenv", "av"),
)

IMPORT_ALL = f"""
import sys
from importlib import import_module

for package in {EXTRA_PACKAGES}:
    sys.modules[package] = None  # as if it were not installed

import tatc
from tatc.base.errors import MissingExtra

refused = set()
names = ["tatc." + name for name in sys.argv[1:]]
for name in names:
    try:
        import_module(name)
    except MissingExtra as missing:
        refused.add(f"{{name}} {{missing.name}}")
print(*sorted(refused), sep="\\n")
"""


def _all_modules() -> list[str]:
    folder = Path(errors.__file__).parents[1]
    paths = [path.relative_to(folder).with_suffix("") for path in sorted(folder.rglob("*.py"))]
    names = [".".join(path.parts).removesuffix(".__init__") for path in paths]
    return [name for name in names if name not in ("__init__", "__main__")]


def test_every_import_without_extras_works_or_is_a_missing_extra():
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *_all_modules()],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    refused = dict(line.split() for line in done.stdout.splitlines())
    assert refused["tatc.apps.envs"] == "gymnasium"
    assert refused["tatc.follower.learned.pointing"] == refused["tatc.apps.training"] == "torch"
    assert "tatc.sim.thor" not in refused, "its client is asked for when AI2-THOR starts"


def test_a_missing_extra_is_a_missing_module_too():
    with pytest.raises(ModuleNotFoundError) as caught:
        MissingExtra.check("video", "json", "no_such_package")
    assert isinstance(caught.value, TatcError) and caught.value.name == "no_such_package"
    assert str(caught.value).startswith("this needs no_such_package (extra video)")


def test_an_extra_that_conflicts_with_another_asks_for_an_environment_of_its_own():
    with pytest.raises(MissingExtra) as caught:
        MissingExtra.check("openenv", "no_such_package")
    advice, command = str(caught.value).split(", run: ")
    assert advice.endswith("in an environment of its own, because it conflicts with the extra mcp")
    assert split(command)[:4] == ["python", "-m", "pip", "install"]


class _Installed(Distribution):
    """A distribution with metadata of the test's own."""

    def __init__(self, direct_url: object) -> None:
        self._texts = {
            "METADATA": "Name: tatc-agents\nVersion: 1\n"
            "Requires-Dist: numpy>=2.0\n"
            "Requires-Dist: torch>=2.4; extra == 'learned'\n"
            'Requires-Dist: safetensors>=0.5 ; extra == "learned"\n'
            "Requires-Dist: av>=14.0; extra == 'video'\n",
            "direct_url.json": json.dumps(direct_url) if direct_url else None,
        }

    def read_text(self, filename: str) -> str | None:
        return self._texts.get(filename)

    def locate_file(self, path: str | PathLike[str]) -> Path:
        return Path(path)


def _command(monkeypatch: pytest.MonkeyPatch, direct_url: object) -> list[str]:
    installed = _Installed(direct_url)
    monkeypatch.setattr(metadata, "distribution", lambda name: installed)
    words = split(errors.install_command("learned", "torch"))
    assert words[:4] == [sys.executable, "-m", "pip", "install"]
    return words[4:]


@pytest.mark.parametrize(("info", "words"), [({"editable": True}, ["-e"]), ({}, [])])
def test_a_checkout_is_installed_again_with_the_extra(
    info: object, words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    folder = tmp_path / "my code"
    folder.mkdir()
    origin = {"url": folder.as_uri(), "dir_info": info}
    assert _command(monkeypatch, origin) == ["torch>=2.4", "safetensors>=0.5"], "it has moved"
    (folder / "pyproject.toml").touch()
    assert _command(monkeypatch, origin) == [*words, f"{folder}[learned]"]


@pytest.mark.parametrize("origin", [None, {"url": "https://example.org/a.whl", "archive_info": {}}])
def test_elsewhere_the_requirements_of_the_extra_are_installed(
    origin: object, monkeypatch: pytest.MonkeyPatch
):
    assert _command(monkeypatch, origin) == ["torch>=2.4", "safetensors>=0.5"]


def test_without_an_installation_the_package_itself_is_installed(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> Distribution:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    words = split(errors.install_command("learned", "torch"))
    assert words[4:] == ["torch"]
