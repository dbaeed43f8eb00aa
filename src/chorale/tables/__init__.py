"""Questions over tables: what cells are, tables and their altered copies, and how answers are compared."""
