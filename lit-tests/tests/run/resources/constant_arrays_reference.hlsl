// Arrays of constant buffers, of known and unknown size. In a library of the reference compiler one with a matrix is a variable as large as its
// contents, which is no memory of the shader.
// rtc -T lib_6_3
// scene: Inputs/constant_arrays.toml
// RUN: %rtc-run-cpu %s -o %T
// RUN: %rtc-run-cpu %s -o %T -- -Od
// RUN: cp %S/Inputs/constant_arrays.toml %T/scene.toml
// The container is of the reference compiler 1.10 (`-T lib_6_3 -HV 2021 -Qstrip_reflect`); 1.7 ends at such an array.
// RUN: cp %S/Inputs/constant_arrays.dxil %T/reference.dxil
// RUN: %rtc-run-cpu %T/scene.toml -o %T
struct Data { uint4 a; float2x2 m; };
ConstantBuffer<Data> Rows[] : register(b0, space1);
ConstantBuffer<Data> Two[2] : register(b4);
ConstantBuffer<Data> One : register(b0);
cbuffer Plain : register(b1) { uint4 Last; }
RWStructuredBuffer<uint> Out : register(u0);
// Statics are memory.
static uint Sum;
void add(uint n) { Sum += n; }
[shader("raygeneration")]
void Main()
{
    uint n = DispatchRaysIndex().x;
    add(Rows[NonUniformResourceIndex(n)].a.x);
    add(Two[n].a.y);
    add(One.a.z);
    add(Last.w);
    add(Rows[n].m[1][0]);
    Out[n] = Sum;
}
