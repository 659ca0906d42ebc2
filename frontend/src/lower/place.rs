//! Places: what can be read or written.
//!
//! A place is a root with a way into it, already evaluated: index values are computed, nothing is read. Reading a
//! number gives a value; reading an array or structure from a variable gives the place itself, from anywhere else
//! a copy in a fresh local.

use rtc_ir::{Local, Opcode, Root, Step, Type, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::memory::{Cbuf, Mem, Texel};
use super::types::{Shape, Use};
use super::value::{Rows, Val};
use crate::hir::{GlobalId, RecordId, Ty, TyKind};

/// Where a variable's place starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A variable of the IR.
    Root(Root),
    /// A constant that has no home so far.
    Const(GlobalId),
}

/// A place in a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// The variable.
    pub base: Base,
    /// The way in.
    pub steps: SmallVec<[Step; 4]>,
    /// Values for the dynamic steps.
    pub indices: SmallVec<[Value; 2]>,
    /// What is there.
    pub shape: Shape,
    /// What is really there is a record that inherits from this one.
    pub view: bool,
}

/// A declared resource or array of them.
#[derive(Clone, Debug)]
pub struct Res {
    /// Which.
    pub global: rtc_ir::Global,
    /// The number of the element so far.
    pub index: Option<Value>,
    /// Whether it may differ between lanes.
    pub nonuniform: bool,
    /// The type that is left.
    pub ty: Ty,
}

/// Part of a number.
#[derive(Clone, Debug)]
pub enum How {
    /// Several components of a vector.
    Swizzle(SmallVec<[u8; 4]>),
    /// Elements of a matrix: row times 4 plus column.
    Matrix(SmallVec<[u8; 4]>),
    /// A component of a vector by a value.
    Comp(Value),
    /// A row of a matrix by a value.
    Row(Value),
    /// Bits of an integer: the first, how many.
    Bits(u32, u32),
}

/// What can be read or written.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a variable.
    Var(Var),
    /// In a structured or byte-address buffer.
    Mem(Mem),
    /// In a constant buffer.
    Cbuf(Cbuf),
    /// A texel.
    Texel(Texel),
    /// A resource.
    Res(Res),
    /// Part of the number in another place.
    Part(Box<Place>, How, Shape),
}

/// A number of an element.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// Known.
    At(u32),
    /// Computed.
    By(Value),
}

impl Place {
    /// What is there.
    pub fn shape(&self) -> Shape {
        match self {
            Place::Var(v) => v.shape,
            Place::Mem(m) => m.shape,
            Place::Cbuf(c) => c.shape,
            Place::Texel(t) => t.shape,
            Place::Res(r) => Shape::Other(r.ty),
            Place::Part(_, _, s) => *s,
        }
    }
}

impl Var {
    fn step(&self, step: Index, shape: Shape) -> Var {
        let mut v = self.clone();
        match step {
            Index::At(n) => v.steps.push(Step::At(n)),
            Index::By(i) => {
                v.steps.push(Step::Dyn);
                v.indices.push(i);
            }
        }
        v.shape = shape;
        v.view = false;
        v
    }
    /// The local or slot that it is in.
    pub fn own_root(&self) -> Option<Root> {
        match self.base {
            Base::Root(r @ (Root::Local(_) | Root::Slot(_))) => Some(r),
            _ => None,
        }
    }
    /// Whether the two may have something in common.
    pub fn overlaps(&self, other: &Var) -> bool {
        if self.base != other.base {
            return false;
        }
        for (a, b) in self.steps.iter().zip(&other.steps) {
            if let (Step::At(a), Step::At(b)) = (a, b)
                && a != b
            {
                return false;
            }
        }
        true
    }
}

impl FnCx<'_, '_> {
    /// The place of a whole local.
    pub fn local_place(&self, l: Local, shape: Shape) -> Place {
        Place::Var(Var {
            base: Base::Root(Root::Local(l)),
            steps: SmallVec::new(),
            indices: SmallVec::new(),
            shape,
            view: false,
        })
    }
    /// A fresh local.
    pub fn temp(&mut self, shape: Shape) -> Place {
        let ty = self.l.shape_ty(shape);
        let l = self.func.add_local(ty, "");
        self.local_place(l, shape)
    }
    /// The type of the variable at a place.
    pub fn var_ty(&mut self, v: &Var) -> Type {
        self.l.shape_ty(v.shape)
    }
    fn root(&mut self, b: Base) -> Root {
        match b {
            Base::Root(r) => r,
            Base::Const(g) => Root::Global(self.l.table(g)),
        }
    }
    /// A variable's place as the builder wants it.
    pub fn parts(&mut self, v: &Var) -> (Root, SmallVec<[Step; 4]>, SmallVec<[Value; 2]>) {
        (self.root(v.base), v.steps.clone(), v.indices.clone())
    }

