"""Domains, their languages and their contexts, as options name them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer import BadParameter

from chorale.domain import Domain, grammar_of, needed, pairs_of
from chorale.domain.drawing import Format, read_context
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError, nearest
from chorale.plumbing.files import STANDARD


def find(domain: str, language: str | None = None) -> tuple[Domain, str]:
    """The domain of a name, and the name of one of its languages: by default the first."""
    found = find_domain(domain)
    language = next(iter(found.languages)) if language is None else language
    grammar_of(found, language)  # complains about a language that is not there
    return found, language


def asked_context(
    domain: Domain, image: Path | None, scene: Path | None = None, data: tuple[Path, str] | None = None
) -> Any:
    """What is asked about, of the one option that was given; None if none was."""
    given = [name for name, it in (("--image", image), ("--scene", scene), ("--data", data)) if it is not None]
    if len(given) > 1:
        raise BadParameter(f"give {' or '.join(given)}, not both", param_hint=given[-1])
    if data is not None:
        return find_example(domain, *data)
    if image is None and scene is None:
        return None
    drawing = needed(domain.drawing, domain, "drawing", f"{given[0]}")
    return drawing.see(image) if image is not None else read_context(drawing, scene or STANDARD)


def find_example(domain: Domain, path: Path, identifier: str) -> Any:
    """The context of this name in a data file."""
    contexts = {
        name: context
        for utterance in domain.read(path, labels_required=False)
        for (_, name), context in zip(pairs_of(utterance), utterance.contexts, strict=True)
    }
    if identifier not in contexts:
        close = nearest(identifier, contexts)
        some = f"did you mean {close!r}?" if close else f"they are called {next(iter(contexts), '')!r} and so on"
        raise ChoraleError(f"{path}: no example {identifier!r}; {some}")
    return contexts[identifier]


def picture_format(path: Path, option: str) -> Format:
    """What kind of picture a name stands for."""
    forms: dict[str, Format] = {".png": "png", ".svg": "svg"}
    if (form := forms.get(path.suffix.lower())) is None:
        raise BadParameter(f"expected a name that ends in .png or .svg, found {str(path)!r}", param_hint=option)
    return form
