"""Every page says first what its reader can do after it, and one word stands for one thing."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_a_page_begins_with_what_the_reader_can_do_after_it(page: Path) -> None:
    beginning = page.read_text(encoding="utf-8")[:400]
    assert re.match(r"# .+\n\nAfter this (page|tutorial) ", beginning), "begin with: After this page you ..."


def test_the_glossary_has_at_most_25_words_each_of_them_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\* \|", (DOCS / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert 10 < len(words) <= 25
    assert len(set(words)) == len(words)
