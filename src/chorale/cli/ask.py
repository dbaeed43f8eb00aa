"""`chorale ask`: questions about a table, each answered with what is needed to check it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, BadParameter, Option

from chorale.cli.loading import load_model
from chorale.cli.options import ANSWER_IF, AnswerIf, Device, Json, ModelDomain, ModelName
from chorale.cli.output import complain, say, say_json
from chorale.domain.contexts import context_of
from chorale.domain.reading import not_known
from chorale.errors import ChoraleError
from chorale.explain.reply import Reply
from chorale.plumbing.files import STANDARD, check_file, lines, write

TABLES = Path("tables")
"""The model that is asked if none is named."""
_SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}


def ask(
    table: Annotated[
        Path,
        Argument(metavar="TABLE", help="CSV, TSV, .xlsx, Parquet, DuckDB, SQLite or JSON; - is stdin."),
    ],
    questions: Annotated[
        list[str] | None, Argument(metavar="[QUESTION]...", help="What to ask; without one, a prompt opens.")
    ] = None,
    file: Annotated[
        Path | None, Option("--questions", metavar="FILE", help="Questions to ask, one a line; - is stdin.")
    ] = None,
    html: Annotated[
        Path | None, Option(metavar="FILE", help="Write a page with the rows and cells of each step.")
    ] = None,
    name: Annotated[
        str | None, Option("--table", metavar="NAME", help="Which table or sheet, where the file has several.")
    ] = None,
    separator: Annotated[
        str | None, Option(metavar="CHARACTER", help="What stands between cells: , ; | or tab.")
    ] = None,
    header: Annotated[
        bool | None, Option("--header/--no-header", help="Whether the first line names the columns.")
    ] = None,
    decimal_comma: Annotated[
        bool | None, Option("--decimal-comma/--no-decimal-comma", help="Whether 1.200,50 is 1200 and a half.")
    ] = None,
    day_first: Annotated[
        bool | None, Option("--day-first/--no-day-first", help="Whether 3/12/1998 is in December.")
    ] = None,
    encoding: Annotated[str | None, Option(metavar="NAME", help="utf-8, cp1252, utf-16 ...")] = None,
    answer_if: AnswerIf = ANSWER_IF,
    model: ModelName = None,
    device: Device = "cpu",
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Ask a table questions: the answer, the program behind it in plain words and as SQL, and how sure it is.

    Nothing leaves this computer. The answer comes from the table's own cells, or it is "not known". Without a question
    a prompt opens; lines of standard input are asked one after another. What could have been read otherwise is said,
    with the option that says how it is meant.

    Example: chorale ask sales.csv "which product has the highest total?"
    """
    asked = _asked(table, questions or [], file)
    if html is not None:
        check_file(html)
        if asked is None:
            raise BadParameter("a page needs a question: give one, or --questions", param_hint="--html")
    loaded = load_model(model or TABLES, domain, device)
    options = _given(
        table=name,
        separator=_SEPARATORS.get(separator or "", separator),
        header=header,
        decimal_comma=decimal_comma,
        day_first=day_first,
        encoding=encoding,
    )
    context = context_of(loaded.domain, table, **options)
    for note in [] if as_json or loaded.domain.codec is None else loaded.domain.codec.notes(context):
        complain(note, "note")

    def answered(question: str) -> Reply:
        return loaded.ask(context, question, answer_if=answer_if)

    if asked is None:
        from chorale.cli.prompt import Prompt  # noqa: PLC0415 - who asks one question does without

        Prompt(answered, table, context).run()
        return
    replies = _said(map(answered, asked), as_json, is_one=len(questions or []) == 1)
    if html is not None:
        from chorale.explain.page import page_of_replies  # noqa: PLC0415 - who wants no page does without

        write(html, page_of_replies(list(replies)).encode())
    else:
        for _ in replies:
            pass


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _asked(table: Path, questions: list[str], file: Path | None) -> Iterable[str] | None:
    """The questions, one after another; None if a prompt is to ask for them."""
    if questions and file is not None:
        raise BadParameter("give questions or a file of them, not both", param_hint="--questions")
    if questions:
        for question in questions:
            if not question.strip():
                raise BadParameter("a question is empty", param_hint="QUESTION")
        return questions
    if table == STANDARD and file in {None, STANDARD}:
        raise ChoraleError(
            "standard input is the table, so no questions can be read from it; give them as arguments or in a file: "
            '--questions FILE, as in: chorale ask - "how many rows are there?" < sales.csv'
        )
    if file is None and sys.stdin.isatty():
        return None
    return _lines(STANDARD if file is None else file)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file that are not empty."""
    found = False
    for number, content in lines(path):
        try:
            question = content.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise ChoraleError(f"{path}:{number}: not UTF-8: byte 0x{content[error.start]:02x}") from None
        if question:
            found = True
            yield question
    if not found:
        raise ChoraleError(f"{path}: no question in it; expected one a line")


def _said(replies: Iterable[Reply], as_json: bool, is_one: bool) -> Iterator[Reply]:
    """Print replies as they come."""
    for number, reply in enumerate(replies):
        if as_json:
            say_json(reply.to_json())
        else:
            if not is_one:
                say(f"{chr(10) * (number > 0)}{reply.question}", "faint")
            say_reply(reply)
            say_sources(reply)
        sys.stdout.flush()
        yield reply


def say_reply(reply: Reply) -> None:
    """The answer, how sure it is, what speaks against it, and how the question was read."""
    say(reply.text if reply.is_known else not_known(reply.reasons), "bold" if reply.is_known else "")
    if (doubtful := reply.doubtful) is not None:
        say(f"the program says {doubtful}, which is not trusted")
    say(f"{reply.confidence:.0%} sure")
    for reason in reply.reasons[0 if reply.is_known else 1 :]:
        say(f"  but {reason}")
    if reply.plain is not None:
        say(f"\nread as  {reply.plain}")


def say_sources(reply: Reply) -> None:
    """The program, and the same as SQL."""
    if reply.program is not None:
        say(f"program  {reply.program}\n")
        say_sql(reply)


def say_sql(reply: Reply) -> None:
    """The query, or why there is none."""
    if reply.sql is not None:
        say(reply.sql)
    if reply.query.remark:
        say(f"({reply.query.remark})", "faint")
