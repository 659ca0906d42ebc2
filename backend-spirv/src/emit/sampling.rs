//! Instruction selection for texture reads: loads, samples, comparisons, gathers, levels of detail, sample positions.
//!
//! Optional operands of SPIR-V's image instructions follow a mask, in the order of its bits. An instruction whose
//! residency status is used is the sparse one, which returns status and texel in a structure.

use rtc_ir::{Inst, InstData, Opcode, Type, Value};
use rtc_tables::resources::{ResourceClass, ResourceKind, TexOperands};
use rtc_tables::tex_offset;
use spirv::{Capability, ImageFormat, ImageOperands as Mask, Op, StorageClass};

use super::{FuncEmitter, Handle};
use crate::words::{AsOperand, Id, Operand, TypeId, operands};

/// Optional operands as they are collected.
#[derive(Default)]
struct Operands(Vec<(Mask, Vec<Id>)>);

impl Operands {
    fn add(&mut self, bit: Mask, ids: &[Id]) {
        let at = self.0.partition_point(|o| o.0.bits() < bit.bits());
        self.0.insert(at, (bit, ids.to_vec()));
    }
    /// The mask and what follows it; nothing if there are no operands.
    fn finish(&self, out: &mut Vec<Operand>) {
        if self.0.is_empty() {
            return;
        }
        out.push(self.0.iter().fold(Mask::NONE, |all, o| all | o.0).operand());
        out.extend(self.0.iter().flat_map(|o| o.1.iter().map(|id| id.operand())));
    }
}

/// The instruction that gives the residency status too.
fn sparse(op: Op) -> Op {
    match op {
        Op::ImageSampleImplicitLod => Op::ImageSparseSampleImplicitLod,
        Op::ImageSampleExplicitLod => Op::ImageSparseSampleExplicitLod,
        Op::ImageSampleDrefImplicitLod => Op::ImageSparseSampleDrefImplicitLod,
        Op::ImageSampleDrefExplicitLod => Op::ImageSparseSampleDrefExplicitLod,
        Op::ImageGather => Op::ImageSparseGather,
        Op::ImageDrefGather => Op::ImageSparseDrefGather,
        Op::ImageFetch => Op::ImageSparseFetch,
        _ => Op::ImageSparseRead,
    }
}

impl FuncEmitter<'_, '_> {
    pub(crate) fn sampling_inst(&mut self, i: Inst, op: Opcode, imm: u32, h: &Handle, args: &[Value]) {
        let flags = TexOperands::from_bits_retain(imm);
        match op {
            Opcode::tex_load => self.tex_load(i, h, flags, args),
            Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw => self.gather(i, h, op, flags, args),
            Opcode::tex_lod => self.level_of_detail(i, h, imm != 0, args),
            Opcode::feedback | Opcode::feedback_bias | Opcode::feedback_level | Opcode::feedback_grad => {
                self.error("Vulkan has no sampler feedback");
            }
            _ => self.sample(i, h, op, flags, args),
        }
    }

    /// An image instruction, the sparse one if the status is used: the texel and the status.
    fn image_op(&mut self, op: Op, ty: TypeId, operands: &[impl AsOperand], status: bool) -> (Id, Option<Id>) {
        if !status {
            return (self.op(op, ty, operands), None);
        }
        let why = self.reason("the residency status of a texel");
        self.e.w.capability(Capability::SparseResidency, || why);
        let word = self.e.w.u32_ty();
        let both = self.e.w.ty(Op::TypeStruct, &[word, ty]);
        let id = self.op(sparse(op), both, operands);
        let code = self.extract(word, id, &[0]);
        (self.extract(ty, id, &[1]), Some(code))
    }

    /// The results: the components that the IR uses, and the status.
    fn give_texel(&mut self, i: Inst, h: &Handle, (texel, status): (Id, Option<Id>)) {
        let result = self.f.result(i);
        let want = self.f.ty(result);
        let id = self.texel_to_value(&h.ty, texel, want);
        self.set(result, id);
        self.give_status(i, status);
    }

    fn give_status(&mut self, i: Inst, status: Option<Id>) {
        if let (Some(id), Some(&v)) = (status, self.f.results(i).get(1)) {
            self.set(v, id);
        }
    }

    /// Whether every component is a constant.
    fn is_constant(&self, v: Value) -> bool {
        match self.f.def_inst(v).map(|d| self.f.insts[d]) {
            Some(InstData::Many { op: Opcode::construct, args, .. }) => self.f.get(args).iter().all(|&a| self.f.as_const(a).is_some()),
            _ => self.f.as_const(v).is_some(),
        }
    }

