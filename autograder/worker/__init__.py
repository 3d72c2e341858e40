"""Where a submission runs: outside this process, and only its outcomes come back."""
