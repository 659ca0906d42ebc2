//! The whole module: declarations, bodies, metadata.

use rtc_ir::{self as ir, Param, RefMode, Root, SlotRole};
use rustc_hash::FxHashMap;

use super::control::{Joins, reordering};
use super::facts::{Facts, FunctionFacts};
use super::func::Writer;
use super::globals::Globals;
use super::thread::asked_once;
use super::types::{self, TypeCache};
use super::vectors::Leftovers;
use super::{DxilOptions, LowerError, Profile, metadata};
use crate::debug::plan::Plan;
use crate::module::{
    Attr, AttrGroup, AttrKind, FUNCTION_PLACE, Func, Known, LAYOUT_NATIVE_16BIT, Module, Type, Value,
};
use rtc_base::SecondaryMap;

/// What is shared while a module is written.
pub struct Cx<'m> {
    /// The IR.
    pub m: &'m ir::Module,
    /// What is known of it.
    pub facts: &'m Facts,
    /// What is made.
    pub out: Module,
    /// What is compiled.
    pub profile: Profile,
    /// What went wrong.
    pub errors: Vec<LowerError>,
    /// What is noted for debug information: of each function that is finished.
    pub plans: Vec<Plan>,
}

impl Cx<'_> {
    /// Whether a library is compiled.
    pub fn is_library(&self) -> bool {
        self.profile == Profile::Library
    }
}

/// A module in DXIL.
pub struct Lowered {
    /// The code with the metadata of the `DXIL` part.
    pub module: Module,
    /// The functions of [`Facts::functions`], in that order.
    pub funcs: Vec<Func>,
    /// What was noted of each for debug information, if that is asked for.
    pub plans: Vec<Plan>,
}

/// Writes the module of which `facts` are known.
///
/// # Errors
/// Everything that has no DXIL form.
pub fn lower(
    m: &ir::Module,
    facts: &Facts,
    options: &DxilOptions,
) -> Result<Lowered, Vec<LowerError>> {
    let mut out = Module::new();
    if m.native_16bit {
        out.data_layout = LAYOUT_NATIVE_16BIT.into();
    }
    let mut cx = Cx {
        m,
        facts,
        out,
        profile: options.profile,
        errors: Vec::new(),
        plans: Vec::new(),
    };
    let (mut types, mut globals) = (TypeCache::default(), Globals::default());
    globals.declare(&mut cx, &mut types);
    let mut funcs = Vec::new();
    let nounwind = cx.out.attrs.function(&[AttrKind::NoUnwind]);
    for known in &facts.functions {
        let f = &m.funcs[known.func];
        let sig = signature(&mut cx, &mut types, f);
        let func = cx.out.add_function(symbol(&cx, f), sig.ty);
        let attrs = sig.attrs(&mut cx.out);
        cx.out.funcs[func].attrs = attrs.unwrap_or(nounwind).into();
        funcs.push((func, sig));
    }
    for (known, (func, sig)) in facts.functions.iter().zip(&funcs) {
        body(&mut cx, &mut types, &mut globals, known, *func, sig);
    }
    let funcs: Vec<Func> = funcs.into_iter().map(|f| f.0).collect();
    if !cx.errors.is_empty() {
        return Err(cx.errors);
    }
    metadata::write(&mut cx, &mut types, &globals, &funcs, options);
    Ok(Lowered {
        module: cx.out,
        funcs,
        plans: cx.plans,
    })
}

/// The name of a function in the module: libraries keep the mangled one.
pub fn symbol<'a>(cx: &Cx<'a>, f: &'a ir::Function) -> &'a str {
    if cx.is_library() { &f.symbol } else { &f.name }
}

/// How a function is called.
struct Signature {
    ty: Type,
    params: Vec<Place>,
    names: Vec<String>,
    attrs: Vec<(u32, Vec<Attr>)>,
}

/// What a parameter is.
#[derive(Clone, Copy)]
enum Place {
    /// A value of the body's region.
    Value(ir::Value),
    /// A pointer.
    Pointer(Root),
}

impl Signature {
    /// Parameter attributes, and that nothing is thrown; none if there are no parameter attributes.
    fn attrs(&self, out: &mut Module) -> Option<crate::module::AttrList> {
        if self.attrs.is_empty() {
            return None;
        }
        let mut groups: Vec<AttrGroup> = self
            .attrs
            .iter()
            .map(|(place, a)| out.attrs.group(*place, a))
            .collect();
        groups.push(
            out.attrs
                .group(FUNCTION_PLACE, &[Attr::Flag(AttrKind::NoUnwind)]),
        );
        Some(out.attrs.list(&groups))
    }
}

/// Incoming slots in the order in which shaders take them.
const INCOMING: [SlotRole; 3] = [SlotRole::PayloadIn, SlotRole::CallableIn, SlotRole::AttrIn];

