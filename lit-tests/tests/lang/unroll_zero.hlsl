// `[unroll(0)]` is `[unroll]`, as in the reference: no warning, and no loop is left.
// RUN: %rtc -T cs_6_0 -E main %s 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK-COUNT-40: dx.op.bufferStore.f32(i32 69
// CHECK-NOT: br
RWBuffer<float> o;
[numthreads(1, 1, 1)] void main() { [unroll(0)] for (uint i = 0; i < 40; ++i) o[i * 3] = i; }
