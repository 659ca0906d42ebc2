//! Instruction selection for waves and quads: the group operations of the subgroup. Operations that compare masks or values between lanes
//! (`wave_match`, `wave_multi_prefix_…`) became loops before ([`crate::legalize::partitions`]).

use rtc_ir::{Inst, InstData, Opcode, Scalar, Type, Value};
use rtc_tables::resources::WaveOp;
use spirv::{BuiltIn, Capability, GroupOperation, Op};

use super::FuncEmitter;
use crate::words::{Id, TypeId, operands};

impl FuncEmitter<'_, '_> {
    fn subgroup(&mut self) -> Id {
        self.e.w.u32(spirv::Scope::Subgroup as u32)
    }

    fn need(&mut self, c: Capability, op: Opcode) {
        let why = self.reason(op.name());
        self.e.w.capability(c, || why);
    }

    /// Groups of types other than 32-bit ones are a feature of their own, without a capability in SPIR-V.
    fn note_type(&mut self, t: Type, op: Opcode) {
        let extended = match self.m.types.elem(t) {
            Scalar::I16 | Scalar::I64 | Scalar::F16 => true,
            Scalar::F64 | Scalar::F32 | Scalar::I32 | Scalar::Bool => false,
        };
        if extended {
            let why = self.reason(op.name());
            self.e.w.feature("shaderSubgroupExtendedTypes", || why);
        }
    }

    /// A wave or quad instruction.
    pub(crate) fn wave_inst(&mut self, i: Inst) {
        let op = self.f.op(i);
        let args: smallvec::SmallVec<[Value; 8]> = self.f.operands(i);
        let result = self.f.result(i);
        let ty = self.ty_of(result);
        let a = self.vals(&args);
        let scope = self.subgroup();
        self.need(Capability::GroupNonUniform, op);
        if let Some(&v) = args.first() {
            self.note_type(self.f.ty(v), op);
        }
        let id = match op {
            Opcode::wave_is_first_lane => self.op(Op::GroupNonUniformElect, ty, &[scope]),
            Opcode::wave_lane_index => self.builtin_value(BuiltIn::SubgroupLocalInvocationId, ty),
            Opcode::wave_lane_count => self.builtin_value(BuiltIn::SubgroupSize, ty),
            Opcode::get_group_wave_index => self.builtin_value(BuiltIn::SubgroupId, ty),
            Opcode::get_group_wave_count => self.builtin_value(BuiltIn::NumSubgroups, ty),
            Opcode::wave_any_true | Opcode::wave_all_true => {
                self.need(Capability::GroupNonUniformVote, op);
                let o = match op {
                    Opcode::wave_any_true => Op::GroupNonUniformAny,
                    _ => Op::GroupNonUniformAll,
                };
                self.op(o, ty, &[scope, a[0]])
            }
            Opcode::wave_all_equal => {
                self.need(Capability::GroupNonUniformVote, op);
                let b = self.e.scalar(Scalar::Bool, false);
                self.by_component(args[0], a[0], ty, |this, x| this.op(Op::GroupNonUniformAllEqual, b, &[scope, x]))
            }
            Opcode::wave_ballot => self.ballot(a[0], op),
            Opcode::wave_all_bit_count | Opcode::wave_prefix_bit_count => {
                let ballot = self.ballot(a[0], op);
                let how = match op {
                    Opcode::wave_all_bit_count => GroupOperation::Reduce,
                    _ => GroupOperation::ExclusiveScan,
                };
                self.op(Op::GroupNonUniformBallotBitCount, ty, &operands![scope, how, ballot])
            }
            Opcode::wave_read_lane_at => match self.f.as_const(args[1]) {
                Some(_) => {
                    self.need(Capability::GroupNonUniformBallot, op);
                    self.op(Op::GroupNonUniformBroadcast, ty, &[scope, a[0], a[1]])
                }
                None => {
                    self.need(Capability::GroupNonUniformShuffle, op);
                    self.op(Op::GroupNonUniformShuffle, ty, &[scope, a[0], a[1]])
                }
            },
            Opcode::wave_read_lane_first => {
                self.need(Capability::GroupNonUniformBallot, op);
                self.op(Op::GroupNonUniformBroadcastFirst, ty, &[scope, a[0]])
            }
            Opcode::wave_active_op | Opcode::wave_prefix_op => self.combine(i, op, ty, args[0], a[0]),
            Opcode::deriv_coarse_x | Opcode::deriv_coarse_y | Opcode::deriv_fine_x | Opcode::deriv_fine_y => {
                return self.derivative(op, result, args[0]);
            }
            Opcode::quad_read_lane_at => self.quad_read(ty, args[1], &a),
            Opcode::quad_op => {
                let InstData::Many { imm, .. } = self.f.insts[i] else { rtc_base::bug!("`quad_op` has an immediate") };
                self.quad_swap(op, ty, a[0], imm)
            }
            Opcode::quad_any | Opcode::quad_all => {
                let how = if op == Opcode::quad_any { Op::LogicalOr } else { Op::LogicalAnd };
                let mut all = a[0];
                for way in 0..3 {
                    let other = self.quad_swap(op, ty, a[0], way);
                    all = self.op(how, ty, &[all, other]);
                }
                all
            }
            _ => {
                self.error(format!("`{op}` has no SPIR-V form"));
                self.e.w.undef(ty)
            }
        };
        self.set(result, id);
    }

