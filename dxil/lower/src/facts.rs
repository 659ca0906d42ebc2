//! Facts about a module for RDAT, feature flags and entry properties, computed from the IR.
//!
//! They are those of the code that [`super::lower`] writes: validators recompute them from it.

use rtc_base::EntitySet;
use rtc_ir::{Func, Function, Inst, InstData, Module, Opcode, Scalar, SlotRole, Stage, SubobjectKind, Type, TypeKind, Value};
use rtc_tables::barriers::{self, memory, semantics};
use rtc_tables::dxil_ops::{DxOp, flag, op, stage};
use rtc_tables::resources::{ResourceClass, ResourceKind};
use rustc_hash::FxHashSet;

use super::live::Live;
use super::resources::{self, Resource, from_heap};
use super::select::{is_zero, memory_types, operation};
use super::{LowerError, Profile, layout};
use rtc_dxil_container::Version;
use rtc_dxil_container::shader_flags::{self as flags, bit};

/// The facts of one function with a body.
pub struct FunctionFacts {
    /// The function.
    pub func: Func,
    /// Its liveness.
    pub live: Live,
    /// Rows of [`Facts::resources`] that it names, ascending.
    pub resources: Vec<u32>,
    /// Shader flags ([`rtc_dxil_container::shader_flags`]).
    pub flags: u64,
    /// Minor number of the first shader model 6 that has its operations.
    pub model: u32,
    /// Minor number of the first shader model 6 that has its `WaveSize`.
    pub wave_size_model: u32,
    /// In libraries before 6.6, validators do not find the element type of an array of UAVs.
    elements_lost: bool,
    /// Stages that have its operations; bit n is shader kind n.
    pub stages: u32,
    /// Handles whose hidden counters it updates.
    counted: EntitySet<Value>,
    /// One of these handles may be any of several.
    counts_any: bool,
    /// Bytes of payload or callable parameter.
    pub payload: u32,
    /// Bytes of hit attributes.
    pub attributes: u32,
}

/// The facts of a module.
pub struct Facts {
    /// Used resources: constant buffers, samplers, SRVs, UAVs.
    pub resources: Vec<Resource>,
    /// Entry points and exported functions, in module order.
    pub functions: Vec<FunctionFacts>,
    /// Shader flags of the whole module.
    pub flags: u64,
}

impl Facts {
    /// Computes them for `profile`, by the rules of that validator version.
    pub fn new(m: &Module, profile: Profile, validator: Version, errors: &mut Vec<LowerError>) -> Facts {
        let chosen = |f: &Function| match profile {
            Profile::Library => f.is_entry() || f.exported,
            Profile::Compute => f.stage == Stage::Compute,
        };
        let mut functions: Vec<FunctionFacts> =
            m.funcs.iter().filter(|(_, f)| chosen(f)).map(|(func, f)| FunctionFacts::new(m, func, f, profile, validator)).collect();
        if profile == Profile::Compute {
            functions.truncate(1);
        }
        let lives = functions.iter().map(|f| (&m.funcs[f.func], &f.live));
        let resources = resources::used(m, lives, profile, errors);
        let writes_samples = |r: &Resource| r.class == ResourceClass::Uav && r.kind.is_multisampled();
        let older = validator.major != 0 && validator < Version::new(1, 8);
        let everywhere = older && resources.iter().any(writes_samples);
        for f in &mut functions {
            f.name_resources(m, &resources);
            let mut own = f.resources.iter().map(|&r| &resources[r as usize]);
            if everywhere || own.any(writes_samples) {
                f.flags |= bit::WRITEABLE_MSAA;
            }
        }
        let flags = module_flags(m, profile, validator, &functions, &resources);
        Facts { resources, functions, flags }
    }

    /// The row of a resource.
    pub fn resource(&self, global: rtc_ir::Global) -> Option<&Resource> {
        self.resources.iter().find(|r| r.global == global)
    }

