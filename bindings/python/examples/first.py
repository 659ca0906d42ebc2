"""Compiles a source, looks at what was made, and at the diagnostics of a wrong one."""

import rtc

SOURCE = """
RWByteAddressBuffer Out : register(u3);

[numthreads(N, 1, 1)]
void main(uint n : SV_GroupIndex) { Out.Store(n * 4, n); }
"""

result = rtc.compile(SOURCE, profile="cs_6_6", defines={"N": 4}, name="fill.hlsl")
assert result.object is not None and result.object.startswith(b"DXBC")
assert result.reflection["functions"][0]["numthreads"] == [4, 1, 1]
assert result.reflection["resources"][0]["name"] == "Out"
assert "define void @main()" in result.listing
assert rtc.validate(result)

spirv = rtc.compile(SOURCE, profile="cs_6_6", defines={"N": 4}, options=["-spirv"]).spirv
assert spirv is not None and spirv[:4] == b"\x03\x02\x23\x07"

try:
    rtc.compile(SOURCE, profile="cs_6_6", name="fill.hlsl")
except rtc.CompileError as e:
    error = e.diagnostics[0]
    assert error.place == rtc.Place("fill.hlsl", 4, 13), error
    print(e)
else:
    raise AssertionError("`N` is not defined")
