//! Lowering of ray tracing: system values, ray queries, hit objects, and calls that run other shaders.

use rtc_ir::{self as ir, Inst, InstData, Opcode};
use rtc_tables::dxil_ops::{DxOp, OpTy, op};
use rtc_tables::raytracing::RtInfo;
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::frame::Memory;
use super::func::{QueryVertices, Writer};
use super::live::has_lane;
use super::values::Components;
use rtc_dxil_module::{TypeKind, Value};

impl Writer<'_, '_> {
    /// An instruction of the ray-tracing table.
    pub(super) fn raytracing(&mut self, i: Inst, dxil: DxOp) -> EmitResult {
        let data = self.f.insts[i];
        let row = RtInfo::of(data.op()).ok_or("not a ray-tracing instruction")?;
        match data {
            InstData::Slot { op: Opcode::allocate_ray_query, slot, .. } => self.allocate_query(i, dxil, slot),
            InstData::Many { args, imm, .. } if row.query.is_some() => self.query(i, row, self.f.get(args), imm),
            InstData::Nullary { op: Opcode::hit_make_nop } => {
                let nop = self.e.dx(row.dxil, None, &[])?;
                self.set(self.f.result(i), &[nop]);
                Ok(())
            }
            InstData::Unary { .. } | InstData::Many { .. } if row.ser.is_some() => self.hit_object(i, row),
            InstData::Slot { slot, args, .. } => self.with_slot(i, row.dxil, rtc_ir::Root::Slot(slot), args),
            InstData::Nullary { .. } => self.value_of(i, row, &[], None),
            InstData::Many { imm, .. } => self.value_of(i, row, &[], Some(imm)),
            // `ignore_hit`, `accept_hit`.
            _ => self.e.dx(row.dxil, None, &[]).map(|_| ()),
        }
    }

    /// A system value or an answer of the query in `before`, component by component. `imm`: the row of a matrix.
    fn value_of(&mut self, i: Inst, row: &RtInfo, before: &[Value], imm: Option<u32>) -> EmitResult {
        let result = self.f.result(i);
        let n = self.m.types.numeric(self.f.ty(result));
        let (s, lanes) = n.ok_or("a system value is a number")?;
        let ty = self.e.scalar(s);
        let op = row.dxil_op();
        if op.result == OpTy::OVec9 {
            return self.vertex(i, row, before, imm.unwrap_or(0));
        }
        let used = self.facts.live.lanes(result);
        let mut out = Components::new();
        for c in 0..lanes {
            if !has_lane(used, c as usize) {
                let undef = self.e.out.undef(ty);
                out.push(undef);
                continue;
            }
            let mut args: SmallVec<[Value; 3]> = SmallVec::from_slice(before);
            for (name, param) in &op.params[before.len()..] {
                args.push(match (name, param, imm) {
                    (&"row", _, Some(row)) => self.e.out.i32(row as i32),
                    (_, OpTy::I8 | OpTy::U8, _) => self.e.out.i8(c as i8),
                    _ => self.e.out.i32(c as i32),
                });
            }
            out.push(self.e.dx(row.dxil, Some(ty), &args)?);
        }
        self.set(result, &out);
        Ok(())
    }

    /// A vertex of a triangle, of which the operation gives all nine coordinates.
    fn vertex(&mut self, i: Inst, row: &RtInfo, before: &[Value], n: u32) -> EmitResult {
        let ty = self.e.scalar(ir::Scalar::F32);
        let all = match (before, self.vertices) {
            (&[query], Some(v)) if (v.op, v.query, v.block) == (row.dxil, query, self.e.block()) => v.all,
            _ => self.e.dx(row.dxil, Some(ty), before)?,
        };
        if let &[query] = before {
            self.vertices = Some(QueryVertices { op: row.dxil, query, block: self.e.block(), all });
        }
        let out: Components = (0..3)
            .map(|c| {
                let at = self.e.out.i32((n * 3 + c) as i32);
                self.e.b().extract_element(all, at)
            })
            .collect();
        let result = self.f.result(i);
        self.set(result, &out);
        Ok(())
    }

