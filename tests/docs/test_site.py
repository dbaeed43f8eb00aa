"""The site's menu: every page of the documents is in it once, and it names no other."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tools.site import PAGES, ROOT

SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


def listed(menu: Any) -> Iterator[str]:
    """The pages of a menu, from the top."""
    if isinstance(menu, str):
        yield menu
    else:
        for entry in menu.values() if isinstance(menu, dict) else menu:
            yield from listed(entry)


def test_every_page_is_in_the_menu_once() -> None:
    docs = ROOT / "docs"
    pages = [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]
    assert sorted(listed(SITE["nav"])) == sorted([*pages, *PAGES.values(), "examples.md"])


def test_pages_from_elsewhere_are_there() -> None:
    assert all(Path(ROOT, page).is_file() for page in PAGES)


def test_the_menu_is_what_a_stranger_looks_for() -> None:
    tabs = [tab for entry in SITE["nav"] for tab in entry]
    assert tabs == ["Start", "Tutorials", "How it works", "Reference", "Results", "Log"]
