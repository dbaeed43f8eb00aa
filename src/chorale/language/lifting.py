"""Placeholder until the branch is merged."""


def lifted(kind, contexts):
    raise NotImplementedError
