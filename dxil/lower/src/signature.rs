//! Calling convention: types, order and attributes of parameters, as the reference compiler has them, so that libraries
//! of both can be linked.
//!
//! Numbers are passed by value, structures and arrays by pointer, `out` and `inout` by pointer. A matrix by value is its class by
//! value, also as a result. A structure or array that is returned is written through the first pointer, after
//! the object of a method. A ray query is a pointer to its class, which holds its number.

use std::collections::BTreeMap;

use rtc_base::Span;
use rtc_ir::{self as ir, InstData, Local, Matrix, MatrixOrder, Param, RefMode, Root, SlotRole};
use rtc_tables::diagnostics::{E0601, E0609, E0611};
use rtc_tables::stages::EntryAttribute;
use rustc_hash::FxHashMap;

use super::LowerError;
use super::context::Cx;
use super::facts::has_signature;
use super::layout;
use super::types::{self, TypeCache, is_rows, matrix};
use rtc_dxil_module::{Attr, AttrGroup, AttrKind, AttrList, FUNCTION_INDEX, Func, Module, Type};

/// Incoming slots in the order in which shaders take them.
pub const INCOMING: [SlotRole; 3] = [SlotRole::PayloadIn, SlotRole::CallableIn, SlotRole::AttrIn];

/// The name of the object of a method; no other parameter is called so.
const OBJECT: &str = "this";

/// What a parameter is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassedAs {
    /// A value of the body's region.
    Value(ir::Value),
    /// A pointer.
    Pointer(Root),
    /// A matrix by value.
    Matrix(Local),
    /// A pointer to the number of the ray query that a value is.
    Query(ir::Value),
}

/// A parameter.
pub struct Passed {
    /// What it is.
    pub what: PassedAs,
    /// Its type.
    pub ty: Type,
    /// Which of the IR function's parameters it is; of slots, none.
    pub param: Option<usize>,
}

/// How a function is called.
pub struct Signature {
    /// Its type.
    pub ty: Type,
    /// Its parameters, in order.
    pub params: Vec<Passed>,
    /// The parameter of the IR function that is the result, a matrix, and its class.
    pub result: Option<(usize, Type)>,
    attrs: Vec<(u32, Vec<Attr>)>,
}

/// Whether a reference parameter is a matrix, not an array of some.
fn is_matrix(m: &ir::Module, data: &ir::LocalData) -> bool {
    matrix(data.matrices).is_some() && is_rows(m, data.ty)
}

/// How the matrix that a reference parameter is lies where it is passed: by value row after row, whatever HLSL says.
pub fn shape(m: &ir::Module, data: &ir::LocalData) -> Option<Matrix> {
    let mut shape = matrix(data.matrices)?;
    if is_by_value(m, data) {
        shape.order = MatrixOrder::RowMajor;
    }
    Some(shape)
}

/// Whether a reference parameter is a matrix that is passed or returned by value.
pub fn is_by_value(m: &ir::Module, data: &ir::LocalData) -> bool {
    is_matrix(m, data) && (data.param == Some(RefMode::In) || is_result(data))
}

/// The parameters of `f` in the order in which they are passed.
fn order(f: &ir::Function) -> Vec<usize> {
    let local = |n: usize| match f.params[n] {
        Param::Ref(l) => Some(&f.locals[l]),
        Param::Value(_) => None,
    };
    let mut all: Vec<usize> = (0..f.params.len()).collect();
    if let Some(at) = all.iter().position(|&n| local(n).is_some_and(is_result)) {
        let result = all.remove(at);
        let after_object = usize::from(all.first().is_some_and(|&n| local(n).is_some_and(|l| l.name == OBJECT)));
        all.insert(after_object, result);
    }
    all
}

/// Whether `f` returns a matrix, and its other parameters in the order in which they are passed.
pub fn passing(m: &ir::Module, f: &ir::Function) -> (bool, Vec<usize>) {
    let mut all = order(f);
    let before = all.len();
    all.retain(|&n| !matches!(f.params[n], Param::Ref(l) if is_result(&f.locals[l]) && is_matrix(m, &f.locals[l])));
    (all.len() < before, all)
}

fn is_result(data: &ir::LocalData) -> bool {
    data.param == Some(RefMode::Out) && data.name == ir::RESULT
}

