"""How long a text is for a model, without any model's tokenizer."""

import re

_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|\s+|[^\sA-Za-z0-9]")
_LETTERS_PER_TOKEN, _DIGITS_PER_TOKEN, _BYTES_PER_TOKEN = 4, 3, 3


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few.

    Every 4 letters of a word and every 3 digits of a number count as one, every 3 bytes of each
    other sign, and blanks only where they are not single.  Byte-pair tokenizers give fewer for
    common English.
    """
    return sum(map(_tokens_of_piece, _PIECES.findall(text)))


def _tokens_of_piece(piece: str) -> int:
    if piece.isspace():
        return 0 if piece == " " else 1
    if not piece.isascii():
        return -(-len(piece.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)
    if piece.isdigit():
        return -(-len(piece) // _DIGITS_PER_TOKEN)
    return -(-len(piece) // _LETTERS_PER_TOKEN) if piece.isalpha() else 1
