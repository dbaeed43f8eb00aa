"""The network: encoder, attention decoder, grammar-constrained beam. Knows grammars, no domain.

It needs torch, which is an extra: `sizes`, `rules` and `vocabulary` can be imported without it, and anything else
calls `need_torch` first.
"""

from importlib.util import find_spec

from chorale.errors import ChoraleError


def need_torch() -> None:
    """Raise an error if torch is not installed."""
    if find_spec("torch") is None:
        raise ChoraleError("this needs torch; install the extra: pip install 'chorale[network]'")
