"""What stages minimise: the losses of `training.stages`, one file for each kind that has one. They need torch."""
