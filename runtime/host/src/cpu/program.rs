//! The interface of a compiled program: shaders, call sites, convergence points, payload fields.

use super::matrices::Operands;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::metadata::debug_lookup::SourceLocation;
use rtc_tables::payload_access::{Paq, PaqStage};
use std::sync::Arc;

/// A shader of the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader {
    /// Its unmangled name, as in RDAT.
    pub name: String,
    /// The symbol of its code: a function of thread, payload or parameter, and hit attributes.
    pub symbol: String,
    /// The stage.
    pub kind: ShaderKind,
    /// Threads per group of a compute shader.
    pub threads: [u32; 3],
    /// Minimum and maximum number of lanes of a wave, if declared.
    pub wave: Option<(u32, u32)>,
    /// The number of lanes that it prefers, if declared.
    pub preferred_wave: Option<u32>,
    /// Whether its threads communicate: barriers, wave operations, derivatives.
    pub meets: bool,
    /// Size of its payload or parameter in bytes; 0 if it has none.
    pub payload: u64,
    /// Size of its hit attributes in bytes; 0 if it has none.
    pub attributes: u64,
    /// The fields of its payload, if it has access qualifiers.
    pub fields: Option<Fields>,
    /// Those of them that it may store into and its stage does not write: they are put back when it ends.
    pub ignored: Option<Fields>,
    /// Estimated maximum stack size of its code in bytes.
    pub frame: usize,
    /// An estimate of the instructions that it executes ([`crate::cpu::lower`]'s `weight`).
    pub weight: u64,
    /// Whether its threads communicate in quads: derivatives, quad operations.
    pub quads: bool,
}

/// A call site of the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The operation's name, as in listings.
    pub op: &'static str,
    /// The source location, if there is debug information.
    pub place: Option<SourceLocation>,
    /// The fields of the passed payload, if it has access qualifiers.
    pub fields: Option<Fields>,
    /// The position at which lanes reconverge here or in a shader called from here.
    pub convergence: Option<ConvergencePoint>,
    /// The types of an operation on matrices.
    pub operands: Option<Arc<Operands>>,
    /// For the sanitizer: the slots of handles with indices that are not marked as non-uniform.
    pub chosen: Box<[u16]>,
}

/// The static part of an operation's position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvergencePoint {
    /// Numbers of the loops around it, outermost first, then its own.
    pub numbers: Box<[u32]>,
    /// The first slot of the iteration counters of these loops.
    pub iterations: u16,
}

/// A field of a payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Offset in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Its qualifiers.
    pub paq: Paq,
}

/// The fields of a qualified payload type.
pub type Fields = Arc<[Field]>;

/// The stage in which a shader receives a payload.
pub fn payload_stage(kind: ShaderKind) -> Option<PaqStage> {
    Some(match kind {
        ShaderKind::ClosestHit => PaqStage::ClosestHit,
        ShaderKind::Miss => PaqStage::Miss,
        ShaderKind::AnyHit => PaqStage::AnyHit,
        _ => return None,
    })
}
