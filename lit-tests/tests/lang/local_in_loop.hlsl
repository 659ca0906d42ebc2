// A variable without initialiser has no value each time that a loop comes to its declaration, so none of it is carried from round to round.
// RUN: %rtc -T lib_6_6 -Od -emit-ir %s | FileCheck %s
// RUN: %rtc -T lib_6_6 -emit-ir %s | FileCheck %s
// RUN: %rtc -T lib_6_6 -Od %s -Fo %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_6 -spirv -Od %s -Fo %t.spv
// RUN: %spirv-val %t.spv
RWByteAddressBuffer Out : register(u0);
struct S { float a; float3 b; };

// CHECK-LABEL: fn fn0 "Rg"
// CHECK: loop (v{{[0-9]+}}) {
// CHECK-NOT: loop
// CHECK-NOT: store l
// An array with a dynamic index stays in memory, and nothing is stored there for the declaration.
// CHECK-LABEL: fn fn1 "Indexed"
// CHECK: loop
// CHECK-COUNT-1: store l0
// CHECK-NOT: store l0
[shader("raygeneration")] void Rg() {
    for (uint n = 0; n < Out.Load(0); n++) {
        S s;
        float few[3];
        bool some = Out.Load(4 * n) != 0;
        if (some) { s.a = asfloat(Out.Load(8 * n)); s.b = s.a * 2; few[1] = 2; }
        Out.Store(16 * n, some ? asuint(s.a + s.b.y + few[1]) : 7);
    }
}

[shader("raygeneration")] void Indexed() {
    for (uint n = 0; n < Out.Load(0); n++) {
        float many[4];
        many[Out.Load(4) & 3] = n;
        Out.Store(16 * n, asuint(many[Out.Load(8) & 3]));
    }
}
