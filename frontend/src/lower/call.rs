//! Lowering of calls: argument passing and copy-in/copy-out.
//!
//! The callee gets a reference to the caller's l-value where that is not observable: the l-value is in a variable of the
//! caller, has exactly the parameter's type, and overlaps no other argument. Then writes of the callee take effect
//! immediately, also if the shader ends inside the callee. Otherwise the argument is a fresh local, filled
//! before and copied back after the call, arguments from left to right.
//!
//! A large array of resources is no value of the IR, and groupshared memory is not copied. A function with such parameters is lowered
//! once for each combination of declared variables that it is called with, and the parameters stand for the declarations. So it is with
//! streams, patches and the outputs of mesh shaders, which are parameters of the shader.

use rtc_ir::{RefMode, Root, Step, Value};
use rtc_tables::intrinsics::{Expander, Intrinsic, Lower};
use smallvec::SmallVec;

use super::func::{Binding, FnCx, ParamMode};
use super::operand::{Base, ComponentAccess, Index, LValue, StageParam, Val, Var};
use super::prepass;
use super::types::Shape;
use super::{Lowerer, NamedArgument, NamedArguments};
use crate::hir::{Arg, ExprId, ExprKind, FuncId, Pass};

/// The arguments of a call as they are collected.
#[derive(Default)]
struct CollectedArgs {
    values: Vec<Value>,
    refs: Vec<Var>,
    /// Copies after the call: from the local, through a conversion, to the l-value.
    back: Vec<(LValue, Option<ExprId>, LValue)>,
}

impl Lowerer<'_> {
    /// Whether parameter `n` of a function stands for something that is not passed: groupshared memory, or a large array of resources
    /// that the function does not assign to.
    pub(super) fn is_passed_by_name(&self, f: FuncId, n: usize) -> bool {
        let p = &self.hir.funcs[f].params[n];
        p.pass == Pass::Ref
            || self.hir.types.is_stage_object(p.ty)
            || self.is_large_array_of_resources(p.ty) && !self.facts.is_modified(f, p.local)
    }

    /// Whether `t` is an array of resources that is too large for a value, or of unknown size.
    pub(super) fn is_large_array_of_resources(&self, t: crate::hir::Ty) -> bool {
        let types = &self.hir.types;
        let (elem, count) = types.strip_arrays(t);
        elem != t && types.as_resource(elem).is_some() && count.is_none_or(|n| n > rtc_tables::limits::LARGEST_RESOURCE_ARRAY)
    }
}

/// An argument of an intrinsic.
pub struct Operand {
    /// Its value; none for `out` parameters and references.
    pub val: Val,
    /// Its l-value, unless it is passed by value.
    pub lvalue: Option<LValue>,
    /// The parameter's type.
    pub shape: Shape,
    back: Option<ExprId>,
}

/// A call of an intrinsic.
pub struct Call {
    /// Which.
    pub row: &'static Intrinsic,
    /// The shape of the result.
    pub ret: Shape,
    /// Its arguments.
    pub args: SmallVec<[Operand; 4]>,
    /// The handle of its object.
    pub object: Option<Value>,
    /// The l-value of its object, if it changes that.
    pub lvalue: Option<LValue>,
}

impl Call {
    /// The value of argument `n`.
    pub fn val(&self, n: usize) -> Val {
        self.args[n].val.clone()
    }
    /// The scalar, vector or handle that argument `n` is.
    #[track_caller]
    pub fn one(&self, n: usize) -> Value {
        self.args[n].val.one()
    }
}

