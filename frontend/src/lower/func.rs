//! Lowering of one function: its parameters, the state of its lowering, and helpers for structured control flow.
//!
//! A scalar or vector parameter that is never written is a value; one that is written is copied to a local first.
//! Structures, arrays, matrices and everything that is `out` or `inout` are reference parameters; so is the
//! object of a method (the first parameter) and a result that is not a value (the last). An entry point's payload and
//! attributes are its slots.
//!
//! After a terminator, instructions are emitted to an unowned region, which is dropped in the end.

use rtc_base::{Diagnostic, SecondaryMap, Span};
use rtc_ir::{self as ir, Builder, Func, Hint, Opcode, Param, RefMode, Region, Root, SlotRole, Type, Value};
use rtc_tables::diagnostics as codes;
use smallvec::SmallVec;

use super::globals::Storage;
use super::operand::{Base, Index, LValue, Res, StageParam, Val, Var};
use super::types::Shape;
use super::{Lowerer, NamedArgument, NamedArguments, PendingFunction};
use crate::hir::{self, Body, FuncId, GlobalId, LocalId, Pass, Role, StageNode, SystemValue, Ty, TyKind};

/// Where a parameter or variable of the tree is.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A parameter that is only read.
    Value(Value),
    /// An l-value.
    LValue(LValue),
}

/// An enclosing loop or switch.
#[derive(Clone, Copy, Debug)]
pub struct JumpTarget {
    /// The region that `break` leaves.
    pub breaks: Region,
    /// The loop body that `continue` ends; `None` for a switch.
    pub continues: Option<Region>,
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamMode {
    /// A value.
    Value,
    /// An l-value.
    Ref(RefMode),
}

/// How a function is called.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The object, if it is a method.
    pub this: Option<RefMode>,
    /// The parameters.
    pub params: SmallVec<[ParamMode; 4]>,
    /// The result is a value of this type.
    pub ret: Option<Type>,
    /// The result is put into an l-value of this shape.
    pub ret_lvalue: Option<Shape>,
}

/// The state of the lowering of one function.
pub struct FnCx<'l, 'a> {
    /// The module.
    pub l: &'l mut Lowerer<'a>,
    /// The function, for the facts about it.
    pub id: FuncId,
    /// The tree.
    pub body: &'a Body,
    /// Whether the tree is that of the function (and not of an initialiser).
    pub own_body: bool,
    /// The IR function.
    pub func: ir::Function,
    /// The current region.
    pub region: Region,
    /// Whether the current position is unreachable.
    pub dead: bool,
    /// The source span of new instructions.
    pub span: Span,
    /// Whether float operations must be exact.
    pub precise: bool,
    /// The hint for the next `if` or `switch`.
    pub hint: Hint,
    /// Parameters and variables.
    pub locals: SecondaryMap<LocalId, Option<Binding>>,
    /// The object of the method.
    pub this: Option<LValue>,
    /// The operand of a conversion in an argument or update.
    pub hole: Option<Val>,
    /// The l-value of the result if it is not a value.
    pub ret: Option<LValue>,
    /// The outputs of an entry point: elements, and the variable that they are taken from.
    pub outputs: Vec<(StageNode, LValue)>,
    /// The variables that stand for `precise` parameters which the caller reads afterwards, and these parameters.
    pub copies_out: Vec<(LValue, LValue)>,
    /// In debug information, the last vertex of each stream.
    pub last_vertices: Vec<(StageParam, LValue)>,
    /// The position that a vertex shader with clip planes gives.
    pub position: Option<rtc_ir::Value>,
    /// Enclosing loops and switches, innermost last.
    pub around: Vec<JumpTarget>,
    /// Whether all the checked loads so far were resident.
    pub resident: Option<Value>,
}

