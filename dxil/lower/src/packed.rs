//! Lowering of packed bytes and 16-bit floats: dot products with accumulation, packing, unpacking.

use rtc_ir::{self as ir, Inst, Opcode, Scalar};
use rtc_tables::dxil_ops::op;
use smallvec::SmallVec;

use super::emitter::EmitResult;
use super::func::Writer;
use super::values::Components;
use rtc_dxil_module::Value;

impl Writer<'_, '_> {
    /// A dot product of packed operands plus a number. DXIL takes the number first.
    pub(super) fn dot_add(&mut self, op: Opcode, operands: &[ir::Value]) -> EmitResult<Value> {
        let mut args: SmallVec<[Value; 5]> = SmallVec::from_slice(&[self.one(operands[2])]);
        let (a, b) = (self.defined(operands[0]), self.defined(operands[1]));
        args.extend(a);
        args.extend(b);
        let (dxil, scalar) = match op {
            Opcode::dot2add => (op::DOT2_ADD_HALF, Scalar::F32),
            Opcode::dot4add_i8 => (op::DOT4_ADD_I8_PACKED, Scalar::I32),
            _ => (op::DOT4_ADD_U8_PACKED, Scalar::I32),
        };
        let ty = self.e.scalar(scalar);
        self.e.dx(dxil, Some(ty), &args)
    }

    /// Four components to bytes.
    pub(super) fn pack(&mut self, i: Inst, mode: u32, v: ir::Value) -> EmitResult {
        let ty = self.component_type(v)?;
        let mut args: SmallVec<[Value; 5]> = SmallVec::from_slice(&[self.e.out.i8(mode as i8)]);
        args.extend(self.defined(v));
        let packed = self.e.dx(op::PACK_4X8, Some(ty), &args)?;
        self.set(self.f.result(i), &[packed]);
        Ok(())
    }

    /// Bytes to four components.
    pub(super) fn unpack(&mut self, i: Inst, mode: u32, v: ir::Value) -> EmitResult {
        let result = self.f.result(i);
        let ty = self.component_type(result)?;
        let (mode, v) = (self.e.out.i8(mode as i8), self.one(v));
        let all = self.e.dx(op::UNPACK_4X8, Some(ty), &[mode, v])?;
        let out: Components = (0..4).map(|c| self.e.b().extract_value(all, c)).collect();
        self.set(result, &out);
        Ok(())
    }

    fn component_type(&mut self, v: ir::Value) -> EmitResult<rtc_dxil_module::Type> {
        let n = self.m.types.numeric(self.f.ty(v));
        let (s, _) = n.ok_or("packing takes numbers")?;
        Ok(self.e.scalar(s))
    }
}
