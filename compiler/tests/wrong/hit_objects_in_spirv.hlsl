//! What SPIR-V's extensions for hit objects cannot say.

// CASE positions_of_a_hit_object -T lib_6_10 -spirv -fspv-ser=nv -disable-payload-qualifiers
struct P { float3 c; };
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main() {
  P p = (P)0;
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  if (h.IsHit())
    Out.Store3(0, asuint(h.TriangleObjectPositions().p0));
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0920 SPV_NV_shader_invocation_reorder does not give the positions of a traced hit object's triangle; -fspv-ser=ext does
}

// CASE positions_of_what_is_no_hit -T lib_6_10 -spirv -fspv-ser=nv -disable-payload-qualifiers
//- fine: there is no triangle to ask
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main() {
  dx::HitObject h = dx::HitObject::MakeNop();
  Out.Store3(0, asuint(h.TriangleObjectPositions().p0));
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has neither a ray nor a hit: this gives a fixed value
// = 3:21: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
}

// CASE more_hit_objects_than_bits -T lib_6_9 -spirv -fspv-ser=ext -disable-payload-qualifiers
struct P { float3 c; };
RaytracingAccelerationStructure Scene;
[shader("raygeneration")] void Main() {
  P p = (P)0;
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject all[40];
  for (uint n = 0; n < 40; ++n) {
    ray.TMin = n;
    all[n] = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ E0921 more than 31 hit objects that copies and arrays connect are alive at once here
  }
  dx::HitObject::Invoke(all[DispatchRaysIndex().x], p);
}

// CASE cluster_of_what_was_traced -T lib_6_10 -spirv -fspv-ser=ext -disable-payload-qualifiers
struct P { float3 c; };
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader("raygeneration")] void Main() {
  P p = (P)0;
  RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 1 };
  dx::HitObject h = dx::HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, p);
  Out.Store(0, h.GetClusterID());
//             ^^^^^^^^^^^^^^^^ W0922 the cluster of a hit object is CLUSTER_ID_INVALID here: SPV_EXT_shader_invocation_reorder does not give it; -fspv-ser=nv does
  Out.Store(4, dx::HitObject::MakeNop().GetClusterID());
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ W0860 a hit object that is a nop has neither a ray nor a hit: this gives a fixed value
// = 9:16: note: the nop
// = note: operations on a nop do nothing and give zeros (DXR 1.31, HitObject)
}
