//! The reader of instructions: from the fields of a record to an [`Op`] and its result type.

use super::error::ReadError;
use super::read::Reader;
use super::read_body::Here;
use super::read_consts::unsigned;
use super::records::function;
use crate::{BinOp, CastOp, CmpPred, Const, ConstKind, List, Op, Ordering, RmwOp, Tail, Type, TypeKind, Value, cmpxchg};

impl Reader<'_> {
    fn opt(&self, at: usize) -> u64 {
        self.s.fields.get(at).copied().unwrap_or(0)
    }

    fn flags(&self, at: usize) -> Result<u8, ReadError> {
        u8::try_from(self.opt(at)).map_err(|_| self.error("unknown flags"))
    }

    fn bool(&self, at: usize) -> Result<bool, ReadError> {
        Ok(self.field(at)? != 0)
    }

    fn ordering(&self, at: usize) -> Result<Ordering, ReadError> {
        let code = self.field(at)?;
        Ordering::from_code(code).ok_or_else(|| self.error(format!("there is no ordering {code}")))
    }

    pub(super) fn inst(&mut self, here: &mut Here, code: u32) -> Result<(Op, Type), ReadError> {
        let void = self.m.types.void();
        let at = &mut 0;
        match code {
            _ if code == function::RET.code => {
                if self.s.fields.is_empty() {
                    return Ok((Op::Ret(None), void));
                }
                let (value, _) = self.typed(here, at)?;
                Ok((Op::Ret(Some(value)), void))
            }
            _ if code == function::BR.code => {
                let then = self.block(here, self.field(0)?)?;
                if self.s.fields.len() == 1 {
                    return Ok((Op::Br(then), void));
                }
                let other = self.block(here, self.field(1)?)?;
                let cond = self.value(here, &mut 2)?;
                Ok((Op::CondBr { cond, then, other }, void))
            }
            _ if code == function::SWITCH.code => self.switch(here, void),
            _ if code == function::UNREACHABLE.code => Ok((Op::Unreachable, void)),
            _ if code == function::BINOP.code => {
                let (lhs, ty) = self.typed(here, at)?;
                let rhs = self.value(here, at)?;
                let op = self.field(*at)?;
                let Some(op) = BinOp::from_code(op) else {
                    return Err(self.error(format!("there is no operation {op}")));
                };
                Ok((Op::Binary { op, flags: self.flags(*at + 1)?, lhs, rhs }, ty))
            }
            _ if code == function::CAST.code => {
                let (value, _) = self.typed(here, at)?;
                let ty = self.ty(self.field(*at)?)?;
                self.is_memory(ty)?;
                let op = self.field(*at + 1)?;
                let Some(op) = CastOp::from_code(op) else {
                    return Err(self.error(format!("there is no conversion {op}")));
                };
                Ok((Op::Cast { op, value }, ty))
            }
            _ if code == function::CMP2.code => {
                let (lhs, of) = self.typed(here, at)?;
                let rhs = self.value(here, at)?;
                let pred = self.field(*at)?;
                let Some(pred) = CmpPred::from_code(pred) else {
                    return Err(self.error(format!("there is no comparison {pred}")));
                };
                let i1 = self.m.types.i1();
                let ty = self.m.types.reshape(of, i1);
                Ok((Op::Cmp { pred, flags: self.flags(*at + 1)?, lhs, rhs }, ty))
            }
            _ if code == function::VSELECT.code => {
                let (then, ty) = self.typed(here, at)?;
                let other = self.value(here, at)?;
                let (cond, _) = self.typed(here, at)?;
                Ok((Op::Select { cond, then, other }, ty))
            }
            _ if code == function::PHI.code => {
                let ty = self.ty(self.field(0)?)?;
                self.is_memory(ty)?;
                Ok((Op::Phi(self.incoming(here)?), ty))
            }
            _ if code == function::EXTRACTVAL.code => {
                let (value, of) = self.typed(here, at)?;
                let (path, ty) = self.path(of, *at)?;
                let path = here.body.indices(&path);
                Ok((Op::ExtractValue { value, path }, ty))
            }
            _ if code == function::INSERTVAL.code => {
                let (value, ty) = self.typed(here, at)?;
                let (field, _) = self.typed(here, at)?;
                let (path, _) = self.path(ty, *at)?;
                let path = here.body.indices(&path);
                Ok((Op::InsertValue { value, field, path }, ty))
            }
            _ if code == function::EXTRACTELT.code => {
                let (vector, of) = self.typed(here, at)?;
                let (index, _) = self.typed(here, at)?;
                Ok((Op::ExtractElement { vector, index }, self.component(of)?))
            }
            _ if code == function::INSERTELT.code => {
                let (vector, ty) = self.typed(here, at)?;
                self.component(ty)?;
                let value = self.value(here, at)?;
                let (index, _) = self.typed(here, at)?;
                Ok((Op::InsertElement { vector, value, index }, ty))
            }
            _ if code == function::SHUFFLEVEC.code => {
                let (lhs, of) = self.typed(here, at)?;
                let elem = self.component(of)?;
                let rhs = self.value(here, at)?;
                let (mask, mask_ty) = self.typed(here, at)?;
                self.component(mask_ty)?;
                let ty = self.m.types.reshape(mask_ty, elem);
                Ok((Op::ShuffleVector { lhs, rhs, mask }, ty))
            }
            _ if code == function::CALL.code => self.call(here),
            _ => self.memory(here, code, void),
        }
    }

    /// Instructions that touch or address memory.
    fn memory(&mut self, here: &mut Here, code: u32, void: Type) -> Result<(Op, Type), ReadError> {
        let at = &mut 0;
        match code {
            _ if code == function::ALLOCA.code => self.alloca(here),
            _ if code == function::LOAD.code => {
                let (ptr, of) = self.typed(here, at)?;
                let pointee = self.pointee(of)?;
                let ty = if self.s.fields.len() == *at + 3 {
                    *at += 1;
                    self.ty(self.field(*at - 1)?)?
                } else {
                    pointee
                };
                self.is_memory(ty)?;
                let align = self.align(self.field(*at)?)?;
                Ok((Op::Load { ptr, align, volatile: self.bool(*at + 1)? }, ty))
            }
            _ if code == function::STORE.code || code == function::STORE_OLD.code => {
                let (ptr, of) = self.typed(here, at)?;
                self.pointee(of)?;
                let value = if code == function::STORE.code { self.typed(here, at)?.0 } else { self.value(here, at)? };
                let align = self.align(self.field(*at)?)?;
                Ok((Op::Store { ptr, value, align, volatile: self.bool(*at + 1)? }, void))
            }
            _ if code == function::GEP.code => self.gep(here),
            _ if code == function::ATOMICRMW.code => {
                let (ptr, of) = self.typed(here, at)?;
                let ty = self.pointee(of)?;
                let value = self.value(here, at)?;
                let op = self.field(*at)?;
                let Some(op) = RmwOp::from_code(op) else {
                    return Err(self.error(format!("there is no atomic operation {op}")));
                };
                let volatile = self.bool(*at + 1)?;
                let ordering = self.ordering(*at + 2)?;
                let cross_thread = self.bool(*at + 3)?;
                self.is_memory(ty)?;
                Ok((Op::AtomicRmw { op, ptr, value, ordering, volatile, cross_thread }, ty))
            }
            _ if code == function::CMPXCHG.code => {
                let (ptr, _) = self.typed(here, at)?;
                let (expected, of) = self.typed(here, at)?;
                let new = self.value(here, at)?;
                if !self.m.types.is_int(of) && self.m.types.pointee(of).is_none() {
                    return Err(self.error("an atomic exchange of something that is no number"));
                }
                let flag = |at: usize, bit: u8| if self.opt(at) != 0 { bit } else { 0 };
                let flags = flag(*at, cmpxchg::VOLATILE) | flag(*at + 2, cmpxchg::CROSS_THREAD) | flag(*at + 4, cmpxchg::WEAK);
                let (success, failure) = (self.ordering(*at + 1)?, self.ordering(*at + 3)?);
                let i1 = self.m.types.i1();
                let ty = self.m.types.anon_struct(&[of, i1]);
                Ok((Op::CmpXchg { ptr, expected, new, success, failure, flags }, ty))
            }
            _ if code == function::FENCE.code => {
                let cross_thread = self.bool(1)?;
                Ok((Op::Fence { ordering: self.ordering(0)?, cross_thread }, void))
            }
            _ => Err(self.error(format!("function record {code} has no place in DXIL"))),
        }
    }

    fn pointee(&self, ty: Type) -> Result<Type, ReadError> {
        let to = self.m.types.pointee(ty);
        to.ok_or_else(|| self.error("memory through something that is no pointer"))
    }

    fn component(&self, ty: Type) -> Result<Type, ReadError> {
        match self.m.types[ty] {
            TypeKind::Vector { elem, .. } => Ok(elem),
            _ => Err(self.error("a component of something that is no vector")),
        }
    }

    /// The field numbers from field `at` on and the type they lead to.
    fn path(&self, mut ty: Type, at: usize) -> Result<(Vec<u32>, Type), ReadError> {
        let mut path = Vec::new();
        for at in at..self.s.fields.len() {
            let index = self.field32(at)?;
            let inside = match self.m.types[ty] {
                TypeKind::Array { len, .. } if u64::from(index) >= len => None,
                TypeKind::Vector { .. } | TypeKind::Pointer { .. } => None,
                _ => self.m.types.element(ty, index.into()),
            };
            ty = inside.ok_or_else(|| self.error(format!("there is no field {index}")))?;
            path.push(index);
        }
        if path.is_empty() {
            return Err(self.error("no field is named"));
        }
        Ok((path, ty))
    }

    fn incoming(&mut self, here: &mut Here) -> Result<List, ReadError> {
        if self.s.fields.len().is_multiple_of(2) {
            return Err(self.error("a phi with half an entry"));
        }
        let mut list = Vec::with_capacity(self.s.fields.len());
        for at in (1..self.s.fields.len()).step_by(2) {
            let id = i64::from(here.next()).wrapping_sub(unsigned(self.field(at)?));
            let id = u32::try_from(id).map_err(|_| self.error(format!("there is no value {id}")))?;
            list.push(self.by_number(here, id)?);
            list.push(Value::Block(self.block(here, self.field(at + 1)?)?));
        }
        Ok(here.body.list(&list))
    }

    fn switch(&mut self, here: &mut Here, void: Type) -> Result<(Op, Type), ReadError> {
        let value = self.value(here, &mut 1)?;
        let default = self.block(here, self.field(2)?)?;
        let fields = self.s.fields.len();
        if fields.is_multiple_of(2) {
            return Err(self.error("a switch with half a case"));
        }
        let mut cases = Vec::with_capacity(fields - 3);
        for at in (3..fields).step_by(2) {
            match self.by_number(here, self.field32(at)?)? {
                constant @ Value::Const(_) => cases.push(constant),
                _ => return Err(self.error("a case that is no constant")),
            }
            cases.push(Value::Block(self.block(here, self.field(at + 1)?)?));
        }
        let cases = here.body.list(&cases);
        Ok((Op::Switch { value, default, cases }, void))
    }

    fn alloca(&mut self, here: &mut Here) -> Result<(Op, Type), ReadError> {
        let listed = self.ty(self.field(0)?)?;
        let count = self.by_number(here, self.field32(2)?)?;
        let bits = self.field(3)?;
        let explicit = bits & 1 << 6 != 0;
        let allocated = if explicit { listed } else { self.pointee(listed)? };
        self.is_memory(allocated)?;
        if bits & 1 << 5 != 0 {
            return Err(self.error("an argument allocation has no place in DXIL"));
        }
        let align = self.align(bits & 31)?;
        let ty = self.pointer(allocated, 0);
        Ok((Op::Alloca { allocated, count, align }, ty))
    }

    fn gep(&mut self, here: &mut Here) -> Result<(Op, Type), ReadError> {
        let at = &mut 2;
        let inbounds = self.bool(0)?;
        let source = self.ty(self.field(1)?)?;
        let (base, base_ty) = self.typed(here, at)?;
        let TypeKind::Pointer { space, .. } = self.m.types[base_ty] else {
            return Err(self.error("an address computed from something that is no pointer"));
        };
        let mut operands = vec![base];
        let mut to = source;
        while *at < self.s.fields.len() {
            let (index, _) = self.typed(here, at)?;
            if operands.len() > 1 {
                to = self.step(to, index)?;
            }
            operands.push(index);
        }
        self.is_memory(to)?;
        let ty = self.pointer(to, space);
        let operands = here.body.list(&operands);
        Ok((Op::Gep { inbounds, source, operands }, ty))
    }

    /// The type of element `index` of something of type `ty`.
    fn step(&self, ty: Type, index: Value) -> Result<Type, ReadError> {
        let constant = |c: Const| match &self.m.consts[c].kind {
            ConstKind::Int(n) => u64::try_from(*n).ok(),
            _ => None,
        };
        let inside = match &self.m.types[ty] {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => Some(*elem),
            TypeKind::Pointer { .. } => None,
            _ => match index {
                Value::Const(c) => constant(c).and_then(|n| self.m.types.element(ty, n)),
                _ => None,
            },
        };
        inside.ok_or_else(|| self.error("an address of an element that does not exist"))
    }

    fn call(&mut self, here: &mut Here) -> Result<(Op, Type), ReadError> {
        let attrs = self.attrs(self.field(0)?)?;
        let bits = self.field(1)?;
        let at = &mut 2;
        let explicit = if bits & 1 << 15 != 0 {
            *at += 1;
            Some(self.ty(self.field(2)?)?)
        } else {
            None
        };
        let (callee, callee_ty) = self.typed(here, at)?;
        let ty = match explicit {
            Some(ty) => ty,
            None => self.pointee(callee_ty)?,
        };
        let Some((ret, params, vararg)) = self.m.types.signature(ty) else {
            return Err(self.error("a call of something that is no function"));
        };
        let mut args = Vec::with_capacity(params.len());
        for &param in params {
            args.push(self.argument(here, at, param)?);
        }
        while *at < self.s.fields.len() {
            if !vararg {
                return Err(self.error("a call with too many arguments"));
            }
            args.push(self.typed(here, at)?.0);
        }
        let tail = match (bits & 1, bits >> 14 & 1) {
            (_, 1) => Tail::Must,
            (1, _) => Tail::Tail,
            _ => Tail::No,
        };
        let cc = (bits >> 1 & 0x1FFF) as u16;
        let args = here.body.list(&args);
        Ok((Op::Call { callee, ty, attrs, args, cc, tail }, ret))
    }
}
