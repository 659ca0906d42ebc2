//! Judging DXIL containers, any compiler's, by the rules of DXIL.

use rtc_dxil::container::program::Program;
use rtc_dxil::container::{Container, DigestState, FourCc, ShaderKind};
use serde_json::{Value, json};

pub use rtc_dxil::validate::{Finding, Place, Report, container};

/// What is said of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// What breaks rules.
    pub report: Report,
    /// What breaks none and is good to know: that nobody signed it, say.
    pub notes: Vec<String>,
}

/// Judges the bytes of a file.
///
/// # Errors
/// When it is of another kind: what it is, and who judges that.
pub fn judge(data: &[u8]) -> Result<Judgement, String> {
    let starts = |with: &[u8]| data.starts_with(with);
    if starts(&[0x03, 0x02, 0x23, 0x07]) || starts(&[0x07, 0x23, 0x02, 0x03]) {
        return Err("is a SPIR-V module: the SPIR-V validator (`spirv-val`) judges those".into());
    }
    if starts(b"BC\xC0\xDE") || starts(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return Err("is bitcode without a container, which no rule is about".into());
    }
    if starts(b"Microsoft C/C++ MSF") {
        return Err("is a PDB file: validate the container that it belongs to".into());
    }
    if !starts(&FourCc::DXBC.0) {
        return Err("is no DXIL container: it does not begin with `DXBC`".into());
    }
    let Ok(file) = Container::parse(data) else {
        return Ok(Judgement { report: container(data), notes: Vec::new() });
    };
    if file.part(FourCc::RTPK).is_some() {
        return Err("is a runtime package for Vulkan: `rtc dis` shows what is in it, DXIL is not".into());
    }
    if file.part(FourCc::DXIL).is_none() && file.part(FourCc(*b"SHEX")).or(file.part(FourCc(*b"SHDR"))).is_some() {
        return Err("holds a shader of model 5 or older, which is not DXIL".into());
    }
    let report = container(data);
    let mut notes = notes(&file);
    notes.extend_from_slice(&report.left_out);
    Ok(Judgement { report, notes })
}

fn notes(file: &Container) -> Vec<String> {
    let mut notes = Vec::new();
    match file.digest_state {
        DigestState::Valid => {}
        DigestState::ValidDebug => notes.push("its digest is that of a debug build".into()),
        DigestState::Preview => notes.push("it is signed as a preview, for devices in developer mode".into()),
        DigestState::Unsigned => notes.push("it is not signed".into()),
        DigestState::Wrong => notes.push("its digest belongs to different content".into()),
    }
    let program = file.part(FourCc::DXIL).and_then(|p| Program::read("DXIL", &p.data).ok());
    if let Some(kind) = program.map(|p| p.kind).filter(|k| !matches!(k, ShaderKind::Library | ShaderKind::Compute)) {
        notes.push(format!("rules that only {kind} shaders have are not checked"));
    }
    notes
}

/// What is said of files, as JSON: an array with an object for each.
pub fn to_json(files: &[(String, Result<Judgement, String>)]) -> String {
    let files: Vec<Value> = files.iter().map(|(name, said)| one(name, said)).collect();
    let mut text = serde_json::to_string_pretty(&files).unwrap_or_default();
    text.push('\n');
    text
}

fn one(name: &str, said: &Result<Judgement, String>) -> Value {
    match said {
        Err(error) => json!({ "file": name, "error": error }),
        Ok(Judgement { report, notes }) => {
            let findings: Vec<Value> = report.findings.iter().map(finding).collect();
            json!({
                "file": name,
                "valid": report.is_valid(),
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
    match &f.place {
        Place::Module => {}
        Place::Part { name, offset } => {
            set("part", json!(name));
            set("offset", json!(offset));
        }
        Place::Function(name) => set("function", json!(name)),
        Place::Inst { function, text, source } => {
            set("function", json!(function));
            set("instruction", json!(text));
            if let Some((file, line, column)) = source {
                set("source", json!({ "file": file, "line": line, "column": column }));
            }
        }
    }
    out
}
