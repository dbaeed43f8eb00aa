"""Files of texts: separators, encodings, headers, ragged rows; what was unsure is said."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.tables.reading import Options, read_table
from chorale.tables.table import Table


@pytest.fixture
def read(tmp_path: Path):  # type: ignore[no-untyped-def]
    def read(content: str | bytes, name: str = "table.csv", **options: object) -> Table:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_table(path, Options(**options))  # type: ignore[arg-type]

    return read


GRID = [["Name", "Age", "Town"], ["Anna", "31", "Bern, old"], ["Bert", "27", 'the "Hill"'], ["Cleo", "45", ""]]


def written(rows: list[list[str]], separator: str) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=separator).writerows(rows)
    return stream.getvalue()


@pytest.mark.parametrize("separator", list(",;\t|"))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_separator_and_the_encoding_are_found(read, separator: str, encoding: str) -> None:  # type: ignore[no-untyped-def]
    table = read(written(GRID, separator).encode(encoding))
    assert [list(table.header), *map(list, table.rows)] == GRID
    assert table.source.separator == separator
    assert not table.notes


_letters = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)


@given(
    st.lists(st.tuples(_letters, st.integers(0, 999).map(str)), min_size=3, max_size=8),
    st.sampled_from(",;\t|"),
)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]], separator: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "back.csv"
    path.write_text(written([["Name", "Age"], *map(list, rows)], separator), encoding="utf-8", newline="")
    table = read_table(path, Options(separator=separator, header=True))
    assert table.rows == tuple(rows)


def test_letters_that_are_not_utf8_are_those_of_windows(read) -> None:  # type: ignore[no-untyped-def]
    table = read("Name,Age\nJosé,3\n".encode("cp1252"))
    assert table.rows == (("José", "3"),)
    assert [str(note) for note in table.notes] == [
        "line 2 is not UTF-8 and was read as cp1252; otherwise: --encoding 'latin-1'"
    ]
    assert read("Name,Age\nJosé,3\n".encode("latin-1"), encoding="latin-1").rows == table.rows
    assert read(b"Name,Age\n\x81,3\n").source.encoding == "latin-1"


def test_a_packed_file_is_unpacked(read) -> None:  # type: ignore[no-untyped-def]
    assert read(gzip.compress(b"Name,Age\nAnna,3\n"), "table.csv.gz").rows == (("Anna", "3"),)


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Name;Age\nAnna;3\n")))
    table = read_table("-")
    assert table.header == ("Name", "Age")
    assert table.path is None


@pytest.mark.parametrize(
    ("content", "header"),
    [
        ("Name,Age\nAnna,31\nBert,27\n", ("Name", "Age")),
        ("Anna,31\nBert,27\n", ("", "")),
        ("Team,2019,2020\nA,3,4\nB,5,6\n", ("Team", "2019", "2020")),
        ("2019,4\n2020,5\n2021,6\n", ("", "")),
        ("Name,Town\nAnna,Bern\nBert,Rome\n", ("Name", "Town")),
        ("yes,no\nno,no\nyes,yes\n", ("", "")),
        ("Sales of May,,\n,,\nName,Qty,Price\na,1,2.5\nb,2,3.5\n", ("Name", "Qty", "Price")),
    ],
)
def test_a_header_is_found_or_made(read, content: str, header: tuple[str, ...]) -> None:  # type: ignore[no-untyped-def]
    assert read(content).header == header


def test_whoever_knows_better_says_whether_there_is_a_header(read) -> None:  # type: ignore[no-untyped-def]
    assert read("Anna,31\nBert,27\n", header=True).header == ("Anna", "31")
    table = read("Name,Age\nAnna,31\n", header=False)
    assert [column.name for column in table.columns] == ["column 1", "column 2"]
    assert len(table) == 2


def test_a_made_header_and_a_title_are_said(read) -> None:  # type: ignore[no-untyped-def]
    assert [note.flag for note in read("Anna,31\nBert,27\n").notes] == ["--header"]
    assert [note.flag for note in read("Name,Town\nAnna,Bern\n").notes] == ["--no-header"]
    table = read("Sales of May,,\n\nName,Qty,Price\na,1,2.5\nb,2,3.5\n")
    assert "line 1 was taken as a title" in str(table.notes[0])
    assert table.source.first_line == 3


def test_short_rows_are_filled_up_and_long_ones_get_columns(read) -> None:  # type: ignore[no-untyped-def]
    table = read("Name,Age\nAnna\nBert,27,,\nCleo,45,x\n\n,,\n", separator=",")
    assert table.header == ("Name", "Age", "")
    assert table.rows == (("Anna", "", ""), ("Bert", "27", ""), ("Cleo", "45", "x"))
    assert "1 row has more cells than the header has names, first in line 4" in str(table.notes[0])


def test_columns_that_are_quite_empty_at_the_end_are_left_out(read) -> None:  # type: ignore[no-untyped-def]
    assert read("Name,Age,,\nAnna,31,,\n").header == ("Name", "Age")


def test_commas_in_sentences_are_no_separators(read) -> None:  # type: ignore[no-untyped-def]
    assert read("Title\nHello, world\nno comma\nwell, well, well\n").width == 1


def test_a_second_separator_that_would_do_is_said(read) -> None:  # type: ignore[no-untyped-def]
    table = read("a,x;b\n1,5;2\n3,5;4\n")
    assert table.source.separator == ";"
    assert table.notes[0].flag == "--separator ','"
    assert read("a,x;b\n1,5;2\n3,5;4\n", separator=",").header == ("a", "x;b")


def test_quotes_that_another_program_escaped_are_read(read) -> None:  # type: ignore[no-untyped-def]
    assert read('"Name","Song"\n"E. \\"Doc\\" Smith","1"\n').rows == (('E. "Doc" Smith', "1"),)
    assert read('Name, Song\na, "b, c"\n').rows == (("a", "b, c"),)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"", {}, r"table\.csv: empty"),
        (b"\n ,\n", {}, r"table\.csv: empty"),
        (b'a,b\n1,2\n"x,1\n2,3\n', {}, r"table\.csv:3: a quote that opens here is never closed"),
        (b'a,b\n"x"y,1\n', {}, r"table\.csv:2: something stands behind a closing quote"),
        (b"a,b\n1,\0\n", {}, r"table\.csv:2: a byte of zeros"),
        (b"a,b\n\xff,1\n", {"encoding": "utf-8"}, r"table\.csv:2: not utf-8: byte 0xff"),
        (b"a,b\n", {"encoding": "klingon"}, "encoding: 'klingon'"),
        (b"a,b\n", {"encoding": "hex"}, "encoding: 'hex'"),
        (b"a,b\n", {"table": "x"}, "leave out --table"),
        (b"a,b\n", {"separator": ",,"}, "separator: expected one character"),
        (b"\xd0\xcf\x11\xe0abc", {}, r"old \.xls"),
        (b"a," * 2000 + b"a\n", {}, "more than 1,000 columns"),
        (b"a,b\n" + b"x" * 200_000 + b",1\n", {}, r"table\.csv:2: a cell of more than 131,072 letters"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(read, content: bytes, options: dict[str, str], message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ChoraleError, match=message):
        read(content, **options)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match="no such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(ChoraleError, match="this is a folder"):
        read_table(tmp_path)


_bytes = st.one_of(
    st.binary(max_size=300),
    st.text(st.sampled_from(list('ab1,;|\t"\\\n\r .-/%€é\0')), max_size=300).map(lambda text: text.encode()),
    st.tuples(
        st.sampled_from([b"\xff\xfe", b"\xef\xbb\xbf", b"SQLite format 3\0", b"PAR1", b"PK\3\4"]), st.binary()
    ).map(b"".join),
    st.binary().map(lambda content: b"\x1f\x8b" + content),
)


@given(_bytes, st.sampled_from([None, True, False]), st.sampled_from([None, ",", "\t"]))
def test_whatever_a_file_holds_it_is_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, said: bool | None, separator: str | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(content)
    try:
        table = read_table(path, Options(header=said, decimal_comma=said, day_first=said, separator=separator))
    except ChoraleError:
        return
    assert all(len(row) == table.width for row in table.rows)
    assert len(table.columns) >= table.width
    assert sum(len(cell) for row in (table.header, *table.rows) for cell in row) <= len(content) * 4
    for note in table.notes:
        assert str(note)
