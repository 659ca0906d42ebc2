// An array of payloads in a payload: each element has the fields of its own, of which the qualifiers are joined in the fields of the payload. So they are as
// tight as those of as many members.
// RUN: %rtc paq -T lib_6_6 %s | FileCheck %s
// RUN: %rtc paq -T lib_6_6 -D MEMBERS %s | FileCheck --check-prefix=MEMBERS %s
// RUN: cp %s %t.hlsl
// RUN: %rtc paq -T lib_6_6 -fix %t.hlsl | FileCheck %s
// RUN: %rtc -T lib_6_7 -WX %t.hlsl -Fo %t.dxil
// RUN: FileCheck --check-prefix=FIXED %s --input-file=%t.hlsl
struct Light { float x; float y; float unused; };
#ifdef MEMBERS
struct Lights { Light first; Light second; float z; };
#define FIRST first
#define SECOND second
#else
struct Lights { Light a[2]; float z; };
#define FIRST a[0]
#define SECOND a[1]
#endif
struct Long { Light all[40]; };
struct Rows { Light rows[2][2]; };
// FIXED: struct [raypayload] Light { float x : read(closesthit) : write(caller); float y : read(caller) : write(closesthit, miss); float unused : read() : write(); };
// FIXED: struct [raypayload] Lights { Light a[2]; float z : read(caller) : write(closesthit, miss); };
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float> Out : register(u1);
RayDesc ray() { RayDesc r = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 }; return r; }
[shader("raygeneration")] void Main()
{
    Lights p;
    p.FIRST.x = 1; p.SECOND.x = 2;
    TraceRay(Scene, 0, 255, 0, 1, 0, ray(), p);
    Out[0] = p.FIRST.y + p.SECOND.y + p.z;
    Light one;
    one.x = 3;
    TraceRay(Scene, 0, 255, 0, 1, 1, ray(), one);
    Out[1] = one.y;
    Rows r;
    r.rows[0][0].x = r.rows[0][1].x = r.rows[1][0].x = r.rows[1][1].x = 1;
    TraceRay(Scene, 0, 255, 0, 1, 3, ray(), r);
    Out[3] = r.rows[1][0].y;
}
[shader("closesthit")] void C(inout Lights p, in BuiltInTriangleIntersectionAttributes t) { p.FIRST.y = p.FIRST.x; p.SECOND.y = p.SECOND.x; p.z = 1; }
[shader("miss")] void M(inout Lights p) { p.FIRST.y = p.SECOND.y = p.z = 0; }
[shader("closesthit")] void CloseToOne(inout Light p, in BuiltInTriangleIntersectionAttributes t) { p.y = p.x; }
[shader("miss")] void MissesOne(inout Light p) { p.y = 0; }
[shader("miss")] void MissesRows(inout Rows p) { p.rows[0][0].y = p.rows[0][1].y = p.rows[1][0].y = p.rows[1][1].y = 0; }
// CHECK: struct [raypayload] Lights
// CHECK-NEXT: {
// CHECK-NEXT: Light[2] a[].x {{ *}}: read(closesthit) : write(caller);
// CHECK-NEXT: Light[2] a[].y {{ *}}: read(caller) : write(closesthit, miss);
// CHECK-NEXT: Light[2] a[].unused {{ *}}: read() : write();
// CHECK-NEXT: float z {{ *}}: read(caller) : write(closesthit, miss);
// MEMBERS: struct [raypayload] Lights
// MEMBERS-NEXT: {
// MEMBERS-NEXT: float first.x {{ *}}: read(closesthit) : write(caller);
// MEMBERS-NEXT: float first.y {{ *}}: read(caller) : write(closesthit, miss);
