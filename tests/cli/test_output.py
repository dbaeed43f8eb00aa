"""What is printed: nothing that a terminal would obey, nothing without end, and no traceback on a full machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from tests.cli.conftest import Chorale
from typer.testing import CliRunner

from chorale.cli import output
from chorale.cli.output import complain, complain_all, printable, reported, say
from chorale.errors import ChoraleError

OBEYED = "\x1b]0;owned\x07\x1b[31m\x9b2J\r\x08\u202e\x7f"


def test_what_a_terminal_would_obey_is_spelled_out_and_the_rest_stays() -> None:
    assert printable(OBEYED) == r"\x1b]0;owned\x07\x1b[31m\x9b2J\r\x08\u202e\x7f"
    for text in ("There is a box.\n\tTwo lines", "Émile, 箱", r"\x1b"):
        assert printable(text) == text


def example(**values: object) -> str:
    whole = {"identifier": "1-0", "sentence": "A box.", "structured_rep": [[], [], []], "label": "true"}
    return json.dumps({**whole, **values})


@pytest.mark.parametrize(
    "line",
    [
        example(identifier=OBEYED),
        example(label=OBEYED),
        example(evals={OBEYED: 3}),
        example(sentence=3, directory=[OBEYED]),
        example(identifier="2-1") + "\n" + example(identifier="2-2", sentence=OBEYED),
        OBEYED,
    ],
)
def test_data_of_a_stranger_does_not_reach_the_terminal_raw(chorale: Chorale, tmp_path: Path, line: str) -> None:
    (tmp_path / "a.json").write_text(line)
    for called in (chorale("check", tmp_path / "a.json"), chorale("parse", "x", image=tmp_path / f"{OBEYED[:9]}.png")):
        assert called.status == 2
        assert not set(OBEYED) & set(called.err + called.out) - set("]0;owned[31m2J")


def test_keys_of_a_strangers_recipe_do_not_reach_the_terminal_raw(chorale: Chorale, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text('"\\u001B]0;owned\\u0007" = 3\nname = "x"\n')
    called = chorale("train", tmp_path / "r.toml", data=tmp_path, out=tmp_path / "run")
    assert called.status == 2
    assert r"\x1b]0;owned\x07: there is no such key" in called.err
    assert "\x1b" not in called.err


@pytest.mark.parametrize("field", ["identifier", "sentence", "label", "structured_rep", "directory", "evals"])
def test_a_value_of_megabytes_is_not_repeated(chorale: Chorale, tmp_path: Path, field: str) -> None:
    huge = {"structured_rep": ["x" * 2_000_000], "directory": ["x" * 2_000_000], "evals": {"x" * 2_000_000: 3}}
    line = example(**{field: huge.get(field, "x" * 2_000_000)})
    (tmp_path / "a.json").write_text(example(identifier="1-1") + "\n" + line)
    called = chorale("check", tmp_path / "a.json")
    assert called.status == 2
    assert len(called.err) < 1000


def test_a_file_of_nothing_but_bad_lines_is_not_read_to_its_end(chorale: Chorale, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}\n" * 3000)
    called = chorale("check", tmp_path / "a.json")
    assert "problems up to here; the rest of the file was not looked at" in called.err
    assert called.err.count("error: ") < 1010
    assert all(line.startswith("error: ") for line in called.err.splitlines())


def test_a_complaint_without_end_is_cut(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "MOST_SAID", 10)
    complain("x" * 25)
    complain_all(["a", "b"])
    assert capsys.readouterr().err == "error: xxxxxxxxxx ... and 15 more characters\nerror: a\nerror: b\n"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, "done\n"),
        ({"FORCE_COLOR": "1"}, "\x1b[32mdone\x1b[0m\n"),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, "done\n"),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, "done\n"),
    ],
)
def test_colour_is_for_terminals_and_for_those_who_ask_for_it(
    told: dict[str, str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    say("done", "green")
    assert capsys.readouterr().out == said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "out of memory"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes"), "out of memory"),
        (OSError(28, "No space left on device", "some.file"), "some.file: No space left on device"),
        (ChoraleError("wrong"), "wrong"),
    ],
)
def test_a_full_machine_is_told_with_status_2(error: Exception, said: str) -> None:
    app = typer.Typer()

    @app.command()
    @reported
    def failing() -> None:
        raise error

    result = CliRunner().invoke(app, [])
    assert result.exit_code == 2
    assert said in result.stderr


COMMAND = "import sys; from chorale.cli.main import main; sys.argv[0] = 'chorale'; main()"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [["grammar"], ["grammar", "--json"]])
def test_a_full_disk_behind_standard_output_is_no_traceback(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
        )
    assert done.returncode == 2
    assert done.stderr.strip() == "error: standard output: No space left on device"


LITTLE_MEMORY = """
import resource, sys
import chorale.nlvr.reader
from chorale.cli.main import main
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (40 << 20),) * 2)
sys.argv[0] = "chorale"
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits its memory as Linux does")
def test_a_file_that_does_not_fit_into_memory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_text("\n".join(example(identifier=f"{n}-0", sentence="x" * 1_900) for n in range(30_000)))
    done = subprocess.run(
        [sys.executable, "-c", LITTLE_MEMORY, "run", "object_exists(all_objects)", "--data", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 2, done.stderr
    assert "large.json" in done.stderr
    assert "out of memory" in done.stderr
    assert "Traceback" not in done.stderr
