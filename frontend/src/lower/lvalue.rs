//! L-values: a root with an access path, whose indices are already evaluated; nothing is read yet.
//!
//! Loading a number gives a value; loading an array or structure from a variable gives the l-value itself, from any other
//! memory a copy in a fresh local.

use rtc_ir::{Local, Opcode, Root, Step, Type, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::memory::{Cbuf, Mem, Texel};
use super::types::{Shape, Use};
use crate::hir::layout::Rules;
use crate::hir::{GlobalId, RecordId, Ty, TyKind};

/// The root of an l-value in a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A variable of the IR.
    Root(Root),
    /// A constant that has no storage so far.
    Const(GlobalId),
}

/// An l-value in a variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// The variable.
    pub base: Base,
    /// The access path.
    pub steps: SmallVec<[Step; 4]>,
    /// Values for the dynamic steps.
    pub indices: SmallVec<[Value; 2]>,
    /// The shape of the contents.
    pub shape: Shape,
    /// The object is a record that inherits from this one, which has no fields.
    pub view: bool,
}

/// A declared resource or array of them.
#[derive(Clone, Debug)]
pub struct Res {
    /// The global.
    pub global: rtc_ir::Global,
    /// The number of the element so far.
    pub index: Option<Value>,
    /// Whether it may differ between lanes.
    pub nonuniform: bool,
    /// The type of the element.
    pub ty: Ty,
}

/// Part of a number.
#[derive(Clone, Debug)]
pub enum ComponentAccess {
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

/// An l-value.
#[derive(Clone, Debug)]
pub enum LValue {
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
    /// A part of the number in another l-value.
    Part(Box<LValue>, ComponentAccess, Shape),
}

/// A number of an element.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// A constant.
    At(u32),
    /// A value.
    By(Value),
}

impl LValue {
    /// The shape of the contents.
    pub fn shape(&self) -> Shape {
        match self {
            LValue::Var(v) => v.shape,
            LValue::Mem(m) => m.shape,
            LValue::Cbuf(c) => c.shape,
            LValue::Texel(t) => t.shape,
            LValue::Res(r) => Shape::Other(r.ty),
            LValue::Part(_, _, s) => *s,
        }
    }
}

