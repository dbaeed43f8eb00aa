"""Metrics, significance, comparison. Knows programs and denotations, no torch."""
