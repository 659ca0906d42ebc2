//! `wavefront`: divides ray generation shaders at their reorder points into functions between which the host sorts rays (software reordering).
//!
//! A shader with n points `reorder_by` becomes n + 1 entry points. Each has the code of the whole shader. The first one begins at its beginning, the others
//! after a point ([`enter`]): it reads what rays saved there. Where a shader comes to a point, and the host sorts, a ray saves what is live across it ([`state`]),
//! writes its key and ends. Buffers and names are the contract [`rtc_tables::wavefront`].
//!
//! The points are those to which `lower_hit_object` lowers `MaybeReorderThread`; this is the last pass that sees them. What is live is known from
//! [`crate::reorder`]; `reorder_motion` has made it small before.
//!
//! | file | what |
//! |---|---|
//! | `control` | the buffers in code |
//! | `state` | what is saved, as words |
//! | `recompute` | what is not saved, because it can be computed |
//! | `enter` | entering a function in the middle |
//! | `traces` | `TraceRay` as a traversal, a reorder point and an invocation |

mod control;
mod enter;
mod recompute;
mod state;
pub mod traces;

use rtc_base::Span;
use rtc_ir::{Builder, Func, Function, GlobalKind, Inst, InstData, Module, Opcode, Props, Root, Stage, Type, TypeKind, TypeTable, Value};
use rtc_tables::wavefront as contract;
use rustc_hash::FxHashMap;

use crate::ranges::Ranges;
use crate::reorder::{self, ReorderingFuncs};
use crate::util::{Rename, all_regions};
use crate::{Changed, PassCtx, PassError};
use control::{Buffers, Code, Entry};
use state::Saved;

/// A shader that is divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Divided {
    /// Its name; it starts rays.
    pub shader: String,
    /// Words of the record of a ray's saved state.
    pub words: u32,
    /// Its points.
    pub points: Vec<DividedPoint>,
}

/// A point of a divided shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DividedPoint {
    /// The name of the function that resumes rays.
    pub resume: String,
    /// Where the point is.
    pub span: Span,
    /// Words that a ray saves.
    pub words: u32,
    /// Bits of the key that are a row of shader tables.
    pub row_bits: u32,
    /// Bits of the key that are the hint.
    pub hint_bits: u32,
}

/// A shader whose points remain without effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undivided {
    /// Its name.
    pub shader: String,
    /// The point that it cannot be divided at, or the shader.
    pub span: Span,
    /// Why.
    pub reason: String,
}

/// What became of the ray generation shaders of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Division {
    /// Those that are divided.
    pub divided: Vec<Divided>,
    /// Those that have points and are not.
    pub undivided: Vec<Undivided>,
    /// Whether other shaders read the index of the ray, so that the host has to say which rays a launch resumes ([`contract::CONTROL_LAUNCH`]).
    pub index_read: bool,
}

/// Runs the pass.
pub(crate) fn run(m: &mut Module, _: &PassCtx) -> Result<Changed, PassError> {
    let any = m.funcs.values().any(|f| !points(f).is_empty());
    if any {
        divide(m);
    }
    Ok(any.into())
}

/// Divides the ray generation shaders of `m` that have points. Others have none after it.
pub fn divide(m: &mut Module) -> Division {
    let mut out = Division::default();
    let moving = ReorderingFuncs::of(m);
    for id in m.funcs.keys().collect::<Vec<_>>() {
        let points = points(&m.funcs[id]);
        if points.is_empty() {
            continue;
        }
        match plan(m, &m.funcs[id], &points, &moving) {
            Ok(plan) => {
                out.divided.push(functions(m, id, &plan));
                m.props -= Props::NO_LOCALS;
            }
            Err((span, reason)) => {
                let f = &mut m.funcs[id];
                if f.stage == Stage::RayGeneration {
                    out.undivided.push(Undivided { shader: f.name.clone(), span, reason });
                }
                for r in all_regions(f) {
                    f.regions[r].insts.retain(|i| !points.contains(i));
                }
            }
        }
    }
    if !out.divided.is_empty() {
        for id in m.funcs.keys().collect::<Vec<_>>() {
            if m.funcs[id].stage != Stage::RayGeneration {
                out.index_read |= of_the_ray(m, id);
            }
        }
    }
    out
}

/// Makes the index and the size of the launch those of the ray and its dispatch in a shader that runs for divided ones. Whether it reads the index.
fn of_the_ray(m: &mut Module, id: Func) -> bool {
    let (mut index, mut any) = (false, false);
    m.funcs[id].for_each_inst(m.funcs[id].body, |_, i| {
        index |= m.funcs[id].op(i) == Opcode::dispatch_rays_index;
        any |= m.funcs[id].op(i) == Opcode::dispatch_rays_dim;
    });
    if index || any {
        let buffers = Buffers::declare(m);
        let f = &mut m.funcs[id];
        let (_, mut rename) = stops(&mut m.types, f, &[], (buffers, 0), Entry::Other, m.native_16bit);
        rename.apply(f);
        f.settled = false;
    }
    index
}

