// Every method of hit objects and every form of MaybeReorderThread, in every stage that has them.
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
struct Payload { float3 color; uint depth; };
struct Other { uint word; };
struct Box { float3 at; uint face; };

LocalRootSignature Local = { "RootConstants(num32BitConstants=4, b0, space=1)" };
SubobjectToExportsAssociation Who = { "Local", "Hit;Miss" };
cbuffer Record : register(b0, space1) { uint4 record; }

RayDesc MakeRay(float3 from) {
  RayDesc ray;
  ray.Origin = from; ray.TMin = 0.125; ray.Direction = float3(0, 0, 1); ray.TMax = 100;
  return ray;
}

void Ask(dx::HitObject h, uint at) {
  Out.Store(at, (uint)h.IsMiss() | (uint)h.IsHit() << 1 | (uint)h.IsNop() << 2);
  Out.Store(at + 4, h.GetRayFlags());
  Out.Store(at + 8, asuint(h.GetRayTMin()));
  Out.Store(at + 12, asuint(h.GetRayTCurrent()));
  Out.Store3(at + 16, asuint(h.GetWorldRayOrigin()));
  Out.Store3(at + 28, asuint(h.GetWorldRayDirection()));
  Out.Store3(at + 40, asuint(h.GetObjectRayOrigin()));
  Out.Store3(at + 52, asuint(h.GetObjectRayDirection()));
  Out.Store4(at + 64, asuint(h.GetObjectToWorld3x4()[1]));
  Out.Store3(at + 80, asuint(h.GetObjectToWorld4x3()[2]));
  Out.Store4(at + 92, asuint(h.GetWorldToObject3x4()[0]));
  Out.Store3(at + 108, asuint(h.GetWorldToObject4x3()[3]));
  Out.Store(at + 120, h.GetInstanceIndex());
  Out.Store(at + 124, h.GetInstanceID());
  Out.Store(at + 128, h.GetGeometryIndex());
  Out.Store(at + 132, h.GetPrimitiveIndex());
  Out.Store(at + 136, h.GetHitKind());
  Out.Store2(at + 140, asuint(h.GetAttributes<BuiltInTriangleIntersectionAttributes>().barycentrics));
  Box box = h.GetAttributes<Box>();
  Out.Store(at + 148, box.face);
  Out.Store(at + 152, h.GetShaderTableIndex());
  Out.Store(at + 156, h.LoadLocalRootArgumentsConstant(4));
  Out.Store(at + 160, h.LoadLocalRootTableConstant(8));
}

dx::HitObject Query(uint which) {
  RayQuery<RAY_FLAG_NONE> q;
  q.TraceRayInline(Scene, 0, 255, MakeRay(which));
  Box box = { float3(1, 2, 3), which };
  while (q.Proceed())
    if (q.CandidateType() == CANDIDATE_PROCEDURAL_PRIMITIVE) q.CommitProceduralPrimitiveHit(7);
    else q.CommitNonOpaqueTriangleHit();
  if (which & 1) return dx::HitObject::FromRayQuery(q);
  return dx::HitObject::FromRayQuery(q, 5, box);
}

[shader("raygeneration")]
void Everything() {
  uint id = DispatchRaysIndex().x;
  Payload p = (Payload)0;
  Other other = (Other)0;
  Ask(dx::HitObject::TraceRay(Scene, RAY_FLAG_CULL_BACK_FACING_TRIANGLES, 255, 0, 1, 0, MakeRay(id), p), 0);
  Ask(Query(id), 256);
  Ask(dx::HitObject::MakeMiss(RAY_FLAG_FORCE_OPAQUE, 1, MakeRay(id)), 512);
  Ask(dx::HitObject::MakeNop(), 768);
  dx::HitObject h = Query(id + 1);
  h.SetShaderTableIndex(id);
  dx::HitObject::Invoke(h, other);
  dx::MaybeReorderThread(h);
  dx::MaybeReorderThread(id, 4);
  dx::MaybeReorderThread(h, id, 4);
  dx::MaybeReorderThread(dx::HitObject::MakeNop());
  dx::HitObject::Invoke(h, p);
  Out.Store3(1024, asuint(p.color) + other.word);
}

[shader("closesthit")]
void Hit(inout Payload p, BuiltInTriangleIntersectionAttributes a) {
  p.color = record.x + a.barycentrics.x;
  if (p.depth++ < 2) {
    dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, MakeRay(p.color), p);
    dx::HitObject::Invoke(h, p);
    Ask(h, 2048);
  }
}

[shader("miss")]
void Miss(inout Payload p) {
  p.color = record.y;
  dx::HitObject h = dx::HitObject::MakeMiss(0, 2, MakeRay(p.color));
  if (p.depth++ < 2) dx::HitObject::Invoke(h, p);
}
