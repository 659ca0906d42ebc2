//! Cases of rules for ray tracing and hit objects.

use super::Case;
use super::edit::Edit;
use rtc_dxil_module::{CastOp, Op, Value};
use rtc_tables::validation::rule;

const TRACE: &str = "// rtc -T lib_6_6
RaytracingAccelerationStructure scene;
struct [raypayload] P { uint v : read(caller) : write(caller, closesthit, miss); };
[shader(\"raygeneration\")] void Gen() {
  RayDesc r = {float3(0, 0, 0), 0, float3(0, 0, 1), 1}; P p = {1}; TraceRay(scene, 0, 255, 0, 1, 0, r, p);
}";

const OBJECTS: &str = "// rtc -T lib_6_9
using namespace dx;
RaytracingAccelerationStructure scene; RWByteAddressBuffer o;
struct [raypayload] P { uint v : read(caller) : write(caller, closesthit, miss); };
[shader(\"raygeneration\")] void Gen() {
  RayDesc r = {float3(0, 0, 0), 0, float3(0, 0, 1), 1}; P p = {1};
  HitObject h = HitObject::TraceRay(scene, 0, 255, 0, 1, 0, r, p);
  MaybeReorderThread(h, 3, 2);
  float3 at = h.GetWorldRayOrigin(); float3x4 m = h.GetObjectToWorld3x4();
  o.Store(0, h.GetShaderTableIndex() + h.LoadLocalRootTableConstant(4) + asuint(at.x) + asuint(m[1][2]));
  h.SetShaderTableIndex(2);
  HitObject::Invoke(h, p);
  HitObject n = HitObject::MakeMiss(0, 1, r);
  HitObject::Invoke(n, p);
}";

const MISS: &str = "// rtc -T lib_6_9
using namespace dx;
struct [raypayload] P { uint v : read(caller) : write(caller, miss); };
RWByteAddressBuffer o;
[shader(\"miss\")] void Miss(inout P p) {
  RayDesc r = {float3(0, 0, 0), 0, float3(0, 0, 1), 1};
  HitObject h = HitObject::MakeMiss(0, 1, r); o.Store(0, h.GetShaderTableIndex()); p.v = 3;
}";

const QUERIES: &str = "// rtc -T cs_6_10 -E main
RaytracingAccelerationStructure scene; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  RayDesc r = {float3(i, 0, 0), 0, float3(0, 0, 1), 1};
  RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(scene, 0, 255, r); q.Proceed();
  o.Store(4 * i, q.CommittedClusterID());
}";

const INLINE: &str = "// rtc -T cs_6_6 -E main
RaytracingAccelerationStructure scene; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  RayDesc r = {float3(i, 0, 0), 0, float3(0, 0, 1), 1};
  RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(scene, 0, 255, r); q.Proceed();
  o.Store(4 * i, q.CommittedStatus());
}";

/// Keeps a hit object in the payload.
fn store_in_payload(e: &mut Edit) {
    let (func, object) = e.call("HitObject_MakeMiss");
    let ty = e.m.hit_object_type();
    let ptr = e.m.types.ptr(ty);
    let place = e.insert(func, ptr, Op::Cast { op: CastOp::BitCast, value: Value::Arg(0) });
    let void = e.m.types.void();
    e.insert(func, void, Op::Store { ptr: Value::Inst(place), value: Value::Inst(object), align: 4, volatile: false });
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { rule: rule::INSTR_TRACE_SCENE, source: TRACE, edit: |e| e.kind("TraceRay", 1, 11), reference: "looks at what hit objects are traced through alone" },
    Case { rule: rule::INSTR_TRACE_SCENE, source: OBJECTS, edit: |e| e.kind("HitObject_TraceRay", 1, 11), reference: "" },
    Case { rule: rule::INSTR_TRACE_SCENE, source: INLINE, edit: |e| e.kind("RayQuery_TraceRayInline", 2, 11), reference: "does not look at what queries trace through" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: OBJECTS, edit: |e| e.undefine("HitObject_TraceRay", 3), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: OBJECTS, edit: |e| e.undefine("HitObject_MakeMiss", 2), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: OBJECTS, edit: |e| e.undefine("HitObject_SetShaderTableIndex", 2), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: OBJECTS, edit: |e| e.undefine("HitObject_LoadLocalRootTableConstant", 2), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: OBJECTS, edit: |e| e.undefine("HitObject_Invoke", 2), reference: "" },
    Case { rule: rule::INSTR_UNINITIALIZED, source: QUERIES, edit: |e| e.undefine("RayQuery_CommittedClusterID", 1), reference: "" },
    Case { rule: rule::INSTR_UNDEF_HIT_OBJECT, source: OBJECTS, edit: |e| e.undefine("HitObject_ShaderTableIndex", 1), reference: "" },
    Case { rule: rule::INSTR_UNDEF_HIT_OBJECT, source: OBJECTS, edit: |e| e.undefine("HitObject_WorldRayOrigin", 1), reference: "" },
    Case { rule: rule::INSTR_UNDEF_HIT_OBJECT, source: OBJECTS, edit: |e| e.undefine("HitObject_Invoke", 1), reference: "" },
    Case { rule: rule::INSTR_UNDEF_HIT_OBJECT, source: OBJECTS, edit: |e| e.undefine("MaybeReorderThread", 1), reference: "" },
    Case { rule: rule::INSTR_REORDER_HINT, source: OBJECTS, edit: |e| e.undefine("MaybeReorderThread", 2), reference: "" },
    Case { rule: rule::INSTR_REORDER_HINT, source: OBJECTS, edit: |e| e.undefine("MaybeReorderThread", 3), reference: "" },
    Case { rule: rule::INSTR_OPERAND_RANGE, source: OBJECTS, edit: |e| e.give_i32("HitObject_WorldRayOrigin", 2, 3), reference: "" },
    Case { rule: rule::INSTR_OPERAND_RANGE, source: OBJECTS, edit: |e| e.give_i32("HitObject_ObjectToWorld3x4", 2, 3), reference: "" },
    Case { rule: rule::INSTR_OPERAND_RANGE, source: OBJECTS, edit: |e| e.give_i32("HitObject_ObjectToWorld3x4", 3, -1), reference: "" },
    Case { rule: rule::INSTR_PARAM_MULTIPLE, source: OBJECTS, edit: |e| e.give_i32("HitObject_LoadLocalRootTableConstant", 2, 6), reference: "" },
    Case { rule: rule::INSTR_OPCODE_EXPERIMENTAL, source: OBJECTS, edit: |e| e.give_i32("HitObject_ShaderTableIndex", 0, (1 << 31 | 6u32) as i32), reference: "" },
    Case { rule: rule::SER_HIT_OBJECT_MEMORY, source: MISS, edit: store_in_payload, reference: "does not look where hit objects are kept" },
];
