"""The tokens of a server's clients, from a file that the user keeps."""

from pathlib import Path

from tatc.base.errors import BadInput
from tatc.base.file_limits import CLIENT_TOKENS
from tatc.base.file_reading import read_bytes

MIN_TOKEN_CHARACTERS = 16


def read_client_tokens(path: Path) -> dict[str, str]:
    """Return the names of clients by their tokens.

    A line of the file is a name, a space and a token.  Empty lines and those that begin with `#`
    are left out.

    Raises:
        BadInput: the file cannot be read, a line is none of these, a token is short, a name or a
            token stands there twice, or there is no line.

    """
    names_by_token: dict[str, str] = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        words = line.split()
        where, fix = f"{path}: line {number}", "write a name, a space and a token"
        if len(words) != 2:
            raise BadInput(f"there are {len(words)} words", where=where, fix=fix)
        name, token = words
        if len(token) < MIN_TOKEN_CHARACTERS:
            fix = f"write at least {MIN_TOKEN_CHARACTERS} characters"
            raise BadInput(f"the token of {name} is short", where=where, fix=fix)
        if name in names_by_token.values() or token in names_by_token:
            raise BadInput(f"the name or token of {name} is there twice", where=where, fix=fix)
        names_by_token[token] = name
    if not names_by_token:
        raise BadInput("there is no client", where=str(path), fix="write a name and a token")
    return names_by_token


def _text(path: Path) -> str:
    try:
        return read_bytes(path, CLIENT_TOKENS).decode()
    except UnicodeDecodeError as fault:
        raise BadInput("is not text in UTF-8", where=str(path), fix=CLIENT_TOKENS.fix) from fault
