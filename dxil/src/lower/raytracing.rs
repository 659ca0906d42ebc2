//! Ray tracing: system values, and what starts or ends other shaders.

use rtc_ir::{Inst, InstData, Opcode};
use rtc_tables::dxil_ops::OpTy;
use rtc_tables::raytracing::RtInfo;
use smallvec::SmallVec;

use super::func::{Done, Parts, Writer};
use crate::module::{TypeKind, Value};

impl Writer<'_, '_> {
    /// An instruction of the ray-tracing table.
    pub fn raytracing(&mut self, i: Inst) -> Done {
        let data = self.f.insts[i];
        let row = RtInfo::of(data.op()).ok_or("not a ray-tracing instruction")?;
        match data {
            InstData::Slot { slot, args, .. } => {
                self.with_slot(i, row.dxil, rtc_ir::Root::Slot(slot), args)
            }
            InstData::Nullary { .. } | InstData::Many { .. } => {
                let matrix_row = match data {
                    InstData::Many { imm, .. } => Some(imm),
                    _ => None,
                };
                self.system_value(i, row, matrix_row)
            }
            // `ignore_hit`, `accept_hit`.
            _ => self.dx(row.dxil, None, &[]).map(|_| ()),
        }
    }

    /// A system value, component by component.
    fn system_value(&mut self, i: Inst, row: &RtInfo, matrix_row: Option<u32>) -> Done {
        let result = self.f.result(i);
        let n = self.cx.m.types.numeric(self.f.ty(result));
        let (s, lanes) = n.ok_or("a system value is a number")?;
        let ty = self.scalar(s);
        let op = row.dxil_op();
        let used = self.facts.live.lanes(result);
        let mut out = Parts::new();
        for c in 0..lanes {
            if used >> c & 1 == 0 {
                let undef = self.cx.out.undef(ty);
                out.push(undef);
                continue;
            }
            let mut args: SmallVec<[Value; 2]> = SmallVec::new();
            for (_, param) in op.params {
                args.push(match (param, matrix_row) {
                    (OpTy::I8 | OpTy::U8, _) => self.cx.out.i8(c as i8),
                    (_, Some(row)) => self.cx.out.i32(row as i32),
                    (_, None) => self.cx.out.i32(c as i32),
                });
            }
            out.push(self.dx(row.dxil, Some(ty), &args)?);
        }
        self.set(result, &out);
        Ok(())
    }

    /// Traces, calls and reports: the operands, scalars all, then the slot.
    fn with_slot(
        &mut self,
        i: Inst,
        dxil: u32,
        slot: rtc_ir::Root,
        args: rtc_ir::ValueList,
    ) -> Done {
        let f = self.f;
        let mut all: SmallVec<[Value; 20]> = SmallVec::new();
        for &v in f.get(args) {
            all.extend(self.defined(v));
        }
        let Some(&pointer) = self.pointers.get(&slot) else {
            return Err("a slot without memory".into());
        };
        all.push(pointer);
        let ptr_ty = self.b().type_of(pointer);
        let structure = self
            .cx
            .out
            .types
            .pointee(ptr_ty)
            .ok_or("a slot without memory")?;
        if !matches!(self.cx.out.types[structure], TypeKind::Named { .. }) {
            return Err("payloads, parameters and attributes are structures".into());
        }
        let v = self.dx(dxil, Some(structure), &all)?;
        if f.op(i) == Opcode::report_hit {
            self.set(f.result(i), &[v]);
        }
        Ok(())
    }
}
