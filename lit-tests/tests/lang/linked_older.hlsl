// What shader models have first: from 6.2 on functions say what becomes of denormals and raw buffers have operations of their own; a load of one number of 64 bits
// is one of two words.
// RUN: %rtc -T lib_6_x -denorm ftz %s -Fo %t.lib.dxil
// RUN: %rtc link -T cs_6_1 -E main -validator-version 1.6 %t.lib.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=OLDEST
// RUN: %rtc link -T cs_6_2 -E main -validator-version 1.6 %t.lib.dxil -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s --check-prefix=RAW
// OLDEST: dx.op.bufferLoad.i32(
// OLDEST-NOT: bufferLoad.i32(i32
// OLDEST: dx.op.bufferStore.i32(
// OLDEST-NOT: fp32-denorm-mode
// RAW: dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle {{%[0-9]+}}, i32 {{%[0-9]+}}, i32 undef, i8 3, i32 4)
// RAW-NOT: BufferLoad.i32(i32 139
// RAW: dx.op.rawBufferStore.i32(i32 140, {{.*}}, i8 3, i32 4)
// RAW-NOT: BufferStore.i32(i32 140
// RAW: "fp32-denorm-mode"="ftz"
RWByteAddressBuffer Out : register(u0);
[shader("compute")] [numthreads(8, 1, 1)] void main(uint g : SV_GroupIndex) { Out.Store<double>(g * 8, Out.Load<double>(g * 8 + 64) * 3); }
