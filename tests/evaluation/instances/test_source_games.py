"""The games of instances, found in TEACh's folders."""

from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.instances.source_games import find_game_of_instance


@pytest.mark.parametrize("folder", ["games/train", "edh_instances/train"])
def test_a_game_lies_in_teachs_folders_or_beside_its_instance(folder: str, tmp_path: Path) -> None:
    game = tmp_path / folder / "b8.game.json"
    game.parent.mkdir(parents=True)
    game.touch()
    assert find_game_of_instance(tmp_path / "edh_instances/train/b8.edh0.json", "b8") == game


@pytest.mark.parametrize("name", ["b9", "x" * 300, "a\x00b"])
def test_a_game_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not found"):
        find_game_of_instance(tmp_path / "edh_instances/train/b8.edh0.json", name)
