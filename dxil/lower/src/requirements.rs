//! What each function needs, computed from the IR: shader flags, the first shader model, the stages that it may run in.
//!
//! For packages alone, whose code is not DXIL: a container's flags and RDAT follow from its code
//! ([`rtc_dxil_container::recompute`]). A test compares the two.

use rtc_dxil_container::Version;
use rtc_dxil_container::metadata::{Entry, Info};
use rtc_dxil_container::recompute::compat::{Needs, adjust};
use rtc_dxil_container::recompute::signatures;
use rtc_dxil_container::shader_flags::bit;
use rtc_ir::{Function, Inst, InstData, Matrix, Module, Opcode, Scalar, Step, Type, TypeKind, Value};
use rtc_tables::barriers::{self, memory, semantics};
use rtc_tables::dxil_ops::{DxOp, flag, op, stage};
use rtc_tables::resources::ResourceClass;
use rustc_hash::FxHashSet;

use super::facts::{Facts, FunctionFacts};
use super::layout;
use super::live::Live;
use super::resources::{self, Resource, from_heap};
use super::select::{is_zero, memory_types, operation, rest};
use super::types::matrix;

/// Collects what the instructions of a function need.
struct Collector<'m> {
    m: &'m Module,
    f: &'m Function,
    live: &'m Live,
    /// The rules of that validator version hold.
    info: &'m Info,
    /// Copies of payloads are local variables in DXIL.
    copied_payloads: bool,
    flags: u64,
    model: u32,
    stages: u32,
}

/// What a function of a library needs, whose entry point is `entry`, and which names the resources of `named`. Every function has `flags`.
pub fn of_function(
    m: &Module,
    info: &Info,
    facts: &Facts,
    known: &FunctionFacts,
    entry: Option<&Entry>,
    named: &[u32],
    flags: u64,
) -> Needs {
    let f = &m.funcs[known.func];
    let mut c = Collector { m, f, live: &known.live, info, copied_payloads: facts.copied_payloads, flags, model: 0, stages: 0xffff };
    for i in known.live.iter() {
        c.inst(i);
    }
    if m.native_16bit {
        c.flags |= bit::NATIVE_LOW_PRECISION;
    }
    if let (Some(entry), true) = (entry, f.stage.has_signature()) {
        c.flags |= signatures::flags(info.stage(entry), info, &super::stage::unplaced_signatures(f));
    }
    let writes_samples = |r: &Resource| r.class == ResourceClass::Uav && r.kind.is_multisampled();
    let everywhere = !info.since(8) && facts.resources.iter().any(writes_samples);
    if everywhere || named.iter().any(|&r| writes_samples(&facts.resources[r as usize])) {
        c.flags |= bit::WRITEABLE_MSAA;
    }
    // Older ones allow derivatives in pixel shaders only.
    if !info.since(8) && c.flags & bit::DERIVATIVES != 0 {
        c.stages &= u32::from(stage::PS | stage::LIB);
    }
    if !info.since(8) {
        c.flags &= !bit::FUNCTION_ONLY;
    }
    // Only 1.6 requires shader model 6.6 for annotated handles in libraries.
    if info.validator == Version::new(1, 6) && m.shader_model >= 6 && !named.is_empty() {
        c.model = c.model.max(6);
    }
    let mut needs = Needs { flags: c.flags, model: Version::new(6, c.model), stages: c.stages };
    adjust(info, entry, &mut needs);
    needs
}

