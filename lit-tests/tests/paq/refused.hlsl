// What is not known is not guessed: payloads that leave the libraries, declarations that differ, what macros made.
// RUN: not %rtc paq -T lib_6_6 -fdiagnostics-format=short -D EXPORT %s 2>&1 | FileCheck --check-prefix=EXPORT %s
// RUN: not %rtc paq -T lib_6_6 -fdiagnostics-format=short %s %S/Inputs/other.hlsl 2>&1 | FileCheck --check-prefix=DIFFER %s
// RUN: cp %s %t.hlsl
// RUN: not %rtc paq -T lib_6_6 -fdiagnostics-format=short -fix -D MACRO %t.hlsl 2>&1 | FileCheck --check-prefix=MACRO %s
// RUN: cmp %t.hlsl %s
// RUN: not %rtc paq -T lib_6_6 -fix -D BROKEN %t.hlsl 2>&1 | FileCheck --check-prefix=BROKEN %s
// RUN: cmp %t.hlsl %s
// RUN: not %rtc paq -T lib_6_6 -fix -D NAMELESS %t.hlsl 2>&1 | FileCheck --check-prefix=NAMELESS %s
// RUN: cmp %t.hlsl %s
// RUN: not %rtc paq -T lib_6_6 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %rtc paq -T lib_6_6 %t.nowhere.hlsl 2>&1 | FileCheck --check-prefix=NOWHERE %s
// RUN: not %rtc paq %s 2>&1 | FileCheck --check-prefix=PROFILE %s
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
#ifdef MACRO
#define FIELD(t, n) t n
struct P { FIELD(float, a); float b; };
#elif defined(NAMELESS)
typedef struct { float a; float b; } P;
#else
struct P { float a; float b; };
#endif
[shader("raygeneration")] void Rg()
{
    RayDesc r = (RayDesc)0;
    P p = (P)0;
    TraceRay(Scene, RAY_FLAG_NONE, 255, 0, 0, 0, r, p);
    Out.Store(0, p.a);
}
[shader("miss")] void Ms(inout P p) { p.a = 1; }
#ifdef EXPORT
export void AnyoneMay(inout P p) { p.b = 3; }
#endif
#ifdef BROKEN
float oops() { return nothing; }
#endif
// EXPORT: error: the qualifiers of `P` cannot be inferred: the effect of the exported function `AnyoneMay` on it is unknown [E0713]
// EXPORT: P ({{.*}}refused.hlsl:22:8): not inferred
// DIFFER: error: the payload `P` has other members at {{.*}}other.hlsl:1:8 than at {{.*}}refused.hlsl:22:8 [E0712]
// DIFFER: refused.hlsl:22:8 has `float b` where {{.*}}other.hlsl:1:8 has `float4 b`
// MACRO: error: `P` is left as it is: the declaration of `a` at {{.*}}:18:{{[0-9]+}} comes from a macro [E0714]
// BROKEN: use of undeclared identifier `nothing`
// NONE: no source file given
// NOWHERE: cannot read
// PROFILE: no target profile given
// NAMELESS: is left as it is: the structure at {{.*}}:20:{{[0-9]+}} has no name
