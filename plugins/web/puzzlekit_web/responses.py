"""Turn answers into Starlette responses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from puzzlekit_web.refusal import Refusal


def json_response(
    record: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response with a JSON object that browsers do not cache."""
    return Response(
        json.dumps(record, allow_nan=False),
        status,
        {"Cache-Control": "no-store", **(headers or {})},
        "application/json",
    )


def refused(refusal: Refusal) -> Response:
    """Return the response for a refusal."""
    return json_response(refusal.record(), refusal.status, refusal.headers)
