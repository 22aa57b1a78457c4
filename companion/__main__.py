"""`python -m companion` is the command `companion`."""

from ui.terminal.app import main

if __name__ == "__main__":
    main()
