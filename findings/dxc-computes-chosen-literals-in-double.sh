#!/usr/bin/env bash
# DXC computes with literals in `double` where a condition chooses between them, in shaders that have no doubles.
#
# `c ? 0.1 : 0.2` has the type `literal float`, which becomes `float` where it is used as one: so a product of two such choices that is stored into a
# `float` could be a product of floats. It is a `double` product, rounded at the end, and the shader needs a device with doubles; `sin` of such
# a choice is `dx.op.unary.f64` of an operation that has no such overload, which the validator refuses ("DXIL intrinsic overload must be
# valid"), so that valid HLSL does not compile. Suffixes (`0.1f`) help. Seen in the library of compushady 0.17.5 (1.7.0) and in a build of the sources
# of August 2026.
#
# Guess written down first: "all of it is float".
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
cat > literals.py <<'P'
import ctypes as c, uuid

PRODUCT = b"""RWStructuredBuffer<float> Out;
[numthreads(1, 1, 1)] void main(uint3 t : SV_DispatchThreadID) { bool c = t.x & 1, d = t.x & 2; Out[0] = (c ? 0.1 : 0.2) * (d ? 0.3 : 0.4); }"""
SINE = b"""RWStructuredBuffer<float> Out;
[numthreads(1, 1, 1)] void main(uint3 t : SV_DispatchThreadID) { bool c = t.x & 1; Out[0] = sin(c ? 0.1 : 0.2); }"""


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


def compiled(text):
    """The listing, or the messages."""
    result, code, listing, out = (c.c_void_p() for _ in range(4))
    words = [c.create_unicode_buffer(w) for w in ("-T", "cs_6_0", "-E", "main")]
    args = (c.c_void_p * 4)(*[c.addressof(w) for w in words])
    source, status = Buffer(text, len(text), 65001), c.c_int32()
    call(compiler, 3, (P, c.addressof(source)), (P, c.addressof(args)), (U, 4), (P, None), (P, c.addressof(result_id)), (P, c.addressof(result)))
    call(result, 3, (P, c.addressof(status)))
    if status.value:
        call(result, 5, (P, c.addressof(out)))
        return bytes_of(out).decode()
    call(result, 4, (P, c.addressof(code)))
    object_ = bytes_of(code)
    container = Buffer(object_, len(object_), 0)
    call(compiler, 4, (P, c.addressof(container)), (P, c.addressof(result_id)), (P, c.addressof(listing)))
    call(listing, 7, (U, 5), (P, c.addressof(blob_id)), (P, c.addressof(out)), (P, None))
    return bytes_of(out).decode()


for source in (PRODUCT, SINE):
    for line in compiled(source).splitlines():
        if "Double-precision" in line or "fmul" in line or "error:" in line:
            print(" ".join(line.replace(";", "").split()[-4:]))
P
python3 literals.py > seen.txt
cat seen.txt
printf 'Double-precision floating point\nfast double %%7, %%8\nerror: validation errors\noverload must be valid.\n' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
