"""`python -m tympan` is the command line."""

from tympan.cli.main import main

if __name__ == "__main__":
    main()
