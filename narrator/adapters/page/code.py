"""The QR code that a phone joins by, in characters of a terminal."""

from __future__ import annotations

import io

import segno


def qr_lines(address: str) -> list[str]:
    """Return the lines of a QR code; two rows of its squares in each."""
    written = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(written, border=2, compact=True)
    return written.getvalue().splitlines()