impl Signature {
    /// That of `f`.
    pub fn new(cx: &mut Cx, types: &mut TypeCache, f: &ir::Function) -> Signature {
        let m = cx.m;
        let mut sig = Signature { ty: cx.out.types.void(), params: Vec::new(), result: None, attrs: Vec::new() };
        for role in INCOMING {
            let Some(slot) = f.slot_of(role) else { continue };
            let ty = types.memory(m, &mut cx.out, f.slots[slot].ty);
            let ty = cx.out.types.ptr(ty);
            sig.params.push(Passed { what: PassedAs::Pointer(Root::Slot(slot)), ty, param: None });
            sig.attribute(pointer_attrs(f, role == SlotRole::AttrIn));
        }
        for n in order(f) {
            match f.params[n] {
                Param::Value(v) => {
                    if let ir::TypeKind::RayQuery(flags, query_flags) = m.types.kind(f.ty(v)) {
                        let class = types::query_class(&mut cx.out, flags, query_flags);
                        let ty = cx.out.types.ptr(class);
                        sig.params.push(Passed { what: PassedAs::Query(v), ty, param: Some(n) });
                        sig.attribute(pointer_attrs(f, false));
                        continue;
                    }
                    let ty = value_type(cx, f, f.ty(v));
                    sig.params.push(Passed { what: PassedAs::Value(v), ty, param: Some(n) });
                    if f.ty(v) == ir::Type::BOOL {
                        sig.attribute(vec![Attr::Flag(AttrKind::ZeroExt)]);
                    }
                }
                Param::Ref(l) => {
                    let data = &f.locals[l];
                    let ty = types.declared(m, &mut cx.out, data.ty, data.matrices);
                    if is_matrix(m, data) && is_result(data) {
                        sig.result = Some((n, ty));
                        continue;
                    }
                    if is_matrix(m, data) && data.param == Some(RefMode::In) {
                        sig.params.push(Passed { what: PassedAs::Matrix(l), ty, param: Some(n) });
                        continue;
                    }
                    let ty = cx.out.types.ptr(ty);
                    sig.params.push(Passed { what: PassedAs::Pointer(Root::Local(l)), ty, param: Some(n) });
                    let mut attrs = pointer_attrs(f, data.param == Some(RefMode::In));
                    if is_result(data) {
                        attrs.push(Attr::Flag(AttrKind::StructRet));
                    } else if m.types.is_value(data.ty) || is_matrix(m, data) {
                        attrs.push(Attr::Int(AttrKind::Dereferenceable, bytes_of(m, data.ty)));
                    }
                    sig.attribute(attrs);
                }
            }
        }
        if f.is_entry() && !f.params.is_empty() {
            let message = format!("a {} shader takes no such parameters", f.stage.name());
            cx.errors.push(LowerError::new(&E0601, f.span, message));
        }
        let ret = match (f.ret, sig.result) {
            (Some(t), _) => value_type(cx, f, t),
            (None, Some((_, class))) => class,
            (None, None) => cx.out.types.void(),
        };
        let list: Vec<Type> = sig.params.iter().map(|p| p.ty).collect();
        sig.ty = cx.out.types.function(ret, &list);
        sig
    }

    /// Says something of the last parameter.
    fn attribute(&mut self, attrs: Vec<Attr>) {
        if !attrs.is_empty() {
            self.attrs.push((self.params.len() as u32, attrs));
        }
    }

    /// Those of the parameters, and of the function itself; none if there are neither.
    pub fn attrs(&self, out: &mut Module, function: Option<AttrGroup>) -> Option<AttrList> {
        let mut groups: Vec<AttrGroup> = self.attrs.iter().map(|(place, a)| out.attrs.group(*place, a)).collect();
        groups.extend(function);
        (!groups.is_empty()).then(|| out.attrs.list(&groups))
    }
}

