// Structures: methods, inheritance, nesting, arrays, copies, default arguments.
// RUN: %rtc -T lib_6_3 -validator-version 1.6 %s -Fo %t.dxil
// RUN: %dxil-val %t.dxil
// RUN: %llvm-verify %t.dxil
// RUN: %rtc -T lib_6_3 -Od -validator-version 1.6 %s -Fo %t.od.dxil
// RUN: %dxil-val %t.od.dxil
// RUN: %rtc -T lib_6_3 -spirv %s -Fo %t.spv
// RUN: %spirv-val %t.spv
// RUN: %rtc -T lib_6_3 -spirv -Od %s -Fo %t.od.spv
// RUN: %spirv-val %t.od.spv
struct Base
{
    float3 origin;
    float Length() { return length(origin); }
    void Move(float3 by, float scale = 1) { origin += by * scale; }
};

struct Inner
{
    int2 pair;
    float weights[3];
};

struct Derived : Base
{
    Inner inner;
    static const uint Limit = 3;
    float Sum()
    {
        float s = 0;
        for (uint k = 0; k < Limit; ++k)
            s += inner.weights[k];
        return s + Length();
    }
};

RWStructuredBuffer<Inner> Out : register(u0);
RWByteAddressBuffer Raw : register(u1);

Derived Make(float3 at, int2 pair = int2(7, 8))
{
    Derived d;
    d.origin = at;
    d.inner.pair = pair;
    d.inner.weights[0] = at.x;
    d.inner.weights[1] = at.y;
    d.inner.weights[2] = at.z;
    return d;
}

[shader("raygeneration")]
void Main()
{
    float3 at = float3(DispatchRaysIndex());
    Derived a = Make(at), b = a;
    b.Move(float3(1, 0, 0));
    b.Move(float3(0, 1, 0), 2);
    b.inner.weights[uint(at.x) % 3] = a.Sum();
    Derived list[2] = { a, b };
    Out[0] = list[uint(at.y) & 1].inner;
    Out[1].pair = b.inner.pair.yx;
    Inner zero = (Inner)0;
    Out[2] = zero;
    Raw.Store(0, asuint(b.Sum()));
}
