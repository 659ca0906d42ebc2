//! Operations on ray queries ([`crate::cpu::trace::query`]).

use super::rays::{ray, top};
use crate::cpu::accel::{CLUSTER_ID_INVALID, Hit, Kind, TopInstance};
use crate::cpu::args::Args;
use crate::cpu::ops::OpFn;
use crate::cpu::thread::Thread;
use crate::cpu::trace::RayState;
use crate::cpu::trace::hit_object::element;
use crate::cpu::trace::query::{Query, State};
use crate::cpu::trace::ray_state::Matrix;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::ray_flags as flag;

/// The operations.
#[rustfmt::skip]
pub const OPS: &[(DxOp, OpFn)] = &[
    (op::ALLOCATE_RAY_QUERY, allocate),
    (op::ALLOCATE_RAY_QUERY_2, allocate),
    (op::RAY_QUERY_TRACE_RAY_INLINE, trace),
    (op::RAY_QUERY_PROCEED, proceed),
    (op::RAY_QUERY_ABORT, abort),
    (op::RAY_QUERY_COMMIT_NON_OPAQUE_TRIANGLE_HIT, commit_triangle),
    (op::RAY_QUERY_COMMIT_PROCEDURAL_PRIMITIVE_HIT, commit_procedural),
    (op::RAY_QUERY_COMMITTED_STATUS, |t, a| of_ray(t, a, |q, _| q.committed().map_or(0, |h| 1 + of_kind(h.kind)))),
    (op::RAY_QUERY_CANDIDATE_TYPE, |t, a| candidate(t, a, None, |_, h, _| of_kind(h.kind))),
    (op::RAY_QUERY_RAY_FLAGS, |t, a| of_ray(t, a, |q, _| q.flags())),
    (op::RAY_QUERY_WORLD_RAY_ORIGIN, |t, a| of_ray(t, a, |q, a| at(&q.ray().origin, a))),
    (op::RAY_QUERY_WORLD_RAY_DIRECTION, |t, a| of_ray(t, a, |q, a| at(&q.ray().direction, a))),
    (op::RAY_QUERY_RAY_T_MIN, |t, a| of_ray(t, a, |q, _| q.ray().t_min.to_bits())),
    (op::RAY_QUERY_COMMITTED_RAY_T, |t, a| of_ray(t, a, |q, _| q.t().to_bits())),
    (op::RAY_QUERY_CANDIDATE_TRIANGLE_RAY_T, |t, a| candidate(t, a, TRIANGLE, |_, h, _| h.t.to_bits())),
    (op::RAY_QUERY_CANDIDATE_TRIANGLE_FRONT_FACE, |t, a| candidate(t, a, TRIANGLE, |_, h, _| h.front_face.into())),
    (op::RAY_QUERY_COMMITTED_TRIANGLE_FRONT_FACE, |t, a| committed(t, a, TRIANGLE, |_, h, _| h.front_face.into())),
    (op::RAY_QUERY_CANDIDATE_TRIANGLE_BARYCENTRICS, |t, a| candidate(t, a, TRIANGLE, |_, h, a| at(&h.barycentrics, a))),
    (op::RAY_QUERY_COMMITTED_TRIANGLE_BARYCENTRICS, |t, a| committed(t, a, TRIANGLE, |_, h, a| at(&h.barycentrics, a))),
    (op::RAY_QUERY_CANDIDATE_PROCEDURAL_PRIMITIVE_NON_OPAQUE, |t, a| candidate(t, a, PROCEDURAL, |_, h, _| (!h.opaque).into())),
    (op::RAY_QUERY_CANDIDATE_INSTANCE_INDEX, |t, a| candidate(t, a, None, |_, h, _| h.instance)),
    (op::RAY_QUERY_CANDIDATE_INSTANCE_ID, |t, a| candidate(t, a, None, |_, h, _| h.instance_id)),
    (op::RAY_QUERY_CANDIDATE_GEOMETRY_INDEX, |t, a| candidate(t, a, None, |_, h, _| h.geometry)),
    (op::RAY_QUERY_CANDIDATE_PRIMITIVE_INDEX, |t, a| candidate(t, a, None, |_, h, _| h.primitive)),
    (op::RAY_QUERY_CANDIDATE_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX, |t, a| candidate(t, a, None, |_, h, _| h.hit_group_offset)),
    (op::RAY_QUERY_CANDIDATE_OBJECT_RAY_ORIGIN, |t, a| candidate(t, a, None, object_origin)),
    (op::RAY_QUERY_CANDIDATE_OBJECT_RAY_DIRECTION, |t, a| candidate(t, a, None, object_direction)),
    (op::RAY_QUERY_CANDIDATE_OBJECT_TO_WORLD_3X4, |t, a| candidate(t, a, None, |q, h, a| matrix(q, h, a, |i| &i.to_world))),
    (op::RAY_QUERY_CANDIDATE_WORLD_TO_OBJECT_3X4, |t, a| candidate(t, a, None, |q, h, a| matrix(q, h, a, |i| &i.to_object))),
    (op::RAY_QUERY_COMMITTED_INSTANCE_INDEX, |t, a| committed(t, a, None, |_, h, _| h.instance)),
    (op::RAY_QUERY_COMMITTED_INSTANCE_ID, |t, a| committed(t, a, None, |_, h, _| h.instance_id)),
    (op::RAY_QUERY_COMMITTED_GEOMETRY_INDEX, |t, a| committed(t, a, None, |_, h, _| h.geometry)),
    (op::RAY_QUERY_COMMITTED_PRIMITIVE_INDEX, |t, a| committed(t, a, None, |_, h, _| h.primitive)),
    (op::RAY_QUERY_COMMITTED_INSTANCE_CONTRIBUTION_TO_HIT_GROUP_INDEX, |t, a| committed(t, a, None, |_, h, _| h.hit_group_offset)),
    (op::RAY_QUERY_COMMITTED_OBJECT_RAY_ORIGIN, |t, a| committed(t, a, None, object_origin)),
    (op::RAY_QUERY_COMMITTED_OBJECT_RAY_DIRECTION, |t, a| committed(t, a, None, object_direction)),
    (op::RAY_QUERY_COMMITTED_OBJECT_TO_WORLD_3X4, |t, a| committed(t, a, None, |q, h, a| matrix(q, h, a, |i| &i.to_world))),
    (op::RAY_QUERY_COMMITTED_WORLD_TO_OBJECT_3X4, |t, a| committed(t, a, None, |q, h, a| matrix(q, h, a, |i| &i.to_object))),
    (op::RAY_QUERY_CANDIDATE_CLUSTER_ID, |t, a| cluster(t, a, false)),
    (op::RAY_QUERY_COMMITTED_CLUSTER_ID, |t, a| cluster(t, a, true)),
    (op::RAY_QUERY_CANDIDATE_TRIANGLE_OBJECT_POSITION, |t, a| positions(t, a, false)),
    (op::RAY_QUERY_COMMITTED_TRIANGLE_OBJECT_POSITION, |t, a| positions(t, a, true)),
];

