// The sanitizer tells indices of resources that differ among the lanes of a wave and are not marked, each once for its place, with two lanes. Marked ones,
// uniform ones and those of lanes that have the same are silent. The values are right in any case.
// rtc -T lib_6_6
// scene: Inputs/indices.toml
// RUN: not %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi -DWRONG 2>&1 | FileCheck %s
// RUN: not %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi -Od -DWRONG 2>&1 | FileCheck %s
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Zi
// RUN: %rtc-run-cpu %s -o %T --sanitize -- -no-warnings -Od
// RUN: %rtc-run-cpu %s -o %T -- -no-warnings -DWRONG
#include "Inputs/resources.hlsli"

struct Number { uint n; };
ConstantBuffer<Number> Numbers[4] : register(b0, space1);
uint mark(uint i) { return NonUniformResourceIndex(i); }

[shader("raygeneration")] void Main()
{
    uint t = thread(), n = one();
#ifdef WRONG
    // CHECK-DAG: indices.hlsl:[[@LINE+1]]:{{[0-9]+}}: non-uniform index: `Main`, {{.*}}, thread (0, 0, 0): lane 0 of the wave uses element 0 of `Numbers`{{.*}} and lane 1 element 1 of `Numbers`{{.*}}, and the index is not marked as non-uniform (4 times)
    IS(Numbers[t & 1].n, 10 + (t & 1));
    // CHECK-DAG: indices.hlsl:[[@LINE+2]]:{{[0-9]+}}: non-uniform index: `Main`, {{.*}}, thread (0, 0, 0): lane 0 of the wave uses element 5 of `ResourceDescriptorHeap` and lane 2 element 6 of `ResourceDescriptorHeap`, and the index is not marked as non-uniform (4 times)
    ConstantBuffer<Number> heap = ResourceDescriptorHeap[5 + (t >> 1)];
    IS(heap.n, 25 + (t >> 1));
    // Lanes 1 and 3 differ, and are alone here.
    if (t & 1)
        // CHECK-DAG: indices.hlsl:[[@LINE+1]]:{{[0-9]+}}: non-uniform index: `Main`, {{.*}}, thread (1, 0, 0): lane 1 of the wave uses element 1 of `Numbers`{{.*}} and lane 3 element 3 of {{.*}} (2 times)
        IS(Numbers[t].n, 10 + t);
    done(2 + (t & 1));
#else
    IS(Numbers[mark(t) & 1].n, 10 + (t & 1));
    ConstantBuffer<Number> heap = ResourceDescriptorHeap[NonUniformResourceIndex(5 + (t >> 1))];
    IS(heap.n, 25 + (t >> 1));
    IS(Numbers[n * 2].n, 12);
    IS(Numbers[WaveReadLaneFirst(t)].n, 10);
    // Lanes 1 and 3 have the same number.
    if (t & 1)
        IS(Numbers[t & 1].n, 11);
    // Each lane is alone.
    for (;;)
    {
        uint s = WaveReadLaneFirst(t);
        if (s == t)
        {
            IS(Numbers[t].n, 10 + t);
            break;
        }
    }
    done(5 + (t & 1));
#endif
}
