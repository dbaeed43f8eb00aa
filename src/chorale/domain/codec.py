"""Codecs: contexts from JSON, files and pictures, and as JSON again. A capability; `--context` and `serve` need it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chorale.errors import ChoraleError
from chorale.plumbing.files import read_text


class Codec:
    """Contexts that are plain JSON already: dicts, lists, numbers, texts. Others say how they are read and written."""

    limits: ClassVar[Mapping[str, int]] = {}
    """What there may be in a context, and how much of it, if the codec refuses more; `serve` tells it."""

    def from_json(self, value: Any) -> Any:
        """The context in JSON; raises `ChoraleError` if it is not one."""
        return value

    def decoded(self, value: Any) -> Any:
        """The same, with a readable error whatever goes wrong."""
        try:
            return self.from_json(value)
        except ChoraleError:
            raise
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise ChoraleError(f"this is not a context: {error}; found {json.dumps(value, default=repr):.80}") from None

    def to_json(self, context: Any) -> Any:
        """A context as JSON has it."""
        return context

    def taken(self, given: Any, options: Mapping[str, Any]) -> Any:
        """A context in another form in which programs hold it, or read as options say; None if it is none of these."""
        if options:
            raise ChoraleError(f"there is no option {next(iter(options))!r:.40} for how this is read")
        return None

    def notes(self, context: Any) -> Sequence[str]:
        """What of a context could have been read otherwise, and how to say so."""
        return ()

    def facts(self, context: Any) -> Any:
        """What the domain's stage shows of a context besides itself, as JSON: of a table the types of its columns."""
        return None

    def uploaded(self, content: bytes, name: str) -> Any:
        """The context in an uploaded file: JSON, unless the codec overrides this."""
        try:
            return self.decoded(json.loads(content))
        except (ValueError, RecursionError) as error:
            raise ChoraleError(f"{name}: not JSON: {error}") from None

    def see(self, picture: Any) -> Any:
        """The context on a picture: the path of a file, what stands in one as bytes, or an image of Pillow."""
        raise ChoraleError("the contexts of this domain are not pictures")

    def read_file(self, path: Path) -> Any:
        """The one context that a file holds: JSON, unless the codec overrides this."""
        text = read_text(path)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            if text.startswith("{") and "\n" in text:
                raise ChoraleError(f"{path}: several examples; draw one of them: chorale draw {path} 17-0") from None
            raise ChoraleError(f"{path}: not JSON: {error}") from None
        try:
            return self.decoded(value)
        except ChoraleError as error:
            raise ChoraleError(f"{path}: {error}") from None
