"""The page of an explanation: whole, well formed, and nothing on it from elsewhere."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.explain.conftest import SCENE, SENTENCE

from chorale.model import Model

VOID = {"meta", "wbr"}


class Checking(HTMLParser):
    """Text and tags of a page; complains about tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: str) -> Checking:
    checking = Checking()
    checking.feed(page)
    checking.close()
    assert checking.open == []
    return checking


@pytest.mark.parametrize("name", ["ranker", "network"])
def test_the_page_is_whole_and_needs_nothing_else(name: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(name)
    page = model.parse(SENTENCE, [SCENE])[0].explain().html()
    checked = read(page)
    text = "".join(checked.texts)
    for heading in (SENTENCE, "What was understood", "Step by step", "Readings"):
        assert heading in text
    assert ("Where it looked" in text) == (name == "network")
    assert ("What speaks for it" in text) == (name == "ranker")
    assert not checked.tags & {"script", "link", "img", "iframe"}
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    assert "prefers-color-scheme" in page


def test_a_page_without_a_picture_has_no_trace(ranker: Model) -> None:
    text = "".join(read(ranker.parse(SENTENCE)[0].explain().html()).texts)
    assert "What was understood" in text
    assert "Step by step" not in text


def test_what_speaks_against_an_answer_stands_above_all_else(network: Model) -> None:
    parse = network.parse("There is a frumious <tower>", [SCENE])[0]
    text = "".join(read(parse.explain(answer_if=1).html()).texts)
    assert text.index("not known") < text.index("% sure") < text.index("'frumious'") < text.index("What was under")


def test_what_a_user_wrote_is_escaped(ranker: Model) -> None:
    parse = ranker.parse("There is a <b>black & yellow</b> \"block\" <script>alert('x')</script>", [SCENE])[0]
    checked = read(parse.explain().html())
    assert not checked.tags & {"b", "script"}
    assert "<script>alert('x')</script>" in "".join(checked.texts)


def test_the_words_of_attention_are_escaped(network: Model) -> None:
    parse = network.parse(SENTENCE, [SCENE])[0]
    spoilt = replace(parse, words=("<i>'\"", *parse.words[1:]))
    checked = read(replace(parse.explain(), reading=spoilt).html())
    assert "i" not in checked.tags
    assert "<i>'\"" in "".join(checked.texts)
