// Loads in copies of a loop are replaced by an equal one before the loop, after the branch of a reorder point between them is decided.
// rtc -T lib_6_6
// RUN: %rtc -T lib_6_6 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
RWStructuredBuffer<int> Data : register(u0);
RWByteAddressBuffer Out : register(u1);
RaytracingAccelerationStructure Scene : register(t0);
struct Payload { float value; };
[shader("raygeneration")]
void Main() {
    uint thread = DispatchRaysIndex().x;
    Payload payload = { 0.0f };
    RayDesc ray = { float3(0, 0, 0), 0.0f, float3(0, 0, 1), 1.0f };
    TraceRay(Scene, 0, 0xff, 0, 0, 0, ray, payload);
    int first = Data[thread];
    int sum = 0;
    [unroll] for (int i = 0; i < 2; ++i) {
        sum += Data[thread];
        int n = 0;
        do {
            ++n;
            if (i > 3 && n > 7)
                CallShader(0, payload);
        } while (n < 3 && sum > 0);
    }
    Out.Store(thread * 4, first + sum);
}
// CHECK: dx.op.traceRay
// CHECK: dx.op.rawBufferLoad
// CHECK-NOT: dx.op.rawBufferLoad
// CHECK-NOT: dx.op.callShader
// CHECK: dx.op.rawBufferStore