/// The points of a function, in the order of the text.
fn points(f: &Function) -> Vec<Inst> {
    let mut out = Vec::new();
    f.for_each_inst(f.body, |_, i| {
        if f.op(i) == Opcode::reorder_by {
            out.push(i);
        }
    });
    out
}

/// A point and what is done there.
struct Point {
    inst: Inst,
    span: Span,
    saved: Saved,
    row_bits: u32,
    hint_bits: u32,
}

/// The most instructions of all functions of a shader.
const MAX_INSTS: usize = 1 << 20;

/// Why a ray generation shader with `count` points cannot be divided, apart from what is live across them.
fn obstacle(m: &Module, f: &Function, count: usize) -> Option<(Span, String)> {
    if count > contract::MAX_POINTS as usize {
        return Some((f.span, format!("it has {count} reorder points, the most is {}", contract::MAX_POINTS)));
    }
    let (mut found, mut insts) = (None, 0);
    f.for_each_inst(f.body, |_, i| {
        insts += 1;
        let inline = |g| matches!(m.globals[g].kind, GlobalKind::Inline(_));
        let mut uses_inline = matches!(f.insts[i], InstData::Call { .. });
        f.for_each_place(i, |p| uses_inline |= matches!(f.places[p].root, Root::Global(g) if inline(g)));
        if uses_inline && found.is_none() {
            found = Some((f.spans[i], "it uses inline SPIR-V or functions of other libraries, whose state is unknown".to_string()));
        }
        let selected = f.results(i).iter().any(|&v| matches!(m.types.kind(f.ty(v)), TypeKind::Resource(_)))
            && !matches!(f.op(i), Opcode::resource | Opcode::heap_resource);
        if selected && found.is_none() {
            found = Some((f.spans[i], "control flow selects a resource".to_string()));
        }
    });
    let copies = insts * (count + 1);
    let large = || (f.span, format!("its {} functions would have {copies} instructions, the most is {MAX_INSTS}", count + 1));
    found.or_else(|| (copies > MAX_INSTS).then(large))
}

fn plan(m: &Module, f: &Function, points: &[Inst], moving: &ReorderingFuncs) -> Result<Vec<Point>, (Span, String)> {
    if f.stage != Stage::RayGeneration {
        return Err((f.span, "rays are sorted in ray generation shaders only".into()));
    }
    if let Some(o) = obstacle(m, f, points.len()) {
        return Err(o);
    }
    let (states, ranges) = (reorder::across_points(m, f, moving), Ranges::of(&m.types, f));
    let mut out = Vec::with_capacity(points.len());
    for &inst in points {
        let span = f.spans[inst];
        let Some(live) = states.iter().find(|s| s.point == inst) else {
            return Err((span, "the shader is too large to know what is live across it".into()));
        };
        let saved = state::plan(m, f, &ranges, live).map_err(|reason| (span, reason))?;
        let operands = f.operands(inst);
        let bits = f.as_const(operands[2]).map_or(contract::MAX_HINT_BITS, |n| (n as u32).min(contract::MAX_HINT_BITS));
        let row_bits = if f.as_const(operands[0]).is_some() { 0 } else { contract::KEY_BITS - bits };
        out.push(Point { inst, span, saved, row_bits, hint_bits: bits });
    }
    Ok(out)
}

/// Makes the functions of a shader.
fn functions(m: &mut Module, id: Func, points: &[Point]) -> Divided {
    let buffers = Buffers::declare(m);
    let native = m.native_16bit;
    let record = contract::record(points.iter().map(|p| p.saved.words).max().unwrap_or(0));
    let base = m.funcs[id].clone();
    let of = |types: &mut TypeTable, entry: Entry| {
        let mut f = base.clone();
        let (stops, mut rename) = stops(types, &mut f, points, (buffers, record), entry, native);
        if let Entry::Resume(k) = entry {
            f.name = contract::resume(&base.name, k);
            f.symbol = contract::resume(&base.symbol, k);
            let start = f.add_region();
            let mut b = Builder::at(types, &mut f, start);
            b.span = points[k as usize].span;
            let mut code = Code { b: &mut b, buffers, entry, record };
            let saved = &points[k as usize].saved;
            let mut ready = FxHashMap::default();
            if !saved.is_empty() {
                let position = code.position();
                let ray = code.ray(position);
                ready = saved.restore(&mut code, ray, native);
            }
            let renamed: Vec<(Value, Value)> = ready.iter().map(|(&old, &new)| (rename.get(old), new)).collect();
            ready.extend(renamed);
            rename.apply(&mut f);
            if let Some(d) = &mut f.debug {
                // What variables hold where their values are no longer computed is not known.
                d.marks.clear();
                d.values.clear();
            }
            enter::enter(types, &mut f, stops[k as usize], start, &ready);
        } else {
            rename.apply(&mut f);
        }
        f.settled = false;
        f
    };
    m.funcs[id] = of(&mut m.types, Entry::Start);
    for k in 0..points.len() as u32 {
        let f = of(&mut m.types, Entry::Resume(k));
        m.funcs.push(f);
    }
    let described = points.iter().enumerate().map(|(k, p)| DividedPoint {
        resume: contract::resume(&base.name, k as u32),
        span: p.span,
        words: p.saved.words,
        row_bits: p.row_bits,
        hint_bits: p.hint_bits,
    });
    Divided { shader: base.name.clone(), words: record, points: described.collect() }
}

