"""Page data as scripts, which a page can load both from a server and from disk.

A page opened from disk may not fetch files, but it may load scripts.  Data therefore
comes as `tatc.put("name", {...})` in both cases, and pages load it in one way.
"""

import json
from typing import Any

from starlette.responses import Response


def data_script(name: str, value: Any) -> bytes:
    """Return a script that gives the page a JSON value under a name."""
    encoded = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return f"tatc.put({json.dumps(name)},{encoded});\n".encode()


def script_response(name: str, value: Any) -> Response:
    """Return the answer that sends `data_script`."""
    return Response(data_script(name, value), media_type="text/javascript; charset=utf-8")
