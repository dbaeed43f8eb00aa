"""Everyday tables and questions about them, made up by us: each question with the program that it means."""