    // Ways in ------------------------------------------------------------------------------------------

    /// Field `n` of a record.
    pub fn field(&mut self, p: &Place, record: RecordId, n: u32) -> Place {
        let hir = self.l.hir;
        let Some(field) = hir.types.records[record].fields.get(n as usize) else {
            rtc_base::bug!("a record has no field {n}");
        };
        let shape = self.l.shape(field.ty);
        let place = match p {
            Place::Var(v) => {
                let number = self.l.struct_of(record, Use::Plain).fields[n as usize];
                Place::Var(v.step(Index::At(number), shape))
            }
            Place::Mem(m) => Place::Mem(self.mem_field(m, record, n, shape)),
            Place::Cbuf(c) => Place::Cbuf(self.cbuf_field(c, record, n, shape)),
            _ => rtc_base::bug!("no records are in {p:?}"),
        };
        match self.l.layout_of(record, Use::Plain).bits[n as usize] {
            Some((at, width)) => Place::Part(Box::new(place), How::Bits(at, width), shape),
            None => place,
        }
    }

    /// Element of an array of `elem`.
    pub fn element(&mut self, p: &Place, index: Index, elem: Ty) -> Place {
        let shape = self.l.shape(elem);
        match p {
            Place::Var(v) => {
                let len = match v.shape {
                    Shape::Other(t) => match self.l.hir.types.kind(t) {
                        TyKind::Array(_, Some(n)) => n,
                        _ => u32::MAX,
                    },
                    _ => u32::MAX,
                };
                let index = self.in_range(index, len);
                Place::Var(v.step(index, shape))
            }
            Place::Mem(m) => Place::Mem(self.mem_element(m, index, elem, shape)),
            Place::Cbuf(c) => Place::Cbuf(self.cbuf_element(c, index, elem, shape)),
            Place::Res(r) => {
                // Dimensions are flattened, the last one counts ones.
                let i = self.index_value(index);
                let index = match r.index {
                    None => i,
                    Some(outer) => {
                        let n = match self.l.hir.types.kind(r.ty) {
                            TyKind::Array(_, n) => n.unwrap_or(1),
                            _ => 1,
                        };
                        let n = self.int(n);
                        let outer = self.bin(Opcode::imul, outer, n);
                        self.bin(Opcode::iadd, outer, i)
                    }
                };
                Place::Res(Res { index: Some(index), ty: elem, ..*r })
            }
            Place::Texel(_) | Place::Part(..) => rtc_base::bug!("no arrays are in {p:?}"),
        }
    }

    /// A known index that is out of range becomes a computed one, which the IR allows.
    fn in_range(&mut self, i: Index, len: u32) -> Index {
        match i {
            Index::At(n) if n >= len => Index::By(self.int(n)),
            i => i,
        }
    }

    /// An index as a value.
    pub fn index_value(&mut self, i: Index) -> Value {
        match i {
            Index::At(n) => self.int(n),
            Index::By(v) => v,
        }
    }
    /// A value as an index.
    pub fn index(&self, v: Value) -> Index {
        match self.func.as_const(v) {
            Some(n) => Index::At(n as u32),
            None => Index::By(v),
        }
    }

    /// Row of a matrix.
    pub fn row(&mut self, p: &Place, index: Index) -> Place {
        let Shape::Mat { scalar, rows, cols, .. } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        let shape = Shape::Vec(scalar, cols);
        let index = self.in_range(index, rows);
        match (p, index) {
            (Place::Var(v), i) => Place::Var(v.step(i, shape)),
            (Place::Mem(m), i) => Place::Mem(self.mem_row(m, i)),
            (Place::Cbuf(c), i) if self.cbuf_has_rows(c, i) => Place::Cbuf(self.cbuf_row(c, i)),
            (_, i) => {
                let i = self.index_value(i);
                Place::Part(Box::new(p.clone()), How::Row(i), shape)
            }
        }
    }