    /// The components of a constant vector of integers.
    fn constant_offset(&self, v: Value) -> Option<Vec<i32>> {
        let one = |v| self.f.as_const(v).map(|n| n as u32 as i32);
        match self.f.def_inst(v).map(|d| self.f.insts[d]) {
            Some(InstData::Many { op: Opcode::construct, args, .. }) => self.f.get(args).iter().map(|&a| one(a)).collect(),
            _ => one(v).map(|n| vec![n]),
        }
    }

    /// A constant for a constant offset, as devices of Direct3D take it: the result of `construct` is an instruction in the block.
    fn constant_id(&mut self, v: Value, taken: fn(i32) -> i32) -> Id {
        let Some(parts) = self.constant_offset(v) else { return self.val(v) };
        let parts: Vec<i32> = parts.into_iter().map(taken).collect();
        self.offset_id(&parts)
    }

    /// A computed offset, of which devices of Direct3D take the low `bits` as a signed number.
    fn computed_offset(&mut self, offset: Value, bits: u32) -> Id {
        let lanes = self.m.types.numeric(self.f.ty(offset)).map_or(1, |n| n.1);
        let word = self.e.w.u32_ty();
        let ty = if lanes == 1 { word } else { self.e.w.vector_ty(word, lanes) };
        let id = self.val(offset);
        let by = (i32::BITS - bits) as i32;
        let by = self.offset_id(&vec![by; lanes as usize]);
        let high = self.op(Op::ShiftLeftLogical, ty, &[id, by]);
        self.op(Op::ShiftRightArithmetic, ty, &[high, by])
    }

    /// An offset of signed integers: with the unsigned type Vulkan's validation layers take a negative one for a large one.
    fn offset_id(&mut self, parts: &[i32]) -> Id {
        let int = self.e.w.int_ty(32, true);
        let ids: Vec<Id> = parts.iter().map(|&n| self.e.w.number(int, &[n as u32])).collect();
        if let [one] = ids[..] {
            return one;
        }
        let ty = self.e.w.vector_ty(int, ids.len() as u32);
        self.e.w.composite(ty, &ids)
    }

    /// Adds a level clamp.
    fn clamp(&mut self, operands: &mut Operands, v: Value) {
        let why = self.reason("a level clamp");
        self.e.w.capability(Capability::MinLod, || why);
        let id = self.val(v);
        operands.add(Mask::MIN_LOD, &[id]);
    }

    fn tex_load(&mut self, i: Inst, h: &Handle, flags: TexOperands, args: &[Value]) {
        let image = self.image(h);
        let mut at = self.val(args[1]);
        let storage = h.ty.class == ResourceClass::Uav;
        let mut extra = Operands::default();
        if h.ty.kind.is_multisampled() {
            let sample = self.val(args[2]);
            extra.add(Mask::SAMPLE, &[sample]);
        } else if !storage && h.ty.kind != ResourceKind::TypedBuffer && !h.ty.kind.is_subpass() {
            let level = self.val(args[2]);
            extra.add(Mask::LOD, &[level]);
        }
        if flags.contains(TexOperands::OFFSET) {
            let offset = args[3];
            if self.is_constant(offset) {
                let id = self.constant_id(offset, tex_offset::of_texel);
                extra.add(Mask::CONST_OFFSET, &[id]);
            } else {
                at = self.moved(at, args[1], offset);
            }
        }
        if storage && self.e.image_format(&h.ty, h.global) == ImageFormat::Unknown {
            let why = self.reason("reading an image of any format");
            self.e.w.capability(Capability::StorageImageReadWithoutFormat, || why);
        }
        let status = flags.contains(TexOperands::STATUS);
        let mut operands = operands![image, at].to_vec();
        extra.finish(&mut operands);
        let (texel_ty, _) = self.texel_ty(&h.ty);
        let o = if storage || h.ty.kind.is_subpass() { Op::ImageRead } else { Op::ImageFetch };
        let found = self.image_op(o, texel_ty, &operands, status);
        self.give_texel(i, h, found);
    }

    /// Coordinates moved by a computed offset, which texel fetches cannot have: slices stay.
    fn moved(&mut self, at: Id, coords: Value, offset: Value) -> Id {
        let word = self.e.w.u32_ty();
        let lanes = |w: &Self, v| w.m.types.numeric(w.f.ty(v)).map_or(1, |n| n.1);
        let (n, k) = (lanes(self, coords), lanes(self, offset));
        let mut by = self.computed_offset(offset, tex_offset::BITS);
        let ty = self.e.w.vector_ty(word, n);
        if k < n {
            let zero = self.e.w.u32(0);
            let mut parts = vec![by];
            parts.extend(vec![zero; (n - k) as usize]);
            by = self.composite(ty, &parts);
        }
        self.op(Op::IAdd, ty, &[at, by])
    }

