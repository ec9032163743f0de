"""Routes: the page, and the JSON API that `document` describes."""

from __future__ import annotations

import json
import logging
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from puzzlekit import PuzzlekitError, Solver, UsageError, load
from puzzlekit.search.options import check_names, did_you_mean
from puzzlekit_web import PAGE
from puzzlekit_web.bodies import FileRequest, SolveRequest, read_body
from puzzlekit_web.document import document
from puzzlekit_web.files import OpenedFiles, suffixes
from puzzlekit_web.protection import FILES
from puzzlekit_web.reading import ANSWERS, read_painted, search_of
from puzzlekit_web.records import (
    known_record,
    list_record,
    puzzles_shown,
    scheme_records,
)
from puzzlekit_web.refusal import INTERNAL, Refusal, error_record, status_of
from puzzlekit_web.responses import json_response, refused
from puzzlekit_web.solving import Searches, StreamedSearch, StreamedSteps

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
}

log = logging.getLogger(__name__)


def make_app(searches: Searches) -> Starlette:
    """Return the ASGI application. `searches` limits how many searches run at once."""
    routes = [
        Route("/api/openapi.json", _openapi),
        Route(FILES, _open_file, methods=["POST"]),
        Route("/api/puzzles", _puzzles),
        Route("/api/puzzles/{puzzle}", _puzzle),
        Route("/api/puzzles/{puzzle}/schemes", _schemes),
        *(
            Route(f"/api/puzzles/{{puzzle}}/{name}", _answer(name), methods=["POST"])
            for name in ANSWERS
        ),
        Route("/api/puzzles/{puzzle}/solve", _solve, methods=["POST"]),
        *_page_routes(),
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _http_error,
        Refusal: _refusal,
        PuzzlekitError: _library_error,
        Exception: _internal_error,  # Starlette raises it again, and `Protection` catches it
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.searches = searches
    app.state.files = OpenedFiles()
    return app


# --- the page ------------------------------------------------------------------------------------


def _page_routes() -> Iterator[Route]:
    """Yield a route for each file that the page has now. Later files are never served."""
    for path in sorted(PAGE.rglob("*")):
        if path.is_file() and path.suffix in _TYPES:
            place = path.relative_to(PAGE).as_posix()
            yield Route("/" if place == "index.html" else f"/{place}", _file(path))


def _file(path: Path) -> Any:
    async def serve(request: Request) -> Response:
        try:
            content = path.read_bytes()
        except OSError:  # removed since the start
            raise HTTPException(404) from None
        return _cached(request, content, _TYPES[path.suffix])

    return serve


def _cached(request: Request, content: bytes, media_type: str) -> Response:
    """A response that a browser caches but revalidates each time."""
    tag = f'"{zlib.crc32(content):08x}{len(content):x}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


# --- the API: puzzles ----------------------------------------------------------------------------


async def _openapi(request: Request) -> Response:
    return _known(request, document())


async def _puzzles(request: Request) -> Response:
    record, files = list_record(), _files(request)
    record["puzzles"] += files.listed()
    return _known(request, record | {"files": suffixes()})


async def _open_file(request: Request) -> Response:
    asked = read_body(await request.body(), FileRequest)
    return json_response(await _files(request).open(asked.name, asked.text))


async def _puzzle(request: Request) -> Response:
    opened = _files(request).find(request.path_params["puzzle"])
    return _known(request, known_record(_solver(request)) if opened is None else opened.record)


async def _schemes(request: Request) -> Response:
    layout = _solver(request).puzzle.layout
    return _known(request, {"schemes": [] if layout is None else scheme_records(layout)})


# --- the API: states -----------------------------------------------------------------------------


def _answer(name: str) -> Any:
    """The handler of a question about a puzzle; `name` is a key of `ANSWERS`."""
    kind, make = ANSWERS[name]

    async def answer(request: Request) -> Response:
        solver = _solver(request)
        asked = read_body(await request.body(), kind)
        # In a thread: the diagnosis of unusual stickers may take a second.
        return json_response(await run_in_threadpool(make, solver, **attrs.asdict(asked)))

    return answer


async def _solve(request: Request) -> Any:
    solver = _solver(request)
    asked = read_body(await request.body(), SolveRequest)
    puzzle = solver.puzzle
    state, symbols = await run_in_threadpool(read_painted, puzzle, asked.stickers, asked.scheme)
    options, limits = search_of(solver, asked, symbols)
    if asked.steps is None:
        check_names(solver.catalogue, options)
    elif asked.steps not in solver.catalogue.step_methods:
        known = ", ".join(solver.catalogue.step_methods) or "none"
        raise UsageError(f"{puzzle.name} has no step method {asked.steps[:40]!r}; it has {known}")
    searches: Searches = request.app.state.searches
    search = (
        StreamedSearch(searches, solver, state, options, limits)
        if asked.steps is None
        else StreamedSteps(searches, solver, state, asked.steps, asked.metric, asked.timeout)
    )
    await searches.enter(search)
    return search


# --- shared functions ----------------------------------------------------------------------------


def _files(request: Request) -> OpenedFiles:
    found: OpenedFiles = request.app.state.files
    return found


def _solver(request: Request) -> Solver:
    puzzle = request.path_params["puzzle"]
    if (opened := _files(request).find(puzzle)) is not None:
        return opened.solver
    known = puzzles_shown()
    if puzzle not in known:
        raise Refusal(
            404,
            f"there is no puzzle {puzzle[:40]!r} on the page; the puzzles are {', '.join(known)}",
            "usage",
            hint=did_you_mean(puzzle[:40], known).strip(" ()"),
        )
    return load(puzzle)


def _known(request: Request, record: dict[str, Any]) -> Response:
    """A response that stays the same while the server runs."""
    return _cached(request, json.dumps(record).encode(), "application/json")


# --- errors --------------------------------------------------------------------------------------


async def _refusal(request: Request, error: Refusal) -> Response:
    return refused(error)


async def _library_error(request: Request, error: PuzzlekitError) -> Response:
    return json_response(error_record(error), status_of(error))


async def _internal_error(request: Request, error: Exception) -> Response:
    log.error("%s: %s: %s", request.url.path, type(error).__name__, error)
    return refused(INTERNAL)


async def _http_error(request: Request, error: HTTPException) -> Response:
    path, words, hint = request.url.path, error.detail, ""
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        words = f"{path} does not take {request.method}, only {allowed}"
    elif error.status_code == 404:
        words = f"there is nothing at {path[:100]}"
        hint = "the page is at /, and /api/openapi.json describes the API"
    return refused(Refusal(error.status_code, words, hint=hint, headers=error.headers))