/// What a function says of itself: that its calls stay, that nothing is thrown, if it is defined and no function that the reference compiler makes
/// anew, what experimental attributes say, what becomes of denormals, and whether wave operations of a pixel shader count helper threads.
pub fn of_function(cx: &mut Cx, f: &ir::Function) -> Option<AttrGroup> {
    let stays = f.attributes.no_inline.then_some(Attr::Flag(AttrKind::NoInline));
    // In the order of their names, of which the last value counts; as LLVM keeps them.
    let texts: BTreeMap<&str, &str> = f.attributes.experimental.iter().map(|(name, value)| (&**name, &**value)).collect();
    let texts = texts.into_iter().map(|(name, value)| {
        let value = (!value.is_empty()).then(|| value.into());
        Attr::Text(format!("exp-{name}").into(), value)
    });
    let anew = f.is_entry() && (!cx.is_library() || has_signature(f));
    let throws = (!f.declared && !anew).then_some(Attr::Flag(AttrKind::NoUnwind));
    let denormals = cx.m.denormals.map(|mode| Attr::Text("fp32-denorm-mode".into(), Some(mode.name().into())));
    let helpers = f.helper_lanes && EntryAttribute::HELPER_LANES.applies(f.stage, cx.m.shader_model);
    let helpers = helpers.then(|| Attr::Text("waveops-include-helper-lanes".into(), None));
    let all: Vec<Attr> = stays.into_iter().chain(throws).chain(texts).chain(denormals).chain(helpers).collect();
    (!all.is_empty()).then(|| cx.out.attrs.group(FUNCTION_INDEX, &all))
}

/// Dereferenceable bytes of a pointer to numbers: of one alone those that it has, of several what each takes.
fn bytes_of(m: &ir::Module, t: ir::Type) -> u64 {
    match m.types.numeric(t) {
        Some((s, 1)) if s != ir::Scalar::Bool => u64::from(s.bits() / 8),
        _ => layout::slot_bytes(m, t).into(),
    }
}

/// The attributes of pointer parameters; functions of other libraries have none.
fn pointer_attrs(f: &ir::Function, read_only: bool) -> Vec<Attr> {
    let kinds: &[AttrKind] = match read_only {
        _ if f.declared => &[],
        true => &[AttrKind::NoCapture, AttrKind::ReadOnly],
        false => &[AttrKind::NoAlias, AttrKind::NoCapture],
    };
    kinds.iter().map(|&k| Attr::Flag(k)).collect()
}

/// The type of a parameter or result that is passed by value.
fn value_type(cx: &mut Cx, f: &ir::Function, t: ir::Type) -> Type {
    let Some((s, n)) = cx.m.types.numeric(t) else {
        let message = format!("exported function `{}` passes a resource or hit object, which DXIL cannot", f.name);
        cx.errors.push(LowerError::new(&E0611, f.span, message));
        return cx.out.types.i32();
    };
    let elem = types::scalar(&mut cx.out, s);
    if n == 1 { elem } else { cx.out.types.vector(elem, n) }
}

/// The functions of other libraries that are called.
#[derive(Default)]
pub struct Declared {
    /// Declaration and signature of each.
    pub funcs: FxHashMap<ir::Func, (Func, Signature)>,
    /// Those in order.
    pub order: Vec<(ir::Func, Func)>,
}

impl Declared {
    /// Declares them, in the order that they have in the IR.
    pub fn new(cx: &mut Cx, types: &mut TypeCache) -> Declared {
        let (m, facts) = (cx.m, cx.facts);
        let mut out = Declared::default();
        let mut called: FxHashMap<ir::Func, Span> = FxHashMap::default();
        for known in &facts.functions {
            let f = &m.funcs[known.func];
            for i in known.live.iter() {
                let InstData::Call { func, .. } = f.insts[i] else { continue };
                called.entry(func).or_insert(f.spans[i]);
            }
        }
        for (func, callee) in m.funcs.iter().filter(|(_, f)| f.declared) {
            let Some(&at) = called.get(&func) else { continue };
            if !cx.is_library() {
                let message = format!("a compute shader cannot call `{}`, which is not defined", callee.name);
                cx.errors.push(LowerError::new(&E0609, at, message));
            }
            let sig = Signature::new(cx, types, callee);
            let plain = of_function(cx, callee);
            let made = cx.out.add_function(&callee.symbol, sig.ty);
            cx.out.funcs[made].attrs = sig.attrs(&mut cx.out, plain).into();
            out.order.push((func, made));
            out.funcs.insert(func, (made, sig));
        }
        out
    }
}
