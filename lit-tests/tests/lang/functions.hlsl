// in, out, inout, overloads, early returns, nested calls.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
RWByteAddressBuffer Out : register(u0);

float Scale(float x) { return x * 2; }
int Scale(int x) { return x * 3; }
float2 Scale(float2 v, float by = 4) { return v * by; }

void Swap(inout float a, inout float b) { float t = a; a = b; b = t; }
void Split(float x, out float whole, out float part) { whole = floor(x); part = x - whole; }
void Twice(inout float4 v) { v.xy += v.zw; v.w = v.x; }

float Find(float limit, float4 values)
{
    for (int i = 0; i < 4; ++i)
    {
        if (values[i] > limit)
            return values[i];
        for (int k = 0; k < i; ++k)
            if (values[k] * values[i] > limit)
                return float(k);
    }
    return -1;
}

[shader("raygeneration")]
void Main()
{
    float2 p = float2(DispatchRaysIndex().xy);
    float a = Scale(p.x), b = Scale(int(p.y));
    Swap(a, b);
    float4 v = float4(a, b, Scale(p));
    Swap(v.x, v.w);
    float arr[4] = { v.x, v.y, v.z, v.w };
    Swap(arr[0], arr[int(p.x) & 3]);
    Split(v.y, v.x, v.z);
    Twice(v);
    float found = Find(3, v);
    Out.Store4(0, asuint(v));
    Out.Store(16, asuint(found + arr[1] + arr[2]));
}
