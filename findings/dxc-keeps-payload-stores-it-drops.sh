#!/usr/bin/env bash
# DXC warns that it drops a store which payload access qualifiers forbid, and for SPIR-V keeps it.
#
# `write will be dropped ('a' is not qualified 'write' for shader stage 'closesthit')` comes for both targets. In DXIL the store stays, too, since the driver
# follows the qualifiers, which the container carries; SPIR-V has no such qualifiers, so there it must be left out, and is not: the caller sees 1 where
# Direct3D's sees what it had. Slang 2026.12 writes the store into GLSL without a word. Seen in the library of compushady 0.17.5 (1.7.0) and in a
# build of the sources of August 2026.
#
# Guess written down first: "no store of 1 in the SPIR-V, as the message says".
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
cat > payload.py <<'P'
import ctypes as c, re, struct, uuid

SOURCE = b"""struct [raypayload] P { float a : read(caller) : write(miss); float b : read(caller) : write(closesthit); };
[shader("closesthit")] void hit(inout P p, in BuiltInTriangleIntersectionAttributes x) { p.a = 1; p.b = 2; }"""


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


result, code, messages = c.c_void_p(), c.c_void_p(), c.c_void_p()
words = [c.create_unicode_buffer(w) for w in ("-T", "lib_6_7", "-spirv", "-fspv-target-env=vulkan1.2")]
args = (c.c_void_p * len(words))(*[c.addressof(w) for w in words])
source = Buffer(SOURCE, len(SOURCE), 65001)
call(compiler, 3, (P, c.addressof(source)), (P, c.addressof(args)), (U, len(words)), (P, None), (P, c.addressof(result_id)), (P, c.addressof(result)))
call(result, 5, (P, c.addressof(messages)))
print(re.search("write will be dropped", bytes_of(messages).decode()).group())
call(result, 4, (P, c.addressof(code)))
module = bytes_of(code)
words, at, constants = struct.unpack("<%dI" % (len(module) // 4), module), 5, {}
while at < len(words):
    size, op = words[at] >> 16, words[at] & 0xFFFF
    if op == 43:  # OpConstant
        constants[words[at + 2]] = str(struct.unpack("<f", struct.pack("<I", words[at + 3]))[0])
    if op == 44:  # OpConstantComposite
        constants[words[at + 2]] = " ".join(constants[w] for w in words[at + 3 : at + size])
    if op == 62:  # OpStore
        print("stored:", constants[words[at + 2]])
    at += size
P
python3 payload.py > seen.txt
cat seen.txt
printf 'write will be dropped\nstored: 1.0 2.0\n' > wanted.txt
cmp seen.txt wanted.txt
echo "as described"
