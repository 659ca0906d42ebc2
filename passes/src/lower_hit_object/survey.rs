//! What a module does with hit objects, and what of it cannot be lowered.

use rtc_base::{Diagnostic, Span};
use rtc_ir::{BindPlace, Function, Global, GlobalKind, InstData, Module, Opcode, Param, Root, SlotRole, Stage, SubobjectKind, Type, Value};
use rtc_tables::diagnostics as codes;
use rtc_tables::insts::Arg;
use rtc_tables::resources::ResourceKind;

use super::attributes;
use super::parts::{Part, Parts};

/// What a module does with hit objects.
#[derive(Default, Debug)]
pub(super) struct Survey {
    /// Something makes, asks or moves by hit objects.
    pub any: bool,
    /// Rays are traced into hit objects, or their shaders run: shader tables are laid out for that.
    pub tables: bool,
    /// A shader reads local root arguments of a hit object's record.
    pub loads_root: bool,
    /// Any-hit shaders ask for the ray's flags.
    pub any_hit_flags: bool,
    /// Something asks for the row of a hit: a getter, or an invocation.
    pub asks_record: bool,
    /// Something asks for the distance of a hit: a getter, or a shader of hits that is invoked, whose ray ends there.
    pub asks_t: bool,
    /// What traces record.
    pub recorded: Parts,
    /// What shaders of a hit read.
    pub read: Parts,
    /// Words of the largest attributes.
    pub words: u32,
    /// The payload types of any-hit shaders.
    pub any_hit_payloads: Vec<Type>,
    /// An acceleration structure for functions that name none: one that is declared, if there is one with a descriptor.
    pub scene: Option<Global>,
    /// Some function that invokes hit objects (or traces) names no acceleration structure.
    pub lacks_scene: bool,
}

/// Whether a function makes hit objects, asks them, or moves threads by them.
pub(super) fn uses_them(f: &Function) -> bool {
    let mut found = f.values.values().any(|v| v.ty == Type::HIT_OBJECT);
    f.for_each_inst(f.body, |_, i| found |= is_about_hit_objects(f.op(i)));
    found
}

/// Looks at every function.
pub(super) fn survey(m: &Module) -> Survey {
    let mut s = Survey::default();
    let mut hits_ask_t = false;
    for (_, f) in &m.funcs {
        s.any |= uses_them(f);
        f.for_each_inst(f.body, |_, i| {
            let op = f.op(i);
            s.tables |= matches!(op, Opcode::hit_trace | Opcode::hit_invoke | Opcode::hit_load_root_constant);
            s.loads_root |= op == Opcode::hit_load_root_constant;
            let asks = matches!(op, Opcode::hit_get_shader_table_index | Opcode::hit_load_root_constant | Opcode::reorder);
            s.asks_record |= asks && (op != Opcode::reorder || f.stage == Stage::RayGeneration);
            s.asks_t |= op == Opcode::hit_get_ray_tcurrent;
            s.any_hit_flags |= op == Opcode::ray_flags && f.stage == Stage::AnyHit;
            hits_ask_t |= op == Opcode::ray_tcurrent && f.stage == Stage::ClosestHit;
            if let Some(part) = Part::of_getter(op) {
                s.recorded.add(part);
            }
            if f.stage == Stage::ClosestHit
                && let Some(part) = Part::of_system(op)
            {
                s.read.add(part);
            }
        });
        let holds = |t: Type| m.types.is_valid(t) && contains_hit_object(m, t, 0);
        s.any |= f.locals.values().any(|l| holds(l.ty));
        for (id, slot) in &f.slots {
            let attributes = matches!(slot.role, SlotRole::AttrIn | SlotRole::AttrOut | SlotRole::AttrHit);
            if attributes {
                s.words = s.words.max(attributes::words(m, slot.ty));
            }
            if f.stage == Stage::ClosestHit && slot.role == SlotRole::AttrIn && uses_root(f, Root::Slot(id)) {
                s.read.add(Part::Attributes);
            }
            let payload = slot.role == SlotRole::PayloadIn && f.stage == Stage::AnyHit;
            if payload && !s.any_hit_payloads.contains(&slot.ty) {
                s.any_hit_payloads.push(slot.ty);
            }
        }
    }
    // The barycentrics of triangles.
    s.words = s.words.max(2);
    if m.funcs.values().any(invokes) {
        (s.asks_record, s.asks_t) = (true, s.asks_t | hits_ask_t);
        s.recorded = s.recorded.and(s.read);
    }
    s.scene = shared_scene(m);
    s.lacks_scene = m.funcs.values().any(|f| invokes(f) && !names_scene(m, f));
    s
}

fn is_about_hit_objects(op: Opcode) -> bool {
    let info = op.info();
    info.result == Some(Arg::Hit) || info.operands.contains(&Arg::Hit)
}

/// Whether a value of the type is or holds a hit object. Types are of bounded depth.
pub(super) fn contains_hit_object(m: &Module, t: Type, depth: u32) -> bool {
    use rtc_ir::TypeKind as K;
    depth < 64
        && match m.types.kind(t) {
            K::HitObject => true,
            K::Array(e, _) => contains_hit_object(m, e, depth + 1),
            K::Struct(s) => m.structs[s].fields.iter().any(|f| contains_hit_object(m, f.ty, depth + 1)),
            _ => false,
        }
}

