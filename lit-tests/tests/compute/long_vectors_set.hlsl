// Long vectors whose elements are set one by one.
// RUN: %rtc-run-cpu %S/Inputs/long_vectors_set.toml -o %T -- -enable-16bit-types
// RUN: FileCheck %s --input-file=%T/out.json
#define N 512
RWByteAddressBuffer b : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
void spread(vector<half, N> v)
{
    const uint l = WaveGetLaneIndex();
    [unroll] for (uint i = 0; i < N; ++i) v[i] = (l == 2) ? v[2] : v[i];
    vector<half, N> r = QuadReadAcrossX(v);
    if (l == 3) b.Store< vector<half, N> >(32768, r);
    if (l == 3) { Out[0] = (uint)r[0]; Out[1] = (uint)r[N - 1]; }
}
[numthreads(2, 2, 1)] void main()
{
    vector<half, N> v;
    for (uint i = 0; i < N; ++i) v[i] = i + 7;
    spread(v);
}
// CHECK: [
// CHECK-NEXT: 9,
// CHECK-NEXT: 9,
