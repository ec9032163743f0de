"""`puzzlekit mcp`: the messages of the protocol, and what the tools return."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import puzzlekit
from puzzlekit_mcp import serve
from puzzlekit_mcp.server import VERSIONS
from puzzlekit_mcp.tools import TOOLS

FAULTY = "OGWWGYWRBOGGYRYYBROORWBO"


def asked(*messages: Any) -> list[dict[str, Any]]:
    """The answers to some messages: objects, or lines that may be wrong."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    answers = io.BytesIO()
    serve(io.BytesIO(b"\n".join(lines) + b"\n"), answers)
    found = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert all(each["jsonrpc"] == "2.0" for each in found)
    return found


def request(method: str, number: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    (answer,) = asked(request("tools/call", name=tool, arguments=arguments))
    result: dict[str, Any] = answer["result"]
    (part,) = result["content"]
    assert part["type"] == "text" and part["text"]
    return result


@pytest.mark.parametrize("version", [*VERSIONS, "2099-01-01", None])
def test_client_and_server_agree_on_a_version(version: str | None) -> None:
    (answer,) = asked(request("initialize", protocolVersion=version, capabilities={}))
    result = answer["result"]
    assert result["protocolVersion"] == (version if version in VERSIONS else VERSIONS[0])
    assert result["serverInfo"] == {"name": "puzzlekit", "version": puzzlekit.__version__}
    assert "tools" in result["capabilities"]


def test_tools_describe_their_arguments() -> None:
    (answer,) = asked(request("tools/list"))
    listed = {tool["name"]: tool for tool in answer["result"]["tools"]}
    assert [*listed] == ["puzzles", "solve", "check", "scramble", "explain"]
    for tool in listed.values():
        schema = tool["inputSchema"]
        assert schema["type"] == "object" and tool["description"].endswith(".")
        assert set(schema["required"]) <= set(schema["properties"])
        for each in schema["properties"].values():
            assert each["description"] and each["type"] in ("string", "integer", "number")


def test_solve_returns_what_json_prints() -> None:
    result = call("solve", puzzle="2x2x2", position="R U F2")
    record = result["structuredContent"]
    assert not result["isError"] and record["solution"] == "F2 U' R'" and record["optimal"]
    assert record["verified"] and record["schema"] == "puzzlekit.solve/1"
    assert "3 HTM, 4 QTM (optimal in HTM)" in result["content"][0]["text"]
    goal = call("solve", puzzle="cube2", position="R U F2", goal="layer", metric="QTM")
    assert goal["structuredContent"]["goal"] and goal["structuredContent"]["metric"] == "QTM"


def test_explain_shows_every_phase() -> None:
    text = call("explain", puzzle="cube2", position="R U F2")["content"][0]["text"]
    assert "phase 0, solve" in text and "F2 U' R'" in text


def test_check_names_faults_and_repairs() -> None:
    result = call("check", puzzle="cube2", position=FAULTY)
    assert not result["isError"]  # the tool worked; the position is what is wrong
    record = result["structuredContent"]
    assert not record["possible"] and "5 stickers of O instead of 4" in record["faults"]
    assert record["repairs"] == ["sticker B4: B in place of O"]
    good = call("check", puzzle="cube2", position="R R'")["structuredContent"]
    assert good == {"possible": True, "faults": [], "repairs": [], "solved": True}
    net = "  WW\n  WW\nOO GG RR BB\nOO GG RR B\n  YY\n  YY"
    short = call("check", puzzle="cube2", position=net)["structuredContent"]
    assert short["faults"] == ["row 4 of the net has 7 stickers instead of 8"]
    assert not short["repairs"]
    tiles = call("check", puzzle="eight", position="1 2 3 4 5 6 8 7 0")["structuredContent"]
    assert not tiles["possible"] and not tiles["repairs"]


def test_a_state_that_may_be_meant_is_noted(recwarn: pytest.WarningsRecorder) -> None:
    """As on standard error of the command: stickers of which one is missing are also moves."""
    result = call("check", puzzle="cube2", position="UUUURRRRFFFFDDDDLLLLBBB")
    assert result["structuredContent"]["possible"]
    assert "note: read as 23 moves; if you meant a state" in result["content"][0]["text"]
    assert not recwarn.list


def test_a_seed_gives_the_same_scrambles() -> None:
    first, second = (call("scramble", puzzle="cube2", count=3, seed=7) for _ in range(2))
    scrambles = first["structuredContent"]["scrambles"]
    assert len(set(scrambles)) == 3 and scrambles == second["structuredContent"]["scrambles"]
    one = puzzlekit.load("cube2").scramble(7)
    assert scrambles[0] == one


def test_puzzles_are_listed() -> None:
    found = call("puzzles")["structuredContent"]
    assert {"name": "cube3", "title": "3x3x3 cube"} in found["puzzles"] and found["families"]


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("solve", {"puzzle": "cuve2", "position": "R"}, "cuve2"),
        ("solve", {"puzzle": "cube2", "position": "R Q F2"}, "column 3"),
        ("solve", {"puzzle": "cube2"}, "the argument position is missing"),
        ("solve", {"puzzle": "cube2", "position": 3}, "has to be of the type string"),
        ("solve", {"puzzle": "cube2", "position": "R", "timeout": 0}, "has to be from 0.01 to 600"),
        ("solve", {"puzzle": "cube2", "position": "R", "method": "magic"}, "no method 'magic'"),
        ("solve", {"puzzle": "cube2", "position": "R", "colour": "red"}, "no argument 'colour'"),
        ("solve", {"puzzle": "cube2", "position": FAULTY}, "5 stickers of O"),
        ("scramble", {"puzzle": "cube2", "count": 1000}, "has to be from 1 to 100"),
        ("scramble", {"puzzle": "cube2", "count": True}, "of the type integer"),
    ],
)
def test_faults_of_arguments_are_told_to_the_model(
    tool: str, arguments: dict[str, Any], told: str
) -> None:
    result = call(tool, **arguments)
    assert result["isError"] and told in result["content"][0]["text"]
    assert "Traceback" not in result["content"][0]["text"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        (request("tools/remove"), -32601),
        (request("tools/call", name="dance"), -32602),
        (request("tools/call", name=["solve"]), -32602),
        (request("tools/call", name="solve", arguments=[]), -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"' + b"x" * 1_000_001 + b'"}', -32600),
    ],
)
def test_wrong_messages_are_refused_and_the_next_is_answered(message: Any, code: int) -> None:
    refused, pong = asked(message, request("ping", 2))
    assert refused["error"]["code"] == code and refused["error"]["message"]
    assert pong == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_notifications_and_answers_have_no_answer() -> None:
    assert asked({"jsonrpc": "2.0", "method": "notifications/initialized"}, b"") == []
    assert asked({"jsonrpc": "2.0", "method": "notifications/unknown"}) == []
    assert asked({"jsonrpc": "2.0", "id": 1, "result": {}}) == []


