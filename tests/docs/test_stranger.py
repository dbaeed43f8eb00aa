"""The README as a stranger reads it: every command in it, in order, in a clean clone. Run by `make test-readme`.

What a command claims in its comment is compared if it is a figure (`# 99.5 / 99.0`), and printed beside what was
measured if it is a time (`# 20 s`): how fast a machine is fails no test.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_TIME = re.compile(r"\d+ (s|min)\b")


@dataclass(frozen=True, slots=True)
class Step:
    """A command, the comment behind it, and the lines that it prints by the README; `...` stands for others."""

    command: str
    claim: str
    shown: tuple[str, ...] = ()


def steps(text: str) -> Iterator[Step]:
    """The commands of a page in order: what is indented, and not in a block of its own."""
    parts = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    for prose, kind, block in zip(parts[::3], [*parts[1::3], ""], [*parts[2::3], ""], strict=True):
        lines = [line[4:] for line in prose.splitlines() if line.startswith("    ")]
        for number, line in enumerate(lines, 1):
            command, _, claim = line.partition("  # ")
            is_shown = kind == "text" and number == len(lines)
            yield Step(command.strip(), claim.strip(), tuple(filter(None, block.splitlines())) if is_shown else ())


def test_steps_are_the_indented_commands_with_what_is_claimed_of_them() -> None:
    page = (
        "Do:\n\n    one --out x   # 3 s\n    two\n\n```text\nThis\n\nand that\n```\n\nThen\n\n    three  # 1.0 / 2.0\n"
    )
    assert list(steps(page)) == [
        Step("one --out x", "3 s"),
        Step("two", "", ("This", "and that")),
        Step("three", "1.0 / 2.0"),
    ]


def test_the_readme_has_at_most_900_words() -> None:
    assert len(README.split()) <= 900


def test_every_command_of_the_readme_is_a_command_of_ours_or_of_the_shell() -> None:
    firsts = {step.command.split()[0] for step in steps(README)}
    assert firsts <= {"python3", ".", "pip", "printf", "chorale", "make"}
    assert "chorale" in firsts


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stranger") / "chorale"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    return folder


def environment() -> dict[str, str]:
    """Ours, without what belongs to the environment that runs the test."""
    own = os.environ.get("VIRTUAL_ENV", "") or str(ROOT / ".venv")
    path = [part for part in os.environ["PATH"].split(os.pathsep) if not part.startswith(own)]
    kept = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "PYTHONPATH"}}
    return kept | {"PATH": os.pathsep.join(path), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def in_shell(command: str, before: list[str], clone: Path) -> subprocess.CompletedProcess[str]:
    """A command in a shell in which those before it that change the shell were given."""
    script = "\n".join(["set -e", *(one for one in before if one.startswith(". ")), command])
    return subprocess.run(
        ["bash", "-c", script], cwd=clone, env=environment(), capture_output=True, text=True, check=False
    )


def served(before: list[str], clone: Path) -> None:
    """`chorale serve` answers; then it is stopped. It takes any free port, since 8000 may be another's."""
    script = "\n".join([*(one for one in before if one.startswith(". ")), "exec chorale serve --no-open --port 0"])
    server = subprocess.Popen(
        ["bash", "-c", script],
        cwd=clone,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert server.stdout is not None
        said = ""
        while not (address := re.search(r"http://[\d.]+:\d+", said)):
            line = server.stdout.readline()
            assert line, f"chorale serve ended: {said}"
            said += line
        with urlopen(f"{address[0]}/api/about", timeout=60) as answer:
            assert answer.status == 200
    finally:
        server.terminate()
        server.communicate(timeout=30)


@pytest.mark.readme
def test_every_command_of_the_readme_works_in_order_in_a_clean_clone(clone: Path) -> None:
    before: list[str] = []
    for step in steps(README):
        began = time.perf_counter()
        if step.command == "chorale serve":
            served(before, clone)
        else:
            done = in_shell(step.command, before, clone)
            assert done.returncode == 0, f"{step.command}\n{done.stdout}{done.stderr}"
            printed = done.stdout + done.stderr
            missing = [line for line in step.shown if line not in {"...", *printed.splitlines()}]
            assert not missing, f"{step.command} does not print {missing}, but\n{printed}"
            if step.claim and not _TIME.search(step.claim):
                assert step.claim in printed.replace("\n", " ") or all(
                    it in printed for it in step.claim.split(" / ")
                ), f"{step.command} does not print {step.claim}, but\n{printed}"
        took = f"{time.perf_counter() - began:.0f} s"
        print(f"{took:>6}  claimed: {step.claim or '-':24}  {step.command}", flush=True)
        before.append(step.command)
    done = in_shell("python -m doctest README.md", before, clone)
    assert done.returncode == 0, done.stdout
