// rtc -T cs_6_6 -E main -HV 2021
// Members of anonymous structures are members of the structure around them.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -D BOUND -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -D BOUND -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc -T cs_6_6 -E main -HV 2021 -D BOUND %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}24,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"

struct Command { uint op; struct { uint start; uint stride; }; uint end() { return start + stride * op; } };
struct Base { uint b; struct { uint x; struct { uint y; float z[2]; }; }; };
struct Derived : Base { struct { uint w; }; uint own() { return w + y + this.x + b; } };
template<typename T> struct Holder { uint a; struct { T t; }; T get() { return t; } };
struct Bits { uint c; struct { uint low : 4; uint high : 28; }; };
struct Sized { uint a; struct { uint2 bc; struct { uint d; }; }; };
struct Clash { struct { uint clamp; uint Out; }; uint all() { return clamp + Out; } };

#ifdef BOUND
cbuffer C : register(b1) { Sized Bound; }
ConstantBuffer<Sized> Whole : register(b2);
RWStructuredBuffer<Sized> Elements : register(u1);
#endif
groupshared Derived Shared;
static const Command Constant = { 3, 5, 7 };

void bump(inout uint n) { n += 10; }
uint total(Command c) { return c.op + c.start + c.stride; }

[numthreads(1, 1, 1)] void main()
{
    Command k; k.op = i(1); k.start = 7; k.stride = 8;
    IS(k.end(), 15u); IS(total(k), 16u); bump(k.stride); IS(k.stride, 18u); IS(k.start, 7u);
    Command copy = k; copy.start = i(3); IS(k.start, 7u); IS(copy.end(), 21u);
    Derived d = { 1, 2, 3, 4.0, 5.0, 6 };
    IS(d.own(), 12u); IS(d.z[i(1)], 5.0f); d.z[i(0)] = 9; IS(d.z[0], 9.0f); IS(d.y, 3u);
    Base base = (Base)d; IS(base.y + base.x, 5u);
    Shared = d; Shared.y += i(4); IS(Shared.own(), 16u);
    Holder<float2> h; h.a = 1; h.t = float2(i(2), 3); IS(h.get().x, 2.0f); h.t.y = 4; IS(h.get().y, 4.0f); IS(h.a, 1u);
    Bits b = (Bits)0; b.low = 17 + i(0); b.high = 3; IS(b.low, 1u); IS(b.high, 3u); IS(b.c, 0u);
    IS(Constant.start, 5u); IS(Constant.stride, 7u);
    Clash c; c.clamp = i(2); c.Out = 4; IS(c.all(), 6u);
    Sized s; s.a = 1; s.bc = uint2(2, 3); s.d = 4;
    Out.Store<Sized>(40, s); s = Out.Load<Sized>(40); IS(s.bc.y + s.d, 7u); IS(Out.Load(48), 3u); IS((uint)sizeof(Sized), 16u);
    // Nothing is bound to these: they are compiled only.
#ifdef BOUND
    if (i(0) == 1) { Elements[1] = s; Elements[1].bc.y = Bound.d + Whole.bc.x + Elements[2].d; }
#endif
    done();
}
