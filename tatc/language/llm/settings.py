"""Which model is asked, where, and how much at most, as a user names it."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from tatc.base.errors import BadInput
from tatc.base.plain_text import is_encodable

_MAX_NAME = 200  # characters
_SECURE = "https"
_BASE_URL_FIX = "name an address such as http://localhost:8080/v1"


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The most that a run asks of a model; beyond it, requests are refused here.

    `tokens` counts requests and answers, `seconds` the time spent waiting for answers.
    """

    calls: int = 5_000
    tokens: int = 500_000
    seconds: float = 6 * 3600.0


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model at an endpoint.

    `base_url` is the address under which `chat/completions` lies.  `seed` goes with each request.
    `timeout_seconds` is the time for each answer.  `cache` is the folder of answers, None for the
    one in the user's cache folder.  With `offline`, only the cache answers.  `log` is a file to
    which each call adds a line, None for no log.  `ledger` is the file in which the processes of a
    run count what they spend together, None where one process asks.
    """

    model: str
    base_url: str
    seed: int = 1
    timeout_seconds: float = 60.0
    cache: str | None = None
    offline: bool = False
    log: str | None = None
    limits: CallLimits = field(default_factory=CallLimits)
    ledger: str | None = None

    def validate(self) -> None:
        """Check the model's name and the endpoint's address."""
        name = self.model
        if not name.strip() or len(name) > _MAX_NAME or not is_encodable(name):
            raise BadInput("is no name of a model", where="--model", fix="name one of the endpoint")
        self._parsed_url()

    @property
    def is_loopback(self) -> bool:
        """Whether the endpoint is on this machine, so that nothing leaves it."""
        host = self._parsed_url().hostname or ""
        if host == "localhost":
            return True
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return False

    @property
    def takes_key(self) -> bool:
        """Whether the user's key may be sent there: never unencrypted to another machine."""
        return self.is_loopback or self._parsed_url().scheme == _SECURE

    @property
    def host(self) -> str:
        """The endpoint's host, and its port if it has one, as people read them."""
        return self._parsed_url().netloc

    def _parsed_url(self) -> SplitResult:
        try:
            found = urlsplit(self.base_url)
            port = found.port
        except ValueError as fault:
            raise BadInput("is no address", where="--base-url", fix=_BASE_URL_FIX) from fault
        if found.scheme not in ("http", _SECURE) or not found.hostname or port == 0:
            raise BadInput("is no address", where="--base-url", fix=_BASE_URL_FIX)
        if found.username is not None or found.query or found.fragment:
            why = "holds more than scheme, host, port and path"
            fix = "give a key in the environment variable OPENAI_API_KEY alone"
            raise BadInput(why, where="--base-url", fix=fix)
        return found
