//! Analyses of a module whose results the container stores: flags, features, runtime data, pipeline information.
//!
//! The reference validator computes these again from the module and compares bytes; so a container is right only if
//! [`recompute`] gives what is stored in it. Lowering ([`of_written`]) and the linker have nothing else to compute them from. The rules
//! follow the validator version in the metadata (`dx.valver`), back to 1.0.
//!
//! | module | finds |
//! |---|---|
//! | [`uses`] | calls, and references to variables |
//! | [`flags`] | shader flags of a function by its own code |
//! | [`compat`] | flags, least shader model and stages with all callees; flags of the module |
//! | [`rdat`] | RDAT, PSV0 |
//! | [`signatures`] | what follows from the signatures of a graphics stage |
//! | [`dependencies`] | which outputs depend on which inputs, and on the view |
//! | [`layout`] | sizes of types in memory |
//! | [`buffer_members`] | the members of constant buffers that code reads |
//!
//! Versions, entry points and resources are read by [`crate::metadata`]. Subobjects are no longer in the module of a container:
//! the caller takes them from the stored RDAT, as the validator does.
//!
//! Not described: what the properties of work-graph nodes add (tables of nodes in RDAT).

pub mod accesses;
mod barrier;
pub mod buffer_members;
pub mod compat;
pub mod counters;
pub mod dependencies;
pub mod flags;
pub mod layout;
pub mod rdat;
pub mod signatures;
pub mod uses;

#[cfg(test)]
mod tests;

use rtc_base::SecondaryMap;

use crate::metadata::signature::Signatures;
use crate::metadata::{Entry, Info, Malformed, tag};
use crate::program::Program;
use crate::psv::Psv;
use crate::rdat::{Rdat, Subobject};
use crate::shader_flags::{self as shader_flags, bit};
use crate::{Container, FormatError, FourCc};
use compat::Needs;
use dependencies::Dependencies;
use rtc_dxil_module::bitcode;
use rtc_dxil_module::{Func, Meta, Module};

/// What follows from a module.
pub struct Recomputed {
    /// The metadata, read.
    pub info: Info,
    /// Calls, and references to variables.
    pub uses: uses::Uses,
    /// What each function with a body needs, callees included.
    pub needs: SecondaryMap<Func, Needs>,
    /// Shader flags of the module: what follows from code and resources, and of the stored flags those that only the
    /// compiler knows ([`CHOSEN`]).
    pub flags: u64,
    /// The runtime data, of a library.
    pub rdat: Option<Rdat>,
    /// What a pipeline must know, of a single shader.
    pub psv: Option<Psv>,
    /// The signatures of a single shader of a graphics stage, and which outputs depend on which inputs.
    pub signatures: Option<(Signatures, Dependencies)>,
}

/// Shader flags that do not follow from code: optimisation, refactoring, early depth test, all resources bound, the comparison
/// filtering of level 9, native 16-bit types.
pub const CHOSEN: u64 =
    bit::DISABLE_OPTIMIZATIONS | bit::DISABLE_MATH_REFACTORING | 1 << 3 | bit::ALL_RESOURCES_BOUND | 1 << 14 | bit::NATIVE_LOW_PRECISION;

impl Recomputed {
    /// The feature bits of `SFI0`.
    pub fn features(&self) -> u64 {
        shader_flags::features(self.flags)
    }

    /// The bytes of RDAT, of a library.
    pub fn rdat_bytes(&self) -> Option<Vec<u8>> {
        self.rdat.as_ref().map(|r| r.write(self.info.validator))
    }

    /// The parts that hold the signatures of a single shader: empty ones of a compute shader.
    pub fn signature_parts(&self) -> Vec<(FourCc, Vec<u8>)> {
        match &self.signatures {
            Some((signatures, _)) => signatures::parts(&self.info, signatures),
            None => vec![(FourCc::ISG1, crate::signature::empty()), (FourCc::OSG1, crate::signature::empty())],
        }
    }
}

/// Computes all of it. `subobjects` are those of the library's RDAT.
///
/// # Errors
/// When the metadata is malformed.
pub fn recompute(m: &Module, subobjects: &[Subobject]) -> Result<Recomputed, Malformed> {
    Ok(of_info(m, Info::whole(m)?, subobjects))
}