/// Rows of the resources that a function names, ascending.
pub fn named_resources(m: &Module, facts: &Facts, known: &FunctionFacts) -> Vec<u32> {
    let f = &m.funcs[known.func];
    let named = known.live.iter().filter_map(|i| match f.insts[i] {
        InstData::Resource { global, .. } => facts.resources.iter().position(|r| r.global == global),
        _ => None,
    });
    let mut rows: Vec<u32> = named.map(|r| r as u32).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// Bytes of the groupshared variables that a function names.
pub fn groupshared(m: &Module, known: &FunctionFacts) -> u32 {
    let f = &m.funcs[known.func];
    let mut named = FxHashSet::default();
    let sizes = known.live.iter().filter_map(|i| match f.insts[i] {
        InstData::Access { place, .. } => match f.places[place].root {
            rtc_ir::Root::Global(g) if named.insert(g) => match m.globals[g].kind {
                rtc_ir::GlobalKind::GroupShared(t) => Some(layout::leaf_bytes(m, t)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    sizes.fold(0, u32::saturating_add)
}

impl Collector<'_> {
    fn ty(&mut self, t: Type) {
        let scalar = match self.m.types.kind(t) {
            TypeKind::Scalar(s) | TypeKind::Vector(s, _) => s,
            _ => return,
        };
        self.flags |= match scalar {
            Scalar::F64 => bit::DOUBLES,
            Scalar::I64 => bit::INT64,
            Scalar::F16 | Scalar::I16 => bit::LOW_PRECISION,
            _ => 0,
        };
    }

    fn inst(&mut self, i: Inst) {
        let (m, f) = (self.m, self.f);
        if self.moves_vector(i) {
            return;
        }
        let op = f.op(i);
        let data = f.insts[i];
        // Results and, of loops, state: phis.
        for &v in f.results(i) {
            if self.live.uses(v) {
                self.value_of(op, v);
            }
        }
        match data {
            InstData::Loop { body, continuing, .. } => {
                for r in [body, continuing] {
                    for &v in &f.regions[r].params {
                        if self.live.uses(v) {
                            self.ty(f.ty(v));
                        }
                    }
                }
                return;
            }
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => return,
            InstData::Exit { .. } if op != Opcode::return_ => {}
            // Components are only picked and put together: nothing is written for these.
            InstData::Many { op: Opcode::construct | Opcode::extract | Opcode::insert, .. } => return,
            _ => f.for_each_operand(i, |v| self.ty(f.ty(v))),
        }
        self.special(i);
        self.textures(i);
        let written = if op == Opcode::is_helper_lane && m.shader_model >= 6 { Some(op::IS_HELPER_LANE) } else { operation(m, f, i) };
        if written == Some(op::VIEW_ID) {
            self.flags |= bit::VIEW_ID;
        }
        let Some(dxil) = written.map(DxOp::row) else {
            return;
        };
        self.model = self.model.max(dxil.min_sm_in_library.1.into());
        // Validators up to 1.4 allow wave operations in every stage.
        let everywhere = dxil.flags & flag::WAVE != 0 && !self.info.since(5);
        if !everywhere {
            self.stages &= u32::from(dxil.stages);
        }
        if dxil.flags & flag::WAVE != 0 {
            self.flags |= bit::WAVE;
        }
        if dxil.flags & flag::GRADIENT != 0 {
            self.flags |= bit::DERIVATIVES;
        }
        // Older validators ignore it.
        let sees_feedback = self.info.since(9);
        if dxil.flags & flag::FEEDBACK != 0 && sees_feedback {
            self.flags |= bit::SAMPLER_FEEDBACK;
        }
    }

    /// Whether it loads or stores a vector through a pointer: as a whole, so that there is no instruction on scalars. The components of
    /// a row of a column-major matrix are not next to each other.
    fn moves_vector(&self, i: Inst) -> bool {
        let (m, f) = (self.m, self.f);
        let InstData::Access { op, place, args, .. } = f.insts[i] else { return false };
        let data = &f.places[place];
        let value = match op {
            Opcode::load => f.result(i),
            Opcode::store => f.get(args)[data.dyn_count()],
            _ => return false,
        };
        let mut t = match data.root {
            rtc_ir::Root::Slot(s) => f.slots[s].ty,
            _ => return false,
        };
        let mut shape = None;
        for &step in &data.steps {
            let n = if let Step::At(n) = step { Some(n) } else { None };
            if let (TypeKind::Struct(s), Some(n)) = (m.types.kind(t), n) {
                shape = m.structs[s].fields.get(n as usize).and_then(|f| matrix(f.numbers));
            }
            let Some(part) = m.part(t, n) else { return false };
            t = part;
        }
        shape.is_none_or(Matrix::is_row_major) && matches!(m.types.kind(f.ty(value)), TypeKind::Vector(s, _) if s != Scalar::Bool)
    }

    fn value_of(&mut self, op: Opcode, v: Value) {
        if !matches!(op, Opcode::construct | Opcode::extract | Opcode::insert) {
            self.ty(self.f.ty(v));
        }
    }

    /// Features that do not follow from types.
    fn special(&mut self, i: Inst) {
        let (m, f) = (self.m, self.f);
        let double = |v| matches!(m.types.numeric(f.ty(v)), Some((Scalar::F64, _)));
        let wide = |v| m.types.numeric(f.ty(v)).is_some_and(|n| n.0.bits() == 64);
        let resource = |args| m.types.as_resource(f.ty(f.get(args)[0]));
        match f.insts[i] {
            InstData::Binary { op: Opcode::fdiv, args: [a, _] } if double(a) => self.flags |= bit::DOUBLE_EXTENSIONS,
            InstData::Ternary { op: Opcode::fma, .. } => self.flags |= bit::DOUBLE_EXTENSIONS,
            InstData::Unary { op: Opcode::ftos | Opcode::ftou, arg } if double(arg) => self.flags |= bit::DOUBLE_EXTENSIONS,
            InstData::Unary { op: Opcode::stof | Opcode::utof, .. } if double(f.result(i)) => self.flags |= bit::DOUBLE_EXTENSIONS,
            InstData::Unary { op: Opcode::status_ok, .. } => self.flags |= bit::TILED,
            InstData::Nullary { op: Opcode::geometry_index } | InstData::Slot { op: Opcode::allocate_ray_query, .. } => {
                self.flags |= bit::RAYTRACING_TIER_1_1
            }
            InstData::Many { op: Opcode::tex_load, args, .. } => {
                let several = |e| m.types.numeric(e).is_some_and(|n| n.1 > 1);
                // In libraries before 6.6, validators do not find the element type of an array of UAVs.
                let lost = m.shader_model < 6
                    && resources::declaration_of(f, f.get(args)[0]).and_then(|g| m.globals[g].resource()).is_some_and(|g| g.array);
                if !lost && resource(args).is_some_and(|r| r.class == ResourceClass::Uav && r.elem.is_some_and(several)) {
                    self.flags |= bit::TYPED_UAV_LOAD;
                }
            }
            InstData::Many { op: Opcode::heap_resource, .. } => {
                let ty = m.types.as_resource(f.ty(f.result(i)));
                let sampler = ty.is_some_and(|t| t.class == ResourceClass::Sampler);
                self.flags |= if sampler { bit::SAMPLER_HEAP } else { bit::RESOURCE_HEAP };
                // Validators up to 1.7 go by the declared resources alone.
                let newer = self.info.since(8);
                if newer && ty.is_some_and(|t| t.class == ResourceClass::Uav && t.kind.is_multisampled()) {
                    self.flags |= bit::WRITEABLE_MSAA;
                }
            }
            InstData::Many { op: op @ (Opcode::tex_atomic | Opcode::buf_atomic | Opcode::raw_atomic), args, .. }
                if f.results(i).first().is_some_and(|&v| wide(v)) =>
            {
                self.model = self.model.max(6);
                if op == Opcode::tex_atomic {
                    self.flags |= bit::ATOMIC64_TYPED;
                }
                if from_heap(f, f.get(args)[0]) {
                    self.flags |= bit::ATOMIC64_HEAP;
                }
            }
            InstData::Many { op: Opcode::barrier, imm, .. } if imm & !barriers::mode::UAV_GLOBAL != 0 => self.waits_in_group(),
            InstData::Many { op: op @ (Opcode::memory_barrier | Opcode::handle_barrier), imm, .. } => {
                let (types, meaning) = match op {
                    Opcode::memory_barrier => (memory_types(f, imm), imm >> 8),
                    _ => (memory::UAV, imm),
                };
                if types & memory::GROUPSHARED != 0 || meaning & semantics::GROUP != 0 {
                    self.waits_in_group();
                }
                if meaning & semantics::REORDER != 0 {
                    self.model = self.model.max(9);
                    self.stages &= u32::from(stage::LIB | stage::RG);
                }
            }
            InstData::Access { op, place, .. } => {
                let root = f.places[place].root;
                let shared = |g: rtc_ir::Global| {
                    let is_local = self.copied_payloads && m.globals[g].is_copied_payload();
                    matches!(m.globals[g].kind, rtc_ir::GlobalKind::GroupShared(_)) && !is_local
                };
                if matches!(root, rtc_ir::Root::Global(g) if shared(g)) {
                    // The variable alone rules no stage out of what an exported function may run in.
                    self.flags |= bit::NEEDS_GROUP;
                    let atomic = op == Opcode::var_atomic;
                    if atomic && f.results(i).first().is_some_and(|&v| wide(v)) {
                        self.flags |= bit::ATOMIC64_GROUPSHARED;
                    }
                }
            }
            _ => {}
        }
    }

    /// Features of texture instructions.
    fn textures(&mut self, i: Inst) {
        let (m, f) = (self.m, self.f);
        let InstData::Many { op, imm, args } = f.insts[i] else {
            return;
        };
        let args = f.get(args);
        if matches!(operation(m, f, i), Some(op::SAMPLE_CMP_LEVEL | op::TEXTURE_GATHER_RAW | op::TEXTURE_STORE_SAMPLE)) {
            self.flags |= bit::ADVANCED_TEXTURE;
        }
        if operation(m, f, i) == Some(op::TEXTURE_STORE_SAMPLE) {
            self.flags |= bit::WRITEABLE_MSAA;
        }
        if matches!(op, Opcode::sample_cmp_bias | Opcode::sample_cmp_grad) {
            self.flags |= bit::SAMPLE_CMP_GRADIENT_OR_BIAS;
        }
        if !op.takes_tex_operands() {
            return;
        }
        let rest = rest(imm, args.get(op.fixed_operands()..).unwrap_or_default());
        let gathers = matches!(op, Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw);
        if !gathers && rest.offsets.iter().any(|&v| !is_constant(f, v)) {
            self.flags |= bit::ADVANCED_TEXTURE;
        }
        // Older validators do not require tiled resources for a clamp, and none does for feedback.
        let newer = self.info.since(8);
        let feedback = matches!(op, Opcode::feedback | Opcode::feedback_bias | Opcode::feedback_level | Opcode::feedback_grad);
        if newer && !feedback && rest.clamp.is_some_and(|v| !is_zero(f, v)) {
            self.flags |= bit::TILED;
        }
    }

    /// A barrier among the threads of a group. Validators up to 1.4 did not know which stages have groups.
    fn waits_in_group(&mut self) {
        self.flags |= bit::NEEDS_GROUP;
        if !self.info.since(5) {
            return;
        }
        self.stages &= u32::from(stage::CS | stage::LIB | stage::MESH | stage::AMP | stage::NODE);
    }
}

/// Whether every component is a constant.
fn is_constant(f: &Function, v: rtc_ir::Value) -> bool {
    match f.def_inst(v).map(|d| f.insts[d]) {
        Some(InstData::Many { op: Opcode::construct, args, .. }) => f.get(args).iter().all(|&a| is_constant(f, a)),
        _ => f.is_undef(v) || f.as_const(v).is_some(),
    }
}
