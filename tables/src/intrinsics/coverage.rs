//! What is absent from the table of intrinsics, and which rows a target cannot express, each with the reason. A test
//! compiles every row and fails when one does not compile and has no reason here, or has one that is not true any more.

use super::{Expander, Intrinsic, Lower, Scope};
use crate::stages::StageMask;

/// A target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Target {
    /// DXIL.
    Dxil,
    /// SPIR-V.
    Spirv,
}

/// Rows that a target has no form for.
#[derive(Debug)]
pub struct Gap {
    /// The name in HLSL; of methods with the type before it.
    pub name: &'static str,
    /// How many parameters the overloads have that are meant.
    pub params: usize,
    /// The target.
    pub target: Target,
    /// Why.
    pub reason: &'static str,
}

/// Intrinsics of the language that have no row.
#[derive(Debug)]
pub struct Absent {
    /// The section of the reference, or a name in it, or a name's beginning with `*`.
    pub what: &'static str,
    /// Why.
    pub reason: &'static str,
}

const fn gap(name: &'static str, params: usize, target: Target, reason: &'static str) -> Gap {
    Gap { name, params, target, reason }
}

const fn absent(what: &'static str, reason: &'static str) -> Absent {
    Absent { what, reason }
}

/// The gaps.
#[rustfmt::skip]
pub const GAPS: &[Gap] = &[
//      name                                                 parameters  target         reason
    gap("Buffer::Load",                                      2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWBuffer::Load",                                    2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("ByteAddressBuffer::Load",                           2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("ByteAddressBuffer::Load2",                          2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("ByteAddressBuffer::Load3",                          2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("ByteAddressBuffer::Load4",                          2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWByteAddressBuffer::Load",                         2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWByteAddressBuffer::Load2",                        2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWByteAddressBuffer::Load3",                        2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWByteAddressBuffer::Load4",                        2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("StructuredBuffer::Load",                            2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("RWStructuredBuffer::Load",                          2,          Target::Spirv, "Vulkan has no residency status of buffers"),
    gap("FeedbackTexture2D::WriteSamplerFeedbackLevel",      4,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("FeedbackTexture2D::WriteSamplerFeedbackGrad",       5,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("FeedbackTexture2D::WriteSamplerFeedbackGrad",       6,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("FeedbackTexture2DArray::WriteSamplerFeedbackLevel", 4,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("FeedbackTexture2DArray::WriteSamplerFeedbackGrad",  5,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("FeedbackTexture2DArray::WriteSamplerFeedbackGrad",  6,          Target::Spirv, "Vulkan has no sampler feedback"),
    gap("vk::RawBufferLoad",                                 1,          Target::Dxil,  "Direct3D has no addresses"),
    gap("vk::RawBufferLoad",                                 2,          Target::Dxil,  "Direct3D has no addresses"),
    gap("vk::RawBufferStore",                                2,          Target::Dxil,  "Direct3D has no addresses"),
    gap("vk::RawBufferStore",                                3,          Target::Dxil,  "Direct3D has no addresses"),
    gap("vk::ReadClock",                                     1,          Target::Dxil,  "Direct3D's shaders have no clock"),
];

/// What is absent.
#[rustfmt::skip]
pub const ABSENT: &[Absent] = &[
    absent("StreamMethods",                          "geometry shaders only"),
    absent("EmptyNodeInputMethods",                  "work graphs"),
    absent("RWDispatchNodeInputRecordMethods",       "work graphs"),
    absent("GroupNodeInputRecordsMethods",           "work graphs"),
    absent("NodeOutputMethods",                      "work graphs"),
    absent("EmptyNodeOutputMethods",                 "work graphs"),
    absent("GroupOrThreadNodeOutputRecordsMethods",  "work graphs"),
    absent("GetRemainingRecursionLevels",            "work graphs"),
    absent("SetMeshOutputCounts",                    "mesh shaders only"),
    absent("DispatchMesh",                           "amplification shaders only"),
    absent("Process*",                               "tessellation only"),
    absent("__builtin_LinAlg*",                      "linear algebra is not part of ray tracing"),
    absent("BufferPointerMethods",                   "buffer pointers of Vulkan are not translated yet"),
    absent("tex1D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("tex2D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("tex3D*",                                 "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("texCUBE*",                               "samplers and textures in one, of Direct3D 9: no shader model 6 has them"),
    absent("abort",                                  "neither DXIL nor the reference compiler has a form for it"),
    absent("source_mark",                            "neither DXIL nor the reference compiler has a form for it"),
    absent("printf",                                 "no form in DXIL; its debug output on Vulkan is not translated yet"),
    absent("DebugBreak",                             "preview of shader model 6.10, not translated yet"),
    absent("dx::IsDebuggingEnabled",                 "preview of shader model 6.10, not translated yet"),
];

/// Why there is no function of this name, if HLSL has one.
pub fn why_absent(name: &str) -> Option<&'static str> {
    let row = ABSENT.iter().find(|a| match a.what.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => a.what == name,
    })?;
    Some(row.reason)
}

impl Intrinsic {
    /// The name with the type or namespace before it.
    pub fn full_name(&self) -> String {
        match self.scope {
            Scope::Free => self.name.to_string(),
            Scope::Dx => format!("dx::{}", self.name),
            Scope::Vk => format!("vk::{}", self.name),
            Scope::Method(o) | Scope::Static(o) => format!("{}::{}", o.info().name, self.name),
        }
    }

    /// Whether it is legal in a stage that this compiler compiles.
    pub fn is_ours(&self) -> bool {
        let entries = StageMask::RT.union(StageMask::CS);
        self.stages.intersects(entries)
    }

    /// Whether the front end translates calls of it.
    pub fn is_translated(&self) -> bool {
        self.lowers != Lower::Expand(Expander::NotYet)
    }

    /// Why `target` cannot express it, if it cannot.
    pub fn gap(&self, target: Target) -> Option<&'static str> {
        use super::Object::HitObject;
        let hit = matches!(self.scope, Scope::Method(HitObject) | Scope::Static(HitObject));
        if target == Target::Spirv && (hit || self.name == "MaybeReorderThread") {
            return Some("hit objects are not translated to SPIR-V yet");
        }
        let name = self.full_name();
        let row = GAPS.iter().find(|g| g.target == target && g.params == self.params.len() && g.name == name)?;
        Some(row.reason)
    }
}
