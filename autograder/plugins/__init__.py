"""What runs inside other people's programs: pytest's plugin."""
