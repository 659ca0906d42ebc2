//! Lowering of operations with a sampler: samples, comparisons, gathers, levels of detail, sampler feedback.

use rtc_ir::{self as ir, Inst, Opcode, ResourceType, Scalar};
use rtc_tables::diagnostics::E0604;
use rtc_tables::dxil_ops::{DxOp, op};
use rtc_tables::resources::ResourceClass;
use smallvec::SmallVec;

use super::emitter::{EmitError, EmitResult};
use super::func::Writer;
use super::select::{Rest, rest};
use super::texture::gradient;
use super::values::Components;
use rtc_dxil_module::Value;

type Operands = SmallVec<[Value; 20]>;

impl Writer<'_, '_> {
    /// Everything that takes a sampler.
    pub(super) fn sample(&mut self, i: Inst, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let op = self.f.op(i);
        match op {
            Opcode::sample_pos => return self.sample_position(i, dxil, args),
            Opcode::feedback | Opcode::feedback_bias | Opcode::feedback_level | Opcode::feedback_grad => {
                return self.feedback(op, dxil, imm, args);
            }
            _ => {}
        }
        let r = self.resource_of(args[0])?;
        let s = self.texel_scalar(&r)?;
        if r.class != ResourceClass::Srv || !r.kind.is_texture() {
            return Err("only textures that are not written can be sampled".into());
        }
        let mut all = Operands::new();
        all.push(self.one(args[0]));
        all.push(self.one(args[1]));
        if op == Opcode::tex_lod {
            all.extend(self.padded(args[2], 3, gradient(r.kind))?);
            all.push(self.e.out.i1(imm != 0));
            let float = self.e.out.types.float();
            let level = self.e.dx(dxil, Some(float), &all)?;
            self.set(self.f.result(i), &[level]);
            return Ok(());
        }
        let fixed = op.fixed_operands();
        let rest = rest(imm, args.get(fixed..).unwrap_or_default());
        all.extend(self.padded(args[2], 4, r.kind.coords() as usize)?);
        if matches!(op, Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw) {
            return self.gather(i, dxil, &r, &rest, all, args.get(3).copied());
        }
        let compared = matches!(op, Opcode::sample_cmp | Opcode::sample_cmp_level | Opcode::sample_cmp_bias | Opcode::sample_cmp_grad);
        if compared && !s.is_float() {
            return Err("a texture of integers or truth values cannot be compared".into());
        }
        if !s.is_float() && self.m.shader_model < 7 {
            return Err(EmitError::new(
                &E0604,
                "a texture of integers can be sampled from shader model 6.7 on; before, it can be loaded and gathered",
            ));
        }
        let ty = if compared { self.e.out.types.float() } else { self.texel_type(s) };
        self.expect(self.f.result(i), if compared { Scalar::F32 } else { s })?;
        all.extend(self.offsets(r.kind, rest.offsets.first().copied(), 3, Some(0), true)?);
        let own = match op {
            // The level is in the operation's name.
            Opcode::sample_cmp_level if dxil != op::SAMPLE_CMP_LEVEL => &args[3..4],
            _ => &args[3..fixed],
        };
        for &v in own {
            self.operand(v, gradient(r.kind), &mut all, op)?;
        }
        if !matches!(op, Opcode::sample_level | Opcode::sample_cmp_level) {
            self.clamp(&rest, &mut all);
        }
        let loaded = self.e.dx(dxil, Some(ty), &all)?;
        self.texel(i, loaded)
    }

    /// An operand of an instruction's own: a gradient is filled up to three components.
    fn operand(&mut self, v: ir::Value, gradient: usize, all: &mut Operands, op: Opcode) -> EmitResult {
        let graded = matches!(op, Opcode::sample_grad | Opcode::sample_cmp_grad | Opcode::feedback_grad);
        let biased = matches!(op, Opcode::sample_bias | Opcode::sample_cmp_bias | Opcode::feedback_bias);
        let reference = matches!(op, Opcode::sample_cmp_grad | Opcode::sample_cmp_bias) && all.len() == 9;
        if graded && !reference {
            all.extend(self.padded(v, 3, gradient)?);
        } else if biased && !reference {
            let bias = self.bias(v);
            all.push(bias);
        } else {
            all.push(self.one(v));
        }
        Ok(())
    }

