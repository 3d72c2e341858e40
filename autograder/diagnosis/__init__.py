"""Why a check failed: pure functions from outcomes to the idea that produces them."""
