//! The listing of a whole container: what its parts say as comments, then the module.
//!
//! The comments come from the reflection part when there is one, because the module itself may have
//! lost the names of resources and fields.

use super::buffers::buffer_definitions;
use super::pipeline::pipeline;
use super::resources::resource_bindings;
use super::signatures;
use super::view_state::view_state;
use rtc_dxil_container::metadata::debug_lookup::{Lookup, SourceLocation};
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
    let mut out = comments(&container, &main)?;
    out.push_str(&super::module_text(&main));
    Ok(out)
}

/// A line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLine {
    /// The line, without its end.
    pub text: String,
    /// The place in the source that its instruction comes from.
    pub location: Option<SourceLocation>,
}

/// The listing of the module without debug information (`DXIL`), line by line; the part with debug information (`ILDB`), if there is one, says
/// where each instruction comes from.
///
/// # Errors
/// When the container, a part that the listing shows, or its bitcode is broken.
pub fn listing_by_line(data: &[u8]) -> Result<Vec<ListedLine>, ListingError> {
    let container = Container::parse(data)?;
    container.require(FourCc::DXIL)?;
    let Some(code) = module(&container, FourCc::DXIL, "DXIL")? else { return Ok(Vec::new()) };
    let debug = module(&container, FourCc::ILDB, "ILDB")?;
    let lookup = debug.as_ref().map(|debug| Lookup::new(&code, debug));
    let plain = |text: &str| ListedLine { text: text.to_owned(), location: None };
    let mut out: Vec<ListedLine> = comments(&container, &code)?.lines().map(plain).collect();
    let (text, marks) = super::marked_text(&code);
    let (mut marks, mut at) = (marks.into_iter().peekable(), 0);
    for line in text.split('\n') {
        let end = at + line.len() + 1;
        let mark = marks.next_if(|mark| mark.0 < end);
        // Lines within an instruction (cases of a switch) belong to it.
        let location = mark.and_then(|(_, func, inst)| lookup.as_ref()?.place(func, inst));
        out.push(ListedLine { text: line.to_owned(), location });
        at = end;
    }
    out.pop_if(|line| line.text.is_empty());
    Ok(out)
}

/// What a listing says before the module.
fn comments(container: &Container, main: &Module) -> Result<String, ListingError> {
    let reflection = module(container, FourCc::STAT, "STAT")?;
    let mut out = String::new();
    head(&mut out, container)?;
    signatures::declared(&mut out, main);
    let described = reflection.as_ref().unwrap_or(main);
    buffer_definitions(&mut out, described);
    resource_bindings(&mut out, described);
    view_state(&mut out, described);
    if let Some(part) = container.part(FourCc::RDAT) {
        subobjects(&mut out, &Rdat::read(&part.data)?);
    }
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
            signatures::stored(out, title, &signature::read(text, &part.data)?, name == FourCc::ISG1);
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
        let kind = Program::read("DXIL", container.require(FourCc::DXIL)?)?.kind;
        pipeline(out, &Psv::read(&part.data)?, kind);
    }
    Ok(())
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
