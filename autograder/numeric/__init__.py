"""Numbers: tolerance, comparison, drawing of inputs."""
