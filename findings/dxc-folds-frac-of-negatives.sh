#!/usr/bin/env bash
# DXC folds `frac` of a negative constant to the fraction of its absolute value, if the constant comes from a variable.
#
# `frac(x)` is x - floor(x): `frac(-16.25)` is 0.75, which DXC gives for the literal (the front end folds that one) and which hardware gives at run
# time. Of `float x = -16.25; frac(x)` the optimizer's folding of DXIL operations makes 0.25, at any optimization level but -Od, without a warning:
# one expression has two values in one shader. Seen in the library of compushady 0.17.5 (1.7.0) and in a build of the sources of August 2026.
#
# Guess written down first: "0.75 both times".
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
cat > frac.py <<'P'
import ctypes as c, uuid

SOURCE = b"""RWStructuredBuffer<float> Out;
[numthreads(1, 1, 1)] void main() { float x = -16.25; Out[0] = frac(-16.25); Out[1] = frac(x); }"""


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
compiler, result, code, listing, text = (c.c_void_p() for _ in range(5))
create(guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0"), guid("228b4687-5a6a-4730-900c-9702b2203f54"), c.byref(compiler))
words = [c.create_unicode_buffer(w) for w in ("-T", "cs_6_0", "-E", "main")]
args = (c.c_void_p * 4)(*[c.addressof(w) for w in words])
result_id, blob_id = guid("58346cda-dde7-4497-9461-6f87af5e0659"), guid("8ba5fb08-5195-40e2-ac58-0d989c3a0102")
source = Buffer(SOURCE, len(SOURCE), 65001)
call(compiler, 3, (P, c.addressof(source)), (P, c.addressof(args)), (U, 4), (P, None), (P, c.addressof(result_id)), (P, c.addressof(result)))
call(result, 4, (P, c.addressof(code)))
object_ = bytes_of(code)
container = Buffer(object_, len(object_), 0)
call(compiler, 4, (P, c.addressof(container)), (P, c.addressof(result_id)), (P, c.addressof(listing)))
call(listing, 7, (U, 5), (P, c.addressof(blob_id)), (P, c.addressof(text)), (P, None))
for line in bytes_of(text).decode().splitlines():
    if "call void @dx.op.bufferStore.f32" in line:
        print(line.split("float ")[1].rstrip(", "))
P
python3 frac.py > seen.txt
cat seen.txt
printf '7.500000e-01\n2.500000e-01\n' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