    /// The resources of one class, in the order of their numbers.
    pub fn of_class(&self, class: ResourceClass) -> impl Iterator<Item = &Resource> {
        self.resources.iter().filter(move |r| r.class == class)
    }
}

fn module_flags(m: &Module, profile: Profile, validator: Version, functions: &[FunctionFacts], resources: &[Resource]) -> u64 {
    let since = |minor| validator.major == 0 || validator >= Version::new(1, minor);
    let mut out = functions.iter().fold(0, |all, f| all | f.flags) & !bit::FUNCTION_ONLY;
    if m.native_16bit {
        out |= bit::NATIVE_LOW_PRECISION;
    }
    let raw = |r: &&Resource| matches!(r.kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer);
    if resources.iter().any(|r| raw(&r)) {
        out |= bit::RAW_AND_STRUCTURED;
    }
    let uavs = || resources.iter().filter(|r| r.class == ResourceClass::Uav);
    let count = if since(6) { uavs().map(|r| r.count.min(9)).fold(0, u32::saturating_add) as usize } else { uavs().count() };
    if count > 8 {
        out |= bit::UAVS_64;
    }
    if count > 0 && profile == Profile::Library && !since(8) {
        out |= bit::UAVS_EVERY_STAGE;
    }
    if count > 0 && m.shader_model >= 7 {
        out |= bit::UAVS_DO_NOT_ALIAS;
    }
    out
}

impl FunctionFacts {
    fn new(m: &Module, func: Func, f: &Function, profile: Profile, validator: Version) -> Self {
        let size = |role| f.slot_of(role).map(|s| layout::slot_bytes(m, f.slots[s].ty));
        let payload = size(SlotRole::PayloadIn).or(size(SlotRole::CallableIn));
        let mut out = FunctionFacts {
            func,
            live: Live::new(m, f),
            resources: Vec::new(),
            flags: 0,
            model: 0,
            wave_size_model: 0,
            elements_lost: profile == Profile::Library && m.shader_model < 6,
            stages: 0xffff,
            counted: EntitySet::new(),
            counts_any: false,
            payload: payload.unwrap_or(0),
            attributes: size(SlotRole::AttrIn).unwrap_or(0),
        };
        out.wave_size_model = match f.wave_size {
            None => 0,
            Some([_, 0, _]) => 6,
            Some(_) => 8,
        };
        let insts: Vec<Inst> = out.live.iter().collect();
        for i in insts {
            out.inst(m, f, i, validator);
        }
        // Validators up to 1.7 take the subobject itself for a use of tier 1.1.
        let older = validator.major != 0 && validator < Version::new(1, 8);
        let tier_1_1 = |s: &rtc_ir::Subobject| matches!(s.kind, SubobjectKind::PipelineConfig1(..));
        if older && m.subobjects.iter().any(tier_1_1) {
            out.flags |= bit::RAYTRACING_TIER_1_1;
        }
        if out.flags & bit::LOW_PRECISION != 0 && m.native_16bit {
            out.flags |= bit::NATIVE_LOW_PRECISION;
        }
        out
    }

    fn name_resources(&mut self, m: &Module, resources: &[Resource]) {
        let f = &m.funcs[self.func];
        for i in self.live.iter() {
            let InstData::Resource { global, .. } = f.insts[i] else {
                continue;
            };
            let row = resources.iter().position(|r| r.global == global);
            self.resources.extend(row.map(|r| r as u32));
        }
        self.resources.sort_unstable();
        self.resources.dedup();
    }

