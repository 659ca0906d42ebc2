//! Lowering of expressions to l-values.

use smallvec::SmallVec;

use super::expr::lanes;
use super::func::{Binding, FnCx};
use super::globals::Storage;
use super::operand::{Base, Cbuf, LValue, Mem, Res, Texel, Val, Var};
use super::types::Shape;
use crate::hir::layout::{self, Rules};
use crate::hir::{ExprId, ExprKind, GlobalId, LocalId, RecordId};

impl FnCx<'_, '_> {
    /// The l-value that an expression denotes. A value is stored to a fresh local.
    pub fn lvalue(&mut self, e: ExprId) -> LValue {
        let expr = self.body.exprs[e];
        let outer = self.span;
        self.span = expr.span;
        let out = self.lvalue_kind(e, expr.kind);
        self.span = outer;
        out
    }

    fn lvalue_kind(&mut self, e: ExprId, kind: ExprKind) -> LValue {
        use ExprKind as K;
        let shape = self.shape_of(e);
        match kind {
            K::Local(l) => self.local(l, shape),
            K::Global(g) => self.global(g, shape),
            K::This => match self.this.clone() {
                Some(p) => p,
                None => rtc_base::bug!("a method without an object"),
            },
            K::Field(b, n) => {
                let p = self.lvalue(b);
                match self.record_of(b) {
                    Some(r) => self.field(&p, r, n),
                    None => rtc_base::bug!("a field of a type that is not a record"),
                }
            }
            K::AsBase(b) => {
                let mut p = self.lvalue(b);
                match (self.record_of(b), self.record_of(e)) {
                    (Some(derived), Some(base)) => self.as_base(&mut p, derived, base, shape),
                    _ => rtc_base::bug!("the base of a type that is not a record"),
                }
                p
            }
            K::View(b) => {
                let p = self.lvalue(b);
                self.seen_as(&p, shape)
            }
            K::Index(b, i) => {
                let p = self.lvalue(b);
                let v = self.value(i);
                let index = self.index(v);
                let Some((elem, _)) = self.l.hir.types.members(self.body.exprs[b].ty) else {
                    rtc_base::bug!("an element of a type that is not an array");
                };
                self.element(&p, index, elem)
            }
            K::Component(b, i) => {
                let p = self.lvalue(b);
                let v = self.value(i);
                let i = self.index(v);
                self.component(&p, i)
            }
            K::Row(b, i) => {
                let p = self.lvalue(b);
                let v = self.value(i);
                let i = self.index(v);
                self.row(&p, i)
            }
            K::Swizzle(b, which) => {
                let p = self.lvalue(b);
                self.swizzle(&p, &which[..lanes(shape)])
            }
            K::MatrixSwizzle(b, which) => {
                let p = self.lvalue(b);
                self.matrix_swizzle(&p, &which[..lanes(shape)])
            }
            K::Contents(b) => {
                let handle = self.value(b);
                let rules = self.rules_of(handle);
                match rules.has_rows() {
                    true => LValue::Cbuf(Cbuf::new(handle, rules, shape)),
                    false => LValue::Mem(Mem::new(handle, None, None, rules, shape)),
                }
            }
            K::Pointee(b) => {
                let rules = self.l.layout.storage;
                let align = layout::pointer_alignment(&self.l.hir.types, self.body.exprs[b].ty, rules);
                let address = self.value(b);
                LValue::Mem(Mem::at_address(address, align, rules, shape))
            }
            K::Element(b, i) => {
                let handle = self.value(b);
                let i = self.value(i);
                LValue::Mem(Mem::new(handle, Some(i), None, self.rules_of(handle), shape))
            }
            K::Texel(b, at, level) => {
                let handle = self.value(b);
                let coords = self.value(at);
                let level = level.map(|l| self.value(l));
                if matches!(shape, Shape::Other(_)) {
                    self.unsupported("a texel of this type");
                    return self.temp(shape);
                }
                LValue::Texel(Texel { handle, coords, level, shape })
            }
            K::Assign(to, value) => self.assign_to(to, value).0,
            K::Update { post: false, .. } => self.update(kind).0,
            _ => match self.expr(e) {
                Val::Agg(p) => p,
                x => {
                    let p = self.temp(shape);
                    self.store(&p, &x);
                    p
                }
            },
        }
    }

    fn local(&mut self, l: LocalId, shape: Shape) -> LValue {
        match self.locals[l].clone() {
            Some(Binding::LValue(p)) => p,
            Some(Binding::Value(v)) => {
                let p = self.temp(shape);
                self.store(&p, &Val::One(v));
                p
            }
            None => {
                // Declared in unreachable code, or of a type that is diagnosed.
                let p = self.temp(shape);
                self.bind(l, Binding::LValue(p.clone()));
                p
            }
        }
    }

    /// The l-value of a global.
    pub fn global(&mut self, g: GlobalId, shape: Shape) -> LValue {
        match self.l.globals[g] {
            Some(Storage::Resource(global)) => LValue::Res(Res { global, index: None, ty: self.l.hir.globals[g].ty }),
            Some(Storage::Var(v)) => self.global_lvalue(v, shape),
            Some(Storage::Constant(_)) => {
                LValue::Var(Var { base: Base::Const(g), steps: SmallVec::new(), indices: SmallVec::new(), shape, view: false })
            }
            Some(Storage::Spec(id)) => {
                let x = self.spec_constant(g, id, shape);
                let p = self.temp(shape);
                self.store(&p, &Val::One(x));
                p
            }
            None => self.temp(shape),
        }
    }

    /// A constant that the host may replace.
    fn spec_constant(&mut self, g: GlobalId, id: u32, shape: Shape) -> rtc_ir::Value {
        let ty = self.l.shape_ty(shape);
        let bits = self.l.constant_bit(g, 0);
        let default = self.func.const_bits(ty, bits);
        let mut b = self.b();
        b.many_value(rtc_ir::Opcode::spec_constant, id, &[default], ty)
    }

    /// The record type of an expression.
    pub fn record_of(&self, e: ExprId) -> Option<RecordId> {
        self.l.hir.types.as_record(self.body.exprs[e].ty)
    }

    /// The layout rules of a resource's contents.
    pub fn rules_of(&self, handle: rtc_ir::Value) -> Rules {
        match self.l.out.types.as_resource(self.ty_of(handle)) {
            Some(r) => self.l.rules_of(r.kind, r.flags),
            None => Rules::Scalar,
        }
    }
}
