"""Run the command line as ``python -m presidio_cdip``."""

from presidio_cdip.cli.main import main

if __name__ == "__main__":
    main()
