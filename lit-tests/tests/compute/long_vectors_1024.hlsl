// The longest vectors, on the default stack, made in the time that shorter ones take: arithmetic, comparisons, choices, conversions,
// computed elements, loops, wave and quad operations, all of memory.
// RUN: %rtc-run-cpu %S/Inputs/long_vectors_1024.toml -o %T -- -enable-16bit-types
// RUN: FileCheck %s --input-file=%T/out.json
#define N 1024
RWByteAddressBuffer b : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
static uint Passed = 0, Failed = 0;
void IS(bool good) { if (good) ++Passed; else { Out[2 + Failed % 13] = Passed + Failed + 1; ++Failed; } }
typedef vector<float, N> F;
typedef vector<int, N> I;
typedef vector<half, N> H;

[numthreads(4, 1, 1)] void main(uint lane : SV_GroupIndex)
{
    F v;
    for (uint i = 0; i < N; ++i) v[i] = i + lane;
    if (lane == 0) b.Store<F>(0, v);
    F w = b.Load<F>(0) + 1.0f;
    IS(w[0] == 1 && w[15] == 16 && w[16] == 17 && w[1023] == 1024);
    w = select(v > 100, v * 2, floor(-v));
    IS(w[1] == -1.0f - lane && w[1000] == 2 * (1000 + lane));
    I n = (I)w;
    n = select(n < 0, -n, n / 2);
    IS(n[1] == 1 + lane && n[700] == 700 + lane);
    H h = (H)v;
    h = WaveReadLaneAt(h, 2) + QuadReadAcrossX(h);
    IS(h[5] == 7 + 5 + (lane ^ 1));
    F sum = WaveActiveSum(v);
    IS(sum[10] == 46 && sum[1023] == 4098);
    IS(dot((H)select(v > 1022, (F)1, (F)0), (H)1) == 1 + lane);
    uint at = b.Load(4 * 40) != 0 ? 777 : 1;
    w[at] = 5;
    IS(w[777] == 5 && w[at] == 5 && w[776] == 2 * (776 + lane));
    bool all_ = all(w != -2000), any_ = any(w == 5);
    IS(all_ && any_);
    if (lane == 3) { Out[0] = Passed; Out[1] = Failed; }
}
// CHECK: [
// CHECK-NEXT: 8,
// CHECK-NEXT: 0,
