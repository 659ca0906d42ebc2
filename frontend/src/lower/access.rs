//! Loads, stores and copies of l-values.

use rtc_ir::{Opcode, Step, Type, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Base, ComponentAccess, Index, LValue, Res, Rows, Val, Var};
use super::types::Shape;
use crate::hir::{GlobalId, Scalar, Ty, TyKind};

impl FnCx<'_, '_> {
    /// Loads the l-value.
    pub fn load(&mut self, p: &LValue) -> Val {
        match p {
            LValue::Var(v) => self.load_var(v),
            LValue::Res(r) => self.load_resource(r),
            LValue::Input(i) => self.load_input(i),
            LValue::MeshOutput(m) => self.read_mesh_output(m),
            LValue::Stream(..) => Val::Agg(p.clone()),
            LValue::Texel(t) => Val::One(self.load_texel(t)),
            LValue::Mem(_) | LValue::Cbuf(_) => match p.shape() {
                Shape::Vec(s, n) => Val::One(self.load_memory(p, s, n)),
                Shape::Mat { .. } => Val::Rows(self.load_matrix(p)),
                Shape::Other(_) => {
                    let to = self.temp(p.shape());
                    self.copy(&to, p);
                    Val::Agg(to)
                }
            },
            LValue::Part(inner, how, shape) => {
                let whole = self.load(inner);
                Val::One(self.part(&whole, how, *shape))
            }
            LValue::View(_) => self.load_view(p),
            LValue::Chosen(i, all) => self.load_chosen(*i, all),
        }
    }

    fn load_var(&mut self, v: &Var) -> Val {
        if let Base::Const(g) = v.base
            && let Some(val) = self.load_constant(g, v)
        {
            return val;
        }
        match v.shape {
            Shape::Vec(..) => {
                let ty = self.var_ty(v);
                Val::One(self.load_value(v, ty))
            }
            Shape::Mat { scalar, rows, cols, .. } => {
                let ty = self.l.vec_ty(scalar, cols);
                let shape = Shape::Vec(scalar, cols);
                Val::Rows((0..rows).map(|r| self.load_value(&v.step(Index::At(r), shape), ty)).collect())
            }
            Shape::Other(t) => {
                let ty = self.l.ty(t);
                if self.l.out.types.is_value(ty) { Val::One(self.load_value(v, ty)) } else { Val::Agg(LValue::Var(v.clone())) }
            }
        }
    }

    fn load_value(&mut self, v: &Var, ty: Type) -> Value {
        let (root, steps, indices) = self.parts(v);
        self.b().load(root, &steps, &indices, ty)
    }

    /// A number in a constant, if all its indices are constants.
    fn load_constant(&mut self, g: GlobalId, v: &Var) -> Option<Val> {
        if !v.indices.is_empty() || matches!(v.shape, Shape::Other(_)) {
            return None;
        }
        let ty = self.l.hir.globals[g].ty;
        let mut t = self.l.ty(ty);
        let mut at = 0u64;
        for s in &v.steps {
            let Step::At(n) = *s else { return None };
            at += self.l.scalars_before(t, n);
            t = self.l.out.part(t, Some(n))?;
        }
        let mut vector = |cx: &mut Self, s, n: u32| {
            let parts: SmallVec<[Value; 4]> = (0..n)
                .map(|_| {
                    at += 1;
                    let bits = cx.l.constant_bit(g, at - 1);
                    cx.constant(s, bits)
                })
                .collect();
            cx.vector(&parts)
        };
        Some(match v.shape {
            Shape::Vec(s, n) => Val::One(vector(self, s, n)),
            Shape::Mat { scalar, rows, cols, .. } => Val::Rows((0..rows).map(|_| vector(self, scalar, cols)).collect()),
            Shape::Other(_) => return None,
        })
    }

    fn load_resource(&mut self, r: &Res) -> Val {
        let ty = self.l.ty(r.ty);
        if self.l.out.types.as_resource(ty).is_some() {
            return Val::One(self.b().resource(r.global, r.index, false, ty));
        }
        // An array of resources as a value: its handles in a local.
        let shape = Shape::Other(r.ty);
        if self.l.hir.types.strip_arrays(r.ty).1.is_none_or(|n| n > rtc_tables::limits::LARGEST_RESOURCE_ARRAY) {
            self.unsupported("a large array of resources as a value");
            return self.undef_of(shape);
        }
        let to = self.temp(shape);
        self.copy(&to, &LValue::Res(r.clone()));
        Val::Agg(to)
    }

