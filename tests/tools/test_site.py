"""Pages from outside docs/ keep their links when they are moved into the site."""

from tools.site import moved


def test_links_lead_to_where_things_lie_in_the_site() -> None:
    text = "[a](docs/results.md#dev) [b](recipes/best.toml) [c](https://x.org/docs/x.md) [d](#here) [e](CHANGELOG.md)"
    found, linked = moved(text, "README.md")
    assert found == (
        "[a](results.md#dev) [b](files/recipes/best.toml) [c](https://x.org/docs/x.md) [d](#here) [e](changelog.md)"
    )
    assert linked == {"docs/results.md", "recipes/best.toml", "CHANGELOG.md"}


def test_a_page_that_lies_deeper_links_upwards() -> None:
    found, linked = moved("[a](../../../../docs/ranker.md)", "src/chorale/models/best/README.md")
    assert (found, linked) == ("[a](../ranker.md)", {"docs/ranker.md"})