/// Fills in function `func`.
pub(super) fn lower(l: &mut Lowerer<'_>, pending: PendingFunction) {
    let PendingFunction { id, func, entry, hull, arrays } = pending;
    let hir = l.hir;
    let f = &hir.funcs[id];
    let declared = l.out.funcs[func].clone();
    let region = declared.body;
    let precise = l.precise;
    let mut cx = FnCx {
        l,
        id,
        body: &f.body,
        own_body: true,
        func: declared,
        region,
        dead: false,
        span: f.span,
        precise,
        hint: Hint::None,
        locals: SecondaryMap::new(),
        this: None,
        hole: None,
        ret: None,
        outputs: Vec::new(),
        copies_out: Vec::new(),
        last_vertices: Vec::new(),
        position: None,
        around: Vec::new(),
        resident: None,
    };
    if entry {
        match &hir.funcs[hull.unwrap_or(id)].interface {
            Some(interface) => cx.stage_interface(f, hull, interface),
            None => cx.entry_params(f),
        }
        cx.init_statics();
        cx.span = f.span;
        cx.execution_modes(&f.execution_modes);
    } else {
        cx.params(f, &arrays);
        if cx.func.exported {
            // No shader of the library has begun before.
            cx.init_statics();
        }
    }
    if let Some(root) = f.body.root {
        cx.stmt(root);
    }
    if !cx.dead && f.is_defined() {
        cx.span = f.span;
        if let (true, Some(root)) = (cx.l.keep_debug, f.body.root) {
            // A debugger that steps through the function reaches its end.
            let end = f.body.stmts[root].span.hi;
            if !end.is_expanded() && end.raw() > 0 {
                cx.span = Span::new(rtc_base::Pos(end.raw() - 1), end);
            }
        }
        cx.give_outputs();
        let v: SmallVec<[Value; 1]> = cx.func.ret.map(|t| cx.undef(t)).into_iter().collect();
        cx.exit(Opcode::return_, &v);
    }
    let mut done = cx.func;
    if hir.is_built_in(f.span) && !l.keep_debug {
        // Inlining puts the places of the calls there.
        done.spans.values_mut().for_each(|s| *s = Span::NONE);
    }
    if !l.precise_outputs.is_empty() && done.is_entry() {
        let semantics = std::mem::take(&mut l.precise_outputs);
        super::precise_outputs::outputs(&mut done, &semantics);
        l.precise_outputs = semantics;
    }
    if done.debug.as_ref().is_some_and(|d| d.marked) {
        super::debug::mark_parameters(&mut done, l.keep_values);
    }
    // Malformed functions only exist after errors, and are not used then.
    if !l.diags.iter().any(Diagnostic::is_error) {
        done.compact();
    }
    l.out.funcs[func] = done;
}

impl Lowerer<'_> {
    /// Whether values of the type are values of the IR.
    pub fn is_value(&mut self, t: Ty) -> bool {
        let shape = self.shape(t);
        let ty = self.shape_ty(shape);
        self.out.types.is_value(ty)
    }

    /// How a function is called.
    pub fn signature(&mut self, id: FuncId) -> Signature {
        let f = &self.hir.funcs[id];
        let is_void = f.ret == Ty::VOID;
        let by_value = is_void || self.is_value(f.ret);
        let shape = self.shape(f.ret);
        let ret_ty = (!is_void).then(|| self.shape_ty(shape));
        let this = f
            .method
            .filter(|m| !m.is_static)
            .map(|m| if m.is_const || f.is_defined() && !self.facts.modifies_this(id) { RefMode::In } else { RefMode::InOut });
        // Libraries pass ray queries themselves, by reference.
        let crosses = f.exported && !f.is_entry() || !f.is_defined();
        let is_query = |p: &hir::Param| matches!(self.hir.types.kind(p.ty), TyKind::RayQuery { .. });
        let queries: Vec<LocalId> = f.params.iter().filter(|p| crosses && is_query(p)).map(|p| p.local).collect();
        let queries: Vec<LocalId> = queries.into_iter().filter(|&l| !self.facts.is_assigned(self.hir, id, l)).collect();
        let params = f
            .params
            .iter()
            .map(|p| match p.pass {
                _ if queries.contains(&p.local) => ParamMode::Value,
                Pass::In if self.is_value(p.ty) => ParamMode::Value,
                Pass::In => ParamMode::Ref(RefMode::In),
                // A ray query is passed by reference.
                Pass::Out if self.has_objects_to_make(p.ty) => ParamMode::Ref(RefMode::InOut),
                Pass::Out => ParamMode::Ref(RefMode::Out),
                Pass::InOut | Pass::Ref => ParamMode::Ref(RefMode::InOut),
            })
            .collect();
        Signature { this, params, ret: ret_ty.filter(|_| by_value), ret_lvalue: (!by_value).then_some(shape) }
    }
}

