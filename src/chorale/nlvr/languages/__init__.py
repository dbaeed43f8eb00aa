"""NLVR's three languages, and what they share."""
