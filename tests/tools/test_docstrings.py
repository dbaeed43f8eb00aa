"""Docstrings as the site shows them; `make docs` installs what this needs."""

import pytest

pytest.importorskip("griffe", reason="the extra docs is not installed")

from tools.docstrings import as_markdown


def test_examples_and_columns_become_code_and_prose_stays() -> None:
    assert as_markdown("One.\n\n>>> 1 + 1\n2\n\nTwo words.") == "One.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nTwo words."
    assert as_markdown("kind    what\nlength  how long") == "```text\nkind    what\nlength  how long\n```"


def test_a_block_that_is_code_already_stays() -> None:
    assert as_markdown("One.\n\n    a = 1    # one\n\nTwo.") == "One.\n\n    a = 1    # one\n\nTwo."