impl FnCx<'_, '_> {
    /// A call of a function of the program.
    pub fn call(&mut self, e: ExprId, id: FuncId, this: Option<ExprId>, args: &[Arg]) -> Val {
        if let Some(inline) = &self.l.hir.funcs[id].inline {
            return self.inline_call(e, id, inline, args);
        }
        let sig = self.l.signature(id);
        let mut given = CollectedArgs::default();
        if let (Some(mode), Some(t)) = (sig.this, this) {
            self.object(&mut given, t, mode);
        }
        let mut arrays = NamedArguments::new();
        for (n, (arg, passed)) in args.iter().zip(&sig.params).enumerate() {
            if let Some(output) = self.array_of_outputs(arg) {
                arrays.push((n, NamedArgument::Stage(output)));
                continue;
            }
            if self.l.is_passed_by_name(id, n) {
                match self.named_argument(&mut given, arg, &args[n + 1..]) {
                    Some(named) => arrays.push((n, named)),
                    None if self.l.hir.types.is_stage_object(arg.ty) => {
                        self.unsupported("a stream or patch as an argument that is no parameter of the shader");
                    }
                    None if arg.pass == Pass::Ref => self.unsupported("a component of groupshared memory as an argument"),
                    None => self.unsupported("a large array of resources that is no declared one"),
                }
                continue;
            }
            let f = &self.l.hir.funcs[id];
            let precise = !f.is_defined() && f.params.get(n).is_some_and(|p| f.body.locals[p.local].precise);
            match passed {
                ParamMode::Value => {
                    let v = self.value(arg.expr);
                    given.values.push(if precise { self.made_precise(v, arg.ty) } else { v });
                }
                ParamMode::Ref(RefMode::In) => self.aggregate(&mut given, arg, &args[n + 1..]),
                ParamMode::Ref(mode) => self.reference(&mut given, arg, *mode, &args[n + 1..]),
            }
            if precise
                && matches!(passed, ParamMode::Ref(_))
                && let Some(Root::Local(l)) = given.refs.last().and_then(Var::own_root)
            {
                self.func.locals[l].precise = true;
            }
        }
        let result = sig.ret_lvalue.map(|shape| self.temp(shape));
        if let Some(LValue::Var(v)) = &result {
            given.refs.push(v.clone());
        }
        self.span = self.body.exprs[e].span;
        let Some(callee) = self.callee(id, arrays) else {
            self.unsupported("a call of a function without a body");
            let shape = self.shape_of(e);
            return if sig.ret.is_some() { self.undef_of(shape) } else { result.map_or(Val::Void, Val::Agg) };
        };
        let lvalues: Vec<_> = given.refs.iter().map(|v| self.parts(v)).collect();
        let refs: Vec<(Root, &[Step], &[Value])> = lvalues.iter().map(|p| (p.0, &p.1[..], &p.2[..])).collect();
        let i = self.b().call(callee, &given.values, &refs, sig.ret);
        let value = sig.ret.map(|_| self.func.result(i));
        for (from, back, to) in given.back {
            let x = self.load(&from);
            let x = self.converted(back, &x);
            self.store(&to, &x);
        }
        match (value, result) {
            (Some(v), _) => Val::One(v),
            (None, Some(p)) => self.load(&p),
            (None, None) => Val::Void,
        }
    }

    /// The array of outputs of a mesh shader that an argument is. The function writes to it in place: other threads write its other members.
    fn array_of_outputs(&mut self, arg: &Arg) -> Option<StageParam> {
        let ExprKind::Local(l) = self.body.exprs[arg.expr].kind else { return None };
        match &self.locals[l] {
            Some(Binding::LValue(LValue::MeshOutput(m))) if arg.pass != Pass::In => Some(m.param),
            _ => None,
        }
    }

