// `#pragma pack_matrix` takes effect where a type ends.
// RUN: %rtc -T ps_6_0 -E main %s -Fo %t.dxil -Fc - | FileCheck %s
// CHECK: row_major float2x3 m; {{ *}}; Offset: {{ *}}0
// CHECK: row_major float2x3 n; {{ *}}; Offset: {{ *}}32
// CHECK: row_major float2x3 p; {{ *}}; Offset: {{ *}}64
// CHECK: column_major float2x3 q; {{ *}}; Offset: {{ *}}96
matrix<float, 2,
#pragma pack_matrix(row_major)
 3> m;
#pragma pack_matrix(column_major)
float2x3
#pragma pack_matrix(row_major)
 n;
#pragma pack_matrix(column_major)
const
#pragma pack_matrix(row_major)
float2x3 p;
#pragma pack_matrix(column_major)
float2x3 q;
#pragma pack_matrix(row_major)
float main() : SV_Target { return m._m01 + n._m01 + p._m01 + q._m01; }
