"""A real browser, Debian's Chromium; what opens a page in it, and says all that happened meanwhile."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PATIENCE = 30_000


@dataclass
class Opened:
    """A page that is open: what it asked for beside itself, what was refused and why, and the console."""

    page: Any
    requests: list[str] = field(default_factory=list)
    refused: list[tuple[str, str | None]] = field(default_factory=list)
    console: list[str] = field(default_factory=list)


#: Opens a page's source, or a file, at a width and in a scheme of colours.
Open: TypeAlias = Callable[..., Opened]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once; the tests are skipped where there is none, but not by CI, which installs it."""
    program = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        program = None
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("CI has to have Chromium and playwright")
        pytest.skip("there is no Chromium, or playwright is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a page as a file, as people do."""
    contexts = []

    def opening(source: str | Path, *, width: int = 1100, scheme: str = "light") -> Opened:
        path = source if isinstance(source, Path) else tmp_path / "page.html"
        if isinstance(source, str):
            path.write_text(source, encoding="utf-8")
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        context.set_default_timeout(_PATIENCE)
        contexts.append(context)
        opened = Opened(context.new_page())
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.on("requestfailed", lambda request: opened.refused.append((request.url, request.failure)))
        opened.page.on("console", lambda message: opened.console.append(message.text))
        opened.page.on("pageerror", lambda error: opened.console.append(str(error)))
        opened.page.on("dialog", lambda dialog: opened.console.append(f"dialog {dialog.message}"))
        opened.page.goto(path.as_uri(), wait_until="load")
        opened.requests = [
            url for url in opened.requests if url != path.as_uri() and not url.startswith("data:")
        ]
        return opened

    yield opening
    for context in contexts:
        context.close()
