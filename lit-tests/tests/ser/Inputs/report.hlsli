// Reports: what a shader found and what it must be, in the layout that `checks` of a scene has. A shader that includes this states before it
// which thread it is: `uint thread()`.

RWByteAddressBuffer Report : register(u0);

static const uint REPORT_BYTES = 2048;

// Only ray generation and compute shaders report, so a variable can count.
static uint Checks = 0;

void report(uint place, uint found, uint must, uint kind)
{
    ++Checks;
    Report.Store3(thread() * REPORT_BYTES + Checks * 16, uint3(place << 1 | kind, found, must));
}
void report3(uint place, float3 found, float3 must)
{
    report(place, asuint(found.x), asuint(must.x), 1);
    report(place, asuint(found.y), asuint(must.y), 1);
    report(place, asuint(found.z), asuint(must.z), 1);
}
// One check of a number, of a floating-point number; three of a vector; twelve of a matrix.
#define IS(found, must) report(__LINE__, uint(found), uint(must), 0)
#define ISF(found, must) report(__LINE__, asuint(float(found)), asuint(float(must)), 1)
#define IS3(found, must) report3(__LINE__, found, must)
void matrix34(uint place, float3x4 found, float4 a, float4 b, float4 c)
{
    report3(place, found[0].xyz, a.xyz); report3(place, found[1].xyz, b.xyz); report3(place, found[2].xyz, c.xyz);
    report3(place, float3(found[0].w, found[1].w, found[2].w), float3(a.w, b.w, c.w));
}
#define IS34(found, a, b, c) matrix34(__LINE__, found, a, b, c)
#define IS43(found, a, b, c) matrix34(__LINE__, transpose(found), a, b, c)
// The end of the shader: how many checks there must have been.
void done(uint checks)
{
    Report.Store2(thread() * REPORT_BYTES, uint2(Checks, 0x40000000 | checks));
}
