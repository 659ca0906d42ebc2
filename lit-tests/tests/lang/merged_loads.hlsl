// Loads of neighbouring components are one in DXIL, but in libraries for shader model 6.9, where vectors have operations of their own that a
// function with scalar loads does not require, and stay accesses of members in SPIR-V.
// RUN: %rtc -T cs_6_2 -E main %s -Fc - | FileCheck %s
// RUN: %rtc -T cs_6_0 -E main %s -Fc - | FileCheck %s --check-prefix=OLD
// RUN: %rtc -T cs_6_9 -E main %s -Fc - | FileCheck %s --check-prefix=VECTOR
// RUN: %rtc -T lib_6_9 -no-warnings %s -Fc - | FileCheck %s --check-prefix=LIBRARY
// RUN: %rtc -T cs_6_2 -E main -Od %s -Fc - | FileCheck %s --check-prefix=OD
// RUN: %rtc -T cs_6_2 -E main -spirv %s -Fc - | FileCheck %s --check-prefix=SPIRV
struct S { float a; uint i; float b, c, d; };
StructuredBuffer<S> In;
globallycoherent RWStructuredBuffer<S> Shared;
RWByteAddressBuffer Out;
[shader("compute")] [numthreads(64, 1, 1)]
void main(uint t : SV_DispatchThreadID)
{
    S s = In[t];
    // CHECK: rawBufferLoad.f32(i32 139, %dx.types.Handle %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 8, i8 7, i32 4)
    // OLD-COUNT-3: bufferLoad.f32(i32 68, {{.*}}, i32 {{8|12|16}})
    // OLD-NOT: bufferLoad.f32(i32 68
    // VECTOR: rawBufferVectorLoad.v3f32(i32 303, %dx.types.Handle %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 8, i32 4)
    // LIBRARY-NOT: rawBufferVectorLoad
    // LIBRARY-COUNT-5: rawBufferLoad.f32(i32 139, {{.*}}, i8 1, i32 4)
    // OD-COUNT-5: rawBufferLoad.f32(i32 139, {{.*}}, i8 1, i32 4)
    // SPIRV: OpName %{{[0-9A-Za-z_]+}} "type.StructuredBuffer.S"
    // SPIRV-NOT: "type.ByteAddressBuffer"
    Out.Store(t * 16, asuint(s.b * s.c + s.d));
    // CHECK: rawBufferLoad.f32(i32 139, %dx.types.Handle %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 12, i8 1, i32 4)
    // CHECK: rawBufferLoad.f32(i32 139, %dx.types.Handle %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 16, i8 1, i32 4)
    Out.Store(t * 16 + 4, asuint(Shared[t].c / Shared[t].d));
}
