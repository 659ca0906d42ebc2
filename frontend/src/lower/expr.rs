//! Lowering of expressions to values.

use rtc_ir::{Opcode, Type, Value};
use smallvec::SmallVec;

use super::func::{Binding, FnCx};
use super::globals::Storage;
use super::operand::{ComponentAccess, LValue, Val};
use super::prepass::{self, LValueRoot};
use super::types::Shape;
use crate::hir::layout::{self, Rules};
use crate::hir::{BinaryOp, Body, ExprId, ExprKind, Pass, Scalar};
use rtc_tables::insts::HEAP_ALIGN;
use rtc_tables::intrinsics::{Expander, Lower};
use rtc_tables::resources::ResourceKind;

/// Whether `e` is the constant `true`.
pub fn is_true(body: &Body, e: ExprId) -> bool {
    body.as_const(e).is_some_and(|b| b != 0)
}

impl<'a> FnCx<'_, 'a> {
    /// The type of an expression.
    pub fn shape_of(&self, e: ExprId) -> Shape {
        self.l.shape(self.body.exprs[e].ty)
    }
    /// Whether `e` is an element of a descriptor heap that is not converted to a resource.
    fn is_heap(&self, e: ExprId) -> bool {
        let ty = self.body.exprs[e].ty;
        matches!(self.l.hir.types.kind(ty), crate::hir::TyKind::HeapElement(_) | crate::hir::TyKind::Heap(_))
    }

    /// The component type of a number.
    pub fn scalar_of(&self, e: ExprId) -> Scalar {
        match self.shape_of(e) {
            Shape::Vec(s, _) | Shape::Mat { scalar: s, .. } => s,
            Shape::Other(_) => Scalar::Int,
        }
    }

    /// A scalar, vector or handle.
    #[track_caller]
    pub fn value(&mut self, e: ExprId) -> Value {
        self.expr(e).one()
    }

    /// Evaluates an expression for its side effects.
    pub fn effect(&mut self, e: ExprId) -> Val {
        match self.body.exprs[e].kind {
            ExprKind::Comma(_, last) => {
                let parts = self.body.comma_parts(e);
                parts[..parts.len() - 1].iter().for_each(|&p| _ = self.effect(p));
                self.effect(last)
            }
            _ => self.expr(e),
        }
    }

    /// The value of an expression.
    pub fn expr(&mut self, e: ExprId) -> Val {
        let expr = self.body.exprs[e];
        let outer = self.span;
        self.span = expr.span;
        let out = self.expr_kind(e, expr.kind);
        self.span = outer;
        out
    }

    fn expr_kind(&mut self, e: ExprId, kind: ExprKind) -> Val {
        use ExprKind as K;
        match kind {
            K::Error | K::Str(_) => {
                let shape = self.shape_of(e);
                self.undef_of(shape)
            }
            K::Const(bits) => {
                let s = self.scalar_of(e);
                Val::One(self.constant(s, bits))
            }
            // A descriptor heap of which no element is taken.
            K::Hole if self.is_heap(e) => {
                let shape = self.shape_of(e);
                self.undef_of(shape)
            }
            K::Hole => match self.hole.clone() {
                Some(x) => x,
                None => rtc_base::bug!("nothing is to be converted"),
            },
            K::OwnSampler => rtc_base::bug!("a sampler without its texture"),
            K::Local(l) => match &self.locals[l] {
                Some(Binding::Value(v)) => Val::One(*v),
                _ => {
                    let p = self.lvalue(e);
                    self.load(&p)
                }
            },
            K::Global(_) | K::This | K::Contents(_) | K::Pointee(_) | K::Element(..) | K::Texel(..) => {
                let p = self.lvalue(e);
                self.load(&p)
            }
            // A heap element that is not used as a resource accesses no descriptor: only its index is evaluated.
            K::Heap(_, i) if self.is_heap(e) => {
                self.value(i);
                let shape = self.shape_of(e);
                self.undef_of(shape)
            }
            K::Heap(_, i) => {
                let shape = self.shape_of(e);
                let ty = self.l.shape_ty(shape);
                let index = self.value(i);
                let imm = self.element_alignment(e) << HEAP_ALIGN;
                let mut b = self.b();
                Val::One(b.many_value(Opcode::heap_resource, imm, &[index], ty))
            }
            K::Field(..) | K::AsBase(_) | K::View(_) | K::Index(..) => {
                let p = self.lvalue(e);
                self.load(&p)
            }
            K::Component(b, _) if self.is_in_memory(b) => {
                let p = self.lvalue(e);
                self.load(&p)
            }
            K::Row(b, _) | K::MatrixSwizzle(b, _) if self.body.exprs[b].category.is_lvalue() => {
                let p = self.lvalue(e);
                self.load(&p)
            }
            K::Row(b, i) => {
                let rows = self.expr(b).rows();
                let i = self.value(i);
                Val::One(self.row_dyn(&rows, i))
            }
            K::Component(b, i) => {
                let v = self.value(b);
                let i = self.value(i);
                Val::One(self.comp_dyn(v, i))
            }
            K::MatrixSwizzle(b, which) => {
                let x = self.expr(b);
                let shape = self.shape_of(e);
                let n = lanes(shape);
                let how = ComponentAccess::Matrix(SmallVec::from_slice(&which[..n]));
                Val::One(self.part(&x, &how, shape))
            }
            K::Swizzle(b, which) => {
                // Components that memory has one by one are read one by one.
                let n = lanes(self.shape_of(e));
                if self.body.exprs[b].category.is_lvalue() && n == 1 && self.is_in_memory(b) {
                    let p = self.lvalue(e);
                    return self.load(&p);
                }
                let v = self.value(b);
                Val::One(self.shuffle(v, &which[..n]))
            }
            K::Unary(op, a) => {
                let s = self.scalar_of(a);
                let x = self.expr(a);
                self.map(&x, |cx, v| cx.unary(op, s, v))
            }
            K::Binary(..) | K::And(..) | K::Or(..) => self.binary_chain(e),
            K::Conditional(c, a, b) => self.conditional(e, c, a, b),
            K::Select(c, a, b) => {
                let c = self.expr(c);
                let (x, y) = (self.expr_before(a, &[b]), self.expr(b));
                self.select(&c, &x, &y)
            }
            K::Assign(to, value) => self.assign(to, value),
            K::Update { post, .. } => {
                let (_, old, new) = self.update(kind);
                if post { old } else { new }
            }
            K::Convert(a) => {
                let (from, to) = (self.scalar_of(a), self.scalar_of(e));
                let x = self.expr(a);
                self.map(&x, |cx, v| cx.convert(v, from, to))
            }
            K::Splat(a) => {
                let s = self.scalar_of(a);
                // The only component may be that of a matrix.
                let v = self.expr(a).rows()[0];
                let shape = self.shape_of(e);
                self.splat_to(v, s, shape)
            }
            K::Truncate(a) => {
                let shape = self.shape_of(e);
                if matches!(shape, Shape::Other(_)) {
                    let to = self.temp(shape);
                    self.construct_into(&to, &[a]);
                    return Val::Agg(to);
                }
                let x = self.expr(a);
                self.truncate(&x, shape)
            }
            K::Construct(parts) => {
                let shape = self.shape_of(e);
                match shape {
                    Shape::Other(_) => {
                        let to = self.temp(shape);
                        self.construct_into(&to, self.body.list(parts));
                        Val::Agg(to)
                    }
                    _ => self.construct(shape, self.body.list(parts)),
                }
            }
            K::Call { func, this, args } => self.call(e, func, this, self.body.list(args)),
            K::Intrinsic { row, object, args } => self.intrinsic(e, row, object, self.body.list(args)),
            K::Comma(_, last) => {
                let parts = self.body.comma_parts(e);
                parts[..parts.len() - 1].iter().for_each(|&p| _ = self.effect(p));
                self.expr(last)
            }
        }
    }

    /// Evaluates a left-leaning chain of binary operators iteratively, since it may be too deep for recursion.
    fn binary_chain(&mut self, e: ExprId) -> Val {
        let (mut left, rest) = self.body.left_spine(e);
        let mut x = self.expr(left);
        for (whole, right) in rest {
            x = match self.body.exprs[whole].kind {
                ExprKind::Binary(op, ..) => {
                    let s = self.scalar_of(left);
                    let y = self.expr(right);
                    self.span = self.body.exprs[whole].span;
                    self.map2(&x, &y, |cx, a, b| cx.binary(op, s, a, b))
                }
                logical => {
                    self.span = self.body.exprs[whole].span;
                    self.short_circuit(x.one(), right, matches!(logical, ExprKind::Or(..)))
                }
            };
            left = whole;
        }
        x
    }

    /// The logarithm of the alignment of a structured buffer's elements, if they are structures.
    fn element_alignment(&self, e: ExprId) -> u32 {
        let types = &self.l.hir.types;
        let buffer = types.as_resource(self.body.exprs[e].ty);
        let elem = buffer.filter(|r| r.kind == ResourceKind::StructuredBuffer);
        match elem.and_then(|r| r.elem) {
            Some(t) if types.as_record(t).is_some() => layout::size_of(types, t, Rules::Scalar).align.trailing_zeros(),
            _ => 0,
        }
    }

    fn is_number(&self, e: ExprId) -> bool {
        !matches!(self.shape_of(e), Shape::Other(_))
    }

    /// Whether an l-value is in a buffer, where reading a part is cheaper than reading the whole.
    fn is_in_memory(&self, mut e: ExprId) -> bool {
        loop {
            e = match self.body.exprs[e].kind {
                ExprKind::Field(b, _) | ExprKind::AsBase(b) | ExprKind::Index(b, _) | ExprKind::Row(b, _) => b,
                ExprKind::Contents(_) | ExprKind::Pointee(_) | ExprKind::Element(..) => return true,
                _ => return false,
            }
        }
    }

    // Operators ----------------------------------------------------------------------------------------

    fn short_circuit(&mut self, x: Value, b: ExprId, or: bool) -> Val {
        if self.is_cheap(b) {
            let y = self.value(b);
            return Val::One(self.bin(if or { Opcode::or } else { Opcode::and }, x, y));
        }
        let known = self.func.const_bool(or);
        let right = |cx: &mut Self| {
            let y = cx.value(b);
            SmallVec::from_slice(&[y])
        };
        let left = |_: &mut Self| SmallVec::from_slice(&[known]);
        let out = if or { self.if_values(x, &[Type::BOOL], left, right) } else { self.if_values(x, &[Type::BOOL], right, left) };
        Val::One(out[0])
    }

    fn conditional(&mut self, e: ExprId, c: ExprId, a: ExprId, b: ExprId) -> Val {
        // What a constant does not choose need not be computable.
        if let Some(c) = self.body.as_const(c) {
            return self.expr(if c != 0 { a } else { b });
        }
        let shape = self.shape_of(e);
        let c = self.value(c);
        if self.body.exprs[e].ty == crate::hir::Ty::VOID {
            self.if_then(c, |cx| _ = cx.effect(a), |cx| _ = cx.effect(b));
            return Val::Void;
        }
        let ty = self.l.shape_ty(shape);
        let matrix = match shape {
            Shape::Mat { scalar, rows, cols, .. } => Some((self.l.vec_ty(scalar, cols), rows)),
            _ => None,
        };
        if matrix.is_none() && !self.l.out.types.is_value(ty) {
            let to = self.temp(shape);
            let put = |cx: &mut Self, e| {
                let x = cx.expr(e);
                cx.store(&to, &x);
            };
            self.if_then(c, |cx| put(cx, a), |cx| put(cx, b));
            return Val::Agg(to);
        }
        let object = matches!(shape, Shape::Other(_));
        if !object && self.is_cheap(a) && self.is_cheap(b) {
            let (x, y) = (self.expr(a), self.expr(b));
            return self.map2(&x, &y, |cx, x, y| cx.tern(Opcode::select, c, x, y));
        }
        let types: SmallVec<[Type; 4]> = match matrix {
            Some((row, n)) => SmallVec::from_elem(row, n as usize),
            None => SmallVec::from_slice(&[ty]),
        };
        let out = self.if_values(c, &types, |cx| cx.expr(a).rows(), |cx| cx.expr(b).rows());
        if matrix.is_some() { Val::Rows(out) } else { Val::One(out[0]) }
    }

    /// Component-wise choice; a scalar condition selects all components.
    pub fn select(&mut self, c: &Val, x: &Val, y: &Val) -> Val {
        match c {
            Val::One(c) => {
                let c = *c;
                self.map2(x, y, |cx, x, y| cx.tern(Opcode::select, c, x, y))
            }
            _ => self.map3(c, x, y, |cx, c, x, y| cx.tern(Opcode::select, c, x, y)),
        }
    }

    fn assign(&mut self, to: ExprId, value: ExprId) -> Val {
        match self.assign_to(to, value) {
            // What is put into an output cannot be read from there.
            (p, Val::Agg(_)) if !matches!(p, LValue::MeshOutput(_)) => self.load(&p),
            (p, x) => self.kept(&p, x),
        }
    }

    /// Assigns; the l-value, and what it is now.
    pub fn assign_to(&mut self, to: ExprId, value: ExprId) -> (LValue, Val) {
        // The value of an aggregate is an l-value, which evaluating the target must not change.
        let x = self.expr_before(value, &[to]);
        let p = self.lvalue(to);
        let x = self.exactly_for(to, &p, x);
        self.store(&p, &x);
        (p, x)
    }

    /// What an l-value keeps of a value that is stored to it: of a bit-field its bits.
    fn kept(&mut self, p: &LValue, x: Val) -> Val {
        match p {
            LValue::Part(_, ComponentAccess::Bits(..), Shape::Vec(Scalar::Bool, _)) => x,
            LValue::Part(_, ComponentAccess::Bits(_, width), shape) => Val::One(self.part(&x, &ComponentAccess::Bits(0, *width), *shape)),
            _ => x,
        }
    }

    /// Applies an operator to an l-value; the l-value, and what it was and is now.
    pub fn update(&mut self, kind: ExprKind) -> (LValue, Val, Val) {
        let ExprKind::Update { to, op, value, into, back, .. } = kind else { rtc_base::bug!("{kind:?} is no update") };
        // Shifts apart, the operator's type is that of its right operand, to which the left one is converted.
        let s = self.scalar_of(into.unwrap_or(to));
        let y = self.expr(value);
        let p = self.lvalue(to);
        let old = self.load(&p);
        let x = self.converted(into, &old);
        let new = self.map2(&x, &y, |cx, a, b| cx.binary(op, s, a, b));
        let new = self.converted(back, &new);
        let new = self.exactly_for(to, &p, new);
        self.store(&p, &new);
        let new = self.kept(&p, new);
        (p, old, new)
    }

    /// A value through the conversion of an argument or update.
    pub fn converted(&mut self, how: Option<ExprId>, x: &Val) -> Val {
        let Some(e) = how else { return x.clone() };
        let outer = self.hole.replace(x.clone());
        let out = self.expr(e);
        self.hole = outer;
        out
    }

    /// Stores the value of `e` to an l-value that `e` does not refer to.
    pub fn init(&mut self, to: &LValue, e: ExprId) {
        if let (ExprKind::Construct(parts), Shape::Other(_)) = (self.body.exprs[e].kind, to.shape()) {
            let outer = self.span;
            self.span = self.body.exprs[e].span;
            self.construct_into(to, self.body.list(parts));
            self.span = outer;
            return;
        }
        let x = self.expr(e);
        self.store(to, &x);
    }

    /// The value of `e` such that evaluating `later` does not change it.
    pub fn expr_before(&mut self, e: ExprId, later: &[ExprId]) -> Val {
        let x = self.expr(e);
        match &x {
            Val::Agg(p) if self.body.exprs[e].category.is_lvalue() => {
                let root = prepass::root_of(self.body, e);
                match later.iter().any(|&l| self.may_write(l, root)) {
                    true => Val::Agg(self.snapshot(p)),
                    false => x,
                }
            }
            _ => x,
        }
    }

    /// A copy of an aggregate.
    pub fn snapshot(&mut self, p: &LValue) -> LValue {
        let to = self.temp(p.shape());
        self.copy(&to, p);
        to
    }

    /// Whether evaluating `e` may write to what starts at `root`. Other functions access variables of this one
    /// through arguments only, but may access everything else.
    pub fn may_write(&self, e: ExprId, root: LValueRoot) -> bool {
        let mut found = false;
        let hits = |w: ExprId| root == LValueRoot::Other || prepass::root_of(self.body, w) == root;
        prepass::walk(self.body, e, &mut |e| {
            let out = |args| {
                let written = |a: &&crate::hir::Arg| a.pass != Pass::In && hits(a.expr);
                self.body.list(args).iter().any(|a| written(&a))
            };
            found |= match self.body.exprs[e].kind {
                ExprKind::Assign(to, _) | ExprKind::Update { to, .. } => hits(to),
                ExprKind::Call { this, args, .. } => root == LValueRoot::Other || this.is_some_and(hits) || out(args),
                ExprKind::Intrinsic { row, args, .. } => out(args) || (root == LValueRoot::Other && is_effect(row.lowers)),
                _ => false,
            };
        });
        found
    }

    /// Whether `e` is cheap and has no side effects, so that it can be evaluated speculatively.
    fn is_cheap(&self, e: ExprId) -> bool {
        let mut budget = 12i32;
        let mut cheap = true;
        let mut todo: SmallVec<[ExprId; 16]> = SmallVec::from_slice(&[e]);
        while let Some(e) = todo.pop() {
            budget -= 1;
            use ExprKind as K;
            let integer_division = |op| matches!(op, BinaryOp::Div | BinaryOp::Rem) && !self.scalar_of(e).is_float();
            cheap &= budget >= 0
                && match self.body.exprs[e].kind {
                    K::Const(_) | K::Local(_) | K::This | K::Hole => true,
                    K::Global(g) => !matches!(self.l.globals[g], Some(Storage::Resource(_))),
                    K::Field(..) | K::Swizzle(..) | K::MatrixSwizzle(..) | K::Unary(..) => true,
                    K::Convert(_) | K::Splat(_) | K::Truncate(_) | K::Select(..) => true,
                    K::Construct(_) => self.is_number(e),
                    K::Binary(op, ..) => !integer_division(op),
                    K::And(..) | K::Or(..) | K::Conditional(..) => true,
                    K::Component(_, i) | K::Index(_, i) | K::Row(_, i) => self.body.as_const(i).is_some(),
                    K::Contents(_) | K::Element(..) | K::Texel(..) | K::Heap(..) => false,
                    _ => false,
                };
            if !cheap {
                return false;
            }
            prepass::children(self.body, e, &mut |c| todo.push(c));
        }
        true
    }
}

/// How many components a scalar or vector has.
pub fn lanes(s: Shape) -> usize {
    match s {
        Shape::Vec(_, n) => n as usize,
        _ => 1,
    }
}

/// Whether an intrinsic without out parameters has side effects.
fn is_effect(l: Lower) -> bool {
    use Expander as X;
    matches!(
        l,
        Lower::Expand(
            X::RawStore
                | X::AddressStore
                | X::Counter(_)
                | X::Append
                | X::Consume
                | X::RawAtomic(_)
                | X::Barrier(_)
                | X::ReportHit
                | X::IgnoreHit
                | X::AcceptHit
                | X::Print
                | X::AppendVertex
                | X::RestartStrip
                | X::HitSetIndex
                | X::Reorder { .. }
        )
    )
}