const TRIANGLE: Option<Kind> = Some(Kind::Triangle);
const PROCEDURAL: Option<Kind> = Some(Kind::Procedural);

/// The sanitizer's kind for misused queries.
const MISUSE: &str = "ray query";

fn allocate(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let handle = thread.rays.queries.allocate(args.shape.site, args.u32(0));
    args.ret_u32(0, handle);
}

fn trace(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let top = top(thread, args.shape.site, args.bits(1));
    let Some(query) = thread.rays.queries.get(args.u32(0)) else { return unallocated(thread, args) };
    query.trace(top, ray(args, 4), args.u32(2), args.u32(3));
    let flags = query.flags();
    if thread.is_sanitized() {
        super::rays::check_flags(thread, args.shape.site, flags);
        if flags & flag::SKIP_CLOSEST_HIT != 0 {
            let what = || "`RAY_FLAG_SKIP_CLOSEST_HIT_SHADER` in a ray query, which runs no shaders".into();
            thread.misuse("ray flags", args.shape.site, what);
        }
    }
}

/// The query of argument 0, if a ray was traced with it; else the sanitizer reports it.
fn traced<'t, 'm>(thread: &'t mut Thread<'m>, args: &Args<'_>) -> Option<&'t mut Query<'m>> {
    let handle = args.u32(0);
    if thread.rays.queries.get(handle).is_none_or(|q| q.state() == State::New) {
        unallocated(thread, args);
        return None;
    }
    thread.rays.queries.get(handle)
}

#[cold]
fn unallocated(thread: &Thread<'_>, args: &Args<'_>) {
    thread.misuse(MISUSE, args.shape.site, || format!("{} of a query with which no ray was traced", method(args)));
}

