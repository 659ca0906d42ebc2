//! Generated code: the recorders, and the resource by which shaders read the tail of their shader record, after the local root arguments.

use rtc_base::Span;
use rtc_ir::{
    BindPlace, Binding, Builder, Function, Global, GlobalData, GlobalKind, Module, Opcode, ResourceDecl, ResourceType, Root, SlotRole,
    Stage, Step, StructData, Type, Value,
};
use rtc_tables::hit_lowering as tables;
use rtc_tables::resources::{CompType, ResourceClass, ResourceFlags, ResourceKind};

use super::attributes;
use super::layout::{Fixed, HIT, Layout};
use super::parts::Part;
use super::survey::Survey;

/// Declares the tail of shader records.
pub(super) fn declare_tail(m: &mut Module, s: &Survey) -> Global {
    let ty = ResourceType {
        class: ResourceClass::Cbv,
        kind: ResourceKind::CBuffer,
        elem: None,
        comp: CompType::Invalid,
        stride: if s.loads_root { tables::TAIL_LONG } else { tables::TAIL_SHORT },
        samples: 0,
        flags: ResourceFlags::PUSH,
    };
    declare(m, tables::TAIL, ty, BindPlace::Tail)
}

/// Declares an acceleration structure in which nothing is met.
pub(super) fn declare_scene(m: &mut Module) -> Global {
    let ty = ResourceType {
        class: ResourceClass::Srv,
        kind: ResourceKind::AccelerationStructure,
        elem: None,
        comp: CompType::Invalid,
        stride: 0,
        samples: 0,
        flags: ResourceFlags::empty(),
    };
    declare(m, tables::NO_SCENE, ty, BindPlace::Registers)
}

fn declare(m: &mut Module, name: &str, ty: ResourceType, place: BindPlace) -> Global {
    let decl = ResourceDecl {
        ty: m.types.resource(ty),
        count: Some(1),
        array: false,
        binding: Binding { place, ..Binding::default() },
        kind: rtc_ir::DeclKind::Variable,
        layout: None,
        element: None,
        host: None,
        hlsl: String::new(),
    };
    let kind = GlobalKind::Resource(decl);
    m.globals.push(GlobalData { symbol: name.into(), name: name.into(), kind, decorations: Vec::new(), span: Span::NONE, precise: false })
}

/// Adds the recorders: one for triangles, one for each type of attributes that intersection shaders report.
pub(super) fn recorders(m: &mut Module, layout: &Layout, tail: Global) {
    let mut types: Vec<Type> = Vec::new();
    for f in m.funcs.values().filter(|f| f.stage == Stage::Intersection) {
        for slot in f.slots.values().filter(|s| s.role == SlotRole::AttrOut) {
            if !types.contains(&slot.ty) {
                types.push(slot.ty);
            }
        }
    }
    let barycentrics = barycentrics(m);
    recorder(m, layout, tail, tables::RECORDER.into(), barycentrics, true);
    for (n, ty) in types.into_iter().enumerate() {
        recorder(m, layout, tail, format!("{}{n}", tables::RECORDER), ty, false);
    }
}

/// The attributes of triangles.
fn barycentrics(m: &mut Module) -> Type {
    let field = rtc_ir::Field {
        name: "barycentrics".into(),
        ty: Type::F32X2,
        paq: None,
        offset: None,
        numbers: None,
        hlsl: String::new(),
        precise: false,
    };
    let data = StructData { name: "rtc.barycentrics".into(), fields: vec![field], base: None, raypayload: false };
    let s = m.structs.push(data);
    m.types.struct_(s)
}

fn recorder(m: &mut Module, layout: &Layout, tail: Global, name: String, attributes: Type, triangles: bool) {
    let mut f = Function::new(name, Stage::ClosestHit);
    let payload = f.add_slot(SlotRole::PayloadIn, layout.traced, "traced");
    let given = f.add_slot(SlotRole::AttrIn, attributes, "attributes");
    let (leaves, _) = attributes::leaves(m, attributes);
    let tail_ty = m.globals[tail].ty();
    let body = f.body;
    let mut b = Builder::at(&mut m.types, &mut f, body);
    let put = |b: &mut Builder, steps: &[Step], v: Value| {
        let mut to = vec![Step::At(0)];
        to.extend_from_slice(steps);
        b.store(Root::Slot(payload), &to, &[], v);
    };
    if let Some(state) = layout.recorded.fixed(Fixed::State) {
        let hit = b.func.const_i32(HIT);
        put(&mut b, &[state], hit);
    }
    if let Some(at) = layout.recorded.fixed(Fixed::Record) {
        let handle = b.resource(tail, None, false, tail_ty);
        let row = b.func.const_u32(tables::TAIL_ROW / 16);
        let record = b.many_value(Opcode::cbuf_load, tables::TAIL_ROW % 16, &[handle, row], Type::I32);
        put(&mut b, &[at], record);
    }
    if let Some(at) = layout.recorded.fixed(Fixed::T) {
        let t = b.nullary(Opcode::ray_tcurrent);
        put(&mut b, &[at], t);
    }
    let words = match layout.recorded.parts.has(Part::Attributes) {
        true => attributes::pack(&mut b, &leaves, Root::Slot(given)),
        false => Vec::new(),
    };
    for (part, n, ty) in layout.recorded.elements() {
        let info = part.info();
        let v = match info.system {
            Some(_) if info.triangles && !triangles => match part {
                Part::Cluster => b.func.const_i32(-1),
                _ => {
                    let zero = b.func.const_f32(0.0);
                    b.splat(zero, 3)
                }
            },
            Some(op) if op.format() == rtc_ir::Format::Many => b.many_value(op, n, &[], ty),
            Some(op) => b.nullary(op),
            None => match words.get(n as usize) {
                Some(&word) => word,
                None => continue,
            },
        };
        put(&mut b, &layout.recorded.step(part, n), v);
    }
    b.exit(Opcode::return_, &[]);
    m.funcs.push(f);
}