    /// Derivatives are of 32-bit floats alone.
    fn derivative(&mut self, op: Opcode, result: Value, v: Value) {
        self.derivatives("a derivative");
        self.need(Capability::DerivativeControl, op);
        let o = match op {
            Opcode::deriv_coarse_x => Op::DPdxCoarse,
            Opcode::deriv_coarse_y => Op::DPdyCoarse,
            Opcode::deriv_fine_x => Op::DPdxFine,
            _ => Op::DPdyFine,
        };
        let (ty, wide) = (self.ty_of(result), self.m.types.lanes(self.f.ty(v)));
        let f32 = self.e.w.f32_ty();
        let f32 = if wide == 1 { f32 } else { self.e.w.vector_ty(f32, wide) };
        let mut id = self.val(v);
        if f32 != ty {
            id = self.op(Op::FConvert, f32, &[id]);
        }
        id = self.op(o, f32, &[id]);
        if f32 != ty {
            id = self.op(Op::FConvert, ty, &[id]);
        }
        self.set(result, id);
    }

    fn ballot(&mut self, cond: Id, op: Opcode) -> Id {
        self.need(Capability::GroupNonUniformBallot, op);
        let (ty, scope) = (self.e.ty(Type::I32X4), self.subgroup());
        self.op(Op::GroupNonUniformBallot, ty, &[scope, cond])
    }

    /// `f` of each component of `v`, put together to a value of type `ty`.
    fn by_component(&mut self, v: Value, id: Id, ty: TypeId, mut f: impl FnMut(&mut Self, Id) -> Id) -> Id {
        let (s, lanes) = self.m.types.numeric(self.f.ty(v)).expect("a number");
        if lanes == 1 {
            return f(self, id);
        }
        let sty = self.e.scalar(s, false);
        let parts: Vec<Id> = (0..lanes)
            .map(|n| {
                let x = self.extract(sty, id, &[n]);
                f(self, x)
            })
            .collect();
        self.composite(ty, &parts)
    }

    fn combine(&mut self, i: Inst, op: Opcode, ty: TypeId, v: Value, id: Id) -> Id {
        self.need(Capability::GroupNonUniformArithmetic, op);
        let InstData::Many { imm, .. } = self.f.insts[i] else { rtc_base::bug!("`{op}` has an immediate") };
        let how = WaveOp::from_number(imm).expect("a verified wave operation");
        let float = self.m.types.elem(self.f.ty(v)).is_float();
        use WaveOp as W;
        let o = match how {
            W::Sum | W::USum if float => Op::GroupNonUniformFAdd,
            W::Sum | W::USum => Op::GroupNonUniformIAdd,
            W::Product | W::UProduct if float => Op::GroupNonUniformFMul,
            W::Product | W::UProduct => Op::GroupNonUniformIMul,
            W::Min if float => Op::GroupNonUniformFMin,
            W::Max if float => Op::GroupNonUniformFMax,
            W::Min => Op::GroupNonUniformSMin,
            W::Max => Op::GroupNonUniformSMax,
            W::UMin => Op::GroupNonUniformUMin,
            W::UMax => Op::GroupNonUniformUMax,
            W::And => Op::GroupNonUniformBitwiseAnd,
            W::Or => Op::GroupNonUniformBitwiseOr,
            W::Xor => Op::GroupNonUniformBitwiseXor,
        };
        let group = match op {
            Opcode::wave_active_op => GroupOperation::Reduce,
            _ => GroupOperation::ExclusiveScan,
        };
        let scope = self.subgroup();
        self.op(o, ty, &operands![scope, group, id])
    }

    /// Another lane of the quad: by a constant number directly, else by the number of the lane in the wave.
    fn quad_read(&mut self, ty: TypeId, lane: Value, a: &[Id]) -> Id {
        let op = Opcode::quad_read_lane_at;
        self.quads(op);
        let (scope, word) = (self.subgroup(), self.e.w.u32_ty());
        if let Some(n) = self.f.as_const(lane) {
            self.need(Capability::GroupNonUniformQuad, op);
            let n = self.e.w.u32(n as u32 & 3);
            return self.op(Op::GroupNonUniformQuadBroadcast, ty, &[scope, a[0], n]);
        }
        self.need(Capability::GroupNonUniformShuffle, op);
        let own = self.builtin_value(BuiltIn::SubgroupLocalInvocationId, word);
        let (quad, within) = (self.e.w.u32(!3), self.e.w.u32(3));
        let base = self.op(Op::BitwiseAnd, word, &[own, quad]);
        let n = self.op(Op::BitwiseAnd, word, &[a[1], within]);
        let lane = self.op(Op::BitwiseOr, word, &[base, n]);
        self.op(Op::GroupNonUniformShuffle, ty, &[scope, a[0], lane])
    }

    /// 0 along x, 1 along y, 2 across the diagonal.
    fn quad_swap(&mut self, op: Opcode, ty: TypeId, id: Id, way: u32) -> Id {
        self.quads(op);
        self.need(Capability::GroupNonUniformQuad, op);
        let (scope, way) = (self.subgroup(), self.e.w.u32(way));
        self.op(Op::GroupNonUniformQuadSwap, ty, &[scope, id, way])
    }
}
