"""Compiles permutations of a source on several threads with one session: each header is read once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import rtc

HEADERS = {
    "lib/scale.hlsli": '#include "factor.hlsli"\nfloat scale(float x) { return x * FACTOR; }\n',
    "lib/factor.hlsli": "#define FACTOR 2\n",
}

SOURCE = """
#include "lib/scale.hlsli"
RWByteAddressBuffer Out;
[numthreads(1, 1, 1)] void main() { Out.Store(0, asuint(scale(VALUE))); }
"""

read: list[str] = []


def find(path: str) -> str | None:
    """Finds a header; None for a path at which there is none."""
    read.append(path)
    return HEADERS.get(path)


session = rtc.Session(find)


def permutation(value: int) -> bytes:
    result = session.compile(SOURCE, profile="cs_6_6", defines={"VALUE": value}, options=["-spirv"], name="main.hlsl")
    assert set(result.includes) == set(HEADERS)
    assert result.spirv is not None
    return result.spirv


with ThreadPoolExecutor(4) as threads:
    made = list(threads.map(permutation, range(32)))
assert len(set(made)) == 32
statistics = session.statistics
assert statistics.reads_saved > statistics.reads, statistics
print(f"{len(made)} permutations, {statistics}")