    /// Part of a number.
    pub fn part(&mut self, whole: &Val, how: &ComponentAccess, shape: Shape) -> Value {
        match how {
            ComponentAccess::Swizzle(which) => {
                let v = whole.one();
                self.shuffle(v, which)
            }
            ComponentAccess::Matrix(which) => {
                let rows = whole.rows();
                let parts: SmallVec<[Value; 4]> = which.iter().map(|&rc| self.comp(rows[usize::from(rc / 4)], u32::from(rc % 4))).collect();
                self.vector(&parts)
            }
            ComponentAccess::Comp(i) => self.comp_dyn(whole.one(), *i),
            ComponentAccess::Row(i) => self.row_dyn(&whole.rows(), *i),
            ComponentAccess::Bits(..) if matches!(shape, Shape::Vec(Scalar::Bool, _)) => {
                let number = self.part(whole, how, Shape::Vec(Scalar::Uint, 1));
                self.convert(number, Scalar::Uint, Scalar::Bool)
            }
            ComponentAccess::Bits(at, width) => {
                let v = whole.one();
                let signed = matches!(shape, Shape::Vec(s, _) if s.is_signed());
                let ty = self.ty_of(v);
                let bits = self.l.out.types.elem(ty).bits();
                if *width >= bits {
                    // The whole unit, whose number of bits an extraction would take for none.
                    return v;
                }
                if bits != 32 {
                    // Extraction is an instruction on 32 bits; for other widths the neighbours are shifted out.
                    let up = bits.saturating_sub(at + width);
                    let down = bits.saturating_sub(*width);
                    let up = self.func.const_bits(ty, u64::from(up));
                    let down = self.func.const_bits(ty, u64::from(down));
                    let v = self.bin(Opcode::shl, v, up);
                    let op = if signed { Opcode::ashr } else { Opcode::lshr };
                    return self.bin(op, v, down);
                }
                let (at, width) = (self.num(v, f64::from(*at)), self.num(v, f64::from(*width)));
                self.tern(if signed { Opcode::sbfe } else { Opcode::ubfe }, width, at, v)
            }
        }
    }

    /// Row of a matrix value by a value.
    pub fn row_dyn(&mut self, rows: &Rows, i: Value) -> Value {
        if let Some(n) = self.func.as_const(i)
            && let Some(&r) = rows.get(n as usize)
        {
            return r;
        }
        let columns = self.transpose(rows);
        let parts: SmallVec<[Value; 4]> = columns.iter().map(|&c| self.comp_dyn(c, i)).collect();
        self.vector(&parts)
    }

    /// Stores a value of the l-value's shape.
    pub fn store(&mut self, p: &LValue, x: &Val) {
        match p {
            LValue::Var(v) => match (v.shape, x) {
                (_, Val::Agg(from)) => self.copy(p, from),
                (Shape::Mat { scalar, cols, .. }, _) => {
                    let shape = Shape::Vec(scalar, cols);
                    for (r, &row) in x.rows().iter().enumerate() {
                        self.store_value(&v.step(Index::At(r as u32), shape), row);
                    }
                }
                _ => self.store_value(v, x.one()),
            },
            LValue::Mem(_) => match x {
                Val::Agg(from) => self.copy(p, from),
                Val::Rows(rows) => self.store_matrix(p, rows),
                _ => self.store_memory(p, x.one()),
            },
            LValue::Texel(t) => self.store_texel(t, x.one()),
            LValue::MeshOutput(m) => match x {
                Val::Agg(from) => self.copy(p, from),
                _ => self.store_mesh_output(m, x),
            },
            LValue::Part(inner, how, _) => self.store_part(inner, how, x),
            LValue::View(_) => self.store_view(p, x),
            LValue::Chosen(i, all) => self.each_if_chosen(*i, all, |cx, p| cx.store(p, x)),
            LValue::Res(_) => self.unsupported("an assignment to an array of resources of unknown size"),
            LValue::Cbuf(_) | LValue::Input(_) | LValue::Stream(..) => rtc_base::bug!("{p:?} is constant"),
        }
    }

    fn store_value(&mut self, v: &Var, x: Value) {
        let (root, steps, indices) = self.parts(v);
        self.b().store(root, &steps, &indices, x);
    }

