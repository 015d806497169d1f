"""`python -m tatc`: the command, where its script is not on the path."""

from tatc.cli import main

if __name__ == "__main__":
    main()
