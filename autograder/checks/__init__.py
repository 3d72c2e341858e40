"""Claims about outputs: pure functions from outcomes and expected values to verdicts."""
