"""An autograder for numeric coursework. The public names are in `autograder.api`."""
