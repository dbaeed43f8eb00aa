"""TOML files that people write: checked against a class; what is wrong is said with file, line and key, all at once."""

from __future__ import annotations

import tomllib
from typing import TypeVar

from pydantic import ValidationError

from chorale.errors import ChoraleError
from chorale.plumbing.checking import Checked, named, problems
from chorale.plumbing.toml_lines import line_of

M = TypeVar("M", bound=Checked)


def parse_toml(kind: type[M], text: str, file: str, right: str) -> M:
    """The content of a text; `file` is what errors call it, `right` says what tables it should have."""
    try:
        return kind.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ChoraleError(f"{file}: not TOML: {error}") from None
    except ValidationError as error:
        wrong = problems(error, kind)
    where = [f":{line}" if (line := line_of(text, key[:3])) else "" for key, _ in wrong]
    messages = [f"{named(key)}: {message}" + (f"; expected {right}" if len(key) < 3 else "") for key, message in wrong]
    raise ChoraleError("\n".join(f"{file}{line}: {message}" for line, message in zip(where, messages, strict=True)))
