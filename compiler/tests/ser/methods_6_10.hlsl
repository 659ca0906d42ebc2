// The methods of hit objects since shader model 6.10.
RaytracingAccelerationStructure Scene : register(t0);
RaytracingAccelerationStructure Others[] : register(t0, space1);
RWByteAddressBuffer Out : register(u0);
struct P { float3 c; };

[shader("raygeneration")]
void Main() {
  P p = (P)0;
  uint id = DispatchRaysIndex().x;
  RayDesc ray = { float3(id, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject traced = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  Out.Store(0, traced.GetClusterID());
#ifdef POSITIONS
  Out.Store3(16, asuint(traced.TriangleObjectPositions().p1));
#endif
  RayQuery<RAY_FLAG_NONE> q;
  q.TraceRayInline(Others[NonUniformResourceIndex(id)], 0, 255, ray);
  q.Proceed();
  dx::HitObject either = dx::HitObject::FromRayQuery(q);
  Out.Store(4, either.GetClusterID());
  if (id & 1) either = traced;
  // Both are live, and one of them gets another record: in NV it is recorded again, with any scene.
  dx::HitObject changed = either;
  changed.SetShaderTableIndex(id);
  Out.Store(8, changed.GetClusterID() + either.GetShaderTableIndex());
  dx::HitObject::Invoke(changed, p);
  dx::HitObject::Invoke(either, p);
  Out.Store3(32, asuint(p.c));
}

// What comes from queries alone remembers their positions, whatever the extension.
[shader("raygeneration")]
void Queried() {
  RayDesc ray = { float3(1, 2, 3), 0, float3(0, 0, 1), 1 };
  RayQuery<RAY_FLAG_NONE> q;
  q.TraceRayInline(Scene, 0, 255, ray);
  q.Proceed();
  dx::HitObject h;
  if (DispatchRaysIndex().x & 1) h = dx::HitObject::FromRayQuery(q);
  Out.Store3(64, asuint(h.TriangleObjectPositions().p2));
}
