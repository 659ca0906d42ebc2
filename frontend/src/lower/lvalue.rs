//! Access paths: the l-values of fields, elements, rows and components of an l-value.

use rtc_ir::{Local, Opcode, Root, Step, Type, Value};
use smallvec::SmallVec;

use super::func::FnCx;
use super::operand::{Base, ComponentAccess, Index, Input, LValue, MeshOutput, Res, Var};
use super::types::{Shape, Use};
use crate::hir::layout::Rules;
use crate::hir::{RecordId, Scalar, Ty, TyKind};

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
        let whole = self.l.shape(field.ty);
        let bits = self.l.layout_of(record, Rules::Scalar).bits[n as usize];
        // Booleans that are bit-fields are bits of a number.
        let shape = match whole {
            Shape::Vec(Scalar::Bool, 1) if bits.is_some() => Shape::Vec(Scalar::Uint, 1),
            _ => whole,
        };
        let lvalue = match p {
            LValue::View(v) => return self.field_of_view(v, record, n, shape),
            LValue::Chosen(i, all) => return self.of_each(*i, all, |cx, p| cx.field(p, record, n)),
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
            LValue::Input(i) => LValue::Input(i.field(n, shape)),
            LValue::MeshOutput(m) => LValue::MeshOutput(m.field(n, shape)),
            _ => rtc_base::bug!("no records are in {p:?}"),
        };
        match bits {
            Some((at, width)) => LValue::Part(Box::new(lvalue), ComponentAccess::Bits(at, width), whole),
            None => lvalue,
        }
    }

    /// What a record has in memory for its field `n`: the first of several bit-fields stands for their number, the others for nothing.
    pub fn storage_unit(&mut self, p: &LValue, record: RecordId, n: u32) -> Option<LValue> {
        match self.field(p, record, n) {
            LValue::Part(unit, ComponentAccess::Bits(0, _), _) => Some(*unit),
            LValue::Part(_, ComponentAccess::Bits(..), _) => None,
            whole => Some(whole),
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
            LValue::Input(i) => i.shape = shape,
            LValue::MeshOutput(m) => m.shape = shape,
            LValue::View(v) => *p = self.view(&v.of.clone(), v.skip, shape),
            LValue::Chosen(_, all) => all.iter_mut().for_each(|p| self.as_base(p, derived, base, shape)),
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
            LValue::Input(i) => {
                let len = match i.shape {
                    Shape::Other(t) => self.l.hir.types.members(t).and_then(|m| m.1).unwrap_or(1),
                    _ => 1,
                };
                LValue::Input(self.input_element(i, index, len, shape))
            }
            LValue::MeshOutput(m) => LValue::MeshOutput(self.mesh_element(m, index, shape)),
            LValue::View(v) => self.element_of_view(v, index, shape),
            LValue::Chosen(i, all) => self.of_each(*i, all, |cx, p| cx.element(p, index, elem)),
            LValue::Texel(_) | LValue::Part(..) | LValue::Stream(..) => rtc_base::bug!("no arrays are in {p:?}"),
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
            (LValue::View(v), i) => self.row_of_view(v, i, shape),
            (LValue::Chosen(n, all), i) => self.of_each(*n, all, |cx, p| cx.row(p, i)),
            (LValue::Var(v), i) => LValue::Var(v.step(i, shape)),
            (LValue::Mem(m), i) => LValue::Mem(self.mem_row(m, i)),
            (LValue::Input(x), Index::At(row)) => {
                LValue::Input(Input { row: Some(row), shape, param: None, named: x.named_part(Index::At(row)), ..x.clone() })
            }
            (LValue::MeshOutput(x), Index::At(row)) => LValue::MeshOutput(MeshOutput { row: Some(row), shape, ..x.clone() }),
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
            (LValue::View(v), i) => self.element_of_view(v, i, shape),
            (LValue::Chosen(n, all), i) => self.of_each(*n, all, |cx, p| cx.component(p, i)),
            (LValue::Var(v), Index::At(_)) => LValue::Var(v.step(index, shape)),
            // Other threads may be writing the other components of groupshared variables.
            (LValue::Var(v), Index::By(_)) if matches!(v.base, Base::Root(Root::Global(_))) => LValue::Var(v.step(index, shape)),
            (LValue::Mem(m), i) => LValue::Mem(self.mem_comp(m, i)),
            (LValue::Cbuf(c), Index::At(i)) => LValue::Cbuf(c.comp(i)),
            (LValue::MeshOutput(m), Index::At(i)) => LValue::MeshOutput(MeshOutput { component: Some(i), shape, ..m.clone() }),
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
