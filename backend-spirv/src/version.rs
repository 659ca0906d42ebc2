//! Target environments, and what a module has to say or to leave out in versions of SPIR-V before 1.4, for Vulkan 1.0 and 1.1.
//!
//! Emission writes SPIR-V 1.4, with the storage class of buffers that the requested version has. Older versions list only inputs and
//! outputs as interface of an entry point, and declare as extensions what later became core. Ray tracing needs 1.4, also under Vulkan
//! 1.1, and wave operations need 1.3.

use rtc_base::Span;
use rtc_ir::{Denormals, Family, InstData, Module, SlotRole, Stage};
use rtc_tables::diagnostics::E0924;
use rtc_tables::raytracing::RtInfo;
use rtc_tables::stages::StageMask;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use spirv::{Capability as C, Op, StorageClass};

use crate::error::Error;
use crate::words::{Id, Literal, Operand, Words, operands, put};

/// A target environment: what `-fspv-target-env` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Environment {
    /// Its name.
    pub name: &'static str,
    /// Minor version of Vulkan 1.
    pub vulkan: u32,
    /// Minor version of SPIR-V 1.
    pub spirv: u32,
}

/// By its name.
impl Serialize for Environment {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}

impl<'de> Deserialize<'de> for Environment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        Environment::named(&name).ok_or_else(|| serde::de::Error::custom(format!("unknown target environment `{name}`")))
    }
}

impl Environment {
    /// All environments.
    #[rustfmt::skip]
    pub const ALL: &[Environment] = &[
        Environment::VULKAN_1_0, Environment::VULKAN_1_1, Environment::VULKAN_1_1_SPIRV_1_4, Environment::VULKAN_1_2,
        Environment::VULKAN_1_3, environment("vulkan1.4", 4, 6), environment("universal1.5", 2, 5),
    ];
    /// The default, for programs that need no other.
    pub const VULKAN_1_0: Environment = environment("vulkan1.0", 0, 0);
    /// The first with wave operations.
    pub const VULKAN_1_1: Environment = environment("vulkan1.1", 1, 3);
    /// The first with rays.
    pub const VULKAN_1_1_SPIRV_1_4: Environment = environment("vulkan1.1spirv1.4", 1, 4);
    /// The default of packages.
    pub const VULKAN_1_2: Environment = environment("vulkan1.2", 2, 5);
    /// The first with cooperative vectors.
    pub const VULKAN_1_3: Environment = environment("vulkan1.3", 3, 6);

    /// The environment with a name.
    pub fn named(name: &str) -> Option<Environment> {
        Environment::ALL.iter().copied().find(|e| e.name == name)
    }

    /// The environment of a module: the requested one, with SPIR-V 1.4 if the program needs it and Vulkan allows it; or the lowest that has
    /// what the program needs, and that is no older than the default.
    pub fn of(m: &Module, wanted: Option<Environment>, default: Option<Environment>) -> Environment {
        if wanted.is_none() && cooperates(m) {
            return Environment::VULKAN_1_3;
        }
        match wanted.or(default) {
            None => Environment::lowest(m),
            Some(e) if e.spirv < 4 && e.vulkan > 0 => Environment { spirv: e.spirv.max(Environment::lowest(m).spirv), ..e },
            Some(e) => e,
        }
    }

    /// The lowest environment that has what a module needs.
    fn lowest(m: &Module) -> Environment {
        let entries = || m.funcs.values().filter(|f| f.is_entry());
        let newer = |s: Stage| s.is_raytracing() || StageMask::MESH_PIPELINE.has(s);
        if entries().any(|f| newer(f.stage) || f.slots.values().any(|s| s.role == SlotRole::RayQuery)) {
            return Environment::VULKAN_1_1_SPIRV_1_4;
        }
        let (mut rays, mut waves) = (false, false);
        for f in entries() {
            f.for_each_inst(f.body, |_, i| {
                let op = f.op(i);
                waves |= op.family() == Family::Wave;
                rays |= matches!(f.insts[i], InstData::Many { .. }) && RtInfo::of(op).is_some_and(|r| r.query.is_some());
            });
        }
        match (rays, waves) {
            (true, _) => Environment::VULKAN_1_1_SPIRV_1_4,
            (false, true) => Environment::VULKAN_1_1,
            (false, false) => Environment::VULKAN_1_0,
        }
    }
}

