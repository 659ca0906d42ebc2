struct P { float4 c; uint n; };
struct A { float2 b; };
struct Hit { float3 n; bool front; };
RaytracingAccelerationStructure S;
Texture2D<float4> T[] : register(t1);
SamplerState Smp;
RWTexture2D<float4> O[4] : register(u3);
RWByteAddressBuffer Log;
ConstantBuffer<A> Cs[8] : register(b0);
cbuffer K { uint count; float4 lights[8]; row_major float4x4 world; int mode; bool flag; };
static Texture2D<float4> alias = T[3];
Texture2D<float4> pick(uint i) { return T[i]; }
float4 read(Texture2D<float4> t, float2 uv) { return t.SampleLevel(Smp, uv, 0); }
float4 readAt(uint index) { return T[index].Load(int3(0, 0, 0)); }
void stop(inout P p) { p.n += 1; p.c.xy = 3; if (p.n > 4) AcceptHitAndEndSearch(); IgnoreHit(); }
[shader("anyhit")] void Any(inout P p, in A a) { uint i = NonUniformResourceIndex(p.n + 1); p.c = T[i].SampleLevel(Smp, a.b, 0); uint j = i * 2; p.c += readAt(j) + read(T[j], a.b) + alias.Load(int3(1, 1, 0)); a.b.x = 3; p.c.x = a.b.x; if (p.c.x > 1) stop(p); p.n = 7; }
[shader("intersection")] void Inter() { Hit h; h.n = ObjectRayOrigin(); h.front = true; if (ReportHit(1, 3, h) && flag) Log.Store(0, 1); }
[shader("closesthit")] void Close(inout P p, in Hit h) { if (h.front) p.c = float4(h.n, RayTCurrent()); precise float x = p.c.x * 2; float y = x * 3; precise float z = y + x; p.c.y = z;
  Texture2D<float4> t = mode > 1 ? T[NonUniformResourceIndex(mode)] : pick(2); p.c += t.Load(int3(0, 0, 0)); Texture2D<float4> arr[2] = { T[0], T[1] }; p.c += arr[mode & 1].Load(int3(0, 0, 0)); }
[shader("miss")] void Ms(inout P p) { float4 s = 0; for (uint i = 0; i < count; i++) s += lights[i] * world[i & 3]; p.c = mul(s, world); p.c += mul(world, s); O[p.n & 3][uint2(1, 2)] = p.c; O[1][uint2(0, 0)].w += Cs[p.n].b.x; }
[shader("callable")] void Call(inout P p) { CallShader(p.n, p); }
export float twice(float x, inout float3 v) { v[int(x)] = 2; return x * 2; }
