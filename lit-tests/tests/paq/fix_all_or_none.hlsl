// A library compiles with the qualifiers of all its payloads or of none: where one cannot be inferred, or not be written, -fix changes none of that library, nor of those that
// share one of these.
// RUN: cp %s %t.hlsl
// RUN: not %rtc paq -T lib_6_6 -fix -D UNTRACED %t.hlsl 2>&1 | FileCheck --check-prefix=UNTRACED %s
// RUN: cmp %t.hlsl %s
// RUN: not %rtc paq -T lib_6_6 -fix -D MACRO %t.hlsl 2>&1 | FileCheck --check-prefix=MACRO %s
// RUN: cmp %t.hlsl %s
// What is declared in full is nothing that the others lack.
// RUN: not %rtc paq -T lib_6_6 -fix -D DECLARED %t.hlsl 2>&1 | FileCheck --check-prefix=DECLARED %s
// RUN: not cmp %t.hlsl %s
// RUN: %rtc -T lib_6_7 -D DECLARED %t.hlsl -Fo %t.dxil
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_6 -fix %t.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// The payload `Q` is in the second library, too, which has no other one; and `R` is in the third alone.
// RUN: cp %s %t.hlsl
// RUN: cp %S/Inputs/shares.hlsl %t.shares.hlsl
// RUN: cp %S/Inputs/apart.hlsl %t.apart.hlsl
// RUN: not %rtc paq -T lib_6_6 -fix -D UNTRACED %t.hlsl %t.shares.hlsl %t.apart.hlsl 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: cmp %t.hlsl %s
// RUN: cmp %t.shares.hlsl %S/Inputs/shares.hlsl
// RUN: %rtc -T lib_6_7 -WX %t.apart.hlsl -Fo %t.dxil
#ifdef MACRO
#define FIELD(t, n) t n
struct P { FIELD(float, a); };
#elif defined(DECLARED)
struct [raypayload] P { float a : read(caller) : write(miss); };
#else
struct P { float a; };
#endif
struct Q { float b; };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
[shader("raygeneration")] void Main()
{
    RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
#if !defined(UNTRACED) && !defined(DECLARED)
    P p;
    TraceRay(Scene, 0, 255, 0, 0, 0, r, p);
    Out[1] = p.a;
#endif
    Q q;
    TraceRay(Scene, 0, 255, 0, 0, 1, r, q);
    Out[0] = q.b;
}
[shader("miss")] void MissP(inout P p) { p.a = 1; }
[shader("miss")] void MissQ(inout Q q) { q.b = 1; }
// UNTRACED: error: the qualifiers of `P` cannot be inferred: no trace with it is in the libraries, so the demand of its callers is unknown [E0713]
// UNTRACED: error: `Q` is left as it is: with it alone `{{.*}}fix_all_or_none{{.*}}.hlsl` would not compile: {{.*}}`P`{{.*}}[E0706] [E0714]
// UNTRACED-NOT: written into
// MACRO: error: `P` is left as it is: the declaration of `a` at {{.*}} comes from a macro [E0714]
// MACRO: error: `Q` is left as it is: with it alone {{.*}} would not compile: {{.*}} [E0714]
// MACRO-NOT: written into
// DECLARED: error: the qualifiers of `P` cannot be inferred: {{.*}} [E0713]
// DECLARED-NOT: E0714
// DECLARED: qualifiers written into
// SHARED: error: `Q` is left as it is: with it alone `{{.*}}fix_all_or_none{{.*}}.hlsl` would not compile: {{.*}} [E0714]
// SHARED-NOT: error
// SHARED: qualifiers written into `{{.*}}apart.hlsl`
