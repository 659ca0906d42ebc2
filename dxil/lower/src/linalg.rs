//! Lowering of linear algebra: calls whose operands are those of the IR instruction, in the order of the operation's row.
//!
//! Vectors are operands as a whole, and one component is a vector too. What is overloaded follows from the row: the result, a matrix, a vector, the
//! elements of a groupshared array.

use rtc_ir::{self as ir, Inst, InstData};
use rtc_tables::diagnostics::E0650;
use rtc_tables::dxil_ops::{DxOp, OpTy, kind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::values::Components;
use rtc_dxil_module::{ConstKind, GROUPSHARED, Type, TypeKind, Value};

impl Writer<'_, '_> {
    /// An instruction of [`ir::Family::Linalg`].
    pub(super) fn linalg(&mut self, i: Inst, dxil: DxOp) -> EmitResult {
        let row = dxil.row();
        let f = self.f;
        if self.breaks_rules(i) {
            return Ok(());
        }
        let (mut given, mut memory): (SmallVec<[ir::Value; 8]>, _) = match f.insts[i] {
            InstData::Access { place, args, .. } => {
                let count = f.places[place].dyn_count();
                (f.get(args)[count..].into(), Some(place))
            }
            _ => (f.operands(i).into_iter().collect(), None),
        };
        given.reverse();
        let mut overloads: SmallVec<[Option<Type>; 4]> = SmallVec::from_elem(None, row.overloads.len());
        let mut args: SmallVec<[Value; 8]> = SmallVec::new();
        for (_, ty) in row.params {
            if let OpTy::Gs(n) = ty {
                let place = memory.take().ok_or("groupshared memory is missing")?;
                let (pointer, elem) = self.shared_array(place)?;
                overloads[usize::from(*n)] = Some(elem);
                args.push(pointer);
                continue;
            }
            let v = given.pop().ok_or("an operand is missing")?;
            let dimension = match ty {
                OpTy::X(n) => Some(usize::from(*n)),
                OpTy::O => Some(0),
                _ => None,
            };
            let is_vector = dimension.is_some_and(|n| row.overloads[n].scalar & !kind::VOID == 0);
            let arg = if is_vector { self.whole_vector(v)? } else { self.one(v) };
            if let Some(n) = dimension {
                overloads[n] = Some(self.e.b().type_of(arg));
            }
            args.push(arg);
        }
        let result = f.results(i).first().copied();
        if let Some(v) = result
            && let OpTy::X(_) | OpTy::O = row.result
        {
            let n = if let OpTy::X(n) = row.result { usize::from(n) } else { 0 };
            overloads[n] = Some(self.result_type(v, row.overloads[n].scalar & !kind::VOID == 0));
        }
        let overloads: Option<SmallVec<[Type; 4]>> = if row.is_plain() { Some(SmallVec::new()) } else { overloads.into_iter().collect() };
        let value = self.e.dx_of(dxil, &overloads.ok_or("an overload is missing")?, &args)?;
        let Some(v) = result else { return Ok(()) };
        let lanes = self.m.types.numeric(f.ty(v)).map_or(1, |n| n.1);
        let given = self.e.b().type_of(value);
        let of_vector = matches!(self.e.out.types[given], TypeKind::Vector { .. });
        let parts: Components = match of_vector {
            true => (0..lanes)
                .map(|c| {
                    let at = self.e.out.i32(c as i32);
                    self.e.b().extract_element(value, at)
                })
                .collect(),
            false => SmallVec::from_slice(&[value]),
        };
        self.set(v, &parts);
        Ok(())
    }

    /// Reports what rules of [`rtc_tables::linalg`] an instruction breaks. True after an error.
    fn breaks_rules(&mut self, i: Inst) -> bool {
        let f = self.f;
        let broken = ir::linalg::broken(&self.m.types, f, i, &|v| f.as_const(v));
        for message in &broken {
            self.error_of(i, &E0650, format!("invalid `{}`: {message}", f.op(i).hlsl_name()));
        }
        !broken.is_empty()
    }

    /// The type of a result: a matrix, a number, or a vector.
    fn result_type(&mut self, v: ir::Value, vector: bool) -> Type {
        match self.m.types.numeric(self.f.ty(v)) {
            Some((s, lanes)) => {
                let elem = self.e.scalar(s);
                if vector { self.e.out.types.vector(elem, lanes) } else { elem }
            }
            None => match self.undef_parts(self.f.ty(v)).first() {
                Some(&undef) => self.e.b().type_of(undef),
                None => self.e.out.types.void(),
            },
        }
    }

    /// An operand as a vector, also of one component.
    fn whole_vector(&mut self, v: ir::Value) -> EmitResult<Value> {
        let parts = self.defined(v);
        let elem = self.e.b().type_of(*parts.first().ok_or("a vector is missing")?);
        let ty = self.e.out.types.vector(elem, parts.len() as u32);
        if parts.iter().all(|p| matches!(p, Value::Const(_))) {
            return Ok(self.e.out.aggregate(ty, &parts));
        }
        if let &[one] = &parts[..] {
            let (undef, zero) = (self.e.out.undef(ty), self.e.out.i32(0));
            return Ok(self.e.b().insert_element(undef, one, zero));
        }
        Ok(self.e.vector(&parts))
    }

    /// The address of the first element of a groupshared array, and the type of an element.
    fn shared_array(&mut self, place: ir::Place) -> EmitResult<(Value, Type)> {
        let data = &self.f.places[place];
        let (ir::Root::Global(g), true) = (data.root, data.steps.is_empty()) else {
            return Err(EmitError::new(&E0650, "a part of a groupshared variable holds no matrix: pass the whole array"));
        };
        let base = match self.globals.whole_array(self.m, self.e.out, g) {
            Some(base) => base,
            None => self.globals.scalar_memory(self.m, self.e.out, g, &SmallVec::new())?,
        };
        let array = self.e.b().type_of(base);
        let source = self.e.out.types.pointee(array).ok_or("groupshared memory is missing")?;
        let elem = self.e.out.types.element(source, 0).ok_or("groupshared memory that is no array")?;
        let out = &mut *self.e.out;
        let zero = out.i32(0);
        let (ptr, operands) = (out.types.ptr_in(elem, GROUPSHARED), Box::new([base, zero, zero]));
        let pointer = out.consts.intern(ptr, ConstKind::Gep { inbounds: true, source, operands });
        Ok((Value::Const(pointer), elem))
    }
}