/// A declared acceleration structure that every function may name. Local root signatures put resources into records that
/// others do not have, so there must be none.
fn shared_scene(m: &Module) -> Option<Global> {
    if m.subobjects.iter().any(|s| matches!(s.kind, SubobjectKind::LocalRootSignature(_))) {
        return None;
    }
    let mut all = m.globals.iter().filter(|(_, g)| {
        let Some(decl) = g.resource() else { return false };
        let kind = m.types.as_resource(decl.ty).map(|r| r.kind);
        kind == Some(ResourceKind::AccelerationStructure) && !decl.array
    });
    all.next().map(|(g, _)| g)
}

fn invokes(f: &Function) -> bool {
    let mut found = false;
    f.for_each_inst(f.body, |_, i| found |= matches!(f.op(i), Opcode::hit_invoke | Opcode::trace_ray));
    found
}

fn names_scene(m: &Module, f: &Function) -> bool {
    own_scene(m, f).is_some()
}

/// The acceleration structure that function `f` names, if it can be named at every place: not if it is one of many by an index
/// that is computed.
pub(super) fn own_scene(m: &Module, f: &Function) -> Option<Scene> {
    let mut found = None;
    f.for_each_inst(f.body, |_, i| found = found.or(scene_of(m, f, i)));
    found
}

/// What cannot be lowered, with the place and the reason.
pub(super) fn refuse(m: &Module, s: &Survey) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut refuse = |span: Span, why: String| wrong.push(Diagnostic::new(&codes::E0935, span, why));
    for f in m.funcs.values() {
        if f.params.iter().any(|p| holds(m, f, p)) {
            refuse(
                f.span,
                format!(
                    "`{}` is exported and takes a hit object; without hit objects on the device, there is no form in which others could pass one",
                    f.name
                ),
            );
        }
    }
    for f in m.funcs.values() {
        f.for_each_inst(f.body, |_, i| {
            if let InstData::Call { func, .. } = f.insts[i]
                && m.funcs[func].inline.as_ref().is_some_and(|i| i.runs_shaders())
            {
                let name = &m.funcs[func].name;
                refuse(
                    f.spans[i],
                    format!("`{name}` is inline SPIR-V that runs shaders, which lowered hit objects put into other records"),
                );
            }
        });
    }
    for (id, g) in &m.globals {
        match &g.kind {
            GlobalKind::Inline(v) if v.class == rtc_tables::inline_spirv::INPUT => {
                let hit = |f: &&Function| f.stage == rtc_ir::Stage::ClosestHit && uses_root(f, Root::Global(id));
                if let Some(f) = m.funcs.values().find(hit) {
                    let shader = &f.name;
                    refuse(
                        g.span,
                        format!(
                            "`{}` is a built-in variable, and `{shader}` becomes another kind of shader, which may not have it",
                            g.name
                        ),
                    );
                }
            }
            GlobalKind::Resource(r) if s.tables && r.binding.place == BindPlace::Record => refuse(
                g.span,
                format!(
                    "`{}` describes the whole shader record, which lowered hit objects put numbers into; describe its arguments by a local root signature",
                    g.name
                ),
            ),
            GlobalKind::GroupShared(t) | GlobalKind::Private(t, _) if contains_hit_object(m, *t, 0) => {
                refuse(g.span, format!("`{}` holds hit objects and is no variable of a function", g.name));
            }
            _ => {}
        }
    }
    wrong
}

fn holds(m: &Module, f: &Function, p: &Param) -> bool {
    let t = match *p {
        Param::Value(v) => f.ty(v),
        Param::Ref(l) => f.locals[l].ty,
    };
    contains_hit_object(m, t, 0)
}

/// The acceleration structure whose handle instruction `i` makes, if no index is computed.
fn scene_of(m: &Module, f: &Function, i: rtc_ir::Inst) -> Option<Scene> {
    let ty = f.ty(*f.results(i).first()?);
    if m.types.as_resource(ty)?.kind != ResourceKind::AccelerationStructure {
        return None;
    }
    let constant = |v: Value| f.as_const(v).map(|n| n as u32);
    match f.insts[i] {
        InstData::Resource { global, index, .. } => match index.expand() {
            None => Some(Scene::Declared(global, None, ty)),
            Some(v) => Some(Scene::Declared(global, Some(constant(v)?), ty)),
        },
        InstData::Many { op: Opcode::heap_resource, imm, args } => Some(Scene::Heap(ty, imm, constant(*f.get(args).first()?)?)),
        _ => None,
    }
}

/// Where an acceleration structure comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scene {
    /// A declared one, or this element of an array of them; and its type.
    Declared(Global, Option<u32>, Type),
    /// The descriptor heap: type and immediate number of the instruction, index.
    Heap(Type, u32, u32),
}

/// Whether `f` uses variable `root` anywhere.
pub(super) fn uses_root(f: &Function, root: Root) -> bool {
    f.places.values().any(|p| p.root == root)
}
