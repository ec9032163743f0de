"""Checks of every request, and headers of every response that restrict the browser.

A foreign page in the same browser can send requests to this machine. It can even use its own host
name that resolves to this machine. But the page cannot choose the headers Host and Origin, and it
cannot send JSON without a preflight request.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from puzzlekit_web.refusal import Refusal
from puzzlekit_web.responses import refused

LONGEST_BODY = 64 * 1024  # bytes
FILES = "/api/files"  # the path that takes the longer bodies of files
LONGEST_FILE = 2 * 1024 * 1024
_DRAINED = 8 * 1024 * 1024  # bytes of a refused body that are read, so that the answer arrives

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Protection:
    """An application that answers only requests from its own page on a `port`."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        names = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
        if port == 80:  # browsers leave it out
            names += [name.removesuffix(":80") for name in names]
        self._hosts = frozenset(names)
        self._origins = frozenset(f"http://{name}" for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        ended = False

        async def send_on(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            else:
                ended = not message.get("more_body", False)
            await send(message)

        try:
            most = LONGEST_FILE if scope["path"] == FILES else LONGEST_BODY
            self._check(scope, most)
            body = await _read(receive, most)
            if body is None:
                return  # the client has gone
            await self._app(scope, _again(body, receive), send_on)
        except Refusal as refusal:
            await refused(refusal)(scope, receive, send_on)
        except Exception:
            # The application has logged it. It has also answered, if no other answer had begun.
            if not ended:
                raise  # this closes the connection

    def _check(self, scope: Scope, most: int) -> None:
        """Raise a Refusal for a request that the page does not send, or of far more than `most`."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            named = ", ".join(hosts)[:100] or "none"
            raise Refusal(
                403,
                f"requests to the host {named} are refused; the allowed hosts are "
                f"{', '.join(sorted(self._hosts))}",
                hint="use the address that 'puzzlekit serve' prints",
            )
        for origin in headers.getlist("origin"):
            if origin.lower() not in self._origins:
                raise Refusal(
                    403,
                    f"requests from pages of {origin[:100]} are refused; only the page that is "
                    "served here may send requests",
                )
        if scope["method"] == "POST":
            given = headers.get("content-type", "")
            if given.partition(";")[0].strip().lower() != "application/json":
                raise Refusal(
                    415,
                    f"the content type is {given[:100] or 'missing'}; it must be application/json",
                )
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > _DRAINED:
            raise _too_large(most)


async def _read(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None if the client leaves before its end."""
    body = bytearray()
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        chunk = message.get("body", b"")
        size += len(chunk)
        if size <= most:
            body += chunk
        elif size > _DRAINED:
            break
        more = message.get("more_body", False)
    if size > most:
        raise _too_large(most)
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that first returns `body`, which was already read."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _too_large(most: int) -> Refusal:
    return Refusal(
        413,
        f"the body has more than {most // 1024:,} KiB",
        hint="a state and its options are much shorter" if most == LONGEST_BODY else "",
        headers={"Connection": "close"},
    )
