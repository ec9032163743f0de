"""The protocol: JSON-RPC 2.0, one message a line, as the Model Context Protocol defines it."""

from __future__ import annotations

import json
import threading
import warnings
from typing import IO, Any

from puzzlekit import PuzzlekitError
from puzzlekit.version import __version__
from puzzlekit_mcp.tools import TOOLS

__all__ = ["VERSIONS", "serve"]

#: The versions of the protocol that this server knows, the newest first.
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

_PARSE, _INVALID, _NO_METHOD, _PARAMS, _INTERNAL = -32700, -32600, -32601, -32602, -32603
_LONGEST = 1_000_000  # bytes of a message
_PATIENCE = 60.0  # seconds for running calls after the end of the input
_SECONDS = 5.0  # for calls that are cancelled

_ABOUT = (
    "puzzlekit solves permutation puzzles, such as Rubik's Cube. Give positions as scrambles or "
    "stickers. Never work out moves yourself: call solve, or check what the user typed with check."
)


def serve(asked: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the input ends. Calls of tools run in threads of their own."""
    _Server(answers).run(asked)


class _Refused(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Server:
    def __init__(self, answers: IO[bytes]) -> None:
        self._answers = answers
        self._writing = threading.Lock()
        self._one_at_a_time = threading.Lock()  # searches would only slow each other down
        self._calls: dict[Any, tuple[threading.Thread, threading.Event]] = {}

    def run(self, asked: IO[bytes]) -> None:
        while line := asked.readline(_LONGEST + 1):
            if len(line) > _LONGEST:
                self._refuse(None, _INVALID, f"a message has at most {_LONGEST:,} bytes")
                while line and not line.endswith(b"\n"):
                    line = asked.readline(_LONGEST)
            elif line.strip():
                self._take(line)
        for thread, _ in list(self._calls.values()):  # a file of requests ends before its answers
            thread.join(_PATIENCE)
        for thread, cancel in list(self._calls.values()):
            cancel.set()
            thread.join(_SECONDS)

    def _take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._refuse(None, _PARSE, "this is not JSON")
            return
        number = message.get("id") if isinstance(message, dict) else None
        method = message.get("method") if isinstance(message, dict) else None
        params = message.get("params", {}) if isinstance(message, dict) else {}
        if not (isinstance(method, str) and isinstance(params, dict)):
            if not (isinstance(message, dict) and ("result" in message or "error" in message)):
                self._refuse(number, _INVALID, "this is not a request")
            return
        if "id" not in message:
            if method == "notifications/cancelled":
                self._cancel(params.get("requestId"))
            return
        if not isinstance(number, str | int):
            self._refuse(None, _INVALID, "the id of a request is a string or a whole number")
            return
        try:
            result = self._answer(number, method, params)
        except _Refused as refused:
            self._refuse(number, refused.code, str(refused))
            return
        if result is not None:
            self._send(id=number, result=result)

    def _answer(self, number: str | int, method: str, params: dict[str, Any]) -> Any:
        """Return the result of a request; None for a call, whose thread sends it."""
        if method == "initialize":
            wanted = params.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {"listChanged": False}},
                "serverInfo": {"name": "puzzlekit", "version": __version__},
                "instructions": _ABOUT,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {"tools": [tool.record(name) for name, tool in TOOLS.items()]}
        if method != "tools/call":
            raise _Refused(_NO_METHOD, f"there is no method {method!r}")
        name, given = params.get("name"), params.get("arguments", {})
        if not isinstance(name, str) or name not in TOOLS:
            raise _Refused(_PARAMS, f"there is no tool {name!r}; the tools are {', '.join(TOOLS)}")
        if not isinstance(given, dict):
            raise _Refused(_PARAMS, "the arguments of a tool are an object")
        if number in self._calls:
            raise _Refused(_INVALID, "a request with this id is still running")
        cancel = threading.Event()
        thread = threading.Thread(
            target=self._call, args=(number, name, given, cancel), daemon=True
        )
        self._calls[number] = thread, cancel
        thread.start()
        return None

    def _call(
        self, number: str | int, name: str, given: dict[str, Any], cancel: threading.Event
    ) -> None:
        try:
            with self._one_at_a_time:
                answer = {} if cancel.is_set() else _outcome(name, given, cancel)
            if not cancel.is_set():
                self._send(id=number, **answer)
        finally:  # only now, since the end of the input waits for the calls that are left
            self._calls.pop(number, None)

    def _cancel(self, number: Any) -> None:
        found = self._calls.get(number) if isinstance(number, str | int) else None
        if found is not None:
            found[1].set()

    def _refuse(self, number: Any, code: int, message: str) -> None:
        self._send(id=number, error={"code": code, "message": message})

    def _send(self, **message: Any) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        with self._writing:
            try:
                self._answers.write(line)
                self._answers.flush()
            except (BrokenPipeError, ValueError):  # the client has gone
                return


def _outcome(name: str, given: dict[str, Any], cancel: threading.Event) -> dict[str, Any]:
    """Call a tool, and return the result or error of its answer. Warnings become notes in the text.

    Only one thread at a time may call it.
    """
    try:
        TOOLS[name].check(given)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            text, record = TOOLS[name].call(given, cancel)
    except PuzzlekitError as error:
        hint = getattr(error, "hint", "")
        told = f"{error} ({hint})" if hint and hint not in str(error) else str(error)
        return {"result": {"content": [_text(told)], "isError": True}}
    except Exception as error:
        return {"error": {"code": _INTERNAL, "message": f"{type(error).__name__}: {error}"}}
    notes = [f"note: {each.message}" for each in caught if each.category is UserWarning]
    content = [_text("\n".join([text, *notes]))]
    return {"result": {"content": content, "structuredContent": record, "isError": False}}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
