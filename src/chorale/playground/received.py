"""What is received: contexts and answers as JSON, looked at before the domain reads them.

A domain need not think of strangers: what is too deep, too much or no JSON does not reach it, and whatever it keeps of
what was sent can be sent back.
"""

from __future__ import annotations

import math
from typing import Any

from chorale.domain import Answer, Codec, Domain, needed
from chorale.errors import ChoraleError
from chorale.playground import limits
from chorale.playground.refusals import Refusal, refusing


def codec_of(domain: Domain) -> Codec:
    """What reads contexts."""
    with refusing("not_supported"):
        return needed(domain.codec, domain, "codec", f"a {domain.context_word} as JSON")


def received_context(domain: Domain, scene: Any, where: str = "") -> Any:
    """The context that some JSON stands for."""
    codec, kind = codec_of(domain), domain.context_type
    with refusing("bad_scene", where):
        context = codec.from_json(checked(scene))
        if kind is not None and not isinstance(context, kind):
            raise ChoraleError(f"this is no {domain.context_word}, but {type(context).__name__}")
        return context


def received_answer(domain: Domain, value: Any, text: str | None = None, where: str = "") -> Answer:
    """The answer that some JSON stands for, or that somebody typed."""
    if (value is None) == (text is None):
        raise Refusal("invalid", f"{where}answer: give it, as JSON or as `answer_text`, and not both")
    with refusing("invalid", f"{where}answer: "):
        return domain.answers.from_json(checked(value)) if text is None else domain.answers.from_text(text)


def checked(value: Any) -> Any:
    """The value itself; raises `ChoraleError` if it is too deep, too much, or not what JSON can say."""
    waiting, count = [(value, 1)], 0
    while waiting:
        one, depth = waiting.pop()
        count += 1
        if depth > limits.DEPTH:
            raise ChoraleError(f"it is nested more than {limits.DEPTH} levels deep")
        if count > limits.VALUES:
            raise ChoraleError(f"it has more than {limits.VALUES:,} values")
        if isinstance(one, list):
            waiting += [(inner, depth + 1) for inner in one]
        elif isinstance(one, dict):
            waiting += [(inner, depth + 1) for inner in (*one, *one.values())]
        elif isinstance(one, float) and not math.isfinite(one):
            raise ChoraleError(f"{one} is no number in JSON")
        elif isinstance(one, str) and not _is_text(one):
            raise ChoraleError("there is half a letter in it")
    return value


def _is_text(value: str) -> bool:
    """Whether it can be sent again: a surrogate by itself is not a letter."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
