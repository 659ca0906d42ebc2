"""Compiles two libraries, links them into one shader, and looks at the result."""

import rtc

PART = "export float twice(float x) { return 2 * x; }"
MAIN = """
float twice(float x);
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(8, 1, 1)]
void Start(uint n : SV_DispatchThreadID) { Out.Store(n * 4, asuint(twice(n))); }
"""

session = rtc.Session()
part = session.compile(PART, profile="lib_6_x", name="part.hlsl")
main = session.compile(MAIN, profile="lib_6_x", name="main.hlsl")
linked = session.link({"part": part, "main": main}, profile="cs_6_6", entry="Start")
assert linked.reflection["stage"] == "compute", linked.reflection
assert session.validate(linked), session.validate(linked).findings

try:
    session.link({"main": main}, profile="cs_6_6", entry="Start")
except rtc.LinkError as e:
    assert "twice" in str(e)
    print(e)
else:
    raise AssertionError("`twice` is missing")
