"""What runs inside other people's programs: the plugin of pytest, and what nbgrader is given."""
