"""The memory of a real process with many threads, as its C library counts it."""

from __future__ import annotations

import os
import sys

import pytest

from tests.fresh_process import output_of

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(sys.platform != "linux", reason="Only Linux' C library can be told to."),
]

POOLS = """
import ctypes, threading
from narrator.adapters.system import heap

{before}
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
start = threading.Barrier(8)

def allocate():
    start.wait()
    held = [libc.malloc(5000) for _ in range(200)]
    start.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(b"{report}", b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
print(open("{report}").read().count("<heap nr="))
"""
HELD = """
import ctypes
from narrator.adapters.system import heap

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * {page}

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
pieces = [ctypes.c_void_p(libc.malloc(50_000)) for _ in range(1000)]
[ctypes.memset(piece, 1, 50_000) for piece in pieces]
[libc.free(piece) for piece in pieces[:-1]]
before = resident()
heap.give_back()
print(before - resident() > 40_000_000)
"""


def test_threads_share_one_pool(tmp_path):
    report = tmp_path / "pools.xml"
    assert int(output_of(POOLS.format(before="", report=report))) > 1
    assert output_of(POOLS.format(before="heap.share()", report=report)) == "1"


def test_what_is_free_is_given_back():
    assert output_of(HELD.format(page=os.sysconf("SC_PAGE_SIZE"))) == "True"
