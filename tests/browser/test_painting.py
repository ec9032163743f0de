"""Painting the net."""

from __future__ import annotations

from page import Page, expect


def test_smoke(page: Page) -> None:
    expect(page.sticker("U1")).to_be_visible()
