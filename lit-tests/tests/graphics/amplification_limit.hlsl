// A payload that is not groupshared does not count towards groupshared memory in DXIL: it is memory of the thread, as there.
// RUN: %rtc -T as_6_10 -DDWORDS=9216 -DLIMIT=36864 %s -Fo %t.dxil
// RUN: %rtc dis %t.dxil | FileCheck %s
// RUN: %rtc -T as_6_10 -DDWORDS=4096 -DLIMIT=16384 -Od %s -Fo %t.od.dxil
// RUN: %rtc validate %t.dxil %t.od.dxil
// RUN: not %rtc -T as_6_10 -DDWORDS=4096 -DLIMIT=8192 %s 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: %rtc -T as_6_5 -DDWORDS=8192 -validator-version 1.6 %s -Fo %t.old.dxil
// RUN: %dxil-val %t.old.dxil
// RUN: %rtc -T lib_6_5 -DDWORDS=100 -DBOTH %s | FileCheck %s --check-prefix=BOTH
// CHECK-NOT: payload
// CHECK: alloca %struct.Payload
// CHECK: call void @dx.op.dispatchMesh.struct.Payload{{.*}}(i32 173, i32 1, i32 2, i32 3, %struct.Payload{{[.0]*}}* {{(nonnull )?}}%
// MORE: error: `main` uses 16384 bytes of groupshared memory; a thread group has at most 8192
// One declaration of the operation has one type of pointer: where another shader passes groupshared memory, all do.
// BOTH: call void @dx.op.dispatchMesh.struct.Payload{{.*}} addrspace(3)*
// BOTH: call void @dx.op.dispatchMesh.struct.Payload{{.*}} addrspace(3)*
struct Payload { float2 a; float4 b; float c[2]; };
groupshared uint shared_words[DWORDS];
#ifdef LIMIT
[GroupSharedLimit(LIMIT)]
#endif
[shader("amplification")] [numthreads(32, 1, 1)]
void main(uint i : SV_GroupIndex)
{
    for (uint n = i; n < DWORDS; n += 32)
        shared_words[n] = n;
    GroupMemoryBarrierWithGroupSync();
    Payload p;
    p.a = float2(1, 2); p.b = shared_words[3]; p.c[0] = 7; p.c[1] = 8;
    DispatchMesh(1, 2, 3, p);
}
#ifdef BOTH
groupshared Payload sent;
[shader("amplification")] [numthreads(32, 1, 1)]
void other(uint i : SV_GroupIndex)
{
    if (i == 0) { sent.a = 1; sent.b = 2; sent.c[0] = sent.c[1] = 3; }
    GroupMemoryBarrierWithGroupSync();
    DispatchMesh(1, 1, 1, sent);
}
#endif
