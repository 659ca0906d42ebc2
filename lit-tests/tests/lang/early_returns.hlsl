// Early returns of inlined functions become what branches give: no variable, no test after the branch, and no switch with a default only.
// RUN: %rtc -T cs_6_0 -E main -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc dis %t.spv | FileCheck %s
// CHECK: = OpFunction
// CHECK-NOT: OpVariable
// CHECK-NOT: OpSwitch %{{[0-9A-Za-z_]+}} %{{[0-9A-Za-z_]+}}{{$}}
// CHECK: OpFunctionEnd
RWStructuredBuffer<float> Out;
cbuffer C { uint Count; float A; };
float inner(uint kind, float x) { if (x < 0) { if (kind > 2) return x * 3; return -x; } switch (kind) { case 0: return 1; case 3: if (x > 4) return 4; } return x; }
float weight(uint kind, float x)
{
    switch (kind)
    {
    case 0: return x * x;
    case 1:
        if (x < 1) return sqrt(x);
        else if (x > 20) { float y = x / 3; if (y > 8) return inner(kind, y); return y; }
        else return 7;
    case 2: return inner(kind + 1, x / 3);
    default: if (x > 100) return 100;
    }
    return inner(kind, x - 1);
}
[numthreads(64, 1, 1)]
void main(uint i : SV_DispatchThreadID)
{
    float sum = 0;
    [loop] for (uint j = 0; j < Count; j++)
        sum += weight((i ^ j) & 3, A * j);
    Out[i] = sum + weight(i & 3, sum);
}