impl Var {
    /// A part of it.
    pub fn step(&self, step: Index, shape: Shape) -> Var {
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
    /// Whether the two may overlap.
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
    /// The l-value of a whole local.
    pub fn local_lvalue(&self, l: Local, shape: Shape) -> LValue {
        LValue::Var(Var { base: Base::Root(Root::Local(l)), steps: SmallVec::new(), indices: SmallVec::new(), shape, view: false })
    }
    /// A fresh local.
    pub fn temp(&mut self, shape: Shape) -> LValue {
        let ty = self.l.shape_ty(shape);
        let l = self.func.add_local(ty, "");
        self.local_lvalue(l, shape)
    }
    /// The type of the variable at an l-value.
    pub fn var_ty(&mut self, v: &Var) -> Type {
        self.l.shape_ty(v.shape)
    }
    fn root(&mut self, b: Base) -> Root {
        match b {
            Base::Root(r) => r,
            Base::Const(g) => Root::Global(self.l.table(g)),
        }
    }
    /// The operands of the builder's access instructions.
    pub fn parts(&mut self, v: &Var) -> (Root, SmallVec<[Step; 4]>, SmallVec<[Value; 2]>) {
        (self.root(v.base), v.steps.clone(), v.indices.clone())
    }

    // Access paths ------------------------------------------------------------------------------------------

    /// Field `n` of a record.
    pub fn field(&mut self, p: &LValue, record: RecordId, n: u32) -> LValue {
        let hir = self.l.hir;
        let Some(field) = hir.types.records[record].fields.get(n as usize) else {
            rtc_base::bug!("a record has no field {n}");
        };
        let shape = self.l.shape(field.ty);
        let lvalue = match p {
            LValue::Var(v) => {
                let (mut v, mut at) = (v.clone(), record);
                loop {
                    let info = self.l.struct_of(at, Use::Plain);
                    match info.base {
                        Some((base, count)) if (n as usize) < count => {
                            v = v.step(Index::At(0), shape);
                            at = base;
                        }
                        base => {
                            let own = n as usize - base.map_or(0, |b| b.1);
                            break LValue::Var(v.step(Index::At(info.fields[own]), shape));
                        }
                    }
                }
            }
            LValue::Mem(m) => LValue::Mem(self.mem_field(m, record, n, shape)),
            LValue::Cbuf(c) => LValue::Cbuf(self.cbuf_field(c, record, n, shape)),
            _ => rtc_base::bug!("no records are in {p:?}"),
        };
        match self.l.layout_of(record, Rules::Scalar).bits[n as usize] {
            Some((at, width)) => LValue::Part(Box::new(lvalue), ComponentAccess::Bits(at, width), shape),
            None => lvalue,
        }
    }

    /// A record seen as one that it inherits from.
    pub fn as_base(&mut self, p: &mut LValue, derived: RecordId, base: RecordId, shape: Shape) {
        match p {
            LValue::Var(v) => {
                let mut at = derived;
                while at != base {
                    match self.l.struct_of(at, Use::Plain).base {
                        Some((b, _)) => {
                            *v = v.step(Index::At(0), shape);
                            at = b;
                        }
                        None => {
                            v.view |= v.shape != shape;
                            break;
                        }
                    }
                }
                v.shape = shape;
            }
            LValue::Mem(m) => m.shape = shape,
            LValue::Cbuf(c) => c.shape = shape,
            _ => {}
        }
    }

    /// Element of an array of `elem`.
    pub fn element(&mut self, p: &LValue, index: Index, elem: Ty) -> LValue {
        let shape = self.l.shape(elem);
        match p {
            LValue::Var(v) => {
                let len = match v.shape {
                    Shape::Other(t) => match self.l.hir.types.kind(t) {
                        TyKind::Array(_, Some(n)) => n,
                        _ => u32::MAX,
                    },
                    _ => u32::MAX,
                };
                let index = self.in_range(index, len);
                LValue::Var(v.step(index, shape))
            }
            LValue::Mem(m) => LValue::Mem(self.mem_element(m, index, elem, shape)),
            LValue::Cbuf(c) => LValue::Cbuf(self.cbuf_element(c, index, elem, shape)),
            LValue::Res(r) => {
                // Dimensions are flattened, the stride of the last one is 1.
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
                LValue::Res(Res { index: Some(index), ty: elem, ..*r })
            }
            LValue::Texel(_) | LValue::Part(..) => rtc_base::bug!("no arrays are in {p:?}"),
        }
    }

    /// A constant index that is out of range becomes a dynamic one, which the IR allows.
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
    pub fn row(&mut self, p: &LValue, index: Index) -> LValue {
        let Shape::Mat { scalar, rows, cols, .. } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        let shape = Shape::Vec(scalar, cols);
        let index = self.in_range(index, rows);
        match (p, index) {
            (LValue::Var(v), i) => LValue::Var(v.step(i, shape)),
            (LValue::Mem(m), i) => LValue::Mem(self.mem_row(m, i)),
            (LValue::Cbuf(c), i) if self.cbuf_has_rows(c, i) => LValue::Cbuf(self.cbuf_row(c, i)),
            (_, i) => {
                let i = self.index_value(i);
                LValue::Part(Box::new(p.clone()), ComponentAccess::Row(i), shape)
            }
        }
    }

    /// Component of a vector.
    pub fn component(&mut self, p: &LValue, index: Index) -> LValue {
        let Shape::Vec(scalar, n) = p.shape() else {
            rtc_base::bug!("no vector is in {p:?}");
        };
        let shape = Shape::Vec(scalar, 1);
        if n == 1 {
            let mut p = p.clone();
            if let LValue::Var(v) = &mut p {
                v.shape = shape;
            }
            return p;
        }
        let index = self.in_range(index, n);
        match (p, index) {
            (LValue::Var(v), Index::At(_)) => LValue::Var(v.step(index, shape)),
            // Other threads may be writing the other components of groupshared variables.
            (LValue::Var(v), Index::By(_)) if matches!(v.base, Base::Root(Root::Global(_))) => LValue::Var(v.step(index, shape)),
            (LValue::Mem(m), i) => LValue::Mem(self.mem_comp(m, i)),
            (LValue::Cbuf(c), Index::At(i)) => LValue::Cbuf(c.comp(i)),
            (LValue::Part(inner, ComponentAccess::Swizzle(which), _), Index::At(i)) => {
                let c = which[i as usize];
                self.component(&inner.clone(), Index::At(c.into()))
            }
            (_, Index::At(i)) => {
                let which = SmallVec::from_slice(&[i as u8]);
                LValue::Part(Box::new(p.clone()), ComponentAccess::Swizzle(which), shape)
            }
            (_, Index::By(i)) => LValue::Part(Box::new(p.clone()), ComponentAccess::Comp(i), shape),
        }
    }

    /// Some components of a vector.
    pub fn swizzle(&mut self, p: &LValue, which: &[u8]) -> LValue {
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
        let how = ComponentAccess::Swizzle(SmallVec::from_slice(which));
        if let LValue::Part(inner, ComponentAccess::Swizzle(outer), _) = p {
            let which: SmallVec<[u8; 4]> = which.iter().map(|&c| outer[c as usize]).collect();
            return LValue::Part(inner.clone(), ComponentAccess::Swizzle(which), shape);
        }
        LValue::Part(Box::new(p.clone()), how, shape)
    }

    /// Some elements of a matrix.
    pub fn matrix_swizzle(&mut self, p: &LValue, which: &[u8]) -> LValue {
        let Shape::Mat { scalar, .. } = p.shape() else {
            rtc_base::bug!("no matrix is in {p:?}");
        };
        if let [one] = which {
            return self.matrix_element(p, *one);
        }
        let shape = Shape::Vec(scalar, which.len() as u32);
        LValue::Part(Box::new(p.clone()), ComponentAccess::Matrix(SmallVec::from_slice(which)), shape)
    }

    /// Element of a matrix: row times 4 plus column.
    pub fn matrix_element(&mut self, p: &LValue, rc: u8) -> LValue {
        let row = self.row(p, Index::At(u32::from(rc / 4)));
        self.component(&row, Index::At(u32::from(rc % 4)))
    }
}
