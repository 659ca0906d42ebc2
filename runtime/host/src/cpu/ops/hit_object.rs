//! Operations on hit objects ([`crate::cpu::trace::hit_object`]), and `MaybeReorderThread`.

use super::rays::{call, ray, top};
use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use crate::cpu::profile;
use crate::cpu::thread::Thread;
use crate::cpu::trace::hit_object::{self, HitObject, element};
use crate::cpu::trace::tables::Table;
use crate::cpu::trace::{Attributes, Memory, RayState};
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::hit_objects::nop_bits;
use rtc_tables::insts::Opcode as O;

/// The operations.
#[rustfmt::skip]
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::HIT_OBJECT_TRACE_RAY, trace),
    (op::HIT_OBJECT_FROM_RAY_QUERY, from_query),
    (op::HIT_OBJECT_FROM_RAY_QUERY_WITH_ATTRS, from_query_with),
    (op::HIT_OBJECT_MAKE_MISS, make_miss),
    (op::HIT_OBJECT_MAKE_NOP, |_, a| a.ret(0, 0)),
    (op::HIT_OBJECT_INVOKE, invoke),
    (op::HIT_OBJECT_SET_SHADER_TABLE_INDEX, set_index),
    (op::HIT_OBJECT_LOAD_LOCAL_ROOT_TABLE_CONSTANT, load_constant),
    (op::HIT_OBJECT_ATTRIBUTES, attributes),
    (op::HIT_OBJECT_TRIANGLE_OBJECT_POSITION, positions),
    (op::MAYBE_REORDER_THREAD, reorder),
    (op::HIT_OBJECT_IS_MISS, |t, a| query(t, a, const { nop_bits(O::hit_is_miss) }, |o, _| o.is_miss().into())),
    (op::HIT_OBJECT_IS_HIT, |t, a| query(t, a, const { nop_bits(O::hit_is_hit) }, |o, _| (!o.is_miss()).into())),
    (op::HIT_OBJECT_IS_NOP, |t, a| query(t, a, const { nop_bits(O::hit_is_nop) }, |_, _| 0)),
    (op::HIT_OBJECT_RAY_FLAGS, |t, a| query(t, a, const { nop_bits(O::hit_get_ray_flags) }, |o, _| o.view.flags)),
    (op::HIT_OBJECT_RAY_T_MIN, |t, a| query(t, a, const { nop_bits(O::hit_get_ray_tmin) }, |o, _| o.view.t_min.to_bits())),
    (op::HIT_OBJECT_RAY_T_CURRENT, |t, a| query(t, a, const { nop_bits(O::hit_get_ray_tcurrent) }, |o, _| o.view.t.to_bits())),
    (op::HIT_OBJECT_WORLD_RAY_ORIGIN, |t, a| query(t, a, const { nop_bits(O::hit_get_world_ray_origin) }, |o, a| at(&o.view.origin, a))),
    (op::HIT_OBJECT_WORLD_RAY_DIRECTION, |t, a| query(t, a, const { nop_bits(O::hit_get_world_ray_direction) }, |o, a| at(&o.view.direction, a))),
    (op::HIT_OBJECT_OBJECT_RAY_ORIGIN, |t, a| query(t, a, const { nop_bits(O::hit_get_object_ray_origin) }, |o, a| o.object_origin(a.u32(1) as usize).to_bits())),
    (op::HIT_OBJECT_OBJECT_RAY_DIRECTION, |t, a| query(t, a, const { nop_bits(O::hit_get_object_ray_direction) }, |o, a| o.object_direction(a.u32(1) as usize).to_bits())),
    (op::HIT_OBJECT_OBJECT_TO_WORLD_3X4, |t, a| matrix(t, a, |v| v.to_world)),
    (op::HIT_OBJECT_WORLD_TO_OBJECT_3X4, |t, a| matrix(t, a, |v| v.to_object)),
    // The ray states of misses have 0 in these.
    (op::HIT_OBJECT_GEOMETRY_INDEX, |t, a| query(t, a, const { nop_bits(O::hit_get_geometry_index) }, |o, _| o.view.geometry)),
    (op::HIT_OBJECT_INSTANCE_INDEX, |t, a| query(t, a, const { nop_bits(O::hit_get_instance_index) }, |o, _| o.view.instance)),
    (op::HIT_OBJECT_INSTANCE_ID, |t, a| query(t, a, const { nop_bits(O::hit_get_instance_id) }, |o, _| o.view.id)),
    (op::HIT_OBJECT_PRIMITIVE_INDEX, |t, a| query(t, a, const { nop_bits(O::hit_get_primitive_index) }, |o, _| o.view.primitive)),
    (op::HIT_OBJECT_HIT_KIND, |t, a| query(t, a, const { nop_bits(O::hit_get_kind) }, |o, _| o.view.kind)),
    (op::HIT_OBJECT_SHADER_TABLE_INDEX, |t, a| query(t, a, const { nop_bits(O::hit_get_shader_table_index) }, |o, _| o.index().unwrap_or(0))),
    (op::HIT_OBJECT_CLUSTER_ID, |t, a| query(t, a, const { nop_bits(O::hit_get_cluster_id) }, |o, _| o.view.cluster)),
];

