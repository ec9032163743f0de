"""Answers that come late or in another order, and a server that is away for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from page import Page, expect

SOLVED = "WWWWRRRRGGGGYYYYOOOOBBBB"
LINK = "#puzzle=cube2&scheme=western&state="
# Once this has been answered, all that was answered before has been heard of.
ASK = "() => fetch('/api/openapi.json').then(answer => answer.text())"
GO = "hash => { location.hash = hash; }"


class Held:
    """The requests to an address, held back until they are released."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.page = page
        self.routes: list[Any] = []
        page.tab.route(pattern, lambda route: self.routes.append(route))

    def wait(self, count: int = 1) -> None:
        """Wait until so many have come."""
        for _ in range(1500):
            if len(self.routes) >= count:
                return
            self.page.tab.wait_for_timeout(10)
        raise AssertionError(f"{len(self.routes)} requests instead of {count}")

    def release(self, index: int) -> None:
        """Let one be answered, and wait until the page has heard of it."""
        route = self.routes[index]
        route.continue_()
        route.request.response().finished()
        self.page.outcome(ASK)


def ask_to_read(page: Page, text: str) -> None:
    page.field("Scramble or stickers").fill(text)
    page.field("Scramble or stickers").press("Enter")


def test_what_is_typed_before_the_puzzle_comes_is_solved(page: Page) -> None:
    page.choose("2x2x2 cube")
    held = Held(page, "**/api/puzzles/cube2")
    page.tab.reload(wait_until="commit")
    held.wait()
    page.field("Scramble or stickers").fill("R U'")
    page.tab.locator("#solve-button").click()
    held.routes[0].continue_()
    expect(page.moves).to_have_text(["U", "R'"])


def test_the_puzzle_follows_what_is_typed(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    held = Held(page, "**/read")
    page.field("Scramble or stickers").press_sequentially("R")
    held.wait()
    page.field("Scramble or stickers").press_sequentially(" U")
    held.release(0)
    held.wait(2)  # more was typed while the first text was read
    held.release(1)
    page.tab.unroute("**/read")
    expect(page.status()).to_have_text("ready to solve")
    page.field("Scramble or stickers").press_sequentially(" Q2")
    with page.tab.expect_response("**/read"):
        pass  # nothing is said of what may go on
    expect(page.tab.locator("#read-answer")).not_to_contain_text("not a move")
    page.button("Solve").click()
    expect(page.tab.locator("#read-answer")).to_contain_text("'Q2': not a move")


def test_what_is_read_before_the_puzzle_comes_is_shown(page: Page) -> None:
    page.choose("2x2x2 cube")
    held = Held(page, "**/api/puzzles/cube2")
    page.tab.reload(wait_until="commit")
    held.wait()
    ask_to_read(page, "R U'")
    held.routes[0].continue_()
    expect(page.status()).to_have_text("ready to solve")


def test_the_last_text_is_the_one_that_is_read(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.read("U")
    turned = page.painted()
    page.button("Solved").click()
    held = Held(page, "**/read")
    ask_to_read(page, "R")
    held.wait()
    ask_to_read(page, "U")
    held.wait(2)
    held.release(1)
    page.shows(turned)
    held.release(0)
    page.shows(turned)


def test_what_is_wrong_with_a_text_is_not_told_of_another_puzzle(page: Page) -> None:
    held = Held(page, "**/read")
    ask_to_read(page, "Q")
    held.wait()
    page.choose("2x2x2 cube")
    held.release(0)
    expect(page.tab.locator("#read-answer")).to_be_empty()


@pytest.mark.parametrize("what", ["read", "random"])
def test_what_is_painted_meanwhile_stays(page: Page, what: str) -> None:
    page.choose("2x2x2 cube")
    held = Held(page, f"**/{what}")
    if what == "read":
        ask_to_read(page, "R")
    else:
        page.button("Random").click()
    held.wait()
    page.button("Solved").click()
    page.shows(SOLVED)
    held.release(0)
    page.shows(SOLVED)


def test_solve_waits_for_a_random_state(page: Page) -> None:
    page.choose("Skewb")
    held = Held(page, "**/random")
    page.button("Random").click()
    held.wait()
    page.tab.locator("#solve-button").click()
    held.release(0)
    expect(page.region("Solution")).to_contain_text("moves", timeout=30_000)
    expect(page.region("Solution")).not_to_contain_text("Solved already")
    page.button("Last").click()
    page.see_it_solved()


def test_what_is_painted_after_typing_stays(page: Page) -> None:
    page.choose("2x2x2 cube")
    page.field("Scramble or stickers").fill("R")
    page.button("Solved").click()
    page.tab.locator("#solve-button").click()
    expect(page.region("Solution")).to_contain_text("Solved already")
    page.shows(SOLVED)
    page.unfold("Advanced")
    page.field("Scramble or stickers").fill("U")
    page.select("Scheme").select_option("Japanese")
    expect(page.status()).to_have_text("ready to solve")


def test_a_puzzle_that_was_chosen_twice_is_shown_once(page: Page) -> None:
    held = Held(page, "**/api/puzzles/cube2")
    page.select("Puzzle").select_option("2x2x2 cube")
    held.wait()
    page.select("Puzzle").select_option("Skewb")
    page.select("Puzzle").select_option("2x2x2 cube")
    held.wait(2)
    held.release(1)
    page.choose("2x2x2 cube")
    page.button("Solved").click()
    expect(page.button("Undo")).to_be_enabled()
    held.release(0)
    expect(page.button("Undo")).to_be_enabled()


def test_the_last_link_is_the_one_that_is_followed(page: Page) -> None:
    held = Held(page, "**/api/puzzles/cube2")
    first, last = (LINK + letter * 24 for letter in "WR")
    for count, link in enumerate((first, last), start=1):
        page.tab.evaluate(GO, link)
        held.wait(count)
    held.release(0)
    held.release(1)
    page.shows("R" * 24)
    assert page.tab.url.endswith(last)


def test_a_link_waits_for_the_server(page: Page) -> None:
    page.tab.context.set_offline(True)
    page.tab.evaluate(GO, f"{LINK}{SOLVED}&moves=R")
    expect(page.tab.get_by_role("alert")).to_contain_text("does not answer")
    page.tab.context.set_offline(False)
    expect(page.tab.get_by_role("alert")).to_be_hidden()
    expect(page.moves).to_have_text(["R"])
    page.shows(SOLVED)
    assert all("ERR_INTERNET_DISCONNECTED" in each for each in page.complaints)
    page.complaints.clear()


def test_a_server_that_fails_is_told(page: Page) -> None:
    body = '{"error": "internal error", "kind": "environment"}'
    page.tab.route("**/api/puzzles", lambda route: route.fulfill(status=500, body=body))
    page.tab.reload()
    expect(page.tab.get_by_role("alert")).to_contain_text("internal error")
    assert all("status of 500" in each for each in page.complaints)
    page.complaints.clear()


def test_a_long_link_that_is_wrong(new_page: Callable[..., Page], address: str) -> None:
    page = new_page(f"{address}#puzzle={'x' * 5000}")
    expect(page.button("Close")).to_be_in_viewport(ratio=1)
    page.choose("Skewb")
    expect(page.tab.get_by_role("alert")).to_be_hidden()