/// Makes each point stop if the host sorts, each end of the shader write that the ray ended, and system values those of the ray. Gives what stops, in
/// the order of points, and which values are to be replaced.
fn stops(
    types: &mut TypeTable,
    f: &mut Function,
    points: &[Point],
    (buffers, record): (Buffers, u32),
    entry: Entry,
    native: bool,
) -> (Vec<Inst>, Rename) {
    let mut stops = vec![None; points.len()];
    let mut rename = Rename::new();
    for r in all_regions(f) {
        for i in std::mem::take(&mut f.regions[r].insts) {
            let mut b = Builder::at(types, f, r);
            b.span = b.func.spans[i];
            let mut code = Code { b: &mut b, buffers, entry, record };
            let (op, new) = match code.b.func.op(i) {
                op @ Opcode::dispatch_rays_index => (op, Some(code.index())),
                op @ Opcode::dispatch_rays_dim => (op, Some(code.dimensions())),
                op => (op, None),
            };
            if let Some(new) = new {
                let old = f.result(i);
                rename.set(old, new);
                f.transfer_name(old, new);
                continue;
            }
            if let Some(k) = points.iter().position(|p| p.inst == i) {
                stops[k] = Some(stop(&mut code, k as u32, &points[k], native));
                continue;
            }
            if op == Opcode::return_ && entry != Entry::Other {
                let stop = code.stop();
                if_(&mut code, stop, |code| {
                    let (position, ended) = (code.position(), code.b.func.const_u32(contract::ENDED));
                    code.key(position, ended);
                    code.b.exit(Opcode::yield_, &[]);
                });
            }
            f.regions[r].insts.push(i);
        }
    }
    (stops.into_iter().flatten().collect(), rename)
}

/// `if cond { then } else { }`
fn if_(code: &mut Code, cond: Value, then: impl FnOnce(&mut Code)) -> Inst {
    let (then_, else_) = (code.b.func.add_region(), code.b.func.add_region());
    let i = code.b.if_(cond, then_, else_, &[]);
    let outer = std::mem::replace(&mut code.b.region, else_);
    code.b.exit(Opcode::yield_, &[]);
    code.b.region = then_;
    then(code);
    code.b.region = outer;
    i
}

/// Stops at point `k`: saves the ray, writes its key, returns.
fn stop(code: &mut Code, k: u32, point: &Point, native: bool) -> Inst {
    let operands = code.b.func.operands(point.inst);
    let stop = code.stop();
    if_(code, stop, |code| {
        let position = code.position();
        if !point.saved.is_empty() {
            let ray = code.ray(position);
            point.saved.save(code, ray, native);
        }
        let key = key(code, k, point, operands[0], operands[1], operands[2]);
        code.key(position, key);
        code.b.exit(Opcode::return_, &[]);
    })
}

/// [`contract::key`].
fn key(code: &mut Code, k: u32, point: &Point, row: Value, hint: Value, bits: Value) -> Value {
    let b = &mut *code.b;
    let mask = |b: &mut Builder, v: Value, n: u32| {
        let mask = b.func.const_u32((1 << n) - 1);
        b.binary(Opcode::and, v, mask)
    };
    let mut key = b.func.const_u32(k << contract::KEY_BITS);
    if point.row_bits > 0 {
        let (row, by) = (mask(b, row, point.row_bits), b.func.const_u32(point.hint_bits));
        let row = b.binary(Opcode::shl, row, by);
        key = b.binary(Opcode::or, key, row);
    }
    if point.hint_bits > 0 {
        let mut hint = mask(b, hint, point.hint_bits);
        if b.func.as_const(bits).is_none() {
            let (most, one) = (b.func.const_u32(contract::MAX_HINT_BITS), b.func.const_u32(1));
            let bits = b.binary(Opcode::umin, bits, most);
            let above = b.binary(Opcode::shl, one, bits);
            let low = b.binary(Opcode::isub, above, one);
            hint = b.binary(Opcode::and, hint, low);
        }
        key = b.binary(Opcode::or, key, hint);
    }
    debug_assert_eq!(b.func.ty(key), Type::I32);
    key
}
