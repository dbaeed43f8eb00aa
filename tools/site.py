"""Pages that lie beside docs/, brought into the site: README, CHANGELOG and others are written once, and read twice.

Links in them say where things lie in the repository, and are made to say where they lie in the site. What they link to
that is no page (a recipe, the licence) is copied into the site under `files/`. The examples become a page.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "src/chorale/models/best/README.md": "models/best.md",
    "src/chorale/models/consistency/README.md": "models/consistency.md",
    "src/chorale/models/tables/README.md": "models/tables.md",
}
"""Where a page lies in the repository, and in the site."""
_LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)")


def in_site(linked: str) -> str:
    """Where a file of the repository lies in the site.

    >>> in_site("docs/results.md"), in_site("README.md"), in_site("recipes/best.toml"), in_site("examples")
    ('results.md', 'index.md', 'files/recipes/best.toml', 'examples.md')
    """
    if linked in PAGES:
        return PAGES[linked]
    if linked == "examples":
        return "examples.md"
    if linked.startswith("docs/"):
        return linked.removeprefix("docs/")
    return f"files/{linked}"


def moved(text: str, page: str) -> tuple[str, set[str]]:
    """A page of the repository with the links it has in the site, and the files that it links to."""
    linked = set()

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), found[1]))
        linked.add(target)
        return posixpath.relpath(in_site(target), posixpath.dirname(PAGES[page]) or ".")

    return _LINK.sub(link, text), linked


def examples() -> str:
    """The scripts in examples/, one below the other."""
    page = "# Examples\n\nShort scripts to start from. They run as they are.\n"
    for script in sorted((ROOT / "examples").glob("*.py")):
        page += f"\n## {script.name}\n\n```python\n{script.read_text(encoding='utf-8').strip()}\n```\n"
    return page


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called by mkdocs with the files of docs/."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - the tests know this file without mkdocs

    files.append(File.generated(config, "examples.md", content=examples()))
    copied: set[str] = set()
    for page, uri in PAGES.items():
        text, linked = moved((ROOT / page).read_text(encoding="utf-8"), page)
        files.append(File.generated(config, uri, content=text))
        copied |= {file for file in linked if in_site(file).startswith("files/")}
    for file in sorted(copied):
        if (ROOT / file).is_file():  # what is not there, mkdocs complains of
            files.append(File.generated(config, in_site(file), abs_src_path=str(ROOT / file)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A page that is a tab of its own needs no list of pages at its side."""
    if page.parent is None:
        page.meta["hide"] = ["navigation"]
    return markdown