    pub(super) fn store_part(&mut self, inner: &LValue, how: &ComponentAccess, x: &Val) {
        if self.store_mesh_part(inner, how, x) {
            return;
        }
        let x = x.one();
        match how {
            ComponentAccess::Swizzle(which)
                if matches!(inner, LValue::Var(_) | LValue::Mem(_) | LValue::MeshOutput(_) | LValue::View(_)) =>
            {
                for (n, &c) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    let to = self.component(inner, Index::At(c.into()));
                    self.store(&to, &Val::One(part));
                }
            }
            ComponentAccess::Swizzle(which) => {
                let mut all = self.load(inner).one();
                for (n, &c) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    all = self.b().insert(all, c.into(), part);
                }
                self.store(inner, &Val::One(all));
            }
            ComponentAccess::Matrix(which) => {
                for (n, &rc) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    let to = self.matrix_element(inner, rc);
                    self.store(&to, &Val::One(part));
                }
            }
            ComponentAccess::Comp(i) => {
                let all = self.load(inner).one();
                let all = self.tern(Opcode::insert_dyn, all, *i, x);
                self.store(inner, &Val::One(all));
            }
            ComponentAccess::Row(i) => {
                let columns = {
                    let rows = self.load(inner).rows();
                    self.transpose(&rows)
                };
                let mut new = Rows::new();
                for (c, &column) in columns.iter().enumerate() {
                    let part = self.comp(x, c as u32);
                    new.push(self.tern(Opcode::insert_dyn, column, *i, part));
                }
                let rows = self.transpose(&new);
                self.store(inner, &Val::Rows(rows));
            }
            ComponentAccess::Bits(at, width) => {
                let old = self.load(inner).one();
                let bits = self.l.out.types.elem(self.ty_of(old)).bits();
                let x = if self.l.out.types.elem(self.ty_of(x)) == rtc_ir::Scalar::Bool {
                    self.convert(x, Scalar::Bool, Scalar::Uint)
                } else {
                    x
                };
                let mask = if *width >= 64 { u64::MAX } else { (1 << width) - 1 };
                let ty = self.ty_of(old);
                let keep = !(mask << at) & (u64::MAX >> (64 - bits));
                let (keep, mask) = (self.func.const_bits(ty, keep), self.func.const_bits(ty, mask));
                let at = self.func.const_bits(ty, u64::from(*at));
                let old = self.bin(Opcode::and, old, keep);
                let x = self.bin(Opcode::and, x, mask);
                let x = self.bin(Opcode::shl, x, at);
                let new = self.bin(Opcode::or, old, x);
                self.store(inner, &Val::One(new));
            }
        }
    }

    /// Copies an l-value to another of the same type.
    pub fn copy(&mut self, to: &LValue, from: &LValue) {
        let Shape::Other(t) = to.shape() else {
            let x = self.load(from);
            return self.store(to, &x);
        };
        if let (LValue::Var(a), LValue::Var(b)) = (to, from)
            && !a.view
            && !b.view
        {
            let (x, y) = (self.var_ty(a), self.var_ty(b));
            if x == y && !self.l.out.types.is_value(x) {
                let (a, b) = (self.parts(a), self.parts(b));
                self.b().copy((a.0, &a.1, &a.2), (b.0, &b.1, &b.2));
                return;
            }
        }
        match self.l.hir.types.kind(t) {
            TyKind::Record(r) => {
                for n in 0..self.l.hir.types.records[r].fields.len() as u32 {
                    if let (Some(a), Some(b)) = (self.storage_unit(to, r, n), self.storage_unit(from, r, n)) {
                        self.copy(&a, &b);
                    }
                }
            }
            TyKind::Array(e, n) => self.copy_elements(to, from, e, n.unwrap_or(0)),
            TyKind::Patch(_, e, n) => self.copy_elements(to, from, e, n),
            _ => {
                let x = self.load(from);
                self.store(to, &x);
            }
        }
    }

    /// Copies arrays element by element: a few at once, many in a loop.
    fn copy_elements(&mut self, to: &LValue, from: &LValue, elem: Ty, n: u32) {
        // The residency of a checked load cannot be passed out of a loop.
        let checked = matches!(from, LValue::Mem(m) if m.status);
        if n <= 16 || checked || matches!(from, LValue::Res(_)) {
            for i in 0..n {
                let (a, b) = (self.element(to, Index::At(i), elem), self.element(from, Index::At(i), elem));
                self.copy(&a, &b);
            }
            return;
        }
        self.count_to(n, |cx, i| {
            let (a, b) = (cx.element(to, Index::By(i), elem), cx.element(from, Index::By(i), elem));
            cx.copy(&a, &b);
        });
    }
}
