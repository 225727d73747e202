"""Keeps numpy's matrix products on the calling thread."""

from __future__ import annotations


def one_thread() -> None:
    """Limit BLAS to one thread from now on.

    Its threads wait for one another by spinning: on a machine that is also mixing sound, a decoding
    step of 15 ms was seen to take 800.
    """
    import threadpoolctl  # type: ignore[import-untyped]  # ships no types

    threadpoolctl.threadpool_limits(limits=1, user_api="blas")
