"""Skills in plain English: "HeatIn(object_id='Mug|1|2|3', ...)" is "heat Mug|1|2|3 in ...".

Records keep a skill as the code that makes it; people read the words made here.  Object
ids stay as they are, for `ShortNames` to shorten.
"""

import re

from tatc.base import files
from tatc.home.state import ShortNames
from tatc.language.object_names import preposition_for

_SKILL_PATTERN = re.compile(r"\b([A-Z]\w*)\(((?:[^()]|\([^()]*\))*)\)")
_FIELD_PATTERN = re.compile(r"\b(\w+)=(?:'([^']*)'|(True|False))")
_UNNAMED_PATTERN = re.compile(r"(?:^|, )([A-Z]\w*)(?=,|$)")
_PLACEHOLDER_PATTERN = re.compile(r"{(\w+_id)}")
_CAMEL_CASE_PART = re.compile(r"[A-Z][a-z0-9]*")

_WORDS_BY_SKILL: dict[str, str] = files.package_table("tatc.language", "skill_wording.toml")


def describe_skills(text: str) -> str:
    """Return a text with every skill in it, or type of skill ("Hold(Mug)"), in plain English."""
    return _SKILL_PATTERN.sub(_describe_skill, text)


def _describe_skill(match: re.Match[str]) -> str:
    name, arguments = match.groups()
    fields: dict[str, str] = {}
    for field, value, flag in _FIELD_PATTERN.findall(arguments):
        if flag:
            name = f"{name} {field}={flag}"
        fields[field] = value
    if words := _WORDS_BY_SKILL.get(name):
        unnamed = _UNNAMED_PATTERN.findall(arguments)
        fields |= dict(zip(_PLACEHOLDER_PATTERN.findall(words), unnamed, strict=False))
        place = fields.get("receptacle_id", "").split("|")
        in_or_on = preposition_for(place[-1] if len(place) > 4 else place[0])
        try:
            return words.format_map(fields | {"in_or_on": in_or_on})
        except KeyError:  # of a file, which may say anything
            return match[0]
    plain = " ".join(_CAMEL_CASE_PART.findall(match[1])).lower()
    return " ".join([plain, ", ".join(filter(None, fields.values()))]).strip()


def explain(names: ShortNames, text: str) -> str:
    """Return a text with its skills in plain English and its object ids shortened."""
    return names.shorten(describe_skills(text))
