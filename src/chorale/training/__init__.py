"""Objectives, stages, recipes, runs."""
