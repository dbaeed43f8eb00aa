"""The version of the package."""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed


def version() -> str:
    """As it is installed; a folder that is not installed has none."""
    try:
        return installed("chorale")
    except PackageNotFoundError:
        return "0+unknown"
