// Constants, macros and small functions that every sample uses.
#ifndef COMMON_CORE_HLSLI
#define COMMON_CORE_HLSLI

#define CONCAT_TOKENS(a, b) a##b
#define CONCAT(a, b) CONCAT_TOKENS(a, b)

// Bindless tables live in spaces of their own, one per kind of resource.
#define SPACE_TEXTURES space1
#define SPACE_BUFFERS space2
#define BINDLESS_TABLE(Type, name, space) Type name[] : register(t0, space)

// Indices that come from a hit or a material differ between the lanes of a wave.
#define BINDLESS(table, index) table[NonUniformResourceIndex(index)]

static const float PI = 3.14159265358979;
static const float TWO_PI = 2 * PI;
static const float INV_PI = 1 / PI;
static const float INV_TWO_PI = 1 / TWO_PI;
static const float RAY_FAR = 1e4;
static const uint INVALID_INDEX = 0xffffffffu;

template<typename T>
T Square(T x)
{
    return x * x;
}

template<typename T>
T Pow5(T x)
{
    const T x2 = x * x;
    return x2 * x2 * x;
}

// `select` of HLSL 2021 under a name that older shader models have too.
int3 Select(bool3 condition, int3 yes, int3 no)
{
    return int3(condition.x ? yes.x : no.x, condition.y ? yes.y : no.y, condition.z ? yes.z : no.z);
}

template<typename T>
void Swap(inout T a, inout T b)
{
    const T old = a;
    a = b;
    b = old;
}

// Unlike `lerp` exact at both ends.
template<typename T>
T Mix(T a, T b, float t)
{
    return a * (1 - t) + b * t;
}

float MaxComponent(float3 v)
{
    return max(v.x, max(v.y, v.z));
}

float Luminance(float3 linearColor)
{
    return dot(linearColor, float3(0.2126, 0.7152, 0.0722));
}

float SafeSqrt(float x)
{
    return sqrt(max(x, 0));
}

float SafeDivide(float a, float b)
{
    return b != 0 ? a / b : 0;
}

float3 SafeNormalize(float3 v, float3 otherwise)
{
    const float squared = dot(v, v);
    return squared > 1e-20 ? v * rsqrt(squared) : otherwise;
}

// A right-angled frame around a unit vector (Duff et al., "Building an Orthonormal Basis, Revisited").
struct Frame
{
    float3 tangent;
    float3 bitangent;
    float3 normal;

    static Frame FromNormal(float3 n)
    {
        const float s = n.z >= 0 ? 1.0 : -1.0;
        const float a = -1 / (s + n.z);
        const float b = n.x * n.y * a;
        Frame frame;
        frame.tangent = float3(1 + s * n.x * n.x * a, s * b, -s * n.x);
        frame.bitangent = float3(b, s + n.y * n.y * a, -n.y);
        frame.normal = n;
        return frame;
    }

    float3 ToWorld(float3 v)
    {
        return v.x * tangent + v.y * bitangent + v.z * normal;
    }

    float3 ToLocal(float3 v)
    {
        return float3(dot(v, tangent), dot(v, bitangent), dot(v, normal));
    }
};

// Steps off a surface by an amount that scales with the position's own precision
// (Wächter and Binder, "A Fast and Robust Method for Avoiding Self-Intersection").
float3 OffsetRay(float3 position, float3 normal)
{
    const float intScale = 256.0;
    const float floatScale = 1.0 / 65536.0;
    const float origin = 1.0 / 32.0;
    const int3 step = int3(intScale * normal);
    const float3 moved = asfloat(asint(position) + Select(position < 0, -step, step));
    return float3(
        abs(position.x) < origin ? position.x + floatScale * normal.x : moved.x,
        abs(position.y) < origin ? position.y + floatScale * normal.y : moved.y,
        abs(position.z) < origin ? position.z + floatScale * normal.z : moved.z);
}

#endif
