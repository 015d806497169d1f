"""The definitions block against TEACh's own."""

import json
from pathlib import Path

from tatc.session.records.record_io import definitions_json


def test_the_block_is_that_of_teach(teach_data: Path) -> None:
    path = teach_data / "teach" / "default_definitions.json"
    official = json.loads(path.read_bytes())["definitions"]
    assert definitions_json() == official | {"tasks": []}
