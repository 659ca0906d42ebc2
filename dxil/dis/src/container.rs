//! The listing of a whole container: what its parts say as comments, then the module.
//!
//! The comments come from the reflection part when there is one, because the module itself may have
//! lost the names of resources and fields.

use super::buffers::buffer_definitions;
use super::resources::resource_bindings;
use rtc_dxil_container::ShaderKind;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::psv::Psv;
use rtc_dxil_container::rdat::{Rdat, SubobjectValue};
use rtc_dxil_container::{Container, FormatError, FourCc, hash, sfi0, signature};
use rtc_dxil_module::Module;
use rtc_dxil_module::bitcode::{self, ReadError};
use std::fmt::{self, Write};

/// Why a container cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListingError {
    /// The container or one of its parts is broken.
    Container(FormatError),
    /// The bitcode in a part is broken.
    Bitcode(&'static str, ReadError),
}

impl fmt::Display for ListingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListingError::Container(error) => error.fmt(f),
            ListingError::Bitcode(part, error) => write!(f, "{part}: {error}"),
        }
    }
}

impl std::error::Error for ListingError {}

impl From<FormatError> for ListingError {
    fn from(error: FormatError) -> Self {
        ListingError::Container(error)
    }
}

/// The listing of a container: of the module with debug information if there is one.
///
/// # Errors
/// When the container, a part that the listing shows, or its bitcode is broken.
pub fn listing(data: &[u8]) -> Result<String, ListingError> {
    let container = Container::parse(data)?;
    let debug = module(&container, FourCc::ILDB, "ILDB")?;
    let main = match debug {
        Some(module) => module,
        None => {
            container.require(FourCc::DXIL)?;
            match module(&container, FourCc::DXIL, "DXIL")? {
                Some(module) => module,
                None => return Ok(String::new()),
            }
        }
    };
    let reflection = module(&container, FourCc::STAT, "STAT")?;
    let mut out = String::new();
    head(&mut out, &container)?;
    let described = reflection.as_ref().unwrap_or(&main);
    buffer_definitions(&mut out, described);
    resource_bindings(&mut out, described);
    if let Some(part) = container.part(FourCc::RDAT) {
        subobjects(&mut out, &Rdat::read(&part.data)?);
    }
    out.push_str(&super::module_text(&main));
    Ok(out)
}

fn module(container: &Container, name: FourCc, text: &'static str) -> Result<Option<Module>, ListingError> {
    let Some(part) = container.part(name) else {
        return Ok(None);
    };
    let program = Program::read(text, &part.data)?;
    match bitcode::read(program.bitcode) {
        Ok(module) => Ok(Some(module)),
        Err(error) => Err(ListingError::Bitcode(text, error)),
    }
}

/// Features, signatures, hash and pipeline information.
fn head(out: &mut String, container: &Container) -> Result<(), FormatError> {
    if let Some(part) = container.part(FourCc::SFI0) {
        let features = sfi0::read(&part.data)?;
        if features != 0 {
            out.push_str(";\n; Note: shader requires additional functionality:\n");
            for name in sfi0::names(features) {
                let _ = writeln!(out, ";       {name}");
            }
            out.push_str(";\n");
        }
    }
    let signatures = [(FourCc::ISG1, "ISG1", "Input"), (FourCc::OSG1, "OSG1", "Output"), (FourCc::PSG1, "PSG1", "Patch Constant")];
    for (name, text, title) in signatures {
        if let Some(part) = container.part(name) {
            let _ = writeln!(out, ";\n; {title} signature:\n;");
            elements(out, &signature::read(text, &part.data)?, name == FourCc::OSG1);
        }
    }
    if let Some(part) = container.part(FourCc::ILDN) {
        let name = rtc_dxil_container::debug_name::read(&part.data)?;
        let _ = writeln!(out, "; shader debug name: {name}");
    }
    if let Some(part) = container.part(FourCc::HASH) {
        let hash = hash::ShaderHash::read(&part.data)?;
        let source = if hash.includes_source { " (includes source)" } else { "" };
        let _ = writeln!(out, "; shader hash: {}{source}", hash.hex());
    }
    if let Some(part) = container.part(FourCc::PSV0) {
        out.push_str(";\n; Pipeline Runtime Information: \n;\n");
        pipeline(out, &Psv::read(&part.data)?);
    }
    Ok(())
}

fn elements(out: &mut String, elements: &[signature::Element], output: bool) {
    out.push_str("; Name                 Index   Mask Register SysValue  Format   Used\n");
    out.push_str("; -------------------- ----- ------ -------- -------- ------- ------\n");
    if elements.is_empty() {
        out.push_str("; no parameters\n");
    }
    for e in elements {
        let mask = |bits: u8| -> String {
            let letters = ['x', 'y', 'z', 'w'].into_iter().enumerate();
            letters.map(|(i, letter)| if bits >> i & 1 != 0 { letter } else { ' ' }).collect()
        };
        let system = match e.system_value {
            0 => "NONE".to_string(),
            number => number.to_string(),
        };
        let format = signature::component_name(e.component);
        let _ = writeln!(
            out,
            "; {:<20} {:>5} {:>6} {:>8} {:>8} {:>7} {:>6}",
            e.name,
            e.index,
            mask(e.mask),
            e.register,
            system,
            format,
            mask(if output { e.mask & !e.usage } else { e.usage }),
        );
    }
}

