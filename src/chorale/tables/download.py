"""Where WikiTableQuestions is on the internet, and the hashes of the files that training needs.

The hashes, in `wtq.sha256`, are of the authors' release 1.0.2: the questions of the training part, its first split, and
their tables. The test questions are not fetched.
"""

from importlib import resources
from pathlib import PurePosixPath

from chorale.plumbing.download import DataSet, RemoteFile

_QUESTIONS = ".tsv"


def wtq() -> DataSet:
    """The data set."""
    lines = resources.files(__package__).joinpath("wtq.sha256").read_text().splitlines()
    return DataSet(
        "https://raw.githubusercontent.com/ppasupat/WikiTableQuestions/master",
        tuple(_file(*line.split("  ")) for line in lines),
        "WikiTableQuestions, Pasupat and Liang 2015, CC-BY-SA-4.0",
    )


def _file(sha256: str, name: str) -> RemoteFile:
    """A file that goes to `name`; the authors keep questions in a folder of their own."""
    return RemoteFile(name, f"data/{name}" if PurePosixPath(name).suffix == _QUESTIONS else name, sha256=sha256)
