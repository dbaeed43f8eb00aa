"""Random tables for tests."""

from hypothesis import strategies as st

from chorale.tables.table import Table

cells = st.one_of(
    st.sampled_from(["", "-", "Rome", "rome[1]", "Oslo, Norway", "Bern, Switzerland", "Total", "INV-7"]),
    st.sampled_from(["3–2", "1998–99", "May 3, 1998", "3/12/1998", "2:31.5", "$5 million", "12th"]),
    st.sampled_from(["Ann Lee", "Bob Lee", "Ann, Bob and Cy", "Ann, Cy", "Rome\nOslo", "Rome (Italy)", "2–2", "1–4"]),
    st.integers(-20, 3000).map(str),
    st.text(max_size=6),
)


@st.composite
def tables(draw: st.DrawFn, columns: int = 4, rows: int = 7) -> Table:
    """A table whose columns hold few different cells, so that views and totals are not rare."""
    width = draw(st.integers(1, columns))
    length = draw(st.integers(0, rows))
    choices = [draw(st.lists(cells, min_size=1, max_size=4)) for _ in range(width)]
    header = draw(st.lists(st.sampled_from(["Name", "Year", "", "Points\nhome"]), min_size=width, max_size=width))
    return Table(header, [[draw(st.sampled_from(choice)) for choice in choices] for _ in range(length)])