fn pipeline(out: &mut String, psv: &Psv) {
    out.push_str(";PSVRuntimeInfo:\n");
    let stage = psv.stage.name();
    let mut letters = stage.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let title: String = first.chain(letters).collect();
    let _ = writeln!(out, "; {title} Shader");
    if psv.stage == ShaderKind::Compute {
        if psv.version >= 2 {
            let [x, y, z] = psv.threads;
            let _ = writeln!(out, "; NumThreads=({x},{y},{z})");
        }
        if psv.version >= 4 {
            let _ = writeln!(out, "; NumBytesGroupSharedMemory: {}", psv.groupshared);
        }
    }
    let _ = writeln!(out, "; MinimumExpectedWaveLaneCount: {}", psv.min_wave_lanes);
    let _ = writeln!(out, "; MaximumExpectedWaveLaneCount: {}", psv.max_wave_lanes);
    if psv.version >= 1 {
        let _ = writeln!(out, "; UsesViewID: {}", psv.uses_view_id);
        let labels = [
            "SigInputElements",
            "SigOutputElements",
            "SigPatchConstOrPrimElements",
            "SigInputVectors",
            "SigOutputVectors[0]",
            "SigOutputVectors[1]",
            "SigOutputVectors[2]",
            "SigOutputVectors[3]",
        ];
        for (label, count) in labels.iter().zip(psv.signature_counts) {
            let _ = writeln!(out, "; {label}: {count}");
        }
    }
    if psv.version >= 3 {
        let _ = writeln!(out, "; EntryFunctionName: {}", psv.entry);
    }
    out.push_str(";\n");
}

fn subobjects(out: &mut String, rdat: &Rdat) {
    if rdat.subobjects.is_empty() {
        return;
    }
    out.push_str(";\n; Subobjects:\n;\n");
    for subobject in &rdat.subobjects {
        let _ = write!(out, ";  {} {} = {{ ", subobject.value.kind(), subobject.name);
        let _ = match &subobject.value {
            SubobjectValue::StateObjectConfig { flags } => write!(out, "{}", config_flags(*flags)),
            SubobjectValue::GlobalRootSignature { data } | SubobjectValue::LocalRootSignature { data } => {
                write!(out, "<{} bytes>", data.len())
            }
            SubobjectValue::Association { subobject, exports } => {
                let exports: Vec<String> = exports.iter().map(|e| format!("\"{e}\"")).collect();
                write!(out, "\"{subobject}\", {{ {} }} ", exports.join(", "))
            }
            SubobjectValue::ShaderConfig { max_payload, max_attributes } => {
                write!(out, "MaxPayloadSizeInBytes = {max_payload}, MaxAttributeSizeInBytes = {max_attributes}")
            }
            SubobjectValue::PipelineConfig { max_recursion } => {
                write!(out, "MaxTraceRecursionDepth = {max_recursion}")
            }
            SubobjectValue::PipelineConfig1 { max_recursion, flags } => {
                write!(out, "MaxTraceRecursionDepth = {max_recursion}, Flags = {}", pipeline_flags(*flags))
            }
            SubobjectValue::HitGroup { ty, any_hit, closest_hit, intersection } => write!(
                out,
                "HitGroupType = {ty}, Anyhit = \"{any_hit}\", Closesthit = \"{closest_hit}\", \
                 Intersection = \"{intersection}\""
            ),
        };
        out.push_str(" };\n");
    }
    out.push_str(";\n");
}

fn config_flags(flags: u32) -> String {
    const NAMES: [(u32, &str); 3] = [
        (1, "STATE_OBJECT_FLAG_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITIONS"),
        (2, "STATE_OBJECT_FLAG_ALLOW_EXTERNAL_DEPENDENCIES_ON_LOCAL_DEFINITIONS"),
        (4, "STATE_OBJECT_FLAG_ALLOW_STATE_OBJECT_ADDITIONS"),
    ];
    flag_names(flags, &NAMES)
}

fn pipeline_flags(flags: u32) -> String {
    let names: Vec<(u32, &str)> = rtc_tables::ray_flags::PIPELINE_FLAGS.iter().map(|f| (f.0, f.1)).collect();
    flag_names(flags, &names)
}

fn flag_names(flags: u32, names: &[(u32, &str)]) -> String {
    let set: Vec<&str> = names.iter().filter(|row| flags & row.0 != 0).map(|row| row.1).collect();
    if set.is_empty() { "0".into() } else { set.join(" | ") }
}
