// A block that leaves a loop stays in it if it uses what a wave operation of the loop has proved: `while`, `do`, nested loops, `switch` inside, several
// breaks, early returns. One that does not, leaves.
// RUN: %rtc -T ps_6_3 -E main -D CASE=0 -validator-version 1.6 %s -Fo %t.0.dxil -Fc %t.0.txt
// RUN: %dxil-val %t.0.dxil
// RUN: FileCheck %s --input-file=%t.0.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=0 -Od -validator-version 1.6 %s -Fo %t.00.dxil -Fc %t.00.txt
// RUN: %dxil-val %t.00.dxil
// RUN: FileCheck %s --input-file=%t.00.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=1 -validator-version 1.6 %s -Fo %t.1.dxil -Fc %t.1.txt
// RUN: %dxil-val %t.1.dxil
// RUN: FileCheck %s --input-file=%t.1.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=2 -validator-version 1.6 %s -Fo %t.2.dxil -Fc %t.2.txt
// RUN: %dxil-val %t.2.dxil
// RUN: FileCheck %s --input-file=%t.2.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=3 -validator-version 1.6 %s -Fo %t.3.dxil -Fc %t.3.txt
// RUN: %dxil-val %t.3.dxil
// RUN: FileCheck %s --input-file=%t.3.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=4 -validator-version 1.6 %s -Fo %t.4.dxil -Fc %t.4.txt
// RUN: %dxil-val %t.4.dxil
// RUN: FileCheck %s --input-file=%t.4.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=5 -validator-version 1.6 %s -Fo %t.5.dxil -Fc %t.5.txt
// RUN: %dxil-val %t.5.dxil
// RUN: FileCheck %s --input-file=%t.5.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=6 -validator-version 1.6 %s -Fo %t.6.dxil -Fc %t.6.txt
// RUN: %dxil-val %t.6.dxil
// RUN: FileCheck %s --input-file=%t.6.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=7 %s -Fo %t.7.dxil -Fc %t.7.txt
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.7.txt
// RUN: %rtc -T ps_6_3 -E main -D CASE=8 %s -Fo %t.8.dxil -Fc %t.8.txt
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t.8.txt
// CHECK: [[HOLDS:%[0-9]+]] = icmp eq i32 %{{[0-9]+}}, 0
// CHECK: BufferLoad
// CHECK: br i1 [[HOLDS]]
// NONE-NOT: dx.break.cond
StructuredBuffer<int> bufs[] : register(t2);
int main(nointerpolation int a : A, nointerpolation int b : B) : SV_Target
{
    int res = 0, u = 0;
#if CASE == 0
    for (;;) { u += WaveReadLaneFirst(a); if (a == u) { res += bufs[u][b]; break; } }
#elif CASE == 1
    while (res < b) { u = WaveReadLaneFirst(a); if (a == u) { res += bufs[u + 1][b]; break; } else { ++a; } }
#elif CASE == 2
    // The index is one that the wave operation has proved to be the same.
    do { u = WaveReadLaneFirst(a); if (a == u) { res += bufs[a][b]; break; } --b; } while (b > 0);
#elif CASE == 3
    for (int i = 0; i < b; ++i)
    {
        u = WaveReadLaneFirst(a);
        [loop] for (int k = 0; k < a; ++k) { if (a == u + k) { return bufs[u][k]; } }
        ++a;
    }
#elif CASE == 4
    for (;;)
    {
        u = WaveReadLaneFirst(a);
        if (a == u)
        {
            switch (b) { case 0: res = bufs[u][1]; break; case 1: res = bufs[u][2]; break; default: res = 3; break; }
            break;
        }
        ++b;
    }
#elif CASE == 5
    for (;;) { u = WaveReadLaneFirst(a); if (b == 3) { res = 5; break; } if (a == u) { res = bufs[u][b]; break; } ++b; }
#elif CASE == 6
    for (;;) { u = WaveReadLaneFirst(a); if (a != u) { ++b; continue; } return bufs[u][b]; }
#elif CASE == 7
    // Nothing of the operation is used after the exit.
    for (;;) { u = WaveReadLaneFirst(a); if (u == b) break; ++b; }
    res = bufs[2][b];
#else
    // No wave operation.
    for (;;) { u += a; if (u > b) { res = bufs[2][u]; break; } ++b; }
#endif
    return res;
}
