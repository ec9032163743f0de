"""`puzzlekit serve`: what is refused, and what responses forbid."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from served import Client, serving

from puzzlekit_web import reading, server
from puzzlekit_web.protection import LONGEST_BODY

RANDOM = "/api/puzzles/cube2/random"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving() as client:
        yield client


def answered(client: Client, head: str, body: bytes = b"") -> tuple[int, dict[str, str]]:
    """The status, and the JSON object, of a request as it is written."""
    lines = [*head.splitlines(), "Connection: close", "", ""]
    answer = client.raw("\r\n".join(lines).encode() + body)
    found, _, content = answer.partition(b"\r\n\r\n")
    return int(found.split()[1]), json.loads(content)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_names_of_this_machine_are_answered(client: Client, name: str) -> None:
    host = f"{name}:{client.port}"
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert client.ask("POST", RANDOM, {}, headers).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "puzzle.example",
        "puzzle.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:{port}.example",
        "localhost.example:{port}",
        "0.0.0.0:{port}",
        "",
    ],
)
def test_other_hosts_are_refused(client: Client, host: str) -> None:
    reply = client.ask("GET", "/api/puzzles", headers={"Host": host.format(port=client.port)})
    assert reply.status == 403 and reply.json["kind"] == "request"
    assert f"127.0.0.1:{client.port}" in reply.json["error"]


def test_a_host_has_to_be_given_once(client: Client) -> None:
    host = f"Host: 127.0.0.1:{client.port}"
    assert answered(client, "GET /api/puzzles HTTP/1.0")[0] == 403
    assert answered(client, f"GET /api/puzzles HTTP/1.0\n{host}")[0] == 200
    two = client.raw(f"GET / HTTP/1.1\r\n{host}\r\nHost: a.example\r\n\r\n".encode())
    assert two.startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "origin",
    ["http://puzzle.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "null", ""],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_origins_are_refused(client: Client, origin: str, method: str) -> None:
    path, body = (RANDOM, {}) if method == "POST" else ("/api/puzzles", None)
    headers = {"Origin": origin.format(port=client.port)}
    reply = client.ask(method, path, body, headers)
    assert reply.status == 403 and "only the page" in reply.json["error"]


def test_no_origin_may_read_what_is_answered(client: Client) -> None:
    headers = {"Origin": "http://puzzle.example", "Access-Control-Request-Method": "POST"}
    for path in ("/", RANDOM):
        reply = client.ask("GET" if path == "/" else "POST", path, None if path == "/" else {})
        assert not [name for name in reply.headers if name.startswith("access-control")]
    status, _ = answered(
        client,
        f"OPTIONS {RANDOM} HTTP/1.1\nHost: 127.0.0.1:{client.port}\n"
        + "\n".join(f"{name}: {value}" for name, value in headers.items()),
    )
    assert status == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"]
)
def test_only_json_is_taken(client: Client, kind: str) -> None:
    reply = client.ask("POST", RANDOM, {}, {"Content-Type": kind})
    assert reply.status == 415 and "application/json" in reply.json["error"]


def test_json_may_say_its_encoding(client: Client) -> None:
    kind = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.ask("POST", RANDOM, {}, kind).status == 200


@pytest.mark.slow
def test_bodies_that_are_too_large_are_refused(client: Client) -> None:
    def body(size: int) -> bytes:
        return b'{"text": "' + b"R" * (size - 12) + b'"}'

    path = "/api/puzzles/cube2/read"
    assert client.ask("POST", path, body(LONGEST_BODY)).status != 413
    for size in (LONGEST_BODY + 1, 3_000_000):
        reply = client.ask("POST", path, body(size))
        assert reply.status == 413 and "64 KiB" in reply.json["error"]
    head = f"POST {path} HTTP/1.1\nHost: 127.0.0.1:{client.port}\nContent-Type: application/json\n"
    assert answered(client, head + "Content-Length: 999999999999")[0] == 413
    chunk = b"10000\r\n" + b"R" * 0x10000 + b"\r\n"
    chunks = chunk * 2 + b"0\r\n\r\n"
    assert answered(client, head + "Transfer-Encoding: chunked", chunks)[0] == 413


@pytest.mark.parametrize("length", ["Content-Length: -1", "Content-Length: ten", ""])
def test_a_length_that_is_none_is_refused(client: Client, length: str) -> None:
    head = f"POST {RANDOM} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n{length}"
    answer = client.raw(head.strip().encode() + b"\r\n\r\n{}")
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 415 "))


def test_a_client_that_leaves_within_its_body_disturbs_nobody(client: Client) -> None:
    head = (
        f"POST {RANDOM} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    client.raw(head.encode())
    assert client.ask("POST", RANDOM, {}).status == 200


@pytest.mark.parametrize("path", ["/", "/api/puzzles", "/nothing", "/api/puzzles/cube2"])
def test_responses_protect_the_page(client: Client, path: str) -> None:
    headers = client.ask("GET", path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'" and policy["frame-ancestors"] == "'none'"
    assert "script-src" not in policy
    assert "http" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


def test_what_there_is_not_is_told(client: Client) -> None:
    reply = client.ask("POST", "/api/puzzles/cuve2/random", {})
    assert reply.status == 404 and reply.json["hint"] == "did you mean cube2?"
    assert client.ask("GET", "/api/puzzles/sixteen").status == 404
    reply = client.ask("GET", "/api/nothing")
    assert reply.status == 404 and "/api/openapi.json" in reply.json["hint"]
    reply = client.ask("GET", RANDOM)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    assert "only POST" in reply.json["error"]
    for method in ("DELETE", "PUT", "PATCH"):
        assert client.ask(method, "/api/puzzles").status == 405


def test_a_mistake_of_the_program_is_told_in_one_line(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("what went wrong")

    monkeypatch.setattr(reading, "stickers_in", fail)
    with caplog.at_level(logging.WARNING):
        reply = client.post("cube2/read", {"text": "R"})
    assert reply.status == 500 and reply.json["kind"] == "environment"
    assert b"ZeroDivision" not in reply.body
    (record,) = caplog.records
    assert record.getMessage().endswith("ZeroDivisionError: what went wrong")
    assert record.exc_info is None


def test_few_requests_are_worked_on_at_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many at once the others wait, so that the end of the server has few to wait for."""
    released = threading.Event()
    at_work: list[int] = []

    def work(*_: object) -> None:
        at_work.append(threading.get_ident())
        assert released.wait(10)

    monkeypatch.setattr(reading, "stickers_in", work)
    tasks = client.server.server_state.tasks
    asking = [
        HTTPConnection("127.0.0.1", client.port, timeout=10) for _ in range(server._AT_ONCE + 4)
    ]
    for each in asking:
        each.request(
            "POST",
            "/api/puzzles/cube2/read",
            '{"text": "R"}',
            {"Content-Type": "application/json"},
        )
    while len(tasks) < len(asking) or len(at_work) < server._AT_ONCE:
        time.sleep(0.005)
    assert client.ask("GET", "/api/puzzles").status == 200  # is answered meanwhile
    assert len(at_work) == server._AT_ONCE
    released.set()
    assert [each.getresponse().status for each in asking] == [200] * len(asking)
    for each in asking:
        each.close()
