// rtc -T cs_6_6 -E main -HV 2021
// A matrix from a byte-address buffer is read row by row, whatever its packing; one that is written, and members of structures, lie as declared.
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T
// RUN: FileCheck %s --input-file=%T/out.json
// RUN: %rtc-run-cpu %s --scene %S/Inputs/expect.toml -o %T -- -Od
// RUN: FileCheck %s --input-file=%T/out.json
// CHECK: {{^}}[
// CHECK-NEXT: {{^}}24,
// CHECK-NEXT: {{^}}0,
#include "Inputs/expect.hlsli"
struct Both { float2x3 columns; row_major float2x3 rows; };

[numthreads(1, 1, 1)] void main()
{
    int2x3 m = In.Load<int2x3>(0);
    IS(m[0][0], 0); IS(m[0][1], 1); IS(m[0][2], 2); IS(m[1][0], 3); IS(m[1][1], 4); IS(m[1][2], 5);
    row_major int3x2 r = In.Load<row_major int3x2>(i(4));
    IS(r[0][0], 1); IS(r[0][1], 2); IS(r[2][1], 6);
    typedef column_major int2x2 Columns;
    Columns c = In.Load<Columns>(8); IS(c[0][1], 3); IS(c[1][0], 4);
    IS(In.Load<int2x3>(0)[i(1)][2], 5);
    int1x3 flat = In.Load<int1x3>(4); IS(flat[0][2], 3); int3x1 column = In.Load<int3x1>(4); IS(column[2][0], 3);
    // Stored by columns, or by rows.
    Out.Store(16, m); IS(Out.Load<int>(20), 3); IS(Out.Load<int>(24), 1);
    row_major int2x3 n = m; Out.Store(16, n); IS(Out.Load<int>(20), 1); IS(Out.Load<int>(28), 3);
    Both b; b.columns = float2x3(1, 2, 3, 4, 5, 6); b.rows = b.columns;
    Out.Store(8, b); IS(Out.Load<float>(12), 4.0f); IS(Out.Load<float>(36), 2.0f);
    Both d = Out.Load<Both>(8); IS(d.columns[0][1], 2.0f); IS(d.rows[1][0], 4.0f);
    bool2x2 t = In.Load<bool2x2>(0); IS(t[0][0] ? 1u : 0u, 0); IS(t[0][1] ? 1u : 0u, 1);
    Out.Store4(8, 0); Out.Store4(24, 0); Out.Store4(40, 0);
    done();
}
