// A tour of the language for tests: nothing here needs to make sense, all of it is syntax.
#ifndef LANGUAGE
#define LANGUAGE 1
#define SQUARE(x) ((x) * (x))
#define DECLARE(type, name, ...) static const type name = type(__VA_ARGS__)
#define JOIN(a, b) a##b
#define TEXT(x) #x
#if defined(LANGUAGE) && (LANGUAGE + 1) * 2 == 4 && !__has_include("nothing.h")
DECLARE(float3, JOIN(up, Axis), 0, 1, 0);
#elif 0
#error not here
#endif

#pragma pack_matrix(row_major)
#pragma dxc diagnostic push
#pragma dxc diagnostic ignored "-Wconversion"

namespace math {
    static const float pi = 3.14159265f;
    typedef float Real;
    using Real3 = vector<float, 3>;
    template <typename T> T sq(T x) { return x * x; }
    template <typename T, int N = 4> struct Array {
        T items[N];
        T get(int i) { return items[i]; }
        template <typename U> U as(int i) { return (U)items[i]; }
        T operator[](int i) { return items[i]; }
    };
    template <> struct Array<bool, 2> { uint bits; };
    namespace detail { enum class Mode : uint { Off, On = 2, Auto = On + 1, }; }
}
using namespace math;

enum Flags { None, First = 1 << 0, Second = 1 << 1 };

interface Shape { float area(); };

struct Base { float4 position : SV_Position; nointerpolation uint id : ID0; };

struct Complex : Base, Shape {
    float re, im;
    uint low : 12, high : 20;
    static const int count = 2;
    struct Inner { half h; min16float m; } inner;
    float area() { return this.re * im; }
    Complex operator+(Complex o) { Complex r = (Complex)0; r.re = re + o.re; r.im = im + o.im; return r; }
    bool operator<(Complex o) const { return re < o.re; }
    float length();
};
float Complex::length() { return sqrt(SQUARE(re) + SQUARE(im)); }

cbuffer Constants : register(b0, space1) {
    float4x4 view : packoffset(c0);
    column_major float3x4 world : packoffset(c4);
    float scale : packoffset(c8.y);
    int counts[4];
}
tbuffer Table { float4 rows[16]; };
ConstantBuffer<Complex> shared_constants : register(b1);
Texture2D<float4> textures[] : register(t0, space2);
[[vk::binding(3, 1)]] [[vk::image_format("rgba16f")]] globallycoherent RWTexture2D<unorm float4> target : register(u0);
StructuredBuffer<math::Array<float> > arrays;
RWStructuredBuffer<vector<float, 3>> points;
ByteAddressBuffer bytes;
SamplerState linear_sampler;
groupshared float tile[8][8];

float f(in float a, inout float3 b, out uint c[2], const float d = 1.5f, uint e = 7u) : SV_Target0
{
    c[0] = e; c[1] = 0x1Fu | 010 ^ ~3;
    b += float3(a, d, 1).zyx * 2.xxx;
    const float2x2 m = { 1, 2, { 3, 4 } };
    m._m00_m11 = m[0].yx;
    [unroll(4)] for (int i = 0, j = 9; i < 4 && j > 0; ++i, j--) { if (i == 2) continue; tile[i][j] += i; }
    [loop] while (a > 0) { a -= 1e-3f; break; }
    do { a++; } while (a < .5 || !true);
    [branch] if (a < b.x) return -a; else if (a > b.y) { return +a; } else b.z = 0;
    [forcecase] switch (e & 3) { case 0: case First: a = 1; break; default: { a = 2; } break; }
    a = a > 1 ? b.x, b.y : a < 0 ? 1 : 2;
    Array<float, 4> list; list.items[2] = list.get(1) + list.as<int>(2) + sq<float>(a) + sq(2);
    detail::Mode mode = detail::Mode::On;
    float4 t = textures[NonUniformResourceIndex(e)].SampleLevel(linear_sampler, b.xy, 0);
    Complex x = bytes.Load<Complex>(16), y = { (Base)0, 1, 2 };
    uint size = sizeof(Complex) + sizeof x >> 1 << 2;
    string text = TEXT(a + "b") "c";
    float4 sample = t, center = sample.wzyx;
    return (x + y).re + ((float)size) * (1.0h - 2.0l) / 3 % 4;
}
#pragma dxc diagnostic pop

[numthreads(8, 8, 1)] [shader("compute")]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex)
{
    float3 v = 0; uint c[2];
    target[id.xy] = float4(f(1, v, c), v) ; ;
    GroupMemoryBarrierWithGroupSync();
    { typedef uint Local; Local l = (Local)v.x; }
    if (float k = v.x) discard;
}
#endif
