"""Results as the files that learning platforms take in: pure functions of results and platforms' lists."""
