"""Files with several tables: the one that is wanted, or what there is to choose from."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chorale.errors import ChoraleError

_SHOWN = 20


def chosen(names: Sequence[str], wanted: str | None, what: str, where: object, also: Collection[str] = ()) -> str:
    """The name that is wanted, or the only one; `also` are names that count only if they are asked for."""
    if wanted is not None:
        if wanted in names or wanted in also:
            return wanted
        raise ChoraleError(f"{where}: there is no {what} {wanted!r:.80}; {_listed(names)}")
    if len(names) == 1:
        return names[0]
    if not names:
        raise ChoraleError(f"{where}: there is no {what} in it")
    raise ChoraleError(f"{where}: {len(names)} {what}s; choose one by --table NAME; {_listed(names)}")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"{name!r:.80}" for name in names[:_SHOWN])
    return f"there are {shown}{', ...' if len(names) > _SHOWN else ''}" if names else "there is none"
