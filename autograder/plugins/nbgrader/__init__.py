"""nbgrader with our worker in the place of its kernel: what `nbgrader_config.py` names."""
