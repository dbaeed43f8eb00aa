"""A command on a leash ends by itself, or with whoever started it."""

import os
import subprocess
import sys
from pathlib import Path


def started(*words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "chorale.engines.leash", *map(str, words)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(command, text=True, **pipes)


def test_it_ends_as_the_command_does(tmp_path: Path) -> None:
    with started("check", tmp_path / "none.json") as running:
        assert running.wait(timeout=60) == 2
        assert running.stdout is not None
        said = running.stdout.read()
    assert "no such file" in said
    assert "Fatal" not in said


def test_it_ends_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "endless.json")
    # To open it waits until the command reads; then that waits for something to read.
    with started("check", tmp_path / "endless.json") as running, open(tmp_path / "endless.json", "wb"):
        assert running.poll() is None
        assert running.stdin is not None
        running.stdin.close()
        assert running.wait(timeout=60) == 1
