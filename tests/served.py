"""For the tests: a server in a thread, and a client that checks answers against `document`."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

import puzzlekit
from puzzlekit import NoSolutionError, Solution, Solver
from puzzlekit.search.limits import BoundReport, Limits
from puzzlekit.search.options import Choice
from puzzlekit_web import records
from puzzlekit_web.document import document
from puzzlekit_web.server import Server, listen
from puzzlekit_web.solving import Searches

DOCUMENT = document()


def _strict(schema: Any) -> Any:
    """The same schemas, in which an object has no properties that are not listed."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _strict(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        made.setdefault("additionalProperties", False)
    return made


STRICT = _strict(DOCUMENT)

# Which puzzles there are is found out once: not while a test has one solver in place of all.
records.puzzles_shown()
CUBE2 = puzzlekit.load("cube2")
SCRAMBLED = CUBE2.positions.to_facelets(CUBE2.state("R U F2 R'"))


def validate(schema: dict[str, Any], instance: Any) -> None:
    """Fail unless an object is as a schema of the document says, with nothing beside it."""
    Draft202012Validator({**schema, "components": STRICT["components"]}).validate(instance)


def operation(method: str, path: str) -> dict[str, Any] | None:
    """What the document says of a request; None for a path that is not of the API."""
    for template, operations in DOCUMENT["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            found: dict[str, Any] | None = operations.get(method.lower())
            return found
    return None


class Reply(NamedTuple):
    """What was answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The object that the body is."""
        return json.loads(self.body)

    @property
    def events(self) -> list[tuple[str, Any]]:
        """The events that the body is."""
        return list(read_events(self.body.split(b"\n")))


class Client:
    """Sends requests to a server, and holds the answers of the API against the document."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._connections: list[HTTPConnection] = []
        self.port = int(server.address.rstrip("/").rpartition(":")[2])

    def open(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Send a request; the body of the response is not read yet (see `leave`)."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        self._connections.append(connection)
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        kind = {} if sent is None else {"Content-Type": "application/json"}
        connection.request(method, path, sent, {**kind, **(headers or {})})
        return connection.getresponse()

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Reply:
        """Send a request; what is answered has to be as the document says."""
        response = self.open(method, path, body, headers)
        reply = Reply(
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )
        self.leave()
        described = operation(method, path)
        if described is not None:
            _check(described, reply)
        elif reply.status >= 400:
            validate({"$ref": "#/components/schemas/Error"}, reply.json)
        return reply

    def leave(self) -> None:
        """Close all connections."""
        while self._connections:
            self._connections.pop().close()

    def post(self, path: str, body: Any) -> Reply:
        """Send JSON to a path below /api/puzzles/."""
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask("POST", f"/api/puzzles/{path}", sent)

    def raw(self, text: bytes) -> bytes:
        """Send bytes; all that comes back until the connection is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            found = b""
            while chunk := connection.recv(65536):
                found += chunk
        return found


def _check(described: dict[str, Any], reply: Reply) -> None:
    told = described["responses"][str(reply.status)]
    if "$ref" in told:
        told = DOCUMENT["components"]["responses"][told["$ref"].rpartition("/")[2]]
    if reply.status == 304:
        assert reply.body == b""
        return
    ((kind, content),) = told["content"].items()
    assert reply.headers["content-type"].split(";")[0] == kind
    for name in told.get("headers", {}):
        assert name.lower() in reply.headers
    if kind == "text/event-stream":
        for event, data in reply.events:
            validate(content["x-events"][event], data)
        assert [event in ("done", "error") for event, _ in reply.events].index(True) == (
            len(reply.events) - 1
        )
    else:
        validate(content["schema"], reply.json)


def read_events(lines: Any) -> Iterator[tuple[str, Any]]:
    """The events in the lines of a stream, as they come."""
    event = ""
    for line in lines:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            event = text[7:]
        elif text.startswith("data: "):
            yield event, json.loads(text[6:])
        else:
            assert text == "" or text.startswith(":")


@contextmanager
def serving(most: int = 2) -> Iterator[Client]:
    """A server in a thread of its own."""
    ready = threading.Event()
    with listen(0) as listening:
        server = Server(listening, Searches(most), lambda _: ready.set())
        thread = threading.Thread(target=server.run_until_ended, daemon=True)
        thread.start()
        assert ready.wait(10)
        client = Client(server)
        try:
            yield client
        finally:
            client.leave()
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive()


class Waiting(Solver):
    """A solver whose searches go on until they are cancelled or `released`."""

    def __init__(self) -> None:
        super().__init__(CUBE2.puzzle, CUBE2.methods, CUBE2.store)
        self.begun = threading.Semaphore(0)
        self.preparing = threading.Event()
        self.prepared = threading.Event()
        self.prepared.set()
        self.released = threading.Event()
        self.searched = 0

    def make_ready(self, choice: Choice) -> Any:
        self.preparing.set()
        assert self.prepared.wait(10)

    def search(
        self,
        state: bytes,
        choice: Choice,
        limits: Limits,
        on_answer: Callable[[Solution], None] | None = None,
    ) -> Solution:
        cancel, on_bound = limits.cancel, limits.on_bound
        assert cancel is not None and on_answer is not None and on_bound is not None
        self.searched += 1
        found = CUBE2.solve(state)
        on_bound(BoundReport(3, None, 4, 1000, 0.5, 2.0))
        on_answer(found)
        self.begun.release()
        while not cancel.wait(0.01):
            if self.released.is_set():
                return found
        raise NoSolutionError("the search was cancelled")
