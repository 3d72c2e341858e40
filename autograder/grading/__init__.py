"""One submission and many: calls, checks, marks, result files."""
