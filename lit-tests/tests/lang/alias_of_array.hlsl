// Arrays as aliases, their sizes named in scopes; members with the names of their types; enumerations in constant buffers.
// RUN: %rtc -T cs_6_6 -HV 202x -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc -T cs_6_6 -HV 202x -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -HV 202x %s -Fc - | FileCheck %s
enum class Kind { A, B, Count };
struct Slots { enum : uint { First, Second, Third, Count }; };
struct Info { uint a; float b; };
using Infos = Info[Kind::Count];
using Words = uint[Slots::Count];
namespace n { static const int Size = 5; }
using More = float[n::Size];
using Same = const Info;

struct Object { Info Info; Infos Infos; Words Words; };

enum Mode { Off, On = 3 };
cbuffer C : register(b0)
{
    uint w : packoffset(c0.z);
    Mode mode : packoffset(c0.w);
    Mode modes[2] : packoffset(c1);
}
RWByteAddressBuffer o : register(u0);
// CHECK-LABEL: define void @main
// CHECK: icmp eq i32 {{.*}}, 3
[numthreads(1, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    Object x = (Object)0;
    x.Infos[(uint)Kind::B].a = 4; x.Words[Slots::Third] = i; x.Info.b = 2;
    More more = { 1, 2, 3, 4, 5 };
    Same same = x.Infos[1];
    if (mode == On) o.Store(0, same.a + w + modes[1]);
    o.Store2(4, uint2(x.Words[2], more[i % n::Size]));
}
