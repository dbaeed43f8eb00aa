"""What all commands have in common: help, statuses, no traceback, no torch, quick."""

import ast
import fcntl
import inspect
import os
import signal
import subprocess
import sys
import termios
import time
from importlib import import_module
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from chorale.cli.main import COMMANDS, app

EXAMPLES = ("check", "run", "actions", "grammar", "draw", "see", "synthesize", "recipes", "explain")
CHORALE = (sys.executable, "-m", "chorale")
YELLOW = "object_exists(yellow(all_objects))"


def process(*words, **options):
    command = [*CHORALE, *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, **options)


@pytest.mark.parametrize("command", EXAMPLES)
def test_help_of_each_command_has_an_example_and_json(chorale, command):
    called = chorale(command, "--help")
    assert called.status == 0
    assert f"Example: chorale {command}" in called.out
    assert "--json" in called.out


def test_help_lists_all_commands(chorale):
    called = chorale("--help")
    assert called.status == 0
    assert all(command in called.out for command in COMMANDS)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", COMMANDS)
def test_paragraphs_of_help_fill_their_lines(name, columns, monkeypatch):
    """A line that ends although the next word would have fitted breaks a paragraph in the middle."""
    monkeypatch.setenv("COLUMNS", str(columns))
    text = CliRunner().invoke(app, [name, "--help"]).output.partition("╭")[0]
    lines = [line.strip() for line in text.splitlines()]
    assert sum(line.startswith("Example: chorale " + name) for line in lines) >= 1
    for line, after in pairwise(lines):
        if line and after:
            assert len(line) + 1 + len(after.split()[0]) > columns - 2, line


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_the_first_of_its_docstring(name):
    paragraph = inspect.getdoc(getattr(import_module(f"chorale.cli.{name}"), name)).partition("\n\n")[0]
    assert COMMANDS[name] == " ".join(paragraph.split())


def completed(words, shell):
    """What the shell offers for the last of the words."""
    told = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" ")), "_TYPER_COMPLETE_ARGS": words}
    return process(env={**os.environ, **told, "_CHORALE_COMPLETE": f"complete_{shell}"}).stdout


def test_names_of_commands_and_options_are_completed():
    assert completed("chorale re", "bash").split() == ["recipes", "reproduce", "report"]
    assert COMMANDS["recipes"][:20] in completed("chorale re", "zsh")
    assert completed("chorale parse --an", "bash").split() == ["--answer-if"]


def test_the_shell_can_complete():
    done = process("--show-completion", "bash", env={**os.environ, "SHELL": "/bin/bash"})
    assert "--install-completion" in process("--help").stdout
    assert done.returncode in {0, 1}  # 1 where the shell cannot be told, as without a terminal
    assert "Traceback" not in done.stderr


def test_a_language_that_is_not_there_is_reported_with_the_nearest(chorale):
    called = chorale("grammar", language="consistant")
    assert called.status == 2
    assert "nlvr has no language 'consistant'; did you mean 'consistent'?" in called.err
    assert chorale("grammar").out == chorale("grammar", language="consistent").out


def test_version_is_printed(chorale):
    called = chorale("--version")
    assert called.status == 0
    assert called.out.startswith("chorale ")


def test_help_loads_nothing_heavy():
    """It answers at once (0.2 s), which is not timed here: what it loads is what it takes."""
    script = """
import sys
from typer.testing import CliRunner
from chorale.cli.main import app
assert CliRunner().invoke(app, ["--help"]).exit_code == 0
loaded = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(sorted(name for name in loaded if not name.startswith("_")))
print(sorted(name for name in sys.modules if name.startswith("chorale.")))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    packages, modules = map(ast.literal_eval, done.stdout.splitlines())
    brought_by_typer = {"annotated_doc", "click", "markdown_it", "mdurl", "pygments", "rich", "shellingham"}
    assert set(packages) <= {"chorale", "typer", *brought_by_typer}
    assert modules == ["chorale.cli", "chorale.cli.main", "chorale.cli.output", "chorale.errors"]


def test_no_command_imports_torch(data, tmp_path):
    script = f"""
import sys
from typer.testing import CliRunner
from chorale.cli.main import app
data, folder = {str(data)!r}, {str(tmp_path)!r}
for words in (
    ["check", data],
    ["run", {YELLOW!r}, "--data", data, "--against-labels"],
    ["actions", {YELLOW!r}],
    ["grammar"],
    ["draw", data, "0-0", "--out", folder + "/plain.png"],
    ["draw", data, "0-0", "--out", folder + "/trace.svg", "--program", {YELLOW!r}],
    ["see", folder + "/plain.png", "--program", {YELLOW!r}],
    ["explain", "There is a yellow square", "--data", data, "0-0", "--html", folder + "/page.html"],
    ["synthesize", "--out", folder + "/corpus", "--utterances", "1", "--dev", "1", "--test", "1"],
):
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (words, result.output)
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "missing.json"],
        ["run", YELLOW, "--data", "missing.json"],
        ["run", "--programs", "missing.txt", "--data", "missing.json"],
        ["run", "object_exists(", "--data", "missing.json"],
        ["actions", "yellow(all_objects)"],
        ["draw", "missing.json", "--out", "picture.png"],
        ["see", "missing.png"],
        ["synthesize", "--out", "/dev/null/corpus"],
        ["grammar", "--language", "klingon"],
        ["grammar", "--format", "xml"],
        ["nothing"],
        ["actions"],
    ],
)
def test_bad_input_is_told_with_status_2_and_no_traceback(words, tmp_path):
    done = process(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_no_colour_in_pipes_and_markup_is_not_obeyed(tmp_path):
    done = process("see", "[red]x[/red].png", cwd=tmp_path)
    assert done.stderr.startswith("error: [red]x[/red].png: ")
    assert "\x1b" not in done.stderr


def test_a_reader_that_goes_away_is_no_traceback(data):
    command = [*CHORALE, "run", YELLOW, "--data", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 2


def _unread(pipe):
    """How many bytes of a pipe nobody has read so far."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def test_control_c_is_quiet_with_status_130(data):
    with subprocess.Popen(
        [*CHORALE, "run", "--programs", "-", "--data", str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell that starts the tests in the background has them ignore Ctrl-C, and children would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - nothing but a signal is set
    ) as running:
        running.stdin.write("\n")
        running.stdin.flush()
        while running.poll() is None and _unread(running.stdin):  # then it waits for more of its input
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        running.wait(timeout=60)
        assert running.stderr.read().strip() == ""
    assert running.returncode == 130
