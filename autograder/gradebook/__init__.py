"""nbgrader's gradebook: the cells that an assignment has in it, and results written into it."""
