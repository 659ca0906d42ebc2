// Raw and structured buffers of a library in shaders of older models: before 6.2 their loads and stores have other operations, before 6.3 numbers of 64 bits
// are pairs of words. One to four components, all of a store or some, at places that are computed.
// RUN: %rtc -T lib_6_x -default-linkage external -DB %s -Fo %t.b.dxil
// RUN: %rtc -T lib_6_x -default-linkage external -DA %s -Fo %t.a.dxil
// RUN: cp %S/Inputs/linked_raw_buffers.toml %T/linked_raw_buffers.toml
// RUN: %rtc link -T cs_6_0 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s --check-prefix=OLDEST
// RUN: %rtc-run-cpu %T/linked_raw_buffers.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_1 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s --check-prefix=OLDEST
// RUN: %rtc-run-cpu %T/linked_raw_buffers.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_2 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s --check-prefix=NARROW
// RUN: %rtc-run-cpu %T/linked_raw_buffers.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_3 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: %rtc dis %T/linked.dxil | FileCheck %s --check-prefix=WIDE
// RUN: %rtc-run-cpu %T/linked_raw_buffers.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_raw_buffers.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json
// CHECK: 86{{,$}}
// CHECK-NEXT: 103{{,$}}
// CHECK-NEXT: 2864434397{{,$}}
// CHECK-NEXT: 287454020{{,$}}
// CHECK-NEXT: 1{{,$}}
// CHECK-NEXT: 1{{,$}}
// CHECK-NEXT: 2{{,$}}
// CHECK-NEXT: 2{{,$}}
// CHECK-NEXT: 3{{,$}}
// CHECK-NEXT: 3{{,$}}
// CHECK-NEXT: 4{{,$}}
// CHECK-NEXT: 4{{,$}}
// CHECK-NEXT: 5{{,$}}
// CHECK-NEXT: 5{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 1072693248{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 1073741824{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 1074790400{{,$}}
// CHECK-NEXT: 0{{,$}}
// CHECK-NEXT: 1075838976{{,$}}
// CHECK-NEXT: 3{{,$}}
// CHECK-NEXT: 4{{,$}}
// CHECK-NEXT: 5{{,$}}
// CHECK-NEXT: 5{{,$}}
// CHECK-NEXT: 1{{,$}}
// CHECK-NEXT: 2{{,$}}
// CHECK-NEXT: 4{{,$}}
// CHECK-NEXT: 8{{,$}}
// CHECK-NEXT: 221{{,$}}
// CHECK-NEXT: 68{{,$}}
// CHECK-NEXT: 1{{,$}}
// OLDEST-NOT: rawBuffer
// OLDEST: bufferLoad.i32
// OLDEST: bufferStore.i32
// OLDEST-NOT: rawBuffer
// NARROW-NOT: rawBuffer{{Load|Store}}.{{i|f}}64
// NARROW-NOT: buffer{{Load|Store}}.i32
// NARROW: rawBufferLoad.i32
// NARROW-NOT: buffer{{Load|Store}}.i32
// NARROW-NOT: rawBuffer{{Load|Store}}.{{i|f}}64
// WIDE: rawBufferLoad.i64
struct Record { uint64_t4 longs; double2 doubles; uint word; uint64_t3 three; };
RWByteAddressBuffer Out : register(u0);
RWStructuredBuffer<Record> Records : register(u1);
uint64_t total(uint n);
void change(uint n);
#ifdef A
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    uint k = Out.Load(252);
    Record r;
    r.longs = uint64_t4(0x100000002, 0x300000004, 0x500000006, 0x700000008) + k;
    r.doubles = double2(1.5, -2.25) + k;
    r.word = 9 + k;
    r.three = uint64_t3(0x10000000a, 0x20000000b, 0x30000000c);
    Records[k + 1] = r;
    change(k + 1);
    uint64_t sum = total(k + 1);
    Out.Store2(0, uint2((uint)sum, (uint)(sum >> 32)));
    // One to four numbers of 64 bits at once.
    Out.Store<uint64_t>(8 + k, 0x11223344aabbccdd);
    Out.Store<uint64_t2>(16 + k, uint64_t2(0x100000001, 0x200000002));
    Out.Store<uint64_t3>(32 + k, uint64_t3(0x300000003, 0x400000004, 0x500000005));
    Out.Store<double4>(64 + k, double4(1, 2, 4, 8));
    uint64_t3 again = Out.Load<uint64_t3>(32 + k);
    double4 d = Out.Load<double4>(64 + k);
    Out.Store4(96, uint4((uint)again.x, (uint)(again.y >> 32), (uint)again.z, (uint)(again.z >> 32)));
    Out.Store4(112, uint4((uint)d.x, (uint)d.y, (uint)d.z, (uint)d.w));
    Out.Store3(128, Out.Load3(8 + k) & 0xff);
}
#endif
#ifdef B
uint64_t total(uint n)
{
    Record r = Records[n];
    return r.longs.x + r.longs.y + r.longs.z + r.longs.w + (uint64_t)(r.doubles.x * 4) + (uint64_t)(r.doubles.y * -4) + r.word + r.three.x + r.three.y + r.three.z;
}
// Some components of what is there.
void change(uint n)
{
    Records[n].longs.y = 0x900000000;
    Records[n].longs.w += 0x1000000000;
    Records[n].doubles.y -= 1;
    Records[n].three.yz = uint64_t2(0x20, 0x4000000000);
}
#endif
