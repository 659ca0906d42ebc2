struct Payload { float4 color; uint depth; };
struct Attr { float3 n; };
cbuffer Frame : register(b0) { float4x4 inv; float3 eye; uint maxDepth; };
struct Local { float4 albedo; uint tex; };
ConstantBuffer<Local> L : register(b1, space1);
RaytracingAccelerationStructure Scene : register(t0);
StructuredBuffer<float3> Vtx : register(t1);
ByteAddressBuffer Idx : register(t2);
Texture2D<float4> Tex[] : register(t0, space2);
SamplerState Smp : register(s0);
RWTexture2D<float4> Out : register(u0);
GlobalRootSignature GRS = { "DescriptorTable(UAV(u0)), SRV(t0), CBV(b0), SRV(t1), SRV(t2), StaticSampler(s0), DescriptorTable(SRV(t0, space=2, numDescriptors=unbounded))" };
LocalRootSignature LRS = { "RootConstants(num32BitConstants=5, b1, space=1)" };
TriangleHitGroup Tri = { "AnyHit", "ClosestHit" };
ProceduralPrimitiveHitGroup Proc = { "", "ClosestProc", "Intersect" };
SubobjectToExportsAssociation Assoc = { "LRS", "Tri;Proc" };
RaytracingShaderConfig Cfg = { 20, 12 };
RaytracingPipelineConfig Pipe = { 3 };
float3 fetch(uint i) { return Vtx[Idx.Load(i * 4)]; }
[shader("raygeneration")] void RayGen() {
  uint2 px = DispatchRaysIndex().xy; float2 uv = (px + 0.5) / DispatchRaysDimensions().xy * 2 - 1;
  float4 w = mul(float4(uv, 0, 1), inv); RayDesc r; r.Origin = eye; r.Direction = normalize(w.xyz / w.w - eye); r.TMin = 0.001; r.TMax = 1e4;
  Payload p = { float4(0, 0, 0, 0), 0 }; TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 0xff, 0, 1, 0, r, p); Out[px] = p.color;
}
[shader("anyhit")] void AnyHit(inout Payload p, in BuiltInTriangleIntersectionAttributes a) { if (Tex[NonUniformResourceIndex(L.tex)].SampleLevel(Smp, a.barycentrics, 0).a < 0.5) IgnoreHit(); p.depth++; if (p.depth > 64) AcceptHitAndEndSearch(); }
[shader("closesthit")] void ClosestHit(inout Payload p, in BuiltInTriangleIntersectionAttributes a) {
  float3 v0 = fetch(PrimitiveIndex() * 3), v1 = fetch(PrimitiveIndex() * 3 + 1), v2 = fetch(PrimitiveIndex() * 3 + 2); float3 n = normalize(mul((float3x3)ObjectToWorld3x4(), cross(v1 - v0, v2 - v0)));
  if (p.depth < maxDepth) { RayDesc r = { WorldRayOrigin() + WorldRayDirection() * RayTCurrent(), 0.001, reflect(WorldRayDirection(), n), 1e4 }; Payload q = { float4(0, 0, 0, 0), p.depth + 1 }; TraceRay(Scene, 0, ~0, 0, 1, 0, r, q); p.color = q.color * L.albedo; }
  else p.color = L.albedo * saturate(n.y) + float4(a.barycentrics, InstanceID(), HitKind() == HIT_KIND_TRIANGLE_FRONT_FACE);
}
[shader("closesthit")] void ClosestProc(inout Payload p, in Attr a) { p.color = float4(a.n, InstanceIndex()); CallShader(1, p); }
[shader("intersection")] void Intersect() { float3 o = ObjectRayOrigin(), d = ObjectRayDirection(); float b = dot(o, d), c = dot(o, o) - 1, h = b * b - c; if (h > 0) { float t = -b - sqrt(h); Attr a; a.n = o + t * d; if (t > RayTMin()) ReportHit(t, 3, a); } }
[shader("miss")] void Miss(inout Payload p) { p.color = float4(lerp(1, float3(0.5, 0.7, 1), WorldRayDirection().y * 0.5 + 0.5), 1); }
[shader("callable")] void Shade(inout Payload p) { p.color *= 0.5; }