    /// The handle of a ray query.
    fn allocate_query(&mut self, i: Inst, dxil: DxOp, slot: ir::Slot) -> EmitResult {
        let ir::TypeKind::RayQuery(flags, query_flags) = self.m.types.kind(self.f.slots[slot].ty) else {
            return Err(EmitError::internal("a query has a query's type"));
        };
        let flags = self.e.out.i32(flags as i32);
        let handle = if dxil == op::ALLOCATE_RAY_QUERY_2 {
            let more = self.e.out.i32(query_flags as i32);
            self.e.dx(dxil, None, &[flags, more])?
        } else {
            self.e.dx(dxil, None, &[flags])?
        };
        self.set(self.f.result(i), &[handle]);
        Ok(())
    }

    /// An instruction on a ray query.
    fn query(&mut self, i: Inst, row: &RtInfo, args: &[ir::Value], imm: u32) -> EmitResult {
        let (&query, rest) = args.split_first().ok_or("a query is missing")?;
        let query = self.one(query);
        if self.f.op(i) == Opcode::ray_query_proceed {
            let bool_ty = self.e.scalar(ir::Scalar::Bool);
            let v = self.e.dx(row.dxil, Some(bool_ty), &[query])?;
            self.set(self.f.result(i), &[v]);
            return Ok(());
        }
        if !self.f.results(i).is_empty() {
            return self.value_of(i, row, &[query], Some(imm));
        }
        let mut all: SmallVec<[Value; 12]> = SmallVec::from_slice(&[query]);
        for &v in rest {
            all.extend(self.defined(v));
        }
        self.e.dx(row.dxil, None, &all).map(|_| ())
    }

    /// An instruction on a hit object that has no slot.
    fn hit_object(&mut self, i: Inst, row: &RtInfo) -> EmitResult {
        let f = self.f;
        let results = f.results(i);
        let makes = results.first().is_some_and(|&v| f.ty(v) == ir::Type::HIT_OBJECT);
        let operands = f.operands(i);
        if row.op == Opcode::hit_load_root_constant {
            let all = [self.one(operands[0]), self.one(operands[1])];
            let v = self.e.dx(row.dxil, None, &all)?;
            self.set(results[0], &[v]);
            return Ok(());
        }
        if !makes && !results.is_empty() {
            let imm = match f.insts[i] {
                InstData::Many { imm, .. } => Some(imm),
                _ => None,
            };
            let hit = self.one(operands[0]);
            return self.value_of(i, row, &[hit], imm);
        }
        let mut all: SmallVec<[Value; 12]> = SmallVec::new();
        for &v in &operands {
            all.extend(self.defined(v));
        }
        let v = self.e.dx(row.dxil, None, &all)?;
        if makes {
            self.set(results[0], &[v]);
        }
        Ok(())
    }

    /// Traces, calls and reports: the operands, scalars all, then the slot.
    fn with_slot(&mut self, i: Inst, dxil: DxOp, slot: rtc_ir::Root, args: rtc_ir::ValueList) -> EmitResult {
        let f = self.f;
        let mut all: SmallVec<[Value; 20]> = SmallVec::new();
        for &v in f.get(args) {
            all.extend(self.defined(v));
        }
        let Some(Memory { pointer, .. }) = self.frame.pointer(slot) else {
            return Err(EmitError::internal("slot without memory"));
        };
        all.push(pointer);
        let ptr_ty = self.e.b().type_of(pointer);
        let structure = self.e.out.types.pointee(ptr_ty).ok_or("slot without memory")?;
        if !matches!(self.e.out.types[structure], TypeKind::Named { .. }) {
            return Err(EmitError::internal("payloads, parameters and attributes are structures"));
        }
        let v = self.e.dx(dxil, Some(structure), &all)?;
        if let &[result] = f.results(i) {
            self.set(result, &[v]);
        }
        Ok(())
    }
}