/// The HLSL name of an operation.
fn method(args: &Args<'_>) -> &'static str {
    let name = args.opcode.row().name;
    name.strip_prefix("RayQuery_").unwrap_or(name)
}

fn proceed(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let more = traced(thread, args).is_some_and(Query::proceed);
    args.ret_bool(0, more);
}

fn abort(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    if let Some(query) = traced(thread, args) {
        query.abort();
    }
}

fn commit_triangle(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    if traced(thread, args).is_some_and(|q| !q.commit_triangle()) {
        thread.misuse(MISUSE, args.shape.site, || "CommitNonOpaqueTriangleHit without a triangle as candidate".into());
    }
}

fn commit_procedural(thread: &mut Thread<'_>, args: &mut Args<'_>) {
    let t = args.f32(1);
    let Some(query) = traced(thread, args) else { return };
    if query.commit_procedural(t) {
        return;
    }
    let there = query.candidate().is_some_and(|h| h.kind == Kind::Procedural);
    let (least, most) = (query.ray().t_min, query.t());
    let what = || match there {
        true => format!("CommitProceduralPrimitiveHit at {t}, out of range: RayTMin() {least} to CommittedRayT() {most}"),
        false => "CommitProceduralPrimitiveHit without a procedural primitive as candidate".into(),
    };
    thread.misuse(MISUSE, args.shape.site, what);
}

/// Returns 32 bits of a query; 0 if no ray was traced.
fn of_ray(thread: &mut Thread<'_>, args: &mut Args<'_>, answer: fn(&Query<'_>, &Args<'_>) -> u32) {
    let value = traced(thread, args).map_or(0, |q| answer(q, args));
    args.ret_u32(0, value);
}

/// A function that returns 32 bits of a hit.
type OfHit = fn(&Query<'_>, &Hit, &Args<'_>) -> u32;

/// Returns 32 bits of the candidate, if there is one of that kind, else 0.
fn candidate(thread: &mut Thread<'_>, args: &mut Args<'_>, kind: Option<Kind>, answer: OfHit) {
    of_hit(thread, args, false, kind, answer);
}

/// Returns 32 bits of the committed hit, if there is one of that kind, else 0.
fn committed(thread: &mut Thread<'_>, args: &mut Args<'_>, kind: Option<Kind>, answer: OfHit) {
    of_hit(thread, args, true, kind, answer);
}

fn of_hit(thread: &mut Thread<'_>, args: &mut Args<'_>, committed: bool, kind: Option<Kind>, answer: OfHit) -> bool {
    let Some(query) = traced(thread, args) else {
        args.ret_u32(0, 0);
        return false;
    };
    let hit = if committed { query.committed() } else { query.candidate() };
    let value = hit.filter(|h| kind.is_none_or(|k| k == h.kind)).map(|h| answer(query, h, args));
    if value.is_none() {
        report_missing(thread, args, committed, kind);
    }
    args.ret_u32(0, value.unwrap_or(0));
    value.is_some()
}

#[cold]
fn report_missing(thread: &Thread<'_>, args: &Args<'_>, committed: bool, kind: Option<Kind>) {
    let what = match kind {
        None => "",
        Some(Kind::Triangle) => " that is a triangle",
        Some(Kind::Procedural) => " that is a procedural primitive",
    };
    let which = if committed { "committed hit" } else { "candidate" };
    thread.misuse(MISUSE, args.shape.site, || format!("{} of a query without a {which}{what}", method(args)));
}

/// `CANDIDATE_TYPE`; one less than `COMMITTED_STATUS`.
fn of_kind(kind: Kind) -> u32 {
    match kind {
        Kind::Triangle => 0,
        Kind::Procedural => 1,
    }
}

/// The component with the index in argument 1, a byte.
fn at(v: &[f32], args: &Args<'_>) -> u32 {
    v.get(component(args)).copied().unwrap_or(0.0).to_bits()
}

fn component(args: &Args<'_>) -> usize {
    args.u32(1) as u8 as usize
}

fn instance<'m>(query: &Query<'m>, hit: &Hit) -> Option<&'m TopInstance> {
    query.top()?.instances().get(hit.instance as usize)
}

/// A matrix element; arguments are row and column, the latter a byte.
fn matrix(query: &Query<'_>, hit: &Hit, args: &Args<'_>, which: fn(&TopInstance) -> &Matrix) -> u32 {
    let value = instance(query, hit).map(|i| element(which(i), args.u32(1) as usize, args.u32(2) as u8 as usize));
    value.unwrap_or(0.0).to_bits()
}

/// The ray state in the instance's object space.
fn view<'m>(query: &Query<'m>, hit: &Hit) -> RayState<'m> {
    let view = RayState::of_ray(query.ray(), query.flags());
    instance(query, hit).map_or(view, |i| RayState { to_object: &i.to_object, ..view })
}

fn object_origin(query: &Query<'_>, hit: &Hit, args: &Args<'_>) -> u32 {
    view(query, hit).object_origin(component(args)).to_bits()
}

fn object_direction(query: &Query<'_>, hit: &Hit, args: &Args<'_>) -> u32 {
    view(query, hit).object_direction(component(args)).to_bits()
}

/// `ClusterID()`; the invalid id if there is no triangle.
fn cluster(thread: &mut Thread<'_>, args: &mut Args<'_>, committed: bool) {
    if !of_hit(thread, args, committed, TRIANGLE, |_, h, _| h.cluster) {
        args.ret_u32(0, CLUSTER_ID_INVALID);
    }
}

/// Three vertices of a triangle in object space.
fn positions(thread: &mut Thread<'_>, args: &mut Args<'_>, committed: bool) {
    let corners = traced(thread, args).and_then(|q| {
        let hit = if committed { q.committed() } else { q.candidate() };
        q.top()?.positions(hit.filter(|h| h.kind == Kind::Triangle)?)
    });
    if corners.is_none() {
        report_missing(thread, args, committed, TRIANGLE);
    }
    for (i, x) in corners.unwrap_or_default().into_iter().flatten().enumerate() {
        args.ret_f32(i, x);
    }
}
