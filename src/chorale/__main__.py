"""`python -m chorale`: the command line."""

from chorale.cli.main import main

main()