/// Whether a module has cooperative vectors.
fn cooperates(m: &Module) -> bool {
    m.funcs.values().any(|f| f.insts.keys().any(|i| f.op(i).family() == Family::Cooperative))
}

const fn environment(name: &'static str, vulkan: u32, spirv: u32) -> Environment {
    Environment { name, vulkan, spirv }
}

/// Wave operations.
const WAVES: &[C] = &[
    C::GroupNonUniform,
    C::GroupNonUniformVote,
    C::GroupNonUniformArithmetic,
    C::GroupNonUniformBallot,
    C::GroupNonUniformShuffle,
    C::GroupNonUniformShuffleRelative,
    C::GroupNonUniformClustered,
    C::GroupNonUniformQuad,
];

/// What needs 1.6.
const NEWEST: &[C] = &[C::CooperativeVectorNV];

/// What needs 1.4.
const NEWER: &[C] = &[C::RayTracingKHR, C::RayQueryKHR];

/// Makes the module one of version 1.`wanted` if it can be, and gives the version that it has. `vulkan`: the minor version of Vulkan 1.
pub fn lower(w: &mut Words, wanted: u32, vulkan: u32, denormals: Option<Denormals>, errors: &mut Vec<Error>) -> u32 {
    if wanted < 5 {
        layers_by_extension(w);
    }
    let reason = |w: &Words, all: &[C]| all.iter().find_map(|&c| w.capabilities.get(&(c as u32)).cloned());
    if wanted < 6
        && let Some(why) = reason(w, NEWEST)
    {
        let message = format!("{why} needs SPIR-V 1.6; -fspv-target-env=vulkan1.3 is the first");
        errors.push(Error::coded(&E0924, Span::NONE, message));
        return wanted;
    }
    if wanted >= 4 {
        return wanted;
    }
    let wanted = match reason(w, NEWER) {
        Some(why) if vulkan == 0 => {
            errors.push(Error::coded(
                &E0924,
                Span::NONE,
                format!("{why}, which Vulkan 1.0 does not have; -fspv-target-env=vulkan1.1 is the first"),
            ));
            return wanted;
        }
        Some(_) => 4,
        None => wanted,
    };
    if wanted < 3
        && let Some(why) = reason(w, WAVES)
    {
        errors.push(Error::coded(
            &E0924,
            Span::NONE,
            format!("{why}, which Vulkan 1.0 does not have; -fspv-target-env=vulkan1.1 is the first"),
        ));
        return wanted;
    }
    if wanted < 4 {
        let classes = classes(w);
        w.entry_points = without_memory(&w.entry_points, &classes);
        if denormals.is_some_and(|d| d != Denormals::Any) {
            w.extension("SPV_KHR_float_controls", || "the denormal mode of the module".into());
        }
        if let Some(why) = reason(w, &[C::SignedZeroInfNanPreserve]) {
            w.extension("SPV_KHR_float_controls", || why);
        }
    }
    if wanted < 3 {
        let narrow = [C::StorageBuffer16BitAccess, C::UniformAndStorageBuffer16BitAccess, C::StoragePushConstant16];
        if let Some(why) = reason(w, &narrow) {
            w.extension("SPV_KHR_16bit_storage", || why);
        }
        for (c, extension) in [(C::DrawParameters, "SPV_KHR_shader_draw_parameters"), (C::DeviceGroup, "SPV_KHR_device_group")] {
            if let Some(why) = reason(w, &[c]) {
                w.extension(extension, || why);
            }
        }
    }
    wanted
}

