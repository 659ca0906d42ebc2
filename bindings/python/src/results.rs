//! Results as plain values of Python: dictionaries, lists, texts and bytes.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use rtc::outputs::AuxiliaryFiles;
use rtc::session::Stopped;
use rtc::validate::{Location, Validation};
use rtc::{Compilation, Diagnostic, Product, Severity, SourceMap, Style};

use crate::work::Broken;

/// Everything that an operation gives, by name. What is not there is `None` or absent.
pub type Values<'py> = Bound<'py, PyDict>;

/// Work without a result: an exception passes, anything else is what stopped it, by name.
pub fn broken(py: Python<'_>, broken: Broken) -> PyResult<Values<'_>> {
    let (kind, text) = match broken {
        Broken::Exception(e) => return Err(e),
        Broken::NoThread(e) => ("internal", format!("there is no thread for the compiler: {e}")),
        Broken::Stopped(e) => {
            let kind = match e {
                Stopped::Cancelled => "cancelled",
                Stopped::TimeLimit(_) => "time",
                Stopped::MemoryLimit(_) | Stopped::NoStack(_) => "memory",
                _ => "internal",
            };
            (kind, e.to_string())
        }
    };
    failure(py, kind, &text)
}

/// The kind of a failure, and why.
pub fn failure<'py>(py: Python<'py>, kind: &str, text: &str) -> PyResult<Values<'py>> {
    let out = PyDict::new(py);
    out.set_item("failure", kind)?;
    out.set_item("message", text)?;
    Ok(out)
}

/// What is left of a compilation on the thread of the caller.
pub struct Compiled {
    kind: &'static str,
    object: Option<Vec<u8>>,
    auxiliary: Option<AuxiliaryFiles>,
    diagnostics: Vec<Diagnostic>,
    sources: SourceMap,
    includes: Vec<String>,
    /// The text of the preprocessor.
    pub text: Option<String>,
}

impl Compiled {
    pub fn new(c: Compilation) -> Compiled {
        let kind = match &c.product {
            Some(Product::Dxil(_)) => "dxil",
            Some(Product::Spirv(_)) => "spirv",
            Some(Product::Package(_)) => "package",
            Some(Product::Ir(_)) => "ir",
            Some(Product::Nothing) | None => "",
        };
        let object = c.product.filter(|p| !matches!(p, Product::Nothing)).map(Product::into_bytes);
        let includes = c.includes.into_iter().map(|i| i.path).collect();
        Compiled { kind, object, auxiliary: c.outputs, diagnostics: c.diagnostics, sources: c.sources, includes, text: None }
    }

    pub fn values(self, py: Python<'_>) -> PyResult<Values<'_>> {
        let out = PyDict::new(py);
        out.set_item("kind", self.kind)?;
        out.set_item("object", self.object.as_deref().map(|b| PyBytes::new(py, b)))?;
        out.set_item("text", self.text)?;
        out.set_item("includes", self.includes)?;
        put_auxiliary(&out, self.auxiliary)?;
        let list = PyList::empty(py);
        for d in &self.diagnostics {
            list.append(diagnostic(py, d, &self.sources)?)?;
        }
        out.set_item("diagnostics", list)?;
        out.set_item("failed", self.diagnostics.iter().any(Diagnostic::is_error))?;
        Ok(out)
    }
}

/// The outputs besides the object.
pub fn put_auxiliary(out: &Values<'_>, auxiliary: Option<AuxiliaryFiles>) -> PyResult<()> {
    let py = out.py();
    let Some(auxiliary) = auxiliary else { return Ok(()) };
    out.set_item("hash", PyBytes::new(py, &auxiliary.hash))?;
    out.set_item("reflection_data", PyBytes::new(py, &auxiliary.reflection))?;
    if let Some(root) = auxiliary.root_signature {
        out.set_item("root_signature", PyBytes::new(py, &root))?;
    }
    if let Some(pdb) = auxiliary.pdb {
        out.set_item("pdb", PyBytes::new(py, &pdb.bytes))?;
        out.set_item("pdb_name", pdb.name)?;
    }
    Ok(())
}

/// The name of a severity.
fn severity(of: Severity) -> &'static str {
    match of {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn diagnostic<'py>(py: Python<'py>, d: &Diagnostic, sources: &SourceMap) -> PyResult<Values<'py>> {
    let out = PyDict::new(py);
    out.set_item("severity", severity(d.severity))?;
    out.set_item("code", d.code.id)?;
    out.set_item("message", d.message.as_str())?;
    out.set_item("place", sources.loc(d.span()).map(|l| (l.file, l.line, l.column)))?;
    let others: Vec<_> = d.labels.iter().skip(1).filter_map(|l| Some((sources.loc(l.span)?, l.message.as_str()))).collect();
    out.set_item("others", others.into_iter().map(|(l, text)| (l.file, l.line, l.column, text.to_owned())).collect::<Vec<_>>())?;
    out.set_item("notes", d.notes.clone())?;
    out.set_item("rendered", rtc::render(sources, d, Style::Short))?;
    Ok(out)
}

/// What validation found.
pub fn validation<'py>(py: Python<'py>, v: &Validation) -> PyResult<Values<'py>> {
    let out = PyDict::new(py);
    out.set_item("valid", v.is_valid())?;
    out.set_item("notes", [v.errors.as_slice(), &v.notes].concat())?;
    let list = PyList::empty(py);
    for f in &v.report.findings {
        let row = PyDict::new(py);
        let place = match &f.location {
            Location::Inst { source: Some((file, line, column)), .. } => Some((file.clone(), *line, *column)),
            _ => None,
        };
        row.set_item("rule", f.rule.id)?;
        row.set_item("message", f.detail.as_str())?;
        row.set_item("place", place)?;
        row.set_item("rendered", f.to_string())?;
        list.append(row)?;
    }
    out.set_item("findings", list)?;
    Ok(out)
}
