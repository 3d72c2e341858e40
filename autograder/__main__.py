"""`python -m autograder` and the installed command `autograder`."""

from autograder.cli.main import main

if __name__ == "__main__":
    main()
