//! Checks of ray operands: masks and indices out of range, ray flags that exclude each other, invalid hit kinds, rays without a direction, vertices
//! of hits that may not be triangles; and ray queries used in the wrong order (`query_checks`).
//!
//! Runs after promotion to SSA and before any optimisation, so that diagnostics are about the program as written. A value is
//! checked by its range: constants, and values that are certainly out of range. The type checker reports literal constants before;
//! the caller drops duplicates.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{Function, Inst, InstData, Module, Opcode as O, Stage, SubobjectKind, TypeKind, Value};
use rtc_tables::diagnostics as c;
use rtc_tables::insts::Effects;
use rtc_tables::ray_flags::{self, errors};
use rustc_hash::FxHashSet;

use crate::ranges::Ranges;
use crate::{component_checks, mesh_checks, query_checks};

/// Checks all functions of `m`; each diagnostic is reported once. `local_arguments`: the bytes of the largest set of local root arguments
/// that the library's root signatures describe; `None` if it describes none, and records may hold anything. `vulkan`: for Vulkan alone.
pub fn check_rays(m: &Module, local_arguments: Option<u32>, vulkan: bool) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for f in m.funcs.values() {
        let mut any = false;
        let mut components = false;
        f.for_each_inst(f.body, |_, i| {
            any |= is_checked(f.op(i));
            components |= !vulkan && component_checks::is_checked(f, i);
        });
        if components {
            component_checks::check(&m.types, f, &Ranges::of(&m.types, f), &mut out);
        }
        if any || matches!(f.stage, Stage::Intersection | Stage::AnyHit) {
            let ranges = Ranges::of(&m.types, f);
            let cx = Cx { m, f, ranges: &ranges, local_arguments };
            f.for_each_inst(f.body, |_, i| cx.inst(i, &mut out));
            cx.triangles(&mut out);
            query_checks::check(&m.types, f, &ranges, &mut out);
        }
        mesh_checks::check(f, vulkan, &mut out);
    }
    // A function that several entry points call is in each of them.
    let mut seen = FxHashSet::default();
    out.retain(|d| seen.insert((d.code.id, d.span(), d.message.clone())));
    out
}

fn is_checked(op: O) -> bool {
    matches!(
        op,
        O::trace_ray
            | O::hit_trace
            | O::hit_make_miss
            | O::hit_from_query_attrs
            | O::hit_set_shader_table_index
            | O::hit_load_root_constant
            | O::report_hit
            | O::allocate_ray_query
            | O::triangle_object_position
    )
}

/// Operands with fewer than 32 significant bits.
const MASK: (u32, &str) = (8, "the instance mask");
const CONTRIBUTION: (u32, &str) = (4, "the ray's contribution to the hit group index");
const MULTIPLIER: (u32, &str) = (4, "the multiplier for geometry");
const MISS: (u32, &str) = (16, "the miss shader index");
const RECORD: (u32, &str) = (28, "the shader table index");

struct Cx<'a> {
    m: &'a Module,
    f: &'a Function,
    ranges: &'a Ranges,
    local_arguments: Option<u32>,
}

