"""What does the work: processes on this machine, or a Ray cluster, behind one interface."""
