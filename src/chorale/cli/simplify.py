"""`chorale simplify`: the shortest program that means the same."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, DomainName, Json, Language
from chorale.cli.output import say, say_json
from chorale.errors import ChoraleError
from chorale.language import plain, read_program
from chorale.search.simplify import CONTEXTS, simplified


def simplify(
    program: Annotated[str, Argument(metavar="PROGRAM", help="A program, in any of its spellings.")],
    laws_only: Annotated[bool, Option("--laws-only", help="Only what is proved.")] = False,
    in_words: Annotated[bool, Option("--plain", help="Say it in plain English as well.")] = False,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Print the shortest program of the same meaning that is found, and how it is known to be the same.

    It is proved by the laws of the language, or it agrees with the program on thousands of generated images.

    Example: chorale simplify "box_exists(box_filter(all_boxes, object_exists(square(yellow(square)))))" --plain
    """
    about, name = find(domain, language)
    found = simplified(read_program(program, about.languages[name]), about, name, contexts=0 if laws_only else CONTEXTS)
    text = plain(found.program, about.languages[name])
    if in_words and text is None:
        raise ChoraleError(f"the language {name} of {about.name} has no plain words; a language declares its `wording`")
    if as_json:
        say_json({"program": found.program.text, "known": found.known, "looked_at": found.looked_at, "plain": text})
    else:
        say("\n".join([found.program.text, found.known, *([text] if in_words and text else [])]))
