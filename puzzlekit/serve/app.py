"""The routes: the page, and the JSON API that `document` describes."""

from __future__ import annotations

import json
import logging
import random
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attrs
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from puzzlekit.errors import PuzzlekitError
from puzzlekit.plugins.manager import available, load
from puzzlekit.position.facelets import facelets
from puzzlekit.run.limits import Limits
from puzzlekit.serve import PAGE, has_viewer
from puzzlekit.serve.bodies import (
    PaintedStickers,
    RandomRequest,
    SolveRequest,
    Text,
    VerifyRequest,
    read_body,
)
from puzzlekit.serve.document import document
from puzzlekit.serve.reading import diagnosis, read_state, read_text, verification
from puzzlekit.serve.records import layout_of, puzzle_record, scheme_records
from puzzlekit.serve.refusal import INTERNAL, Refusal, error_record, json_response, status_of
from puzzlekit.serve.solving import Searches, StreamedSearch
from puzzlekit.solve.choice import SearchOptions
from puzzlekit.solve.solver import Solver
from puzzlekit.solve.unknown_names import check_names, did_you_mean

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
}

log = logging.getLogger(__name__)


def make_app(searches: Searches) -> Starlette:
    """The application; what it solves takes its place among the `searches`."""
    routes = [
        Route("/api/openapi.json", _openapi),
        Route("/api/puzzles", _puzzles),
        Route("/api/puzzles/{puzzle}", _puzzle),
        Route("/api/puzzles/{puzzle}/schemes", _schemes),
        *(
            Route(f"/api/puzzles/{{puzzle}}/{name}", answer, methods=["POST"])
            for name, answer in (
                ("diagnose", _read_by(diagnosis, PaintedStickers)),
                ("random", _random),
                ("read", _read_by(read_text, Text)),
                ("verify", _read_by(verification, VerifyRequest)),
                ("solve", _solve),
            )
        ),
        *_page_routes(),
    ]
    handlers: dict[Any, Any] = {
        HTTPException: _http_error,
        Refusal: _refusal,
        PuzzlekitError: _library_error,
        Exception: _internal_error,  # then it is raised again, and ends in `Protection`
    }
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.searches = searches
    return app


# --- the page ------------------------------------------------------------------------------------


def _page_routes() -> Iterator[Route]:
    """A route for each file that the page has now; no other file is ever read."""
    for path in sorted(PAGE.rglob("*")):
        if path.is_file() and path.suffix in _TYPES:
            place = path.relative_to(PAGE).as_posix()
            yield Route("/" if place == "index.html" else f"/{place}", _file(path))


def _file(path: Path) -> Any:
    async def serve(request: Request) -> Response:
        try:
            content = path.read_bytes()
        except OSError:  # gone since the start
            raise HTTPException(404) from None
        return _cached(request, content, _TYPES[path.suffix])

    return serve


def _cached(request: Request, content: bytes, media_type: str) -> Response:
    """A response that a browser keeps, and asks each time whether it is still the same."""
    tag = f'"{zlib.crc32(content):08x}{len(content):x}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


# --- the API: what there is ----------------------------------------------------------------------


async def _openapi(request: Request) -> Response:
    return _known(request, document())


async def _puzzles(request: Request) -> Response:
    found = [{"name": each, "title": load(each).puzzle.title} for each in _with_net()]
    return _known(request, {"puzzles": found, "viewer": has_viewer()})


async def _puzzle(request: Request) -> Response:
    return _known(request, puzzle_record(_solver(request)))


async def _schemes(request: Request) -> Response:
    layout = layout_of(_solver(request).puzzle)
    return _known(request, {"schemes": scheme_records(layout)})


# --- the API: states -----------------------------------------------------------------------------


def _read_by(read: Callable[..., dict[str, Any]], kind: type[attrs.AttrsInstance]) -> Any:
    """Answers what `read` makes of a puzzle and the fields of a body."""

    async def answer(request: Request) -> Response:
        puzzle = _solver(request).puzzle
        asked = await read_body(request, kind)
        # In a thread: what is wrong with odd stickers may take a second to find out.
        return json_response(await run_in_threadpool(read, puzzle, **attrs.asdict(asked)))

    return answer


async def _random(request: Request) -> Response:
    solver = _solver(request)
    asked = await read_body(request, RandomRequest)
    seed = random.randrange(2**32) if asked.seed is None else asked.seed
    return json_response(
        {"facelets": facelets(solver.puzzle, solver.random_state(seed)), "seed": seed}
    )


async def _solve(request: Request) -> Any:
    solver = _solver(request)
    asked = await read_body(request, SolveRequest)
    options = SearchOptions(asked.method, asked.heuristic, asked.metric)
    check_names(solver, options)
    limits = Limits(asked.max_length, asked.timeout)
    state = await run_in_threadpool(read_state, solver.puzzle, asked.stickers, asked.scheme)
    searches: Searches = request.app.state.searches
    search = StreamedSearch(searches, solver, state, options, limits)
    await searches.enter(search)
    return search


# --- what these have in common -------------------------------------------------------------------


@cache
def _with_net() -> tuple[str, ...]:
    """The names of the puzzles that have a net; one that is broken has none."""
    found = []
    for each in available():
        try:
            layout = load(each).puzzle.layout
        except PuzzlekitError:
            continue
        if layout is not None and layout.net:
            found.append(each)
    return tuple(found)


def _solver(request: Request) -> Solver:
    puzzle = request.path_params["puzzle"]
    if puzzle not in _with_net():
        raise Refusal(
            404,
            f"there is no puzzle {puzzle[:40]!r} with a net; there are {', '.join(_with_net())}",
            "usage",
            hint=did_you_mean(puzzle[:40], _with_net()).strip(" ()"),
        )
    return load(puzzle)


def _known(request: Request, record: dict[str, Any]) -> Response:
    """What stays the same as long as the server runs."""
    return _cached(request, json.dumps(record).encode(), "application/json")


# --- errors --------------------------------------------------------------------------------------


async def _refusal(request: Request, error: Refusal) -> Response:
    return error.response()


async def _library_error(request: Request, error: PuzzlekitError) -> Response:
    return json_response(error_record(error), status_of(error))


async def _internal_error(request: Request, error: Exception) -> Response:
    log.error("%s: %s: %s", request.url.path, type(error).__name__, error)
    return INTERNAL.response()


async def _http_error(request: Request, error: HTTPException) -> Response:
    path, words, hint = request.url.path, error.detail, ""
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        words = f"{path} does not take {request.method}, only {allowed}"
    elif error.status_code == 404:
        words = f"there is nothing at {path[:100]}"
        hint = "the page is at /, and /api/openapi.json describes the API"
    return Refusal(error.status_code, words, hint=hint, headers=error.headers).response()
