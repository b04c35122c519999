"""A headless Chromium in front of the pages: how it is started, and somebody who was let in and notes what goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = Path(os.environ.get("ARANDU_LAB_CHROMIUM", "/usr/bin/chromium"))
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 780}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1200, "height": 780}, "color_scheme": "dark"},
    "small": {"viewport": {"width": 1000, "height": 660}, "color_scheme": "light"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
    "phone-dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "narrow": {"viewport": {"width": 320, "height": 640}, "color_scheme": "light"},
}
"""Windows: at a desk by day and by night, and in a hand."""


@contextmanager
def started() -> Iterator[Any]:
    """A browser that stops with the block."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


class Visitor:
    """A page that was let in, and what went wrong in it."""

    def __init__(self, chromium: Any, address: str, *, locale: str = "en-GB", **look: Any) -> None:
        self.base = address.split("/?")[0]
        self.context = chromium.new_context(locale=locale, **look)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append("a dialog"), dialog.dismiss()))
        self.page.goto(address)
        self.page.wait_for_url(lambda url: "token" not in url)

    def to(self, path: str) -> Any:
        """Go to a page."""
        self.page.goto(self.base + path)
        return self.page

    def too_wide(self) -> int:
        """By how many pixels the page is wider than its window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
