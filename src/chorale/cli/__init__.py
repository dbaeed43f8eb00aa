"""The command line. Thin: a command parses arguments, calls one function and prints."""
