#!/usr/bin/env bash
# Slang folds conversions that are out of range and shifts by too much otherwise than Direct3D executes them.
#
# In DXIL a conversion of a float to an integer clamps (`ftou` of -1 is 0, `ftoi` of 3e10 is 2147483647), and shifts use the low five bits of the amount
# (1 << 33 is 2); DXC folds the shift so. Slang's front end folds HLSL's `(uint)-1.0` to 4294967295, `(int)3e10` to 4230197248 (the low 32 bits) and
# `1u << 33` to 0, and writes those into the HLSL that DXC gets, without a warning. The same expressions of values that are known at run time alone are
# left to the device, so that one expression has two values. Seen in the library of slangpy 0.43.1 (Slang 2026.12).
#
# Guess written down first: "0, 2147483647 and 2".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip download -q --no-deps --disable-pip-version-check --only-binary=:all: --python-version 3.11 --platform manylinux_2_34_x86_64 \
    --dest wheel slangpy==0.43.1
python3 - <<'P'
import glob, zipfile
z = zipfile.ZipFile(glob.glob("wheel/*.whl")[0])
name = next(n for n in z.namelist() if "libslang-compiler.so" in n)
open("libslang.so", "wb").write(z.read(name))
P
cat > folded.hlsl <<'E'
RWStructuredBuffer<uint> Out;
[shader("compute")] [numthreads(1, 1, 1)] void main() { Out[0] = (uint)-1.0; Out[1] = (int)3e10; Out[2] = 1u << 33; }
E
cat > folded.py <<'P'
import ctypes as c, re

slang = c.CDLL("./libslang.so")
for name in ("spCreateSession", "spCreateCompileRequest", "spGetEntryPointCode"):
    getattr(slang, name).restype = c.c_void_p
request = c.c_void_p(slang.spCreateCompileRequest(c.c_void_p(slang.spCreateSession(None))))
words = [w.encode() for w in "-target hlsl -profile sm_6_6 -stage compute -entry main -line-directive-mode none folded.hlsl".split()]
assert slang.spProcessCommandLineArguments(request, (c.c_char_p * len(words))(*words), len(words)) >= 0
assert slang.spCompile(request) >= 0
size = c.c_size_t()
text = c.string_at(slang.spGetEntryPointCode(request, 0, c.byref(size)), size.value).decode()
for value in re.findall(r"= (\d+)U;", text):
    print(value)
P
python3 folded.py > seen.txt
cat seen.txt
printf '4294967295\n4230197248\n0\n' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