def test_a_plugin_that_fails_is_an_error_of_the_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("by zero")

    monkeypatch.setitem(TOOLS, "puzzles", TOOLS["puzzles"]._replace(call=fail))
    (answer,) = asked(request("tools/call", name="puzzles"))
    assert answer["error"] == {"code": -32603, "message": "ZeroDivisionError: by zero"}


def test_a_call_can_be_cancelled_while_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def wait(_: Any, cancel: threading.Event) -> Any:
        begun.set()
        assert cancel.wait(10)
        raise puzzlekit.UsageError("cancelled")

    class Input(io.BytesIO):
        """Gives the second message after the call has begun."""

        def readline(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                assert begun.wait(10)
            return super().readline(size)

    monkeypatch.setitem(TOOLS, "puzzles", TOOLS["puzzles"]._replace(call=wait))
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    messages = [request("tools/call", name="puzzles"), request("ping", 2), cancelled]
    answers = io.BytesIO()
    start = time.monotonic()
    serve(Input(b"".join(json.dumps(each).encode() + b"\n" for each in messages)), answers)
    assert time.monotonic() - start < 5
    assert [json.loads(line)["id"] for line in answers.getvalue().splitlines()] == [2]


def test_the_end_of_the_input_waits_for_an_answer_that_is_being_written() -> None:
    writing = threading.Event()

    class Input(io.BytesIO):
        """Ends when the answer is being written."""

        def readline(self, size: int | None = -1, /) -> bytes:
            if self.tell():
                assert writing.wait(10)
            return super().readline(size)

    class Answers(io.BytesIO):
        def write(self, line: Any, /) -> int:
            writing.set()
            time.sleep(0.1)
            return super().write(line)

    answers = Answers()
    serve(Input(json.dumps(request("tools/call", name="puzzles")).encode() + b"\n"), answers)
    assert json.loads(answers.getvalue())["result"]["structuredContent"]["puzzles"]


@pytest.mark.slow
def test_the_command_speaks_on_its_standard_streams() -> None:
    lines = "\n".join(
        json.dumps(each)
        for each in (
            request("initialize", protocolVersion=VERSIONS[0]),
            request("tools/call", 2, name="scramble", arguments={"puzzle": "cube2", "seed": 1}),
        )
    )
    command = [sys.executable, "-P", "-m", "puzzlekit", "mcp"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["id"] == 1
    assert second["result"]["structuredContent"]["scrambles"] == ["R' F U' R' U' R2 F R' U'"]


@pytest.mark.slow
def test_the_client_of_the_protocol_s_own_library_understands_the_server() -> None:
    mcp = pytest.importorskip("mcp", reason="needs the package mcp")
    stdio = pytest.importorskip("mcp.client.stdio")
    anyio = pytest.importorskip("anyio")

    async def talk() -> Any:
        server = mcp.StdioServerParameters(
            command=sys.executable, args=["-P", "-m", "puzzlekit", "mcp"]
        )
        async with (
            stdio.stdio_client(server) as streams,
            mcp.ClientSession(*streams) as session,
        ):
            await session.initialize()
            tools = await session.list_tools()
            found = await session.call_tool("solve", {"puzzle": "cube2", "position": "R U F2"})
            return [tool.name for tool in tools.tools], found

    names, found = anyio.run(talk)
    record = found.model_dump(by_alias=True)
    assert names == [*TOOLS] and not record["isError"]
    assert record["structuredContent"]["solution"] == "F2 U' R'"