/// Layers and viewports before the rasteriser, which have capabilities of their own since 1.5, and one of an extension before.
fn layers_by_extension(w: &mut Words) {
    for c in [C::ShaderLayer, C::ShaderViewportIndex] {
        if let Some(why) = w.capabilities.shift_remove(&(c as u32)) {
            w.capability(C::ShaderViewportIndexLayerEXT, || why.clone());
            w.extension("SPV_EXT_shader_viewport_index_layer", || why);
        }
    }
}

/// The storage class of each variable at module scope.
fn classes(w: &Words) -> FxHashMap<Id, u32> {
    let instructions = Instructions(w.globals());
    instructions.filter(|i| i[0] & 0xffff == Op::Variable as u32).map(|i| (Id::from_word(i[2]), i[3])).collect()
}

/// `OpEntryPoint`s whose interfaces have inputs and outputs only.
fn without_memory(entry_points: &[u32], classes: &FxHashMap<Id, u32>) -> Vec<u32> {
    let mut out = Vec::new();
    for i in Instructions(entry_points) {
        // The execution model, the id, the name, whose last word has a zero byte, and the interface.
        let name = i[3..].iter().position(|w| w.to_le_bytes().contains(&0)).map_or(i.len(), |n| 3 + n + 1);
        let mut operands = operands![Literal(i[1]), Id::from_word(i[2])].to_vec();
        operands.extend(i[3..name].iter().map(|&word| Operand::Literal(word)));
        let kept = |id: &Id| classes.get(id).is_some_and(|&c| [StorageClass::Input, StorageClass::Output].iter().any(|&k| k as u32 == c));
        operands.extend(i[name..].iter().map(|&word| Id::from_word(word)).filter(kept).map(Operand::Id));
        put(&mut out, Op::EntryPoint, &operands);
    }
    out
}

/// The instructions of a section.
struct Instructions<'w>(&'w [u32]);

impl<'w> Iterator for Instructions<'w> {
    type Item = &'w [u32];
    fn next(&mut self) -> Option<&'w [u32]> {
        let length = (self.0.first()? >> 16) as usize;
        let (this, rest) = self.0.split_at_checked(length.max(1))?;
        self.0 = rest;
        Some(this)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::with_text;

    /// A module with an entry point whose interface is a buffer and an input.
    fn module() -> (Words, Id) {
        let mut w = Words::default();
        let u32 = w.u32_ty();
        let input = w.variable(StorageClass::Input, u32, None);
        let buffer = w.variable(StorageClass::StorageBuffer, u32, None);
        let mut entry = with_text(operands![spirv::ExecutionModel::GLCompute, Id::from_word(1)], "main");
        entry.extend(operands![buffer, input]);
        put(&mut w.entry_points, Op::EntryPoint, &entry);
        (w, input)
    }

    #[test]
    fn interfaces_lose_their_buffers_and_extensions_are_declared() {
        let (mut w, input) = module();
        let mut errors = Vec::new();
        assert_eq!(lower(&mut w, 0, 0, None, &mut errors), 0);
        assert_eq!(w.entry_points.last(), Some(&input.word()));
        assert_eq!(w.entry_points[0] >> 16, 6);
        assert!(errors.is_empty());
        let (mut w, _) = module();
        assert_eq!((lower(&mut w, 3, 1, None, &mut errors), w.extensions.len()), (3, 0));
    }

    #[test]
    fn rays_need_newer_versions_than_waves() {
        let run = |c, wanted, vulkan| {
            let (mut w, _) = module();
            w.capability(c, || "it is there".into());
            let mut errors = Vec::new();
            let version = lower(&mut w, wanted, vulkan, None, &mut errors);
            (version, errors.len(), w.entry_points[0] >> 16)
        };
        assert_eq!(run(C::RayQueryKHR, 3, 1), (4, 0, 7));
        assert_eq!(run(C::RayQueryKHR, 0, 0).1, 1);
        assert_eq!(run(C::GroupNonUniform, 3, 1), (3, 0, 6));
        assert_eq!(run(C::GroupNonUniform, 0, 0).1, 1);
    }
}
