//! Validation of DXIL containers of any compiler by the rules of DXIL.

use rtc_dxil_container::{Container, DigestState, FourCc};
use serde_json::{Value, json};

use crate::error::FileError;

pub use rtc_dxil_validate::{Finding, Location, Report, container, module};

/// The result of validating a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// The violated rules.
    pub report: Report,
    /// What is wrong with the file and violates no rule: its digest is that of other content. No loader takes such a file; a signer need not
    /// care.
    pub errors: Vec<String>,
    /// Remarks that concern no rule, for example that the container is not signed.
    pub notes: Vec<String>,
}

impl Validation {
    /// Whether no rule is violated, and a loader takes the file as it is.
    pub fn is_valid(&self) -> bool {
        self.report.is_valid() && self.errors.is_empty()
    }
}

/// Whether the bytes are a container that has changed since it was signed.
pub fn has_changed(data: &[u8]) -> bool {
    data.starts_with(&FourCc::DXBC.0) && Container::parse(data).is_ok_and(|c| c.digest_state == DigestState::Mismatch)
}

/// Validates the bytes of a file.
///
/// # Errors
/// The file is no DXIL container. The error names its kind and the validator for it.
pub fn validate(data: &[u8]) -> Result<Validation, FileError> {
    let unsupported = |message: &str| Err(FileError::Unsupported(message.into()));
    let starts = |with: &[u8]| data.starts_with(with);
    if starts(&[0x03, 0x02, 0x23, 0x07]) || starts(&[0x07, 0x23, 0x02, 0x03]) {
        return unsupported("is a SPIR-V module: use the SPIR-V validator (`spirv-val`)");
    }
    if starts(b"BC\xC0\xDE") || starts(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return unsupported("is bitcode without a container: the rules of DXIL apply to containers");
    }
    if starts(b"Microsoft C/C++ MSF") {
        return unsupported("is a PDB file: validate the container that it belongs to");
    }
    if !starts(&FourCc::DXBC.0) {
        return unsupported("is no DXIL container: it does not begin with `DXBC`");
    }
    let Ok(file) = Container::parse(data) else {
        return Ok(Validation { report: container(data), errors: Vec::new(), notes: Vec::new() });
    };
    if file.part(FourCc::RTPK).is_some() {
        return unsupported("is a runtime package for Vulkan, which has no DXIL; `rtc dis` lists its contents");
    }
    if file.part(FourCc::DXIL).is_none() && file.part(FourCc(*b"SHEX")).or(file.part(FourCc(*b"SHDR"))).is_some() {
        return unsupported("has a shader of model 5 or older, which is not DXIL");
    }
    let report = container(data);
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    match file.digest_state {
        DigestState::Valid => {}
        DigestState::ValidDebug => notes.push("its digest is that of a debug build".into()),
        DigestState::Preview => notes.push("it is signed as a preview, for devices in developer mode".into()),
        DigestState::Unsigned => notes.push("it is not signed".into()),
        DigestState::Mismatch => errors.push("its digest belongs to different content".into()),
    }
    notes.extend_from_slice(&report.left_out);
    Ok(Validation { report, errors, notes })
}

/// A file and the result of its validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileResult {
    /// The file's name.
    pub file: String,
    /// Its validation, or why it cannot be validated.
    pub result: Result<Validation, String>,
}

/// The results as JSON: an array with an object for each file.
pub fn to_json(files: &[FileResult]) -> String {
    let files: Vec<Value> = files.iter().map(to_value).collect();
    let mut text = serde_json::to_string_pretty(&files).unwrap_or_default();
    text.push('\n');
    text
}

fn to_value(FileResult { file, result }: &FileResult) -> Value {
    match result {
        Err(error) => json!({ "file": file, "error": error }),
        Ok(validation) => {
            let Validation { report, errors, notes } = validation;
            let findings: Vec<Value> = report.findings.iter().map(finding).collect();
            json!({
                "file": file,
                "valid": validation.is_valid(),
                "errors": errors,
                "findings": findings,
                "more": report.more,
                "notes": notes,
            })
        }
    }
}

fn finding(f: &Finding) -> Value {
    let mut out = json!({ "rule": f.rule.id, "demands": f.rule.demands, "detail": f.detail });
    let mut set = |key: &str, value: Value| {
        out[key] = value;
    };
    match &f.location {
        Location::Module => {}
        Location::Part { name, offset } => {
            set("part", json!(name));
            set("offset", json!(offset));
        }
        Location::Function(name) => set("function", json!(name)),
        Location::Inst { function, text, source } => {
            set("function", json!(function));
            set("instruction", json!(text));
            if let Some((file, line, column)) = source {
                set("source", json!({ "file": file, "line": line, "column": column }));
            }
        }
    }
    out
}
