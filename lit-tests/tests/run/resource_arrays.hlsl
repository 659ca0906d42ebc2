// Arrays of resources, large and of unknown size, as variables, static variables, members, parameters and results.
// reference: no, it refuses such choices, and its SPIR-V arrays of unknown size that are not declared
// RUN: %rtc -T lib_6_3 -HV 2021 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -HV 2021 -Od -validator-version 1.6 -no-warnings %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %llvm-verify %t.od.dxil
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -HV 2021 -spirv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: not %rtc -T lib_6_3 -HV 2021 -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG
#include "Inputs/out.hlsli"

typedef RWByteAddressBuffer Four[4];
RWByteAddressBuffer A[4] : register(u30);
RWByteAddressBuffer B[4] : register(u40);
RWByteAddressBuffer Open[] : register(u0, space3);
RWByteAddressBuffer Large[1500] : register(u0, space4);
static RWByteAddressBuffer Same[] = Open;

struct Group { RWByteAddressBuffer all[4]; uint at; };

uint at() { return Thread() * 4; }
uint read(RWByteAddressBuffer from[], uint i) { return from[i].Load(at()); }
uint twice(RWByteAddressBuffer from[], uint i) { return 2 * read(from, i); }
uint member(Group g, uint i) { return g.all[i].Load(g.at); }
Four all_a() { return A; }
Four pick(bool second) { if (second) return B; return all_a(); }
Group group(bool second) { Group g; g.all = pick(second); g.at = at(); return g; }

[shader("raygeneration")]
void Main()
{
    uint t = Thread();
    for (uint i = 0; i < 4; ++i) { A[i].Store(at(), 10 + i); B[i].Store(at(), 20 + i); Open[i].Store(at(), 30 + i); Large[i].Store(at(), 40 + i); }

    expect(pick(false)[2].Load(at()), 12);
    expect(pick(t & 1)[3].Load(at()), t & 1 ? 23 : 13);

    RWByteAddressBuffer open[] = Open;
    expect(open[1].Load(at()), 31); expect(read(open, 2), 32); expect(Same[3].Load(at()), 33); expect(twice(Same, 1), 62);
    RWByteAddressBuffer large[1500] = Large;
    expect(large[1].Load(at()), 41); expect(twice(large, 3), 86); expect(read(Large, 2), 42);

    // A variable of known size goes to a parameter of unknown size with its size.
    RWByteAddressBuffer mine[4] = A;
    mine[1] = B[2];
    expect(read(mine, 0), 10); expect(twice(mine, 1), 44);

    Group g = group(t & 1);
    g.all[0] = Open[0];
    expect(member(g, 0), 30); expect(member(g, 2), t & 1 ? 22 : 12);
#ifdef WRONG
    // WRONG: error: a variable of type `RWByteAddressBuffer[]` is not supported yet
    RWByteAddressBuffer changed[] = Open;
    changed[1] = A[0];
#endif
}