/// As [`recompute`], for validator version 1.9 as its first release has it: see [`Info::first_release`].
///
/// # Errors
/// When the metadata is malformed.
pub fn recompute_first_release(m: &Module, subobjects: &[Subobject]) -> Result<Recomputed, Malformed> {
    let mut info = Info::whole(m)?;
    info.first_release = true;
    Ok(of_info(m, info, subobjects))
}

/// Computes all of it for a module that is complete but for its entry points, which are `entries`. Their flags are those that only the
/// compiler knows: [`CHOSEN`], and whether UAVs do not alias.
///
/// # Errors
/// When the metadata is malformed.
pub fn of_written(m: &Module, entries: Vec<Entry>, subobjects: &[Subobject]) -> Result<Recomputed, Malformed> {
    Ok(of_info(m, Info::with_entries(m, entries)?, subobjects))
}

fn of_info(m: &Module, mut info: Info, subobjects: &[Subobject]) -> Recomputed {
    let uses = uses::Uses::new(m);
    let needs = compat::needs(m, &mut info, &uses, subobjects);
    let functions = m.funcs.iter().filter(|(_, f)| f.body.is_some()).map(|(func, _)| needs[func].flags);
    let flags = compat::module_flags(&info, functions) | info.flags() & CHOSEN;
    let signatures = signatures::of_shader(m, &info).map(|signatures| {
        let stored = Dependencies::read(m, info.kind, flags & bit::VIEW_ID != 0);
        let found = stored.unwrap_or_else(|| {
            let of_entry = |e: &Entry| [e.func, e.props.patch_constants(m)];
            let functions = info.entries.first().map_or([None; 2], of_entry);
            let code: Vec<_> = functions.into_iter().flatten().filter_map(|f| m.funcs[f].body.as_ref()).collect();
            Dependencies::find(m, info.kind, &code, &signatures)
        });
        (signatures, found)
    });
    let library = info.is_library();
    Recomputed {
        rdat: library.then(|| rdat::rdat(m, &info, &uses, &needs, subobjects)),
        psv: rdat::psv(m, &info, signatures.as_ref()),
        signatures,
        info,
        uses,
        needs,
        flags,
    }
}

/// Computes all of it for the `DXIL` part of a container, with the subobjects of its RDAT.
///
/// # Errors
/// When a part that is needed cannot be read, or as [`recompute`].
pub fn of_container(container: &Container) -> Result<Recomputed, FormatError> {
    let program = Program::read("DXIL", container.require(FourCc::DXIL)?)?;
    let module = bitcode::read(program.bitcode).map_err(|e| FormatError::new("DXIL", (e.bit() / 8) as usize, e.what()))?;
    let subobjects = match container.part(FourCc::RDAT) {
        Some(part) => Rdat::read(&part.data)?.subobjects,
        None => Vec::new(),
    };
    recompute(&module, &subobjects).map_err(|e| FormatError::new("DXIL", 0, e.to_string()))
}

/// Sets the flags of the first entry point record: the library's, or the shader's.
pub fn set_flags(m: &mut Module, flags: u64) {
    let mut records = m.meta.named("dx.entryPoints").to_vec();
    let Some(&first) = records.first() else { return };
    let mut elems = m.meta.elems(first).to_vec();
    let old = elems.get(4).copied().flatten().map(|p| m.meta.elems(p).to_vec()).unwrap_or_default();
    let mut props: Vec<Option<Meta>> = Vec::new();
    if flags != 0 {
        props.extend([Some(m.meta_i32(tag::FLAGS as i32)), Some(m.meta_i64(flags as i64))]);
    }
    for pair in old.chunks_exact(2) {
        if pair[0].and_then(|t| m.meta_int(t)) != Some(tag::FLAGS) {
            props.extend_from_slice(pair);
        }
    }
    if let Some(last) = elems.get_mut(4) {
        *last = if props.is_empty() { None } else { Some(m.meta.node(&props)) };
    }
    records[0] = m.meta.node(&elems);
    m.meta.remove_named("dx.entryPoints");
    for r in records {
        m.meta.add_named("dx.entryPoints", r);
    }
}