    /// What a parameter that is passed by name stands for.
    fn named_argument(&mut self, given: &mut CollectedArgs, arg: &Arg, later: &[Arg]) -> Option<NamedArgument> {
        if self.l.hir.types.is_stage_object(arg.ty) {
            return self.stage_parameter(arg.expr).map(NamedArgument::Stage);
        }
        if arg.pass == Pass::Ref {
            let v = match self.lvalue(arg.expr) {
                LValue::Var(v) => v,
                // A component of a vector is a part of the variable.
                LValue::Part(whole, ComponentAccess::Swizzle(which), shape) => match (*whole, &which[..]) {
                    (LValue::Var(v), &[n]) => v.step(Index::At(n.into()), shape),
                    _ => return None,
                },
                _ => return None,
            };
            let Base::Root(Root::Global(g)) = v.base else { return None };
            given.values.extend(v.indices);
            return Some(NamedArgument::Memory(g, v.steps));
        }
        match self.array_of_resources(arg.expr)? {
            LValue::Res(r) => Some(NamedArgument::Resources(r.global, r.ty)),
            LValue::Var(Var { shape: Shape::Other(ty), .. }) if self.l.has_variables(ty) => {
                self.aggregate(given, &Arg { ty, ..*arg }, later);
                Some(NamedArgument::Sized(ty))
            }
            _ => None,
        }
    }

    /// The variable that an array of resources is, declared or of the function.
    pub(super) fn array_of_resources(&mut self, e: ExprId) -> Option<LValue> {
        let p = match self.body.exprs[e].kind {
            ExprKind::Global(_) | ExprKind::Field(..) => self.lvalue(e),
            ExprKind::Local(l) => match &self.locals[l] {
                Some(Binding::LValue(p)) => p.clone(),
                _ => return None,
            },
            _ => return None,
        };
        let whole = !matches!(&p, LValue::Res(r) if r.index.is_some());
        whole.then_some(p)
    }

    /// A reference to the l-value itself, if it can be passed.
    fn direct(&mut self, given: &CollectedArgs, p: &LValue, shape: Shape, read_only: bool) -> Option<Var> {
        let LValue::Var(v) = p else { return None };
        let constant = matches!(v.base, Base::Const(_));
        if v.view || !(v.own_root().is_some() || (constant && read_only)) {
            return None;
        }
        if self.var_ty(v) != self.l.shape_ty(shape) || given.refs.iter().any(|r| r.overlaps(v)) {
            return None;
        }
        // A reference that the callee may write must be writable here.
        let writable = match v.own_root() {
            Some(Root::Local(l)) => self.func.locals[l].param != Some(RefMode::In),
            Some(Root::Slot(s)) => self.func.slots[s].role != rtc_ir::SlotRole::AttrIn,
            _ => false,
        };
        (read_only || writable).then(|| v.clone())
    }

    /// A value as it comes out of a `precise` variable, for a `precise` parameter of a function of another library.
    fn made_precise(&mut self, v: Value, t: crate::hir::Ty) -> Value {
        let shape = self.l.shape(t);
        let Binding::LValue(own) = self.own_copy(&Val::One(v), shape, "") else { return v };
        if let LValue::Var(Var { base: Base::Root(Root::Local(l)), .. }) = &own {
            self.func.locals[*l].precise = true;
        }
        match self.load(&own) {
            Val::One(v) => v,
            _ => v,
        }
    }

    /// A fresh local as an argument.
    fn fresh(&mut self, given: &mut CollectedArgs, shape: Shape) -> LValue {
        let p = self.temp(shape);
        if let LValue::Var(v) = &p {
            given.refs.push(v.clone());
        }
        p
    }

    fn object(&mut self, given: &mut CollectedArgs, this: ExprId, mode: RefMode) {
        let shape = self.shape_of(this);
        let p = self.lvalue(this);
        if let Some(v) = self.direct(given, &p, shape, mode == RefMode::In) {
            given.refs.push(v);
            return;
        }
        let t = self.fresh(given, shape);
        self.copy(&t, &p);
        if mode != RefMode::In && self.body.exprs[this].category == crate::hir::Category::Lvalue {
            given.back.push((t, None, p));
        }
    }

    /// An aggregate by value.
    fn aggregate(&mut self, given: &mut CollectedArgs, arg: &Arg, later: &[Arg]) {
        let shape = self.l.shape(arg.ty);
        let exprs: SmallVec<[ExprId; 8]> = later.iter().map(|a| a.expr).collect();
        let x = self.expr_before(arg.expr, &exprs);
        if let Val::Agg(p) = &x
            && let Some(v) = self.direct(given, p, shape, true)
        {
            given.refs.push(v);
            return;
        }
        let t = self.fresh(given, shape);
        self.store(&t, &x);
    }

