"""`python -m autograder` and the installed command `autograder`."""

import os

# Before numpy is loaded: on matrices of a few rows threads cost more than they bring, most of all at start.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.cli.main import main

if __name__ == "__main__":
    main()
