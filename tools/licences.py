"""The licences of all that Chorale is installed with: docs/licences.md, from what the packages say of themselves.

    python tools/licences.py            writes the page
    python tools/licences.py --check    says what is out of step, with status 1

`constraints.txt` says which packages there are. One that is not installed here (the tools of an extra) keeps the row
that it has, as long as its version is the same.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licences.md"
_ROW = re.compile(r"^\| ([\w.-]+) \| ([\w.+!]+) \| (.+) \|$", re.MULTILINE)
_HEAD = """# Licences of dependencies

After this page you know under which licences Chorale and everything that it installs are. Chorale itself is under the
Apache License 2.0. `make licences` writes this page from what the packages say of themselves, in the versions of
`constraints.txt`; a test compares the two. It is not legal advice. None of these packages ships with Chorale; `pip`
fetches them from their authors. Torch for graphics cards brings further packages, with licences of their makers.
"""


def plain(name: str) -> str:
    """A package's name as it is compared.

    >>> plain("Typing_Extensions")
    'typing-extensions'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    """The versions in constraints.txt, by name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("#")[0].strip().split("==") for line in lines if "==" in line)
    return {plain(name): version for name, version in pairs}


def licence_of(package: Distribution) -> str:
    """In one line: the licence expression, else the classifiers, else the first line of the licence itself."""
    about = package.metadata
    approved = "License :: OSI Approved :: "
    classified = [line.removeprefix(approved) for line in about.get_all("Classifier", []) if line.startswith(approved)]
    expression = about.get_all("License-Expression", [])
    files = [file.read_text() for file in package.files or () if file.stem == "LICENSE"]
    first = [text.strip().splitlines()[0] for text in about.get_all("License", []) + files if text.strip()]
    return (", ".join(expression or classified) or next(iter(first), "not said")).replace("|", "/")


def needed(requirements: Iterable[str]) -> set[str]:
    """What these requirements bring along, as far as it is installed here."""
    found: set[str] = set()
    waiting = [(Requirement(text), "") for text in requirements]
    while waiting:
        wanted, extra = waiting.pop()
        name = plain(wanted.name)
        if name in found or (wanted.marker and not wanted.marker.evaluate({"extra": extra})):
            continue
        found.add(name)
        try:
            below = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        waiting += [(Requirement(text), part) for text in below for part in ("", *wanted.extras)]
    return found


def rows(before: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Version and licence of every package that is pinned, by name."""
    table = {}
    for name, version in pinned().items():
        try:
            package = distribution(name)
            installed = package.version.split("+")[0]
        except PackageNotFoundError:
            installed = ""
        if installed == version:
            table[name] = (version, licence_of(package))
        elif before.get(name, ("", ""))[0] == version:
            table[name] = before[name]
        else:
            table[name] = (version, "unknown: install it and write this page again")
    return table


def page(before: str) -> str:
    """The page as it should be, given what it is."""
    table = rows({name: (version, licence) for name, version, licence in _ROW.findall(before)})
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    always = needed(project["dependencies"])
    written = _HEAD
    for title, members in (
        ("What `pip install chorale` brings", [name for name in table if name in always]),
        ("What the extras and the tools bring", [name for name in table if name not in always]),
    ):
        written += f"\n## {title}\n\n| package | version | licence |\n|---|---|---|\n"
        written += "".join(f"| {name} | {table[name][0]} | {table[name][1]} |\n" for name in sorted(members))
    return written


def main() -> int:
    """Write the page, or compare it."""
    arguments = argparse.ArgumentParser(description="Writes docs/licences.md.")
    arguments.add_argument("--check", action="store_true", help="compare only")
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    after = page(before)
    if not arguments.parse_args().check:
        PAGE.write_text(after, encoding="utf-8")
        return 0
    changed = sorted(set(after.splitlines()) ^ set(before.splitlines()))
    if changed:
        print("docs/licences.md is out of step; run python tools/licences.py:", *changed, sep="\n", file=sys.stderr)
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
