"""The list of licences is in step with the versions that are pinned, and with what the packages say."""

from tools.licences import PAGE, page, pinned


def test_the_page_is_what_the_packages_say() -> None:
    before = PAGE.read_text(encoding="utf-8")
    assert page(before) == before, "run make licences"
    assert "unknown" not in before
    assert "not said" not in before


def test_a_package_that_is_not_installed_keeps_its_row_until_its_version_changes() -> None:
    before = PAGE.read_text(encoding="utf-8")
    version = pinned()["pip-audit"]
    row = f"| pip-audit | {version} | "
    assert row in before
    assert "| pip-audit | 0.1 | " not in page(before.replace(row, "| pip-audit | 0.1 | "))
