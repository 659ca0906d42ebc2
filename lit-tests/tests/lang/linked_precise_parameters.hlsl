// A `precise` parameter or result of a function of another library: its declaration compiles, and what callers pass is precise, as it is in one source.
// RUN: %rtc -T lib_6_6 -DA -validator-version 1.6 %s -Fo %t.a.dxil
// RUN: %dxil-val %t.a.dxil
// RUN: %rtc dis %t.a.dxil | FileCheck %s
// RUN: %rtc -T lib_6_6 -DB -validator-version 1.6 %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %dxil-val %T/linked.dxil
// RUN: cp %S/Inputs/linked_arrays.toml %T/linked_arrays.toml
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json --check-prefix=VALUES
// RUN: %rtc -T lib_6_x -Od -DA %s -Fo %t.a.dxil
// RUN: %rtc -T lib_6_x -DB %s -Fo %t.b.dxil
// RUN: %rtc link -T cs_6_6 -E main -validator-version 1.6 %t.a.dxil %t.b.dxil -Fo %T/linked.dxil
// RUN: %rtc-run-cpu %T/linked_arrays.toml -o %T
// RUN: FileCheck %s --input-file %T/out.json --check-prefix=VALUES
// VALUES: {{^\[?}}973078528,
// VALUES-NEXT: {{^\[?}}12,
// VALUES-NEXT: {{^\[?}}15,
struct S { float x[2]; float y; };
precise float off(precise float a, float b);
void changed(inout precise float2 v, float by);
float total(precise S s);
#ifdef A
RWByteAddressBuffer Out : register(u0);
// CHECK-LABEL: ?value@
// CHECK-DAG: fmul float
// CHECK-DAG: fmul fast float
export float value(float x, float y) { return off(x * x, y * y); }
// CHECK-LABEL: ?pair@
// CHECK: fmul float
// CHECK-NOT: fmul fast
export float pair(float x, float y) { float2 v = float2(x * 5, 2); changed(v, y * y); return v.x + v.y; }
// CHECK-LABEL: ?structure@
// CHECK: fmul float
export float structure(float x) { S s; s.x[0] = x * 3; s.x[1] = s.x[0]; s.y = 3; return total(s); }
[shader("compute")] [numthreads(1, 1, 1)] void main()
{
    float k = Out.Load(60) + 1;
    // 1 + 2^-12: its square is 1 + 2^-11 when it is rounded.
    Out.Store(0, asuint(value(k + 0.000244140625f, k)));
    Out.Store(4, (uint)pair(k, k * 2));
    Out.Store(8, (uint)structure(k * 2));
}
#else
export precise float off(precise float a, float b) { return a - b; }
export void changed(inout precise float2 v, float by) { v.x += by; v.y = v.y + 1 - by + by; v.y -= 0; }
export float total(precise S s) { return s.x[0] + s.x[1] + s.y; }
#endif
