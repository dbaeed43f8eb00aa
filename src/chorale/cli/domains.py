"""Domains, their languages, programs and contexts, as options name them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer import BadParameter

from chorale.domain import Domain, Unlabelled, Utterance, grammar_of, needed, pairs_of
from chorale.domain.drawing import Format
from chorale.domain.registry import find_domain
from chorale.errors import ChoraleError, nearest
from chorale.language import Language, Program, read_program


def find(domain: str, language: str | None = None) -> tuple[Domain, str]:
    """The domain of a name, and the name of one of its languages: by default the first."""
    about = find_domain(domain)
    language = next(iter(about.languages)) if language is None else language
    grammar_of(about, language)  # refuses a language that does not exist
    return about, language


def with_domain(changes: Sequence[str], domain: str | None) -> list[str]:
    """Changes of a recipe that put another domain in the place of its own, in the domain's first language.

    A language that the changes name takes precedence.
    """
    if domain is None:
        return list(changes)
    _, language = find(domain)
    own = any(change.partition("=")[0].strip() == "language" for change in changes)
    return [f"domain={domain}", *([] if own else [f"language={language}"]), *changes]


def asked_context(
    domain: Domain,
    context: Path | None,
    image: Path | None = None,
    scene: Path | None = None,
    data: tuple[Path, str] | None = None,
) -> Any:
    """What is asked about, of the one option that was given; None if none was."""
    options = {"--context": context, "--image": image, "--scene": scene, "--data": data}
    given = [name for name, it in options.items() if it is not None]
    if len(given) > 1:
        raise BadParameter(f"give {' or '.join(given)}, not both", param_hint=given[-1])
    if data is not None:
        return find_example(domain, *data)
    if not given:
        return None
    codec = needed(domain.codec, domain, "codec", given[0])
    path = next(path for path in (context, image, scene) if path is not None)
    return codec.see(path) if image is not None else codec.read_file(path)


def asked_utterance(context: Any) -> Utterance | None:
    """An utterance without a sentence, for the constants of its context; None without a context."""
    return None if context is None else Unlabelled("", (context,))


def spoken(domain: Domain, language: str, utterance: Utterance | None) -> type[Language] | Language:
    """The language of programs: with the constants of an utterance's context, where contexts bring such."""
    if not domain.has_constants(language):
        return domain.languages[language]
    if utterance is None:
        raise ChoraleError(
            f"programs of {domain.name} name constants of their {domain.context_word}; give it too: --context FILE"
        )
    return domain.bind(language, utterance, utterance.contexts)


def asked_program(text: str, domain: Domain, language: str, utterance: Utterance | None) -> Program:
    """A whole program that somebody typed."""
    return read_program(text, spoken(domain, language, utterance))


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