    /// That derivatives are taken between the threads of a compute shader.
    pub(crate) fn derivatives(&mut self, what: &str) {
        if !rtc_tables::stages::StageMask::GROUPS.has(self.stage()) {
            return;
        }
        // Quads of two by two threads where the group's shape allows, else of four in a row.
        let [x, y, z] = self.f.numthreads.unwrap_or([1; 3]);
        let quads = self.has_square_quads();
        if !quads && (x * y * z) % 4 != 0 {
            self.error(format!(
                "{what} needs quads of threads: make the first two sizes of `numthreads` even, or the whole group a multiple of four"
            ));
        }
        let why = self.reason(what);
        let c = if quads { Capability::ComputeDerivativeGroupQuadsKHR } else { Capability::ComputeDerivativeGroupLinearKHR };
        self.e.w.capability(c, || why.clone());
        let extension = if self.e.nv_derivatives { "SPV_NV_compute_shader_derivatives" } else { "SPV_KHR_compute_shader_derivatives" };
        self.e.w.extension(extension, || why);
        self.derivative_mode =
            Some(if quads { spirv::ExecutionMode::DerivativeGroupQuadsKHR } else { spirv::ExecutionMode::DerivativeGroupLinearKHR });
    }

    /// Whether the quads of the group are squares of threads.
    fn has_square_quads(&self) -> bool {
        matches!(self.f.numthreads, Some([x, y, _]) if x % 2 == 0 && y % 2 == 0)
    }

    /// That lanes of a quad exchange values. Without a mode for derivatives, a quad is four lanes in a row.
    pub(crate) fn quads(&mut self, op: Opcode) {
        if self.has_square_quads() {
            self.derivatives(op.name());
        }
    }

    fn sample(&mut self, i: Inst, h: &Handle, op: Opcode, flags: TexOperands, args: &[Value]) {
        let Some(s) = self.handle(args[1]) else { return self.undefined(i) };
        use Opcode as O;
        let compared = matches!(op, O::sample_cmp | O::sample_cmp_level | O::sample_cmp_bias | O::sample_cmp_grad);
        let implicit = matches!(op, O::sample | O::sample_bias | O::sample_cmp | O::sample_cmp_bias);
        if implicit {
            self.derivatives("sampling by derivatives");
        }
        let sampled = self.sampled(h, &s);
        let at = self.val(args[2]);
        let mut operands = operands![sampled, at].to_vec();
        // The operands of this instruction's own.
        let fixed = op.fixed_operands();
        let mut own = self.vals(&args[3..fixed]).to_vec();
        if compared {
            operands.push(own.remove(0).operand());
        }
        let mut extra = Operands::default();
        match op {
            O::sample_bias | O::sample_cmp_bias => extra.add(Mask::BIAS, &own),
            O::sample_level | O::sample_cmp_level => extra.add(Mask::LOD, &own),
            O::sample_grad | O::sample_cmp_grad => extra.add(Mask::GRAD, &own),
            _ => {}
        }
        let mut rest = args[fixed..].iter().copied();
        if flags.contains(TexOperands::OFFSET)
            && let Some(offset) = rest.next()
        {
            if !self.is_constant(offset) {
                self.error("a texel offset of a sample must be a constant in Vulkan");
                return self.undefined(i);
            }
            let id = self.constant_id(offset, tex_offset::of_texel);
            extra.add(Mask::CONST_OFFSET, &[id]);
        }
        if flags.contains(TexOperands::CLAMP)
            && let Some(v) = rest.next()
        {
            self.clamp(&mut extra, v);
        }
        extra.finish(&mut operands);
        let o = match (compared, implicit) {
            (false, true) => Op::ImageSampleImplicitLod,
            (false, false) => Op::ImageSampleExplicitLod,
            (true, true) => Op::ImageSampleDrefImplicitLod,
            (true, false) => Op::ImageSampleDrefExplicitLod,
        };
        let status = flags.contains(TexOperands::STATUS);
        if !compared {
            let (texel_ty, _) = self.texel_ty(&h.ty);
            let found = self.image_op(o, texel_ty, &operands, status);
            return self.give_texel(i, h, found);
        }
        let float = self.e.w.f32_ty();
        let (id, status) = self.image_op(o, float, &operands, status);
        let result = self.f.result(i);
        self.set(result, id);
        self.give_status(i, status);
    }

