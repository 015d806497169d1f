"""The options that say where a web server listens, and to which names it answers."""

import re
from dataclasses import dataclass

from tatc.base.errors import BadInput
from tatc.commands.options.shared_options import plain_field

_HOST_PATTERN = re.compile(r"(?P<name>[a-z0-9_]([a-z0-9_.-]{0,252}))(:[0-9]{1,5})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AddressOptions:
    """Where an HTTP server listens."""

    host: str = plain_field("127.0.0.1")
    port: int = plain_field(0, min=0, max=65535)
    allow_host: list[str] | None = plain_field(None)

    def host_names(self) -> tuple[str, ...]:
        """Return the names that are allowed besides, without ports."""
        return tuple(map(_host_name, self.allow_host or ()))


def _host_name(given: str) -> str:
    found = _HOST_PATTERN.fullmatch(given)
    if found is None:
        fix = "write the name alone, such as my-server.example; in ASCII, as clients send it"
        raise BadInput(f"is no name of a host: {given!r:.80}", where="--allow-host", fix=fix)
    return found["name"]