    /// An `out` or `inout` argument.
    fn reference(&mut self, given: &mut CollectedArgs, arg: &Arg, mode: RefMode, later: &[Arg]) {
        let shape = self.l.shape(arg.ty);
        if arg.pass == Pass::In {
            let t = self.fresh(given, shape);
            let x = self.expr(arg.expr);
            self.store(&t, &x);
            return;
        }
        let p = self.lvalue(arg.expr);
        let root = prepass::root_of(self.body, arg.expr);
        let kept = !later.iter().any(|a| {
            // L-values of further arguments are only evaluated here; overlaps are detected later.
            let named = a.pass != Pass::In && self.is_plain_lvalue(a.expr);
            !named && self.may_write(a.expr, root)
        });
        if kept
            && arg.into.is_none()
            && arg.back.is_none()
            && let Some(v) = self.direct(given, &p, shape, false)
        {
            given.refs.push(v);
            return;
        }
        let t = self.fresh(given, shape);
        if mode == RefMode::InOut {
            let x = self.load(&p);
            let x = self.converted(arg.into, &x);
            self.store(&t, &x);
        }
        given.back.push((t, arg.back, p));
    }

    /// Whether the evaluation of an l-value expression has no side effects.
    fn is_plain_lvalue(&self, e: ExprId) -> bool {
        let mut plain = true;
        prepass::walk(self.body, e, &mut |e| {
            use crate::hir::ExprKind as K;
            plain &= matches!(
                self.body.exprs[e].kind,
                K::Local(_) | K::This | K::Global(_) | K::Field(..) | K::Index(..) | K::Const(_) | K::Swizzle(..)
            );
        });
        plain
    }

    // Intrinsics -----------------------------------------------------------------------------------------

    /// A call of an intrinsic.
    pub fn intrinsic(&mut self, e: ExprId, row: &'static Intrinsic, object: Option<ExprId>, args: &[Arg]) -> Val {
        if row.lowers == Lower::Expand(Expander::Print) {
            return self.print(e, args);
        }
        let changes = row.lowers == Lower::Expand(Expander::HitSetIndex);
        let stream = matches!(row.lowers, Lower::Expand(Expander::AppendVertex | Expander::RestartStrip));
        let lvalue = object.filter(|_| changes || stream).map(|o| self.lvalue(o));
        let object = match &lvalue {
            Some(LValue::Stream(..)) => None,
            Some(p) => Some(self.load(p).one()),
            None => object.map(|o| self.value(o)),
        };
        let mut operands = SmallVec::new();
        for (n, a) in args.iter().enumerate() {
            let shape = self.l.shape(a.ty);
            let mut operand = Operand { val: Val::Void, lvalue: None, shape, back: a.back };
            if matches!(self.body.exprs[a.expr].kind, ExprKind::OwnSampler) {
                operand.val = object.map_or(Val::Void, Val::One);
            } else if a.pass == Pass::In {
                let later: SmallVec<[ExprId; 8]> = args[n + 1..].iter().map(|a| a.expr).collect();
                operand.val = match self.shape_of(a.expr) {
                    Shape::Other(_) => self.expr_before(a.expr, &later),
                    _ => self.expr(a.expr),
                };
            } else {
                operand.lvalue = Some(self.lvalue(a.expr));
            }
            operands.push(operand);
        }
        self.span = self.body.exprs[e].span;
        let call = Call { row, ret: self.shape_of(e), args: operands, object, lvalue };
        self.expand(&call)
    }

    /// Stores the value of `out` argument `n`.
    pub fn give(&mut self, call: &Call, n: usize, x: &Val) {
        let operand = &call.args[n];
        let x = self.converted(operand.back, x);
        if let Some(p) = operand.lvalue.clone() {
            self.store(&p, &x);
        }
    }
}