    fn level_of_detail(&mut self, i: Inst, h: &Handle, clamped: bool, args: &[Value]) {
        let Some(s) = self.handle(args[1]) else { return self.undefined(i) };
        self.derivatives("the level of detail by derivatives");
        let why = self.reason("asking for a level of detail");
        self.e.w.capability(Capability::ImageQuery, || why);
        let sampled = self.sampled(h, &s);
        let at = self.val(args[2]);
        let float = self.e.w.f32_ty();
        let pair = self.e.w.vector_ty(float, 2);
        let both = self.op(Op::ImageQueryLod, pair, &[sampled, at]);
        // First the level that is read, then the one that was computed.
        let id = self.extract(float, both, &[u32::from(!clamped)]);
        let result = self.f.result(i);
        self.set(result, id);
    }

    fn gather(&mut self, i: Inst, h: &Handle, op: Opcode, flags: TexOperands, args: &[Value]) {
        let Some(s) = self.handle(args[1]) else { return self.undefined(i) };
        let (texel_ty, _) = self.texel_ty(&h.ty);
        if self.m.types.elem(self.f.ty(self.f.result(i))).bits() == 64 {
            self.error("Vulkan does not gather 64-bit texels");
            return self.undefined(i);
        }
        if op == Opcode::gather_cmp && flags.bits() >> 8 & 3 != 0 {
            self.error("Vulkan compares the red channel alone");
            return self.undefined(i);
        }
        let sampled = self.sampled(h, &s);
        let at = self.val(args[2]);
        let (o, what) = match op {
            Opcode::gather_cmp => (Op::ImageDrefGather, self.val(args[3])),
            _ => (Op::ImageGather, self.e.w.u32(flags.bits() >> 8 & 3)),
        };
        let head = operands![sampled, at, what];
        let status = flags.contains(TexOperands::STATUS);
        let rest = &args[op.fixed_operands()..];
        if flags.contains(TexOperands::FOUR_OFFSETS) {
            return self.gather_four(i, h, o, &head, &rest[..4], status);
        }
        let offset = flags.contains(TexOperands::OFFSET).then(|| rest[0]);
        let operands = self.gather_operands(&head, offset);
        let found = self.image_op(o, texel_ty, &operands, status);
        self.give_texel(i, h, found);
    }

    /// A gather's operands: the offset as a constant or, which gathers may have, computed.
    fn gather_operands(&mut self, head: &[Operand], offset: Option<Value>) -> Vec<Operand> {
        let mut operands = head.to_vec();
        let Some(v) = offset else { return operands };
        if self.is_constant(v) {
            let id = self.constant_id(v, tex_offset::of_gather);
            operands.extend(operands![Mask::CONST_OFFSET, id]);
            return operands;
        }
        let why = self.reason("a texel offset that is no constant");
        self.e.w.capability(Capability::ImageGatherExtended, || why);
        let id = self.computed_offset(v, tex_offset::GATHER_BITS);
        operands.extend(operands![Mask::OFFSET, id]);
        operands
    }

    /// A gather whose four texels have offsets of their own. Direct3D takes component n of a gather at offset n, SPIR-V
    /// the last one (the texel at the base itself) of each, so the offsets are moved by what lies between.
    fn gather_four(&mut self, i: Inst, h: &Handle, o: Op, head: &[Operand], offsets: &[Value], status: bool) {
        const BETWEEN: [[i32; 2]; 4] = [[0, 1], [1, 1], [1, 0], [0, 0]];
        let (texel_ty, scalar) = self.texel_ty(&h.ty);
        let constants: Option<Vec<Vec<i32>>> = offsets.iter().map(|&v| self.constant_offset(v)).collect();
        let moved = constants.and_then(|all| {
            let moved = all.iter().zip(BETWEEN).map(|(v, by)| match v[..] {
                [x, y] => Some([tex_offset::of_gather(x) + by[0], tex_offset::of_gather(y) + by[1]]),
                _ => None,
            });
            let moved: Option<Vec<[i32; 2]>> = moved.collect();
            // What every device can do.
            moved.filter(|all| all.iter().flatten().all(|n| (-8..=7).contains(n)))
        });
        if let Some(moved) = moved {
            let why = self.reason("a gather with four offsets");
            self.e.w.capability(Capability::ImageGatherExtended, || why);
            let ids: Vec<Id> = moved.iter().map(|v| self.offset_id(v)).collect();
            let int = self.e.w.int_ty(32, true);
            let (pair, four) = (self.e.w.vector_ty(int, 2), self.e.w.u32(4));
            let array = self.e.w.array_ty(pair, four);
            let all = self.e.w.composite(array, &ids);
            let mut operands = head.to_vec();
            operands.extend(operands![Mask::CONST_OFFSETS, all]);
            let found = self.image_op(o, texel_ty, &operands, status);
            return self.give_texel(i, h, found);
        }
        let mut parts = Vec::new();
        let mut all: Option<Id> = None;
        for (n, &offset) in offsets.iter().enumerate() {
            let operands = self.gather_operands(head, Some(offset));
            let (texel, code) = self.image_op(o, texel_ty, &operands, status);
            parts.push(self.extract(scalar, texel, &[n as u32]));
            all = match (all, code) {
                // The status of what is not resident, if something is not.
                (Some(before), Some(code)) => {
                    let (word, b) = (self.e.w.u32_ty(), self.e.w.bool_ty());
                    let ok = self.op(Op::ImageSparseTexelsResident, b, &[before]);
                    Some(self.op(Op::Select, word, &[ok, code, before]))
                }
                (_, code) => code,
            };
        }
        let texel = self.composite(texel_ty, &parts);
        self.give_texel(i, h, (texel, all));
    }

