"""One third-party library or device per file, each behind a port of narrator.ports."""