fn trace(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let top = top(thread, args.shape.site, args.bits(0));
    let call = call(args);
    if thread.is_sanitized() {
        super::rays::check_flags(thread, args.shape.site, call.flags);
    }
    let handle = hit_object::trace(thread, args.shape.site, top, &call, Memory::of(args, 14, 15));
    profile::trace_of_hit_object(thread, args.shape.site);
    args.ret(0, handle);
}

fn from_query(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let handle = hit_object::from_query(thread, args.shape.site, args.u32(0), 0, Attributes::ZERO);
    args.ret(0, handle);
}

fn from_query_with(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let attributes = Attributes::copied(Memory::of(args, 2, 3));
    let handle = hit_object::from_query(thread, args.shape.site, args.u32(0), args.u32(1), attributes);
    args.ret(0, handle);
}

fn make_miss(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let view = RayState::of_ray(&ray(args, 2), args.u32(0));
    let handle = hit_object::missed(thread, args.shape.site, view, args.u32(1));
    args.ret(0, handle);
}

fn invoke(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    hit_object::invoke(thread, args.shape.site, args.bits(0), Memory::of(args, 1, 2));
}

fn set_index(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let handle = hit_object::with_index(thread, args.shape.site, args.bits(0), args.u32(1));
    args.ret(0, handle);
}

/// `LoadLocalRootArgumentsConstant`: a word of the hit object's record. Zero out of range.
fn load_constant(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let object = thread.rays.objects.get(args.bits(0));
    let bound = object.and_then(|o| Some((if o.is_miss() { Table::Miss } else { Table::Hit }, o.index()?)));
    let (site, offset) = (args.shape.site, args.u32(1));
    args.ret_u32(0, 0);
    let Some((table, index)) = bound else { return };
    let tables = thread.machine.tables;
    let Some(record) = tables.get(table, index) else { return thread.fail(site, tables.beyond(table, index)) };
    let word = record.data.get(offset as usize..).and_then(|d| d.first_chunk::<4>()).filter(|_| offset % 4 == 0);
    match word {
        Some(&word) => args.ret_u32(0, u32::from_le_bytes(word)),
        None => {
            let len = record.data.len();
            let what = || format!("offset {offset} is out of range of the {len} bytes of local root arguments");
            thread.misuse("bounds", site, what);
        }
    }
}

fn attributes(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let objects = &thread.rays.objects;
    let attributes = objects.get(args.bits(0)).map_or(Attributes::ZERO, |o| objects.attributes(o));
    let to = Memory::of(args, 1, 2);
    let (at, size) = (to.data as usize, to.size);
    attributes.copy_to(to);
    if thread.is_sanitized() {
        thread.shadow.unpoison(at, size);
    }
}

/// Three vertices of a triangle in object space; zero for other hit objects.
fn positions(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let object = thread.rays.objects.get(args.bits(0)).filter(|o| o.is_triangle());
    let corners = object.and_then(|o| o.view.top?.corners(o.view.instance, o.view.leaf));
    for (i, x) in corners.unwrap_or_default().into_iter().flatten().enumerate() {
        args.ret_f32(i, x);
    }
}

/// Has no visible effect. Only the stated number of hint bits is significant.
fn reorder(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let (handle, bits) = (args.bits(0), args.u32(2));
    let hint = args.u32(1) & 1u32.checked_shl(bits).map_or(!0, |above| above - 1);
    profile::reorder_point(thread, args.shape.site, hint, |p, t| hit_object::target(t.rays.objects.get(handle), p, t.machine.tables));
}

/// Returns 32 bits of a hit object, or the value for NOPs.
fn query(thread: &mut Thread<'_>, args: &mut Args<'_>, of_nop: u32, answer: fn(&HitObject<'_>, &Args<'_>) -> u32) {
    let value = thread.rays.objects.get(args.bits(0)).map_or(of_nop, |o| answer(o, args));
    args.ret_u32(0, value);
}

/// The component with the index in argument 1.
fn at(v: &[f32; 3], args: &Args<'_>) -> u32 {
    v.get(args.u32(1) as usize).copied().unwrap_or(0.0).to_bits()
}

/// The matrix element with the indices in arguments 1 and 2. Misses and NOPs have identity transforms.
fn matrix(
    thread: &mut Thread<'_>,
    args: &mut Args<'_>,
    which: for<'v, 'm> fn(&'v RayState<'m>) -> &'m crate::cpu::trace::ray_state::Matrix,
) {
    let object = thread.rays.objects.get(args.bits(0));
    let matrix = object.map_or(which(&RayState::NONE), |o| which(&o.view));
    let value = element(matrix, args.u32(1) as usize, args.u32(2) as usize);
    args.ret_f32(0, value);
}