    /// Component of a vector.
    pub fn component(&mut self, p: &Place, index: Index) -> Place {
        let Shape::Vec(scalar, n) = p.shape() else {
            rtc_base::bug!("no vector is in {p:?}");
        };
        let shape = Shape::Vec(scalar, 1);
        if n == 1 {
            let mut p = p.clone();
            if let Place::Var(v) = &mut p {
                v.shape = shape;
            }
            return p;
        }
        let index = self.in_range(index, n);
        match (p, index) {
            (Place::Var(v), Index::At(_)) => Place::Var(v.step(index, shape)),
            // Other threads may be writing the other components of groupshared variables.
            (Place::Var(v), Index::By(_)) if matches!(v.base, Base::Root(Root::Global(_))) => {
                Place::Var(v.step(index, shape))
            }
            (Place::Mem(m), i) => Place::Mem(self.mem_comp(m, i)),
            (Place::Cbuf(c), Index::At(i)) => Place::Cbuf(c.comp(i)),
            (Place::Part(inner, How::Swizzle(which), _), Index::At(i)) => {
                let c = which[i as usize];
                self.component(&inner.clone(), Index::At(c.into()))
            }
            (_, Index::At(i)) => {
                let which = SmallVec::from_slice(&[i as u8]);
                Place::Part(Box::new(p.clone()), How::Swizzle(which), shape)
            }
            (_, Index::By(i)) => Place::Part(Box::new(p.clone()), How::Comp(i), shape),
        }
    }

    /// Some components of a vector.
    pub fn swizzle(&mut self, p: &Place, which: &[u8]) -> Place {
        let Shape::Vec(scalar, n) = p.shape() else {
            rtc_base::bug!("no vector is in {p:?}");
        };
        if let [one] = which {
            return self.component(p, Index::At((*one).into()));
        }
        if which.len() as u32 == n && which.iter().enumerate().all(|(i, &c)| i == c as usize) {
            return p.clone();
        }
        let shape = Shape::Vec(scalar, which.len() as u32);
        let how = How::Swizzle(SmallVec::from_slice(which));
        if let Place::Part(inner, How::Swizzle(outer), _) = p {
            let which: SmallVec<[u8; 4]> = which.iter().map(|&c| outer[c as usize]).collect();
            return Place::Part(inner.clone(), How::Swizzle(which), shape);
        }
        Place::Part(Box::new(p.clone()), how, shape)
    }

    /// Some elements of a matrix.
    pub fn matrix_swizzle(&mut self, p: &Place, which: &[u8]) -> Place {
        let Shape::Mat { scalar, .. } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        if let [one] = which {
            return self.matrix_element(p, *one);
        }
        let shape = Shape::Vec(scalar, which.len() as u32);
        Place::Part(Box::new(p.clone()), How::Matrix(SmallVec::from_slice(which)), shape)
    }

    fn matrix_element(&mut self, p: &Place, rc: u8) -> Place {
        let row = self.row(p, Index::At(u32::from(rc / 4)));
        self.component(&row, Index::At(u32::from(rc % 4)))
    }

    // Reading and writing ------------------------------------------------------------------------------

