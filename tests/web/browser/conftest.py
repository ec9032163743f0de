"""A page in a browser, of a server with the tables of this session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import browsing
import pytest

import puzzlekit

if TYPE_CHECKING:
    from page import Page


@pytest.fixture(scope="session")
def tables() -> None:
    """Build the tables of all pages: waiting for those of another server takes time to search."""
    for name in ("cube2", "cube3", "cube4", "pyraminx", "skewb"):
        puzzlekit.load(name).prepared()


@pytest.fixture(scope="module")
def address(tables: None) -> Iterator[str]:
    """Where the server answers."""
    with browsing.server() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser; it ends with the module, for nothing else can have an event loop meanwhile."""
    pytest.importorskip("playwright.sync_api", reason="needs permutation-puzzlekit[browser]")
    if browsing.chromium() is None:
        pytest.skip("needs chromium, or a browser like it that the variable CHROMIUM names")
    with browsing.browser() as browser:
        yield browser


@pytest.fixture
def window() -> dict[str, Any]:
    """What the window is like, as Playwright's `new_context` takes it; tests may override it."""
    return {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture
def new_page(browser: Any, address: str, window: dict[str, Any]) -> Iterator[Callable[..., Page]]:
    """Opens pages; what they complain of fails the test when it ends."""
    from page import Page

    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"], **window)
    context.set_default_timeout(15_000)
    pages = []

    def opened(url: str = address) -> Page:
        pages.append(Page(context.new_page(), address))
        pages[-1].open(url)
        return pages[-1]

    yield opened
    complaints = [each for page in pages for each in page.complaints]
    context.close()
    assert not complaints


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """The page, just opened."""
    return new_page()
