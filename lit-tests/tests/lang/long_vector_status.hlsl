// A long vector that is loaded with its status is one operation with one check, at every level.
// RUN: %rtc -T cs_6_9 -E main %s -Fo %t.dxil -Fc - | FileCheck %s
// RUN: %rtc validate %t.dxil
// RUN: %rtc -T cs_6_9 -E main -Od %s -Fo %t.od.dxil -Fc - | FileCheck %s
// RUN: %rtc validate %t.od.dxil
// CHECK-COUNT-1: call %dx.types.ResRet.v6f32 @dx.op.rawBufferVectorLoad
// CHECK-COUNT-1: call i1 @dx.op.checkAccessFullyMapped
// CHECK-NOT: call {{.*}}{{rawBufferVectorLoad|checkAccessFullyMapped}}
ByteAddressBuffer raw : register(t0); RWByteAddressBuffer o : register(u0);
[numthreads(1, 1, 1)] void main()
{
    uint s;
    o.Store<vector<float, 6> >(0, raw.Load<vector<float, 6> >(16, s));
    o.Store(64, CheckAccessFullyMapped(s) ? 1 : 0);
}
