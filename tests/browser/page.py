"""The page as a person uses it: by what is read on it, or read aloud, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest

_sync_api = pytest.importorskip("playwright.sync_api", reason="needs puzzlekit[browser]")
expect = _sync_api.expect
expect.set_options(timeout=15_000)

# Chromium tells the console of every answer that is no success. These are in order: an input that
# was asked for has faults, which the page then shows in words.
REFUSED = re.compile(r"Failed to load resource: .* status of 4(04|22)")


class Page:
    """A tab with the page in it.

    `complaints` has what its console calls an error, and requests to other hosts.
    """

    def __init__(self, tab: Any, address: str) -> None:
        self.tab = tab
        self.address = address
        self.complaints: list[str] = []
        tab.on("console", self._hear)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", self._watch)

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not REFUSED.match(message.text):
            self.complaints.append(message.text)

    def _watch(self, request: Any) -> None:
        elsewhere = urlsplit(request.url).netloc != urlsplit(self.address).netloc
        if elsewhere and not request.url.startswith(("blob:", "data:")):
            self.complaints.append(f"a request to {request.url}")

    # --- what is on it ---------------------------------------------------------------------------

    def button(self, name: str, within: str | None = None) -> Any:
        """A button, maybe the one in a region of that name."""
        return self._within(within).get_by_role("button", name=name, exact=True)

    def select(self, name: str) -> Any:
        """A list to choose from."""
        return self.tab.get_by_role("combobox", name=name, exact=True)

    def field(self, name: str) -> Any:
        """A field to type in."""
        return self.tab.get_by_role("textbox", name=name, exact=True)

    def _within(self, region: str | None) -> Any:
        return self.tab.get_by_role("region", name=region) if region else self.tab