    /// Where a sample is: Vulkan has no query for it, but has the standard positions of 1, 2, 4, 8 and 16 samples; others
    /// give the centre.
    pub(crate) fn sample_position(&mut self, i: Inst, h: &Handle, args: &[Value]) {
        let why = self.reason("the position of a sample");
        self.e.w.capability(Capability::ImageQuery, || why);
        let (word, float, b) = (self.e.w.u32_ty(), self.e.w.f32_ty(), self.e.w.bool_ty());
        let pair = self.e.w.vector_ty(float, 2);
        let image = self.image(h);
        let count = self.op(Op::ImageQuerySamples, word, &[image]);
        let sample = self.val(args[1]);
        let (zero, one, last) = (self.e.w.u32(0), self.e.w.u32(1), self.e.w.u32(31));
        // The positions for n samples begin at number n - 1.
        let before = self.op(Op::ISub, word, &[count, one]);
        let index = self.op(Op::IAdd, word, &[before, sample]);
        let common = self.op(Op::BitwiseAnd, word, &[count, before]);
        let power = self.op(Op::IEqual, b, &[common, zero]);
        let inside = self.op(Op::ULessThan, b, &[sample, count]);
        let sixteen = self.e.w.u32(16);
        let few = self.op(Op::ULessThanEqual, b, &[count, sixteen]);
        let known = self.op(Op::LogicalAnd, b, &[power, inside]);
        let known = self.op(Op::LogicalAnd, b, &[known, few]);
        let index = self.op(Op::Select, word, &[known, index, last]);
        let table = self.sample_positions();
        let pointer = self.e.w.pointer_ty(StorageClass::Private, pair);
        let p = self.op(Op::AccessChain, pointer, &[table, index]);
        let id = self.op(Op::Load, pair, &[p]);
        let result = self.f.result(i);
        self.set(result, id);
    }

    /// The variable with the standard sample positions.
    fn sample_positions(&mut self) -> Id {
        let var = match self.e.sample_positions {
            Some(v) => v,
            None => {
                let ty = self.e.ty(Type::F32X2);
                let float = self.e.w.f32_ty();
                let ids: Vec<Id> = STANDARD_POSITIONS
                    .iter()
                    .map(|xy| {
                        let parts = xy.map(|n| self.e.w.number(float, &[(f32::from(n) / 16.0).to_bits()]));
                        self.e.w.composite(ty, &parts)
                    })
                    .collect();
                let n = self.e.w.u32(ids.len() as u32);
                let array = self.e.w.array_ty(ty, n);
                let init = self.e.w.composite(array, &ids);
                let v = self.e.w.variable(StorageClass::Private, array, Some(init));
                self.e.w.name(v, "sample.positions");
                self.e.sample_positions = Some(v);
                v
            }
        };
        self.interface.insert(var);
        var
    }
}

/// The standard positions of 1, 2, 4, 8 and 16 samples in sixteenths of a texel, and the centre.
#[rustfmt::skip]
const STANDARD_POSITIONS: [[i8; 2]; 32] = [
    [0, 0],
    [4, 4], [-4, -4],
    [-2, -6], [6, -2], [-6, 2], [2, 6],
    [1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7],
    [1, 1], [-1, -3], [-3, 2], [4, -1], [-5, -2], [2, 5], [5, 3], [3, -5],
    [-2, 6], [0, -7], [-4, -6], [-6, 4], [-8, 0], [7, -4], [6, 7], [-7, -8],
    [0, 0],
];
