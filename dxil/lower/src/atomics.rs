//! Lowering of atomic operations on resources.

use rtc_ir::{self as ir, Inst, Scalar};
use rtc_tables::diagnostics::E0604;
use rtc_tables::dxil_ops::op;
use rtc_tables::resources::{AtomicOp, ResourceKind};
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use rtc_dxil_module::{CastOp, Value};

impl Writer<'_, '_> {
    /// `buf_atomic`, `raw_atomic`, `tex_atomic`: handle, place, operands; the operation.
    pub(super) fn atomic(&mut self, i: Inst, imm: u32, args: &[ir::Value]) -> EmitResult {
        let op = AtomicOp::from_number(imm).ok_or("unknown atomic operation")?;
        let count = if op == AtomicOp::CompareExchange { 2 } else { 1 };
        let (head, operands) = args.split_at(args.len().saturating_sub(count));
        let (&handle, place) = head.split_first().ok_or("an atomic operation without a resource")?;
        let kind = self.resource_of(handle)?.kind;
        let result = self.f.result(i);
        let s = self.elem(result)?;
        if s.bits() == 64 && self.m.shader_model < 6 {
            return Err(EmitError::new(&E0604, "64-bit atomic operations need shader model 6.6"));
        }
        let bits = Scalar::int(s.bits()).filter(|b| *b != Scalar::I16);
        let bits = bits.ok_or("atomic operations need 32 or 64 bits")?;
        let ty = self.e.scalar(bits);
        let handle = self.one(handle);
        let undef = self.e.undef_i32();
        let mut coords: SmallVec<[Value; 3]> = SmallVec::new();
        for &v in place {
            coords.extend(self.defined(v));
        }
        if coords.len() > 3 || (coords.len() > 1 && kind == ResourceKind::RawBuffer) {
            return Err(EmitError::internal("this resource is not addressed this way"));
        }
        coords.resize(3, undef);
        let mut values: SmallVec<[Value; 2]> = SmallVec::new();
        for &v in operands {
            if self.elem(v)? != s {
                return Err(EmitError::internal("the operands are not of the type of the result"));
            }
            let v = self.one(v);
            values.push(self.e.b().cast(CastOp::BitCast, v, ty));
        }
        let old = if op == AtomicOp::CompareExchange {
            self.e.dx(op::ATOMIC_COMPARE_EXCHANGE, Some(ty), &[handle, coords[0], coords[1], coords[2], values[0], values[1]])?
        } else {
            let n = self.e.out.i32(imm as i32);
            self.e.dx(op::ATOMIC_BIN_OP, Some(ty), &[handle, n, coords[0], coords[1], coords[2], values[0]])?
        };
        let back = self.e.scalar(s);
        let old = self.e.b().cast(CastOp::BitCast, old, back);
        self.set(result, &[old]);
        Ok(())
    }
}
