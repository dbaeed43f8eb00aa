"""How much work one sentence may cost. Files of models say how far they search; this stands above all they say.

Work is counted, not timed, so that the same sentence is answered or refused on every machine: the answers that a search
computes, one for each part of a program and each context.
"""

from __future__ import annotations

import os

from chorale.errors import ChoraleError

VARIABLE = "CHORALE_WORK"
WORK = 20_000_000_000
"""The answers that may be computed for a sentence, unless the variable says otherwise: some twenty seconds of a core
and two gigabytes. The costliest sentence of NLVR takes a twentieth of it."""


def work() -> int:
    """The answers that may be computed for a sentence."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return WORK
    if not (given.isascii() and given.isdecimal() and len(given) < 20 and int(given)):
        raise ChoraleError(f"{VARIABLE}={given:.40}: expected a whole number above 0, such as {WORK}")
    return int(given)


def too_much(what: str) -> ChoraleError:
    """What to say of something that would cost more."""
    return ChoraleError(
        f"{what}: more work than one sentence may cost here ({work():,} answers of parts); shorten it, or allow more: "
        f"{VARIABLE}={10 * work()}"
    )