    /// A constant bias is in the range of Direct3D, into which hardware brings any other one.
    fn bias(&mut self, v: ir::Value) -> Value {
        const RANGE: [f32; 2] = [-16.0, 15.99];
        let ty = self.f.ty(v);
        match self.f.as_const(v) {
            Some(bits) if ty == ir::Type::F32 => {
                let clamped = f32::from_bits(bits as u32).clamp(RANGE[0], RANGE[1]);
                self.constant(ty, clamped.to_bits().into())
            }
            _ => self.one(v),
        }
    }

    fn clamp(&mut self, rest: &Rest, all: &mut Operands) {
        let float = self.e.out.types.float();
        all.push(match rest.clamp {
            Some(v) => self.one(v),
            None => self.e.out.undef(float),
        });
    }

    fn sample_position(&mut self, i: Inst, dxil: DxOp, args: &[ir::Value]) -> EmitResult {
        let all = [self.one(args[0]), self.one(args[1])];
        let both = self.e.dx(dxil, None, &all)?;
        let xy = [self.e.b().extract_value(both, 0), self.e.b().extract_value(both, 1)];
        self.set(self.f.result(i), &xy);
        Ok(())
    }

    fn feedback(&mut self, op: Opcode, dxil: DxOp, imm: u32, args: &[ir::Value]) -> EmitResult {
        let r = self.resource_of(args[1])?;
        let fixed = op.fixed_operands();
        let rest = rest(imm, args.get(fixed..).unwrap_or_default());
        let mut all: Operands = args[..3].iter().map(|&v| self.one(v)).collect();
        all.extend(self.padded(args[3], 4, r.kind.coords() as usize)?);
        for &v in &args[4..fixed] {
            self.operand(v, gradient(r.kind), &mut all, op)?;
        }
        if op != Opcode::feedback_level {
            self.clamp(&rest, &mut all);
        }
        self.e.dx(dxil, None, &all).map(|_| ())
    }

    fn gather(&mut self, i: Inst, dxil: DxOp, r: &ResourceType, rest: &Rest, head: Operands, compare: Option<ir::Value>) -> EmitResult {
        let raw = self.f.op(i) == Opcode::gather_raw;
        let s = self.texel_scalar(r)?;
        let ty = if raw { self.e.scalar(s) } else { self.texel_type(s) };
        let channel = self.e.out.i32(rest.channel as i32);
        let compare = match compare {
            Some(v) if self.f.op(i) == Opcode::gather_cmp => Some(self.one(v)),
            _ => None,
        };
        let one = |w: &mut Self, offset: Option<ir::Value>| -> EmitResult<Value> {
            let mut all = head.clone();
            all.extend(w.offsets(r.kind, offset, 2, Some(0), false)?);
            if !raw {
                all.push(channel);
            }
            all.extend(compare);
            w.e.dx(dxil, Some(ty), &all)
        };
        if rest.offsets.len() < 4 {
            let loaded = one(self, rest.offsets.first().copied())?;
            return if raw { self.whole(i, loaded) } else { self.texel(i, loaded) };
        }
        // Each texel has an offset of its own: four gathers, of each one component.
        let f = self.f;
        let results = f.results(i);
        let (mut out, mut statuses) = (Components::new(), Components::new());
        for (c, &offset) in rest.offsets.iter().enumerate() {
            let loaded = one(self, Some(offset))?;
            let v = self.e.b().extract_value(loaded, c as u32);
            out.push(self.loaded(v, s));
            if results.len() > 1 && self.facts.live.uses(results[1]) {
                statuses.push(self.e.b().extract_value(loaded, 4));
            }
        }
        self.set(results[0], &out);
        if let Some(&status) = results.get(1) {
            self.set(status, &statuses);
        }
        Ok(())
    }

    /// Four integers of any width, as they are in memory, and the status.
    fn whole(&mut self, i: Inst, loaded: Value) -> EmitResult {
        let f = self.f;
        let results = f.results(i);
        let parts: Components = (0..4).map(|c| self.e.b().extract_value(loaded, c)).collect();
        self.set(results[0], &parts);
        if let Some(&status) = results.get(1)
            && self.facts.live.uses(status)
        {
            let v = self.e.b().extract_value(loaded, 4);
            self.set(status, &[v]);
        }
        Ok(())
    }
}
