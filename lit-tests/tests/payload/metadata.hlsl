// Payload access qualifiers become metadata: one node for each field in the order of the layout, nested payload types apart, bit-fields
// of one number together. Without them in force there is none.
// RUN: %rtc -T lib_6_7 %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -enable-payload-qualifiers -validator-version 1.6 %s -Fo %t.66.dxil
// RUN: %dxil-val %t.66.dxil
// RUN: %rtc dis %t.66.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -Od -enable-payload-qualifiers -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc dis %t.od.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -no-warnings -validator-version 1.6 %s -Fo %t.off.dxil
// RUN: %dxil-val %t.off.dxil
// RUN: %rtc dis %t.off.dxil | FileCheck --check-prefix=OFF %s
// RUN: %rtc -T lib_6_8 -no-warnings -disable-payload-qualifiers %s -Fo %t.off8.dxil
// RUN: %rtc dis %t.off8.dxil | FileCheck --check-prefix=OFF %s
// RUN: %rtc reflect %t.dxil | FileCheck --check-prefix=SIZE %s
// RUN: %rtc -T lib_6_7 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);

struct Nested { float a, b, c; };
struct [raypayload] MyBasePayload { float base : read(caller) : write(closesthit, miss); };
template<typename T> struct [raypayload] Pair
{
    T first : read(caller) : write(closesthit);
    T second[2] : read(closesthit) : write(caller);
    void set(T v) { first = v; }
};
// The example of the specification, its second `seed` renamed, and more.
struct [raypayload] MyPayload
{
    float4 irradiance : read(caller) : write(closesthit, miss);
    uint seed : read(anyhit,closesthit,miss) : write(caller);
    uint seed2 : read(anyhit,closesthit,miss,caller) : write(caller);
    bool hasHit : read(caller) : write(caller,miss);
    float a : read(anyhit) : write(caller,anyhit);
    Nested n : read(caller) : write(closesthit,miss);
    MyBasePayload base;
    MyBasePayload more[2];
    Pair<float3> pair;
    float2x2 m : write() : read();
    uint low : 4 : read(caller) : write(miss);
    uint high : 28 : read(caller) : write(closesthit);
    float get() { return irradiance.x + n.a; }
};
struct [raypayload] Derived : MyBasePayload { float own : read(caller, closesthit) : write(caller, closesthit); };
// Those of the other examples, in their order.
struct [RayPayload] Examples
{
    float ahInput : write(caller) : read(anyhit);
    float alpha : write(caller,anyhit) : read(closesthit);
    bool didHit : write(closesthit, miss) : read(caller);
    float b : write(miss) : read(caller);
    float c : write(caller, closesthit) : read(caller, closesthit);
    float d : write(caller) : read(closesthit, miss);
    float e : write(caller, closesthit, miss) : read(caller);
    float pureInput : write(caller) : read(closesthit);
    float pureOutput : write(closesthit) : read(caller);
    float pureOutput2 : write(caller,closesthit) : read(caller);
    float all : write(miss, caller, closesthit, anyhit) : read(miss, caller, closesthit, anyhit);
};

[shader("raygeneration")] void Rg()
{
    MyPayload p;
    p.seed = 1; p.seed2 = 2; p.hasHit = true; p.a = 0; p.pair.second[0] = 1; p.pair.second[1] = 2;
    RayDesc r; r.Origin = 0; r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 1;
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Out.Store(0, p.get() + p.seed2);
    Derived d;
    d.own = 1;
    TraceRay(Scene, 0, 255, 0, 0, 1, r, d);
    Out.Store(4, d.own);
}
[shader("closesthit")] void Ch(inout MyPayload p, BuiltInTriangleIntersectionAttributes a)
{
    p.irradiance = p.seed; p.n = (Nested)1; p.base.base = 3; p.pair.set(p.pair.second[1]); p.more[0].base = 1; p.more[1].base = 2; p.high = 3;
}
[shader("miss")] void Ms(inout Derived p) { p.base = 1; }
[shader("closesthit")] void Ex(inout Examples p, BuiltInTriangleIntersectionAttributes a) { p.didHit = p.alpha > 0; p.pureOutput = p.pureInput; p.e = p.all; }

// CHECK: !dx.dxrPayloadAnnotations = !{![[ALL:[0-9]+]]}
// CHECK: ![[ALL]] = !{i32 0, %struct.MyPayload undef, ![[MY:[0-9]+]], %struct.MyBasePayload undef, ![[BASE:[0-9]+]], %"struct.Pair<vector<float, 3> >" undef, ![[PAIR:[0-9]+]], %struct.Derived undef, ![[DERIVED:[0-9]+]], %struct.Examples undef, ![[EX:[0-9]+]]}
// CHECK: ![[MY]] = !{![[OUT:[0-9]+]], ![[SEED:[0-9]+]], ![[SEED2:[0-9]+]], ![[FLAG:[0-9]+]], ![[A:[0-9]+]], ![[OUT]], ![[NONE:[0-9]+]], ![[NONE]], ![[NONE]], ![[NONE]], ![[OUT]]}
// CHECK: ![[OUT]] = !{i32 0, i32 545}
// CHECK: ![[SEED]] = !{i32 0, i32 4370}
// CHECK: ![[SEED2]] = !{i32 0, i32 4371}
// CHECK: ![[FLAG]] = !{i32 0, i32 515}
// CHECK: ![[A]] = !{i32 0, i32 12290}
// CHECK: ![[NONE]] = !{i32 0, i32 0}
// CHECK: ![[BASE]] = !{![[OUT]]}
// CHECK: ![[PAIR]] = !{![[FIRST:[0-9]+]], ![[IN:[0-9]+]]}
// CHECK: ![[FIRST]] = !{i32 0, i32 33}
// CHECK: ![[IN]] = !{i32 0, i32 18}
// CHECK: ![[DERIVED]] = !{![[NONE]], ![[OWN:[0-9]+]]}
// CHECK: ![[OWN]] = !{i32 0, i32 51}
// CHECK: ![[EX]] = !{![[AH:[0-9]+]], ![[ALPHA:[0-9]+]], ![[OUT]], ![[B:[0-9]+]], ![[OWN]], ![[D:[0-9]+]], ![[E:[0-9]+]], ![[IN]], ![[FIRST]], ![[OUT2:[0-9]+]], ![[EVERY:[0-9]+]]}
// CHECK: ![[AH]] = !{i32 0, i32 4098}
// CHECK: ![[ALPHA]] = !{i32 0, i32 8210}
// CHECK: ![[B]] = !{i32 0, i32 513}
// CHECK: ![[D]] = !{i32 0, i32 274}
// CHECK: ![[E]] = !{i32 0, i32 547}
// CHECK: ![[OUT2]] = !{i32 0, i32 35}
// CHECK: ![[EVERY]] = !{i32 0, i32 13107}

// OFF-NOT: dxrPayloadAnnotations
// OFF: define void {{.*}}Ch
// OFF-NOT: dxrPayloadAnnotations

// SIZE: "name": "Ch"
// SIZE-NEXT: "payloadBytes": 112
// SIZE: "name": "Ms"
// SIZE-NEXT: "payloadBytes": 8
// SIZE: "name": "Ex"
// SIZE-NEXT: "payloadBytes": 44