impl<'a> FnCx<'_, 'a> {
    /// A builder at the end of the current region.
    pub fn b(&mut self) -> Builder<'_> {
        Builder { types: &mut self.l.out.types, func: &mut self.func, region: self.region, span: self.span, precise: self.precise }
    }

    /// Reports that a construct is not supported.
    pub fn unsupported(&mut self, what: impl std::fmt::Display) {
        self.l.unsupported(self.span, what);
    }

    // Parameters -----------------------------------------------------------------------------------------

    fn ref_param(&mut self, shape: Shape, t: Ty, mode: RefMode, name: &str) -> LValue {
        let ty = self.l.shape_ty(shape);
        let local = self.func.add_local(ty, name);
        self.func.locals[local].param = Some(mode);
        // External functions have the packing of matrices in their types.
        let types = &self.l.hir.types;
        if (self.func.exported || self.func.declared) && matches!(types.kind(types.strip_arrays(t).0), TyKind::Matrix { .. }) {
            self.func.locals[local].matrices = self.l.numbers(t);
        }
        self.func.params.push(Param::Ref(local));
        self.local_lvalue(local, shape)
    }

    fn params(&mut self, f: &'a hir::Function, arrays: &NamedArguments) {
        let sig = self.l.signature(self.id);
        self.func.ret = sig.ret;
        if let Some(mode) = sig.this
            && let Some(m) = f.method
            && let Some(ty) = self.record_ty(m.record)
        {
            let lvalue = self.ref_param(Shape::Other(ty), ty, mode, "this");
            self.note_this(&lvalue, ty, f.span);
            self.this = Some(lvalue);
        }
        for (n, (p, passed)) in f.params.iter().zip(&sig.params).enumerate() {
            if let Some((_, named)) = arrays.iter().find(|a| a.0 == n) {
                self.named_parameter(p, named);
                continue;
            }
            let name = self.l.names.str(f.body.locals[p.local].name);
            let shape = self.l.shape(p.ty);
            // A declaration has no instructions: its callers compute what is `precise` for it.
            let precise = f.body.locals[p.local].precise && f.is_defined();
            let written = precise || self.l.facts.is_modified(self.id, p.local);
            let binding = match passed {
                ParamMode::Value => {
                    let ty = self.l.shape_ty(shape);
                    let (body, param) = (self.func.body, ty);
                    let v = self.func.add_param(body, param);
                    self.func.params.push(Param::Value(v));
                    if written { self.own_copy(&Val::One(v), shape, name) } else { Binding::Value(v) }
                }
                ParamMode::Ref(mode) => {
                    if self.func.exported && !self.l.vulkan && matches!(self.l.hir.types.kind(p.ty), TyKind::RayQuery { .. }) {
                        let text = format!("the exported function `{}` assigns to its ray query `{name}`", self.func.name);
                        let d = Diagnostic::new(&codes::E0611, p.span, text);
                        self.l
                            .diags
                            .push(d.note("callers in other libraries keep their own query: assign to a variable, or do not export it"));
                    }
                    let lvalue = self.ref_param(shape, p.ty, *mode, name);
                    if *mode == RefMode::Out && precise {
                        let ty = self.l.shape_ty(shape);
                        let own = self.func.add_local(ty, name);
                        let own = self.local_lvalue(own, shape);
                        self.copies_out.push((own.clone(), lvalue));
                        Binding::LValue(own)
                    } else if (*mode == RefMode::In && written) || precise {
                        let value = self.load(&lvalue);
                        let own = self.own_copy(&value, shape, name);
                        if let (Binding::LValue(own), RefMode::InOut) = (&own, mode) {
                            self.copies_out.push((own.clone(), lvalue));
                        }
                        own
                    } else {
                        Binding::LValue(lvalue)
                    }
                }
            };
            if precise && let Binding::LValue(LValue::Var(Var { base: Base::Root(Root::Local(l)), .. })) = &binding {
                self.func.locals[*l].precise = true;
            }
            self.bind(p.local, binding);
        }
        if let Some(shape) = sig.ret_lvalue {
            self.ret = Some(self.ref_param(shape, f.ret, RefMode::Out, ir::RESULT));
        }
    }

    /// A parameter that stands for something.
    fn named_parameter(&mut self, p: &hir::Param, named: &NamedArgument) {
        match *named {
            NamedArgument::Resources(global, ty) => {
                let all = LValue::Res(Res { global, index: None, ty });
                self.locals[p.local] = Some(Binding::LValue(all));
            }
            NamedArgument::Memory(global, ref steps) => {
                let body = self.func.body;
                let ty = Type::I32;
                let mut index = || {
                    let v = self.func.add_param(body, ty);
                    self.func.params.push(Param::Value(v));
                    v
                };
                let indices = steps.iter().filter(|s| **s == ir::Step::Dyn).map(|_| index()).collect();
                let shape = self.l.shape(p.ty);
                let base = Base::Root(Root::Global(global));
                self.locals[p.local] = Some(Binding::LValue(LValue::Var(Var { base, steps: steps.clone(), indices, shape, view: false })));
            }
            NamedArgument::Stage(of) => self.stage_argument(p, of),
            NamedArgument::Sized(ty) => {
                let name = self.l.names.str(self.body.locals[p.local].name);
                let lvalue = self.ref_param(Shape::Other(ty), ty, RefMode::In, name);
                self.bind(p.local, Binding::LValue(lvalue));
            }
        }
    }

    /// A local with a copy of a parameter.
    pub(super) fn own_copy(&mut self, x: &Val, shape: Shape, name: &str) -> Binding {
        let ty = self.l.shape_ty(shape);
        let local = self.func.add_local(ty, name);
        let lvalue = self.local_lvalue(local, shape);
        self.store(&lvalue, x);
        Binding::LValue(lvalue)
    }

    /// The type of a record of which a value exists.
    fn record_ty(&self, r: hir::RecordId) -> Option<Ty> {
        self.l.hir.types.find(TyKind::Record(r))
    }

    fn entry_params(&mut self, f: &'a hir::Function) {
        for p in &f.params {
            let name = self.l.names.str(f.body.locals[p.local].name).to_string();
            let shape = self.l.shape(p.ty);
            let role = match p.role {
                Role::Payload => SlotRole::PayloadIn,
                Role::Attributes => SlotRole::AttrIn,
                Role::Callable => SlotRole::CallableIn,
                Role::System(value) => {
                    let x = self.system_value(value, p.ty);
                    let written = self.l.facts.is_modified(self.id, p.local);
                    let binding = match written {
                        true => self.own_copy(&Val::One(x), shape, &name),
                        false => Binding::Value(x),
                    };
                    self.bind(p.local, binding);
                    continue;
                }
                Role::Systems => {
                    let ty = self.l.shape_ty(shape);
                    let local = self.func.add_local(ty, name);
                    let lvalue = self.local_lvalue(local, shape);
                    self.system_values(&lvalue, p.ty);
                    self.bind(p.local, Binding::LValue(lvalue));
                    continue;
                }
                Role::Plain => {
                    self.l.unsupported(p.span, "this kind of parameter of an entry point");
                    self.locals[p.local] = Some(Binding::LValue(self.temp(shape)));
                    continue;
                }
            };
            let ty = self.l.shape_ty(shape);
            let slot = self.func.add_slot(role, ty, name.clone());
            let lvalue = LValue::Var(Var {
                base: Base::Root(Root::Slot(slot)),
                steps: SmallVec::new(),
                indices: SmallVec::new(),
                shape,
                view: false,
            });
            let written = self.l.facts.is_modified(self.id, p.local);
            let own = written && (role == SlotRole::AttrIn || p.pass == Pass::In);
            let binding = match own {
                true => {
                    let value = self.load(&lvalue);
                    self.own_copy(&value, shape, &name)
                }
                false => Binding::LValue(lvalue),
            };
            self.bind(p.local, binding);
        }
    }

    /// A system value of a compute shader as a parameter of type `ty` holds it: its first components.
    fn system_value(&mut self, value: SystemValue, ty: Ty) -> Value {
        let types = &self.l.hir.types;
        let (n, to) = (types.components(ty).unwrap_or(1), types.elem(ty));
        self.system_components(value, n, to.unwrap_or(hir::Scalar::Uint))
    }

    /// The first `n` components of a system value, as numbers of type `to`.
    pub(super) fn system_components(&mut self, value: SystemValue, n: u32, to: hir::Scalar) -> Value {
        let op = match value {
            SystemValue::DispatchThreadId => Opcode::thread_id,
            SystemValue::GroupId => Opcode::group_id,
            SystemValue::GroupThreadId => Opcode::thread_id_in_group,
            SystemValue::GroupIndex => Opcode::flattened_thread_id_in_group,
        };
        let whole = self.b().nullary(op);
        let v = if n <= self.lanes(whole) {
            let parts: SmallVec<[u8; 4]> = (0..n as u8).collect();
            self.shuffle(whole, &parts)
        } else {
            // There is no fourth component.
            let mut parts = self.comps(whole);
            parts.resize(n as usize, self.int(0));
            self.vector(&parts)
        };
        self.convert(v, hir::Scalar::Uint, to)
    }

    /// Fills a structure of system values.
    fn system_values(&mut self, lvalue: &LValue, ty: Ty) {
        let hir = self.l.hir;
        let Some(record) = hir.types.as_record(ty) else {
            return;
        };
        for (n, field) in hir.types.records[record].fields.iter().enumerate() {
            let to = self.field(lvalue, record, n as u32);
            let named = |s| SystemValue::named(self.l.names.str(s));
            match field.semantic.and_then(named) {
                Some((value, _)) => {
                    let x = self.system_value(value, field.ty);
                    self.store(&to, &Val::One(x));
                }
                None => self.system_values(&to, field.ty),
            }
        }
    }

    // Static variables -----------------------------------------------------------------------------------

    /// Gives the static variables that this entry point or exported function uses their initial values.
    fn init_statics(&mut self) {
        let hir = self.l.hir;
        let globals: Vec<GlobalId> = self.l.facts.globals_of_entry(self.id).to_vec();
        for g in globals {
            let Some(Storage::Var(var)) = self.l.globals[g] else {
                continue;
            };
            let data = &hir.globals[g];
            let hir::GlobalKind::Static { init, .. } = &data.kind else {
                continue;
            };
            // Variables of inline SPIR-V have what the device puts there.
            if data.inline.as_ref().is_some_and(|i| i.class.is_some()) && init.is_none() {
                continue;
            }
            self.span = data.span;
            let flag = self.l.set_flags.get(&var).copied().map(|f| self.global_lvalue(f, Shape::Vec(hir::Scalar::Uint, 1)));
            let shared = matches!(self.l.out.globals[var].kind, ir::GlobalKind::Private(_, Some(_)));
            match flag {
                // Memory has the initial value until a function changes it.
                None if shared && self.func.exported => {}
                Some(flag) if self.func.exported => {
                    let (set, zero) = (self.load(&flag).one(), self.int(0));
                    let is_new = self.bin(Opcode::ieq, set, zero);
                    self.if_then(is_new, |cx| cx.init_static(g, var, Some(flag)), |_| {});
                }
                flag => {
                    self.note_lost_static(g);
                    self.init_static(g, var, flag);
                }
            }
        }
    }

    /// Gives a static variable its initial value, and tells its flag.
    fn init_static(&mut self, g: GlobalId, var: ir::Global, flag: Option<LValue>) {
        let hir = self.l.hir;
        let data = &hir.globals[g];
        if let Some(flag) = flag {
            let one = self.int(1);
            self.store(&flag, &Val::One(one));
        }
        let to = self.global_lvalue(var, self.l.shape(data.ty));
        match &data.kind {
            hir::GlobalKind::Static { init: Some(e), value: None, .. } => {
                let (body, own) = (self.body, self.own_body);
                (self.body, self.own_body) = (&hir.inits, false);
                self.init(&to, *e);
                (self.body, self.own_body) = (body, own);
            }
            _ => {
                let bits = self.l.constant_bits(g);
                self.store_bits(&to, &mut bits.into_iter());
                let name = self.l.names.str(data.name);
                self.declare_objects(&to, name);
            }
        }
    }

    /// Says that a static variable which changes does not outlive calls of this exported function; of each variable once.
    fn note_lost_static(&mut self, g: GlobalId) {
        let data = &self.l.hir.globals[g];
        let said = |d: &Diagnostic| d.code.id == codes::W0403.id && d.span() == data.span;
        if !self.func.exported || self.l.vulkan || !self.l.facts.is_written(g) || self.l.diags.iter().any(said) {
            return;
        }
        let text = format!("`{}` has its initial value in each call of `{}` from another library", data.qualified, self.func.name);
        let d = Diagnostic::new(&codes::W0403, data.span, text).label(self.func.span, "the exported function");
        self.l.diags.push(d.note("what an earlier call stored is lost: pass it as a parameter"));
    }

    /// The l-value of a module variable.
    pub fn global_lvalue(&self, g: ir::Global, shape: Shape) -> LValue {
        LValue::Var(Var { base: Base::Root(Root::Global(g)), steps: SmallVec::new(), indices: SmallVec::new(), shape, view: false })
    }

    /// Stores constants, depth first.
    fn store_bits(&mut self, to: &LValue, bits: &mut std::vec::IntoIter<u64>) {
        let mut vector = |cx: &mut Self, s, n: u32| {
            let parts: SmallVec<[Value; 4]> = (0..n).map(|_| cx.constant(s, bits.next().unwrap_or(0))).collect();
            cx.vector(&parts)
        };
        match to.shape() {
            Shape::Vec(s, n) => {
                let x = vector(self, s, n);
                self.store(to, &Val::One(x));
            }
            Shape::Mat { scalar, rows, cols, .. } => {
                let x = (0..rows).map(|_| vector(self, scalar, cols)).collect();
                self.store(to, &Val::Rows(x));
            }
            Shape::Other(t) => match self.l.hir.types.kind(t) {
                TyKind::Record(r) => {
                    for n in 0..self.l.hir.types.records[r].fields.len() as u32 {
                        let p = self.field(to, r, n);
                        self.store_bits(&p, bits);
                    }
                }
                TyKind::Array(e, n) => self.store_array_bits(to, e, n.unwrap_or(0), bits),
                _ => _ = bits.next(),
            },
        }
    }

    fn store_array_bits(&mut self, to: &LValue, e: Ty, n: u32, bits: &mut std::vec::IntoIter<u64>) {
        if n > 64 && bits.as_slice().iter().all(|&b| b == 0) {
            self.count_to(n, |cx, i| {
                let p = cx.element(to, Index::By(i), e);
                cx.store_bits(&p, &mut Vec::new().into_iter());
            });
            return;
        }
        for i in 0..n {
            let p = self.element(to, Index::At(i), e);
            self.store_bits(&p, bits);
        }
    }

    // Control flow ---------------------------------------------------------------------------------------

    /// Ends the region.
    pub fn exit(&mut self, op: Opcode, args: &[Value]) {
        self.b().exit(op, args);
        self.mark_dead();
    }
    /// Ends the region by leaving or ending `target`.
    pub fn exit_to(&mut self, op: Opcode, target: Region) {
        self.b().exit_to(op, target, &[]);
        self.mark_dead();
    }
    /// Marks the following code as unreachable.
    fn mark_dead(&mut self) {
        self.region = self.func.add_region();
        self.dead = true;
    }

    /// A region filled by `f`. Whether its end is unreachable, as it should be.
    pub fn fill(&mut self, region: Region, f: impl FnOnce(&mut Self)) -> bool {
        let before = (self.region, self.dead);
        self.region = region;
        self.dead = false;
        f(self);
        let dead = self.dead;
        (self.region, self.dead) = before;
        dead
    }

    /// A region that ends with `yield` of what `f` gives. Whether its end is reached.
    pub fn arm(&mut self, region: Region, f: impl FnOnce(&mut Self) -> SmallVec<[Value; 4]>) -> bool {
        let dead = self.fill(region, |cx| {
            let out = f(cx);
            if !cx.dead {
                cx.b().exit(Opcode::yield_, &out);
            }
        });
        !dead
    }

    /// `if` with results.
    pub fn if_values(
        &mut self,
        cond: Value,
        types: &[Type],
        then: impl FnOnce(&mut Self) -> SmallVec<[Value; 4]>,
        other: impl FnOnce(&mut Self) -> SmallVec<[Value; 4]>,
    ) -> SmallVec<[Value; 4]> {
        let hint = std::mem::take(&mut self.hint);
        let span = self.span;
        let (a, b) = (self.func.add_region(), self.func.add_region());
        let x = self.arm(a, then);
        let y = self.arm(b, other);
        self.span = span;
        let i = self.b().if_(cond, a, b, types);
        self.func.hints[i] = hint;
        let out = SmallVec::from_slice(self.func.results(i));
        if !x && !y {
            self.exit(Opcode::unreachable, &[]);
        }
        out
    }

    /// `if` without results.
    pub fn if_then(&mut self, cond: Value, then: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let none = SmallVec::new;
        self.if_values(
            cond,
            &[],
            |cx| {
                then(cx);
                none()
            },
            |cx| {
                other(cx);
                none()
            },
        );
    }

    /// A loop over 0..n.
    pub fn count_to(&mut self, n: u32, f: impl FnOnce(&mut Self, Value)) {
        let counter = self.temp(Shape::Vec(hir::Scalar::Uint, 1));
        let zero = self.int(0);
        self.store(&counter, &Val::One(zero));
        let (body, next) = (self.func.add_region(), self.func.add_region());
        self.fill(body, |cx| {
            let i = cx.load(&counter).one();
            let end = cx.int(n);
            let goes_on = cx.bin(Opcode::ult, i, end);
            cx.if_then(goes_on, |_| {}, |cx| cx.exit_to(Opcode::break_, body));
            f(cx, i);
            cx.exit_to(Opcode::continue_, body);
        });
        self.fill(next, |cx| {
            let i = cx.load(&counter).one();
            let one = cx.int(1);
            let i = cx.bin(Opcode::iadd, i, one);
            cx.store(&counter, &Val::One(i));
            cx.exit(Opcode::next, &[]);
        });
        self.b().loop_(&[], body, next, &[]);
    }

    /// The function of the IR that is called for `f`.
    pub(super) fn callee(&mut self, f: FuncId, arrays: NamedArguments) -> Option<Func> {
        if arrays.is_empty() {
            return self.l.funcs[f].expand();
        }
        if let Some(&func) = self.l.specialised.get(&(f, arrays.clone())) {
            return Some(func);
        }
        let func = self.l.declare(f, false, arrays.clone());
        self.l.specialised.insert((f, arrays), func);
        Some(func)
    }

    /// Reports an error.
    pub fn error(&mut self, message: impl Into<String>) {
        let d = Diagnostic::new(&codes::E0905, self.span, message);
        self.l.diags.push(d);
    }
}
