"""Domains by name: one of the package, one that an installed package registers, or a class named `module:Class`.

    [project.entry-points."chorale.domains"]     in the pyproject.toml of a package
    bar = "mypackage.bar:Bar"

Only what the user names is imported. A model's file holds the plain name of its domain, never an import string: what
strangers wrote there must not decide which code runs.
"""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from chorale.domain.domain import Domain
from chorale.errors import ChoraleError, unknown

GROUP = "chorale.domains"


def find_domain(name: str) -> Domain:
    """The domain of this name, or of this class; a `module:Class` may stand in the working directory."""
    if ":" in name:
        return _made(name, name)
    if name in (domains := registered()):
        return _made(domains[name].value, name)
    raise ChoraleError(
        f"there is no domain {name!r}; {unknown(name, domains)}. One of your own is named by its class, "
        "domain = 'mymodule:Bar' in a recipe or --domain mymodule:Bar"
    )


def registered() -> dict[str, EntryPoint]:
    """Every domain that is installed; NLVR and tables always are."""
    own = {"nlvr": "chorale.nlvr.domain:Nlvr", "tables": "chorale.tables.domain:Tables"}
    ours = [EntryPoint(name, target, GROUP) for name, target in own.items()]
    return {point.name: point for point in [*entry_points(group=GROUP), *ours]}


def _made(target: str, name: str) -> Domain:
    module, _, attribute = target.partition(":")
    here = str(Path.cwd())  # a module may stand here even where the `chorale` script does not look
    sys.path.append(here)
    try:
        given: Any = getattr(importlib.import_module(module), attribute)
    except ChoraleError as error:
        raise ChoraleError(f"domain {name!r}: {error}") from None
    except (ImportError, AttributeError, ValueError) as error:
        raise ChoraleError(f"domain {name!r}: {error}; expected a class such as mymodule:Bar") from None
    finally:
        sys.path.remove(here)
    domain = given() if isinstance(given, type) and issubclass(given, Domain) else given
    if not isinstance(domain, Domain):
        raise ChoraleError(f"domain {name!r}: expected a chorale.domain.Domain, found {given!r}")
    return domain
