// -T lib_6_6 -enable-payload-qualifiers
RaytracingAccelerationStructure scene : register(t0);
RWStructuredBuffer<float4> hits : register(u0);

struct [raypayload] Inner { float2 uv : read(caller, miss) : write(closesthit, caller); };
struct [raypayload] Payload {
  float t : read(caller) : write(closesthit, miss);
  uint seed : read(anyhit, closesthit, caller) : write(caller, anyhit);
  Inner inner;
};
typedef BuiltInTriangleIntersectionAttributes Attributes;

float Random(inout uint seed) {
  seed = seed * 747796405u + 2891336453u;
  return (seed >> 8) / 16777216.0;
}

RayDesc Ray(float3 from) {
  RayDesc r;
  r.Origin = from;
  r.TMin = 0;
  r.Direction = float3(0, 0, 1);
  r.TMax = 100;
  return r;
}

float Trace(RayDesc ray, inout Payload payload) {
  TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);
  return payload.t;
}

[shader("raygeneration")]
void Camera() {
  const uint2 at = DispatchRaysIndex().xy;
  RayDesc r = Ray(float3(at, 0));
  Payload p;
  p.seed = at.x;
  p.inner.uv = 0;
  float sum = 0;
  for (int bounce = 0; bounce < 3; bounce++) {
    sum += Trace(r, p);
    r.Origin += r.Direction * p.t;
    if (sum > 10)
      break;
  }
  RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
  query.TraceRayInline(scene, RAY_FLAG_NONE, 0xff, r);
  query.Proceed();
  hits[at.y] = float4(sum, query.CommittedRayT(), p.inner.uv);
}

[shader("anyhit")]
void Any(inout Payload p, in Attributes a) {
  if (Random(p.seed) < a.barycentrics.x)
    IgnoreHit();
}

[shader("closesthit")]
void Closest(inout Payload p, in Attributes a) {
  p.t = RayTCurrent() + p.seed;
  p.inner.uv = a.barycentrics;
}

[shader("miss")]
void Sky(inout Payload p) {
  p.t = p.inner.uv.y;
}

export float Helper(float3 v, float w) {
  float3 scaled = v * w;
  return dot(scaled, v);
}