    /// What is in the place.
    pub fn load(&mut self, p: &Place) -> Val {
        match p {
            Place::Var(v) => self.load_var(v),
            Place::Res(r) => self.load_resource(r),
            Place::Texel(t) => Val::One(self.load_texel(t)),
            Place::Mem(_) | Place::Cbuf(_) => match p.shape() {
                Shape::Vec(s, n) => Val::One(self.load_memory(p, s, n)),
                Shape::Mat { .. } => Val::Rows(self.load_matrix(p)),
                Shape::Other(_) => {
                    let to = self.temp(p.shape());
                    self.copy(&to, p);
                    Val::Agg(to)
                }
            },
            Place::Part(inner, how, shape) => {
                let whole = self.load(inner);
                Val::One(self.part(&whole, how, *shape))
            }
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
                if self.l.out.types.is_value(ty) {
                    Val::One(self.load_value(v, ty))
                } else {
                    Val::Agg(Place::Var(v.clone()))
                }
            }
        }
    }

    fn load_value(&mut self, v: &Var, ty: Type) -> Value {
        let (root, steps, indices) = self.parts(v);
        self.b().load(root, &steps, &indices, ty)
    }

    /// A number in a constant, if the way to it is known.
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
            Shape::Mat { scalar, rows, cols, .. } => {
                Val::Rows((0..rows).map(|_| vector(self, scalar, cols)).collect())
            }
            Shape::Other(_) => return None,
        })
    }

    fn load_resource(&mut self, r: &Res) -> Val {
        let ty = self.l.ty(r.ty);
        if self.l.out.types.as_resource(ty).is_some() {
            return Val::One(self.b().resource(r.global, r.index, r.nonuniform, ty));
        }
        // An array of resources as a value: its handles in a local.
        let shape = Shape::Other(r.ty);
        if self.l.hir.types.strip_arrays(r.ty).1.is_none_or(|n| n > 1024) {
            self.unsupported("a large array of resources as a value");
            return self.undef_of(shape);
        }
        let to = self.temp(shape);
        self.copy(&to, &Place::Res(r.clone()));
        Val::Agg(to)
    }

    /// Part of a number.
    pub fn part(&mut self, whole: &Val, how: &How, shape: Shape) -> Value {
        match how {
            How::Swizzle(which) => {
                let v = whole.one();
                self.shuffle(v, which)
            }
            How::Matrix(which) => {
                let rows = whole.rows();
                let parts: SmallVec<[Value; 4]> =
                    which.iter().map(|&rc| self.comp(rows[usize::from(rc / 4)], u32::from(rc % 4))).collect();
                self.vector(&parts)
            }
            How::Comp(i) => self.comp_dyn(whole.one(), *i),
            How::Row(i) => self.row_dyn(&whole.rows(), *i),
            How::Bits(at, width) => {
                let v = whole.one();
                let (at, width) = (self.num(v, f64::from(*at)), self.num(v, f64::from(*width)));
                let signed = matches!(shape, Shape::Vec(s, _) if s.is_signed());
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

    /// Puts a value of the place's shape into it.
    pub fn store(&mut self, p: &Place, x: &Val) {
        match p {
            Place::Var(v) => match (v.shape, x) {
                (_, Val::Agg(from)) => self.copy(p, from),
                (Shape::Mat { scalar, cols, .. }, _) => {
                    let shape = Shape::Vec(scalar, cols);
                    for (r, &row) in x.rows().iter().enumerate() {
                        self.store_value(&v.step(Index::At(r as u32), shape), row);
                    }
                }
                _ => self.store_value(v, x.one()),
            },
            Place::Mem(_) => match x {
                Val::Agg(from) => self.copy(p, from),
                Val::Rows(rows) => self.store_matrix(p, rows),
                _ => self.store_memory(p, x.one()),
            },
            Place::Texel(t) => self.store_texel(t, x.one()),
            Place::Part(inner, how, _) => self.store_part(inner, how, x),
            Place::Cbuf(_) | Place::Res(_) => rtc_base::bug!("{p:?} is constant"),
        }
    }

    fn store_value(&mut self, v: &Var, x: Value) {
        let (root, steps, indices) = self.parts(v);
        self.b().store(root, &steps, &indices, x);
    }

    fn store_part(&mut self, inner: &Place, how: &How, x: &Val) {
        let x = x.one();
        match how {
            How::Swizzle(which) if matches!(inner, Place::Var(_) | Place::Mem(_)) => {
                for (n, &c) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    let to = self.component(inner, Index::At(c.into()));
                    self.store(&to, &Val::One(part));
                }
            }
            How::Swizzle(which) => {
                let mut all = self.load(inner).one();
                for (n, &c) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    all = self.b().insert(all, c.into(), part);
                }
                self.store(inner, &Val::One(all));
            }
            How::Matrix(which) => {
                for (n, &rc) in which.iter().enumerate() {
                    let part = self.comp(x, n as u32);
                    let to = self.matrix_element(inner, rc);
                    self.store(&to, &Val::One(part));
                }
            }
            How::Comp(i) => {
                let all = self.load(inner).one();
                let all = self.tern(Opcode::insert_dyn, all, *i, x);
                self.store(inner, &Val::One(all));
            }
            How::Row(i) => {
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
            How::Bits(at, width) => {
                let old = self.load(inner).one();
                let bits = self.l.out.types.elem(self.ty_of(old)).bits();
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

    /// Copies what is in one place to another of the same type.
    pub fn copy(&mut self, to: &Place, from: &Place) {
        let Shape::Other(t) = to.shape() else {
            let x = self.load(from);
            return self.store(to, &x);
        };
        if let (Place::Var(a), Place::Var(b)) = (to, from)
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
                    let (a, b) = (self.field(to, r, n), self.field(from, r, n));
                    self.copy(&a, &b);
                }
            }
            TyKind::Array(e, n) => self.copy_elements(to, from, e, n.unwrap_or(0)),
            _ => {
                let x = self.load(from);
                self.store(to, &x);
            }
        }
    }

    /// Copies arrays element by element: a few at once, many in a loop.
    fn copy_elements(&mut self, to: &Place, from: &Place, elem: Ty, n: u32) {
        if n <= 16 || matches!(from, Place::Res(_)) {
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
