"""A server of the Model Context Protocol: assistants solve, check, scramble and explain.

>>> import io, json
>>> from puzzlekit_mcp import serve
>>> asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
>>> answers = io.BytesIO()
>>> serve(io.BytesIO(json.dumps(asked).encode()), answers)
>>> [tool["name"] for tool in json.loads(answers.getvalue())["result"]["tools"]]
['puzzles', 'solve', 'check', 'scramble', 'explain']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puzzlekit import CommandEntry, hookimpl
from puzzlekit.lazy import lazy_names

if TYPE_CHECKING:
    from puzzlekit_mcp.server import serve as serve

puzzlekit_api = 2

__all__, __getattr__ = lazy_names(__name__, {".server": "serve"})


@hookimpl
def puzzlekit_commands() -> Iterator[CommandEntry]:
    """Add `puzzlekit mcp`."""
    yield CommandEntry(
        "mcp",
        "puzzlekit_mcp.command:command",
        "Serve assistants on standard input and output (Model Context Protocol).",
    )
