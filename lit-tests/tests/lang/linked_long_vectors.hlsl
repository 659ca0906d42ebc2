// A library of shader model 6.9 whose buffers hold vectors of more than four components, linked into a shader of an older model: loads and stores of four
// components at most, one after the other, with the last one's mask.
// RUN: %rtc -T lib_6_9 -D LIBRARY %s -Fo %t.lib.dxil
// RUN: %rtc -T lib_6_8 %s -Fo %t.main.dxil
// RUN: %rtc link -T cs_6_8 -E main %t.lib.dxil %t.main.dxil -Fo %t.dxil
// RUN: %rtc validate %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
#ifdef LIBRARY
struct S { float2 first; vector<float, 6> second; };
ByteAddressBuffer A : register(t0);
RWByteAddressBuffer B : register(u0);
RWStructuredBuffer<S> C : register(u1);
export void copy(uint at)
{
    // CHECK: [[AT:%[0-9]+]] = mul i32 {{%[0-9]+}}, 128
    // CHECK: @dx.op.rawBufferLoad.f32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 [[AT]], i32 undef, i8 15, i32 4)
    // CHECK: [[NEXT:%[0-9]+]] = add i32 [[AT]], 16
    // CHECK: @dx.op.rawBufferLoad.f32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 [[NEXT]], i32 undef, i8 15, i32 4)
    // CHECK: [[LAST:%[0-9]+]] = add i32 [[AT]], 32
    // CHECK: @dx.op.rawBufferLoad.f32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 [[LAST]], i32 undef, i8 3, i32 4)
    vector<float, 10> v = A.Load<vector<float, 10> >(at);
    // CHECK: [[WIDE:%[0-9]+]] = add i32 [[AT]], 64
    // CHECK: @dx.op.rawBufferLoad.i64(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 [[WIDE]], i32 undef, i8 15, i32 4)
    // CHECK: [[REST:%[0-9]+]] = add i32 [[WIDE]], 32
    // CHECK: @dx.op.rawBufferLoad.i64(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 [[REST]], i32 undef, i8 1, i32 4)
    vector<uint64_t, 5> w = A.Load<vector<uint64_t, 5> >(at + 64);
    // CHECK: @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 [[AT]], i32 undef, {{.*}}, i8 15, i32 4)
    // CHECK: @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 [[NEXT]], i32 undef, {{.*}}, i8 15, i32 4)
    // CHECK: @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 [[LAST]], i32 undef, float {{%[0-9]+}}, float {{%[0-9]+}}, float undef, float undef, i8 3, i32 4)
    B.Store<vector<float, 10> >(at, v * 2);
    // CHECK: @dx.op.rawBufferStore.i64(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 [[WIDE]], i32 undef, {{.*}}, i8 15, i32 4)
    // CHECK: @dx.op.rawBufferStore.i64(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 [[REST]], i32 undef, i64 {{%[0-9]+}}, i64 undef, i64 undef, i64 undef, i8 1, i32 4)
    B.Store<vector<uint64_t, 5> >(at + 64, w + 1);
    // CHECK: @dx.op.rawBufferLoad.f32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 5, i32 8, i8 15, i32 4)
    // CHECK: @dx.op.rawBufferLoad.f32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 5, i32 24, i8 3, i32 4)
    vector<float, 6> six = C[5].second;
    // CHECK: @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 6, i32 8, {{.*}}, i8 15, i32 4)
    // CHECK: @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle {{%[0-9]+}}, i32 6, i32 24, {{.*}}, i8 3, i32 4)
    C[6].second = six + 1;
}
#else
void copy(uint at);
[shader("compute")] [numthreads(8, 1, 1)] void main(uint3 t : SV_DispatchThreadID) { copy(t.x * 128); }
#endif