impl Cx<'_> {
    fn inst(&self, i: Inst, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let a = f.operands(i);
        match f.op(i) {
            O::trace_ray | O::hit_trace => {
                self.flags(i, a[1], 0, None, out);
                for (v, what) in [(a[2], MASK), (a[3], CONTRIBUTION), (a[4], MULTIPLIER), (a[5], MISS)] {
                    self.width(i, v, what, out);
                }
                self.ray(i, [a[6], a[7], a[8], a[9]], out);
            }
            O::ray_query_trace_ray_inline => {
                let TypeKind::RayQuery(fixed, query) = self.m.types.kind(f.ty(a[0])) else { return };
                self.flags(i, a[2], fixed, Some(query), out);
                self.width(i, a[3], MASK, out);
                self.ray(i, [a[4], a[5], a[6], a[7]], out);
            }
            O::hit_make_miss => {
                self.flags(i, a[0], 0, None, out);
                self.width(i, a[1], MISS, out);
                self.ray(i, [a[2], a[3], a[4], a[5]], out);
            }
            O::hit_set_shader_table_index => self.width(i, a[1], RECORD, out),
            O::report_hit => self.hit_kind(i, a[1], out),
            O::hit_from_query_attrs => self.hit_kind(i, a[1], out),
            O::hit_load_root_constant => self.root_constant(i, a[1], out),
            O::ray_query_commit_procedural_primitive_hit => self.distance(i, a[1], out),
            op => self.side_effect(i, op, out),
        }
    }

    /// Ray flags that are certainly set: combinations that are invalid, and flags that the shader model or pipeline does not have. `fixed`: flags of the query's type;
    /// `query`: its query flags, if it is one.
    fn flags(&self, i: Inst, v: Value, fixed: u32, query: Option<u32>, out: &mut Vec<Diagnostic>) {
        let r = self.ranges.at(v, i);
        if r.is_empty() {
            return;
        }
        let span = self.f.spans[i];
        let on = r.ones | fixed;
        // Conflicts within the type are reported for the type.
        if let Some((a, b)) = ray_flags::conflict(on)
            && ray_flags::conflict(fixed).is_none()
        {
            out.push(errors::exclusive(span, a, b));
        }
        if query.is_some() && r.ones & ray_flags::SKIP_CLOSEST_HIT != 0 {
            out.push(errors::no_closest_hit(span));
        }
        let two_state = r.ones & ray_flags::FORCE_2_STATE != 0;
        if two_state && query.is_some_and(|q| q & ray_flags::QUERY_ALLOWS_MICROMAPS == 0) {
            out.push(errors::no_micromaps(span));
        }
        if two_state && query.is_none() {
            self.pipeline_micromaps(span, out);
        }
        for (name, need) in ray_flags::too_new(r.ones, self.m.shader_model as u8) {
            out.push(errors::too_new(span, name, need, self.m.shader_model as u8));
        }
        if r.ones & !ray_flags::ALL != 0 {
            out.push(errors::unknown_bits(span, r.ones & !ray_flags::ALL));
        }
    }

    /// A flag about micromaps where the library's pipelines have none.
    fn pipeline_micromaps(&self, span: Span, out: &mut Vec<Diagnostic>) {
        let mut flags = self.m.subobjects.iter().filter_map(|s| match s.kind {
            SubobjectKind::PipelineConfig(_) => Some(0),
            SubobjectKind::PipelineConfig1(_, flags) => Some(flags),
            _ => None,
        });
        let Some(first) = flags.next() else { return };
        let any = flags.fold(first, |a, b| a | b);
        if any & ray_flags::PIPELINE_ALLOWS_MICROMAPS == 0 {
            let message = "`RAY_FLAG_FORCE_OMM_2_STATE` does nothing: no pipeline configuration of the library has `RAYTRACING_PIPELINE_FLAG_ALLOW_OPACITY_MICROMAPS`";
            out.push(Diagnostic::new(&c::W0684, span, message).note("DXR, opacity micromaps"));
        }
    }

    /// A value that does not fit into the significant bits.
    fn width(&self, i: Inst, v: Value, (bits, what): (u32, &str), out: &mut Vec<Diagnostic>) {
        let r = self.ranges.at(v, i);
        let max = u32::MAX >> (32 - bits);
        // -1 has all bits set and is a common spelling of the full mask.
        let everything = bits == 8 && r.constant() == Some(u32::MAX);
        if r.is_empty() || r.umin <= max || everything {
            return;
        }
        let is = match r.constant() {
            Some(n) => format!("is {n}"),
            None => format!("is at least {}", r.umin),
        };
        let counted = match r.constant() {
            Some(n) => format!("so it is {}", n & max),
            None => format!("which hold at most {max}"),
        };
        let d = Diagnostic::new(&c::W0670, self.f.spans[i], format!("{what} {is}, but only its low {bits} bits count, {counted}"));
        out.push(d.note("DXR, TraceRay"));
    }

    fn hit_kind(&self, i: Inst, v: Value, out: &mut Vec<Diagnostic>) {
        let r = self.ranges.at(v, i);
        if !r.is_empty() && r.umin > 127 {
            let is = r.constant().map_or(format!("at least {}", r.umin), |n| n.to_string());
            let message = format!("this hit kind is {is}; valid values are 0 to 127, the others are reserved");
            out.push(Diagnostic::new(&c::W0671, self.f.spans[i], message).note("DXR, ReportHit"));
        }
    }

    fn root_constant(&self, i: Inst, v: Value, out: &mut Vec<Diagnostic>) {
        let r = self.ranges.at(v, i);
        if r.is_empty() {
            return;
        }
        if r.ones & 3 != 0 {
            let is = r.constant().map_or("is not".to_owned(), |n| format!("is {n}"));
            let message = format!("the offset into local root arguments must be a multiple of 4, but this {is}");
            out.push(Diagnostic::new(&c::E0661, self.f.spans[i], message).note("DXR, HitObject::LoadLocalRootArgumentsConstant"));
        } else if let Some(size) = self.local_arguments
            && r.umin >= size
        {
            let is = r.constant().map_or(format!("{} or more", r.umin), |n| n.to_string());
            let message =
                format!("this reads byte {is} of local root arguments; the largest local root signature of the library has {size} bytes");
            out.push(Diagnostic::new(&c::W0683, self.f.spans[i], message).note("DXR, HitObject::LoadLocalRootArgumentsConstant"));
        }
    }

    /// Origin, start, direction and end of a ray.
    fn ray(&self, i: Inst, [origin, start, direction, end]: [Value; 4], out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let say = |message: String| {
            Diagnostic::new(&c::W0672, f.spans[i], message).note("DXR, ray: 0 <= TMin <= TMax, all finite numbers but TMax")
        };
        for (v, what) in [(origin, "Origin"), (start, "TMin"), (direction, "Direction"), (end, "TMax")] {
            if f.is_undef(v) {
                out.push(say(format!("the ray's `{what}` is undefined")));
                return;
            }
            if self.parts(v).iter().flatten().any(|x| x.is_nan()) {
                out.push(say(format!("the ray's `{what}` is not a number")));
                return;
            }
        }
        let parts = self.parts(direction);
        if parts.iter().all(|x| *x == Some(0.0)) {
            out.push(say("the ray's `Direction` is zero".into()));
        }
        let (start, end) = (self.parts(start)[0], self.parts(end)[0]);
        if let Some(a) = start.filter(|a| *a < 0.0) {
            out.push(say(format!("the ray's `TMin` is {a}, less than 0")));
        } else if let (Some(a), Some(b)) = (start, end)
            && a > b
        {
            out.push(say(format!("the ray's `TMin` is {a}, beyond its `TMax`, {b}: it hits nothing")));
        }
    }

    /// The components of a float or vector that are constant.
    fn parts(&self, v: Value) -> Vec<Option<f32>> {
        let f = self.f;
        let number = |v: Value| f.as_const(v).map(|bits| f32::from_bits(bits as u32));
        match f.def_inst(v).map(|d| f.insts[d]) {
            Some(InstData::Many { op: O::construct, args, .. }) => f.get(args).iter().map(|&v| number(v)).collect(),
            _ => vec![number(v)],
        }
    }

    /// A committed procedural hit: its distance must have been compared with the ray's interval.
    fn distance(&self, i: Inst, t: Value, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        if f.as_const(t).is_some() {
            return;
        }
        let mut compared = false;
        let clamped = |v: Value| {
            f.def_inst(v).is_some_and(|d| matches!(f.op(d), O::fmin | O::fmax | O::select | O::if_ | O::loop_ | O::switch | O::block))
        };
        f.for_each_inst(f.body, |_, user| {
            if matches!(f.op(user), O::flt | O::fle | O::fgt | O::fge | O::fmin | O::fmax) {
                f.for_each_operand(user, |v| compared |= v == t);
            }
        });
        let computed_here = f.def_inst(t).is_some() && !clamped(t);
        if !compared && computed_here && f.def_inst(t).is_some_and(|d| f.op(d) != O::load) {
            let message = "this distance is not compared with the ray: a committed hit must be between `RayTMin` and `CommittedRayT`";
            out.push(Diagnostic::new(&c::W0679, f.spans[i], message).note("DXR, RayQuery::CommitProceduralPrimitiveHit"));
        }
    }

    /// Vertices in a shader of a procedural hit group without a check of the hit kind.
    fn triangles(&self, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let mut vertices = None;
        let mut kind = false;
        f.for_each_inst(f.body, |_, i| match f.op(i) {
            O::triangle_object_position if vertices.is_none() => vertices = Some(f.spans[i]),
            O::hit_kind => kind = true,
            _ => {}
        });
        let Some(span) = vertices.filter(|_| !kind) else { return };
        let group = self.m.subobjects.iter().find(|s| match &s.kind {
            SubobjectKind::ProceduralHitGroup(any_hit, closest_hit, _) => *any_hit == f.name || *closest_hit == f.name,
            _ => false,
        });
        if let Some(g) = group {
            let message = format!("hits of group `{}` are procedural and have no vertices; check `HitKind` first", g.name);
            out.push(Diagnostic::new(&c::W0680, span, message).note("DXR, TriangleObjectPositions: triangle hits only"));
        }
    }

    /// Writes in shaders that may run several times for one hit.
    fn side_effect(&self, i: Inst, op: O, out: &mut Vec<Diagnostic>) {
        let f = self.f;
        let shader = match f.stage {
            Stage::Intersection => "an intersection shader",
            Stage::AnyHit => "an any-hit shader",
            _ => return,
        };
        let writes = op.effects().contains(Effects::WRITES_MEM) && !op.effects().intersects(Effects::RUNS_SHADERS | Effects::CONVERGENT);
        let adds = op.effects().contains(Effects::READS_MEM);
        if writes && (f.stage == Stage::Intersection || adds) {
            let message =
                format!("{shader} may run several times for one primitive, also for hits that are rejected, so this write may be repeated");
            let d = Diagnostic::new(&c::W0681, f.spans[i], message);
            out.push(d.note("DXR: geometry without NO_DUPLICATE_ANYHIT_INVOCATION; intersection shaders have no such guarantee"));
        }
    }
}