    fn ty(&mut self, m: &Module, t: Type) {
        let scalar = match m.types.kind(t) {
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

    fn inst(&mut self, m: &Module, f: &Function, i: Inst, validator: Version) {
        let op = f.op(i);
        let data = f.insts[i];
        // Results and, of loops, state: phis.
        for &v in f.results(i) {
            if self.live.uses(v) {
                self.value_of(m, f, op, v);
            }
        }
        match data {
            InstData::Loop { body, continuing, .. } => {
                for r in [body, continuing] {
                    for &v in &f.regions[r].params {
                        if self.live.uses(v) {
                            self.ty(m, f.ty(v));
                        }
                    }
                }
                return;
            }
            InstData::If { .. } | InstData::Switch { .. } | InstData::Block { .. } => return,
            InstData::Exit { .. } if op != Opcode::return_ => {}
            // Components are only picked and put together: nothing is written for these.
            InstData::Many { op: Opcode::construct | Opcode::extract | Opcode::insert, .. } => return,
            _ => f.for_each_operand(i, |v| self.ty(m, f.ty(v))),
        }
        self.special(m, f, i, validator);
        self.textures(m, f, i, validator);
        let Some(dxil) = operation(m, f, i).map(DxOp::row) else {
            return;
        };
        self.model = self.model.max(dxil.min_sm_in_library.1.into());
        // Validators up to 1.4 allow wave operations in every stage.
        let everywhere = dxil.flags & flag::WAVE != 0 && validator.major != 0 && validator < Version::new(1, 5);
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
        let sees_feedback = validator.major == 0 || validator >= Version::new(1, 9);
        if dxil.flags & flag::FEEDBACK != 0 && sees_feedback {
            self.flags |= bit::SAMPLER_FEEDBACK;
        }
    }

    fn value_of(&mut self, m: &Module, f: &Function, op: Opcode, v: rtc_ir::Value) {
        if !matches!(op, Opcode::construct | Opcode::extract | Opcode::insert) {
            self.ty(m, f.ty(v));
        }
    }

    /// Features that do not follow from types.
    fn special(&mut self, m: &Module, f: &Function, i: Inst, validator: Version) {
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
                let lost = self.elements_lost
                    && resources::declaration_of(f, f.get(args)[0]).and_then(|g| m.globals[g].resource()).is_some_and(|g| g.array);
                if !lost && resource(args).is_some_and(|r| r.class == ResourceClass::Uav && r.elem.is_some_and(several)) {
                    self.flags |= bit::TYPED_UAV_LOAD;
                }
            }
            InstData::Many { op: Opcode::counter_add, args, .. } => {
                let handle = f.get(args)[0];
                self.counted.insert(handle);
                self.counts_any |= !from_heap(f, handle) && resources::declaration_of(f, handle).is_none();
            }
            InstData::Many { op: Opcode::heap_resource, .. } => {
                let ty = m.types.as_resource(f.ty(f.result(i)));
                let sampler = ty.is_some_and(|t| t.class == ResourceClass::Sampler);
                self.flags |= if sampler { bit::SAMPLER_HEAP } else { bit::RESOURCE_HEAP };
                // Validators up to 1.7 go by the declared resources alone.
                let newer = validator.major == 0 || validator >= Version::new(1, 8);
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
            InstData::Many { op: Opcode::barrier, imm, .. } if imm & !barriers::mode::UAV_GLOBAL != 0 => self.waits_in_group(validator),
            InstData::Many { op: op @ (Opcode::memory_barrier | Opcode::handle_barrier), imm, .. } => {
                let (types, meaning) = match op {
                    Opcode::memory_barrier => (memory_types(f, imm), imm >> 8),
                    _ => (memory::UAV, imm),
                };
                if types & memory::GROUPSHARED != 0 || meaning & semantics::GROUP != 0 {
                    self.waits_in_group(validator);
                }
                if meaning & semantics::REORDER != 0 {
                    self.model = self.model.max(9);
                    self.stages &= u32::from(stage::LIB | stage::RG);
                }
            }
            InstData::Access { op, place, .. } => {
                let root = f.places[place].root;
                let shared = |g: rtc_ir::Global| matches!(m.globals[g].kind, rtc_ir::GlobalKind::GroupShared(_));
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
    fn textures(&mut self, m: &Module, f: &Function, i: Inst, validator: Version) {
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
        let rest = super::texture::rest(imm, args.get(op.fixed_operands()..).unwrap_or_default());
        let gathers = matches!(op, Opcode::gather | Opcode::gather_cmp | Opcode::gather_raw);
        if !gathers && rest.offsets.iter().any(|&v| !is_constant(f, v)) {
            self.flags |= bit::ADVANCED_TEXTURE;
        }
        // Older validators do not require tiled resources for a clamp, and none does for feedback.
        let newer = validator.major == 0 || validator >= Version::new(1, 8);
        let feedback = matches!(op, Opcode::feedback | Opcode::feedback_bias | Opcode::feedback_level | Opcode::feedback_grad);
        if newer && !feedback && rest.clamp.is_some_and(|v| !is_zero(f, v)) {
            self.flags |= bit::TILED;
        }
    }

    /// A barrier among the threads of a group. Validators up to 1.4 did not know which stages have groups.
    fn waits_in_group(&mut self, validator: Version) {
        self.flags |= bit::NEEDS_GROUP;
        if validator.major != 0 && validator < Version::new(1, 5) {
            return;
        }
        self.stages &= u32::from(stage::CS | stage::LIB | stage::MESH | stage::AMP | stage::NODE);
    }

    /// Whether it updates, or may update, the hidden counter of the resource of `handle`, which comes from a descriptor heap.
    pub fn counts(&self, handle: Value) -> bool {
        self.counts_any || self.counted.contains(handle)
    }

    /// Bytes of the groupshared variables that it names.
    pub fn groupshared(&self, m: &Module) -> u32 {
        let f = &m.funcs[self.func];
        let mut named = FxHashSet::default();
        let sizes = self.live.iter().filter_map(|i| match f.insts[i] {
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

    /// Feature bits for RDAT.
    pub fn features(&self, validator: Version) -> u64 {
        let known = if validator.major == 0 || validator >= Version::new(1, 8) { u64::MAX } else { !bit::FUNCTION_ONLY };
        flags::features(self.flags & known)
    }

    /// The minor number of the lowest shader model for RDAT, compiled for shader model 6.`target`.
    pub fn min_model(&self, stage: Stage, target: u32, validator: Version) -> u32 {
        let newer = validator.major == 0 || validator >= Version::new(1, 8);
        let by_flags = flags::min_model(if newer {
            self.flags
        } else {
            // Older ones check these features only.
            self.flags & (bit::LOW_PRECISION | bit::NATIVE_LOW_PRECISION)
        });
        let by_kind = match stage {
            _ if !newer => 0,
            _ if stage.is_raytracing() => 3,
            Stage::Compute if self.flags & bit::DERIVATIVES != 0 => self.wave_size_model.max(6),
            _ => self.wave_size_model,
        };
        // Only 1.6 requires shader model 6.6 for annotated handles in libraries.
        let is_1_6 = validator == Version::new(1, 6);
        let by_handles = if is_1_6 && target >= 6 && !self.resources.is_empty() { 6 } else { 0 };
        self.model.max(by_flags).max(by_kind).max(by_handles)
    }

    /// The stages for RDAT.
    pub fn stage_mask(&self, stage: Stage, validator: Version) -> u32 {
        let since = |minor| validator.major == 0 || validator >= Version::new(1, minor);
        // Nodes are stages since 1.8, mesh and amplification shaders since 1.5.
        let known = match () {
            () if since(8) => 0xffff,
            () if since(5) => 0x7fff,
            () => u32::from(stage::MESH) - 1,
        };
        let own = match stage {
            Stage::Library => u32::MAX,
            s => 1 << s as u32,
        };
        // Older ones allow derivatives in pixel shaders only.
        let derivatives = if !since(8) && self.flags & bit::DERIVATIVES != 0 { u32::from(stage::PS | stage::LIB) } else { u32::MAX };
        self.stages & known & derivatives & own
    }
}

/// Whether every component is a constant.
fn is_constant(f: &Function, v: rtc_ir::Value) -> bool {
    match f.def_inst(v).map(|d| f.insts[d]) {
        Some(InstData::Many { op: Opcode::construct, args, .. }) => f.get(args).iter().all(|&a| is_constant(f, a)),
        _ => f.is_undef(v) || f.as_const(v).is_some(),
    }
}
