// Products with matrices of bytes in every ray-tracing stage, by cooperative vectors where the device has them: those of the test of hit shaders, whose words are
// four bytes of which three are 0.
// rtc -T lib_6_10 -enable-16bit-types
// scene: ../dxr/Inputs/yard.toml
// RUN: %rtc -T lib_6_10 -enable-16bit-types -spirv -fspv-linalg=nv -no-warnings %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_10 -enable-16bit-types -spirv -fspv-linalg=nv -Od -no-warnings %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv
// RUN: %rtc-run-where-possible %s -o %T -- -no-warnings -fspv-linalg=nv -Od
#include "../dxr/Inputs/dxr.hlsli"
#include <dx/linalg.h>
using namespace dx::linalg;

struct [raypayload] Payload { uint any EVERYWHERE; uint4 sums EVERYWHERE; };
// The words are 0 1 2 3; 4 5 6 7; 8 9 10 11; 12 13 14 15.
typedef Matrix<ComponentType::I8, 4, 16, MatrixUse::A, MatrixScope::Thread> M;
typedef Matrix<ComponentType::I8, 16, 4, MatrixUse::A, MatrixScope::Thread> Transposed;
uint4 times(uint4 x) { return Multiply<uint>(M::Load<MatrixLayout::RowMajor>(Words, 0, 16), MakeInterpretedVector<ComponentType::I8>(x)); }
uint4 transposed(uint4 x)
{
    vector<uint, 1> bytes = x.x | x.y << 8 | x.z << 16 | x.w << 24;
    vector<uint, 16> y = Multiply<uint>(Transposed::Load<MatrixLayout::ColMajor>(Words, 0, 16), MakeInterpretedVector<ComponentType::I8>(bytes));
    return uint4(y[0], y[4], y[8], y[12]);
}
[shader("anyhit")] void Any(inout Payload p, in Triangle a) { p.any += times(uint4(0, 1, 0, 0)).z; }
[shader("closesthit")] void Closest(inout Payload p, in Triangle a)
{
    // Two layers: the result of one is what the other multiplies.
    uint4 x = InstanceID() == 101 ? times(uint4(1, 1, 0, 0)) : transposed(uint4(1, 0, 0, 1));
    p.sums = MultiplyAdd<uint>(M::Load<MatrixLayout::RowMajor>(Words, 0, 16), MakeInterpretedVector<ComponentType::I8>(x), uint4(1, 2, 3, 4));
}
[shader("miss")] void Miss(inout Payload p) { p.sums = transposed(uint4(0, 0, 1, 0)); }
struct Parameter { uint4 x; };
[shader("callable")] void Call(inout Parameter p) { p.x = times(p.x); }
TriangleHitGroup Group = { "Any", "Closest" };

[shader("raygeneration")] void Main()
{
    Payload p = (Payload)0;
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(1), p);
    // (1, 9, 17, 25), then 0*1+1*9+2*17+3*25 and so on.
    IS(p.any, 9); IS(p.sums.x, 119); IS(p.sums.y, 328); IS(p.sums.z, 537); IS(p.sums.w, 746);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(0), p);
    // (12, 14, 16, 18).
    IS(p.sums.x, 101); IS(p.sums.y, 342); IS(p.sums.z, 583); IS(p.sums.w, 824);
    TraceRay(Scene, 0, 0xff, 0, 0, 0, to(20), p);
    IS(p.sums.x, 8); IS(p.sums.w, 11);
    Parameter q = { uint4(1, 0, 0, 0) };
    CallShader(0, q);
    IS(q.x.x, 0); IS(q.x.y, 4); IS(q.x.z, 8); IS(q.x.w, 12);
    // Lanes that are not all here.
    uint4 own = 0;
    if (thread() & 1) own = times(uint4(0, 0, 0, 1));
    IS(own.x, thread() & 1 ? 3 : 0);
    done(16);
}
