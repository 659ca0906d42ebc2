// The colon of a conditional operator at file scope begins no annotation.
// RUN: %rtc -T cs_6_0 -E main %s -Fc - | FileCheck %s
// CHECK: bufferStore.f32({{.*}} float 5.000000e+00
RWBuffer<float> o : register(u0);
namespace Tuning { static const float low = 1, high = 2; }
static const float root = true ? 1 : sqrt(2.0);
static const float gain = true ? 1 : Tuning::high;
static const float deep = false ? 1 : true ? 3 : Tuning::low;
[numthreads(1, 1, 1)] void main(uint i : SV_DispatchThreadID) { o[i] = root + gain + deep; }
