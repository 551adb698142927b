"""`python -m unround` is the command `unround`."""

from unround.cli import main

if __name__ == "__main__":
    main()
