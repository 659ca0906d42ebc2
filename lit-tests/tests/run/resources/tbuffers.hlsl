// Texture buffers: constants that are read as a buffer.
// rtc -T lib_6_6
// scene: Inputs/rows.toml
// RUN: %rtc -T lib_6_6 -validator-version 1.6 -no-warnings %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc-run %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -Od
#include "Inputs/resources.hlsli"

struct Row { uint4 a; float4 b; };
TextureBuffer<Row> Rows : register(t1);
tbuffer More : register(t2) { uint First; float2 Second; float4 Third[2]; };

[shader("raygeneration")] void Main()
{
    if (thread() > 0) { done(0); return; }
    uint n = one();
    IS(Rows.a.x, 1); IS(Rows.a[2 * n], 3); ISF(Rows.b.w, 3.5); ISF(Rows.b[n], 1.5);
    IS(First, 9); ISF(Second.y, -2); ISF(Third[n].z, 7); ISF(Third[0].x, 1);
    done(8);
}