fn signature(cx: &mut Cx, types: &mut TypeCache, f: &ir::Function) -> Signature {
    let m = cx.m;
    let (mut params, mut names, mut attrs, mut list) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for role in INCOMING {
        let Some(slot) = f.slot_of(role) else {
            continue;
        };
        let data = &f.slots[slot];
        let ty = types.memory(m, &mut cx.out, data.ty);
        list.push(cx.out.types.ptr(ty));
        params.push(Place::Pointer(Root::Slot(slot)));
        names.push(data.name.clone());
        let kinds: &[AttrKind] = if role == SlotRole::AttrIn {
            &[AttrKind::NoCapture, AttrKind::ReadOnly]
        } else {
            &[AttrKind::NoAlias, AttrKind::NoCapture]
        };
        attrs.push((
            params.len() as u32,
            kinds.iter().map(|&k| Attr::Flag(k)).collect(),
        ));
    }
    for p in &f.params {
        match *p {
            Param::Value(v) => {
                let ty = value_type(cx, f, f.ty(v));
                if f.ty(v) == ir::Type::BOOL {
                    attrs.push((params.len() as u32 + 1, vec![Attr::Flag(AttrKind::ZeroExt)]));
                }
                list.push(ty);
                params.push(Place::Value(v));
                names.push(String::new());
            }
            Param::Ref(l) => {
                let data = &f.locals[l];
                let ty = types.memory(m, &mut cx.out, data.ty);
                list.push(cx.out.types.ptr(ty));
                params.push(Place::Pointer(Root::Local(l)));
                names.push(data.name.clone());
                let kinds: &[AttrKind] = if data.param == Some(RefMode::In) {
                    &[AttrKind::NoCapture, AttrKind::ReadOnly]
                } else {
                    &[AttrKind::NoAlias, AttrKind::NoCapture]
                };
                attrs.push((
                    params.len() as u32,
                    kinds.iter().map(|&k| Attr::Flag(k)).collect(),
                ));
            }
        }
    }
    if f.is_entry() && !f.params.is_empty() {
        let message = format!("a {} shader takes no such parameters", f.stage.name());
        cx.errors.push(LowerError::new(f.span, message));
    }
    let ret = match f.ret {
        Some(t) => value_type(cx, f, t),
        None => cx.out.types.void(),
    };
    if f.ret == Some(ir::Type::BOOL) {
        attrs.insert(0, (0, vec![Attr::Flag(AttrKind::ZeroExt)]));
    }
    Signature {
        ty: cx.out.types.function(ret, &list),
        params,
        names,
        attrs,
    }
}

/// The type of a parameter or result that is passed by value.
fn value_type(cx: &mut Cx, f: &ir::Function, t: ir::Type) -> Type {
    let Some((s, n)) = cx.m.types.numeric(t) else {
        let message = format!(
            "exported function `{}` passes a resource or hit object, which DXIL cannot",
            f.name
        );
        cx.errors.push(LowerError::new(f.span, message));
        return cx.out.types.i32();
    };
    let elem = types::scalar(&mut cx.out, s);
    if n == 1 {
        elem
    } else {
        cx.out.types.vector(elem, n)
    }
}

fn body<'m>(
    cx: &mut Cx<'m>,
    types: &mut TypeCache,
    globals: &mut Globals,
    known: &'m FunctionFacts,
    func: Func,
    sig: &Signature,
) {
    let f = &cx.m.funcs[known.func];
    let entry = cx.out.define(func).block();
    let around = reordering(cx.m, f);
    let cx_debug = cx.m.debug.is_some();
    let mut w = Writer {
        cx,
        globals,
        f,
        facts: known,
        func,
        block: entry,
        places: SecondaryMap::new(),
        pool: Vec::new(),
        pointers: FxHashMap::default(),
        rooms: FxHashMap::default(),
        allocas: 0,
        joins: Joins::default(),
        known: Known::default(),
        asked_once: asked_once(f),
        fixed: Known::default(),
        leftovers: Leftovers::default(),
        exact: false,
        reordering: around,
        plan: cx_debug.then(|| Box::new(Plan::new(known.func, func))),
    };
    for (n, (&place, name)) in sig.params.iter().zip(&sig.names).enumerate() {
        let arg = Value::Arg(n as u32);
        match place {
            Place::Pointer(root) => {
                w.pointers.insert(root, arg);
                w.note_pointer(root, arg, false);
            }
            Place::Value(v) => w.set_argument(v, arg),
        }
        if !name.is_empty() {
            w.b().body().names.insert(arg, name.as_str().into());
        }
    }
    for (slot, data) in &f.slots {
        if INCOMING.contains(&data.role) || data.role == SlotRole::RayQuery {
            continue;
        }
        let ty = types.memory(w.cx.m, &mut w.cx.out, data.ty);
        let room = w.alloca(ty, 8);
        w.pointers.insert(Root::Slot(slot), room);
        w.note_pointer(Root::Slot(slot), room, true);
    }
    w.region(f.body);
    w.finish();
    let plan = w.plan.take();
    cx.plans.extend(plan.map(|p| *p));
}

impl Writer<'_, '_> {
    /// A parameter passed by value, in components.
    fn set_argument(&mut self, v: ir::Value, arg: Value) {
        let lanes = self.cx.m.types.numeric(self.f.ty(v)).map_or(1, |n| n.1);
        if lanes == 1 {
            return self.set(v, &[arg]);
        }
        let mut parts = super::func::Parts::new();
        let used = self.facts.live.lanes(v);
        for c in 0..lanes {
            parts.push(if c < 64 && used >> c & 1 == 0 {
                self.undef_parts(self.f.ty(v))[0]
            } else {
                let n = self.cx.out.i32(c as i32);
                self.b().extract_element(arg, n)
            });
        }
        self.set(v, &parts);
    }
}
