"""Page data as scripts: the one form that a page can read from a server and from disk.

A page opened from disk may not fetch files, but it may load scripts.  So data comes as
`tatc.put("name", {...})` both ways, and the pages have one way to ask for it.
"""

import json
from typing import Any

SCRIPT_MEDIA_TYPE = "text/javascript; charset=utf-8"


def data_script(name: str, value: Any) -> bytes:
    """Return a script that hands a value to the page under a name."""
    told = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return f"tatc.put({json.dumps(name)},{told});\n".encode()
