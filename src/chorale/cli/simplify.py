"""`chorale simplify`: the shortest program that means the same."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import asked_context, asked_program, asked_utterance, find
from chorale.cli.options import NLVR, Context, DomainName, Json, Language
from chorale.cli.output import say, say_json
from chorale.domain.meanings import FOR_TRUTH
from chorale.errors import ChoraleError
from chorale.language import plain
from chorale.search.simplify import simplified


def simplify(
    program: Annotated[str, Argument(metavar="PROGRAM", help="A program, in any of its spellings.")],
    laws_only: Annotated[bool, Option("--laws-only", help="Use only what is proved.")] = False,
    in_words: Annotated[bool, Option("--plain", help="Also print it in plain English.")] = False,
    context: Context = None,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Find the shortest program with the same meaning, and say how that is known.

    Equality of meaning is either proved by the laws of the language or tested on thousands of generated contexts.

    Example: chorale simplify "box_exists(box_filter(all_boxes, object_exists(square(yellow(square)))))" --plain
    """
    about, name = find(domain, language)
    asked = asked_utterance(asked_context(about, context))
    whole = asked_program(program, about, name, asked)
    simpler = simplified(whole, about, name, utterance=asked, contexts=0 if laws_only else FOR_TRUTH)
    text = plain(simpler.program, about.languages[name])
    if in_words and text is None:
        raise ChoraleError(f"the language {name} of {about.name} has no plain words; a language declares its `wording`")
    if as_json:
        say_json(
            {"program": simpler.program.text, "known": simpler.known, "looked_at": simpler.looked_at, "plain": text}
        )
    else:
        say("\n".join([simpler.program.text, simpler.known, *([text] if in_words and text else [])]))
