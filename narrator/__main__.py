"""`python -m narrator`, the same as `narrator`."""

from narrator.cli.start import main

if __name__ == "__main__":
    main()
