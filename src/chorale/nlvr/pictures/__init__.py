"""NLVR's pictures: scenes, worlds of them, pixels, drawings, and random ones."""
