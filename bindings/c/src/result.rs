//! Results of jobs: outputs, diagnostics, includes.

use rtc::outputs::AuxiliaryFiles;
use rtc::{Compilation, Product, Severity, Style};

use crate::boundary::{free, guarded, object, put};
use crate::types::{rtc_bytes, rtc_status};
use rtc_c_common::Text;

/// The result of a job.
pub struct rtc_result {
    status: rtc_status,
    /// Why there is no result, if no diagnostic says it.
    message: Text,
    outputs: Vec<(rtc_output, Text)>,
    diagnostics: Vec<Shown>,
    includes: Vec<Text>,
}

/// The outputs of a job.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtc_output {
    /// What was compiled or linked: a DXIL container, SPIR-V or a runtime package.
    Object = 0,
    /// Text: of the preprocessor, a listing, a reflection as JSON, what validation found.
    Text = 1,
    /// The PDB, if debug information was requested.
    Pdb = 2,
    /// Its name.
    PdbName = 3,
    /// Reflection data: the part STAT and, for a library, RDAT.
    Reflection = 4,
    /// The shader's hash.
    Hash = 5,
    /// A container with the root signature, if there is one.
    RootSignature = 6,
}

impl rtc_output {
    fn of(number: u32) -> Option<rtc_output> {
        use rtc_output::{Hash, Object, Pdb, PdbName, Reflection, RootSignature, Text};
        [Object, Text, Pdb, PdbName, Reflection, Hash, RootSignature].into_iter().find(|o| *o as u32 == number)
    }
}

/// How severe a diagnostic is.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum rtc_severity {
    /// A remark.
    Note = 0,
    /// A warning.
    Warning = 1,
    /// An error.
    Error = 2,
}

/// A diagnostic. Its texts belong to the result.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rtc_diagnostic {
    /// How severe it is.
    pub severity: rtc_severity,
    /// The line, from 1; 0 for a diagnostic without a location.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Its code: `E0301`.
    pub code: rtc_bytes,
    /// The message.
    pub message: rtc_bytes,
    /// The file.
    pub file: rtc_bytes,
    /// The diagnostic in one line as dxc prints it, with what belongs to it in the lines after it.
    pub rendered: rtc_bytes,
}

struct Shown {
    severity: rtc_severity,
    line: u32,
    column: u32,
    code: Text,
    message: Text,
    file: Text,
    rendered: Text,
}

impl rtc_result {
    /// A result without a compilation.
    pub(crate) fn new(status: rtc_status, message: impl Into<String>) -> Self {
        let message = Text::new(message.into());
        rtc_result { status, message, outputs: Vec::new(), diagnostics: Vec::new(), includes: Vec::new() }
    }

    /// A result that is a text.
    pub(crate) fn of_text(text: String) -> Self {
        let mut out = Self::new(rtc_status::Ok, "");
        out.put(rtc_output::Text, text);
        out
    }

    pub(crate) fn put(&mut self, output: rtc_output, bytes: impl Into<Vec<u8>>) {
        self.outputs.push((output, Text::new(bytes)));
    }

    pub(crate) fn put_object(&mut self, object: Vec<u8>, auxiliary: Option<AuxiliaryFiles>) {
        self.put(rtc_output::Object, object);
        let Some(auxiliary) = auxiliary else { return };
        self.put(rtc_output::Reflection, auxiliary.reflection);
        self.put(rtc_output::Hash, auxiliary.hash);
        if let Some(root) = auxiliary.root_signature {
            self.put(rtc_output::RootSignature, root);
        }
        if let Some(pdb) = auxiliary.pdb {
            self.put(rtc_output::Pdb, pdb.bytes);
            self.put(rtc_output::PdbName, pdb.name);
        }
    }

    /// The result of a compilation.
    pub(crate) fn of(mut c: Compilation) -> Self {
        let status = if c.failed() { rtc_status::Failed } else { rtc_status::Ok };
        let mut out = Self::new(status, "");
        if let Some(product) = c.product.take()
            && !matches!(product, Product::Nothing)
        {
            out.put_object(product.into_bytes(), c.outputs.take());
        }
        out.diagnostics = c.diagnostics.iter().map(|d| shown(d, &c)).collect();
        out.includes = c.includes.iter().map(|i| Text::new(i.path.as_str())).collect();
        out
    }

    pub(crate) fn status(&self) -> rtc_status {
        self.status
    }
}

fn shown(d: &rtc::Diagnostic, c: &Compilation) -> Shown {
    let at = c.sources.loc(d.span());
    Shown {
        severity: match d.severity {
            Severity::Note => rtc_severity::Note,
            Severity::Warning => rtc_severity::Warning,
            Severity::Error => rtc_severity::Error,
        },
        line: at.as_ref().map_or(0, |l| l.line),
        column: at.as_ref().map_or(0, |l| l.column),
        code: Text::new(d.code.id),
        message: Text::new(d.message.as_str()),
        file: Text::new(at.map_or(String::new(), |l| l.file)),
        rendered: Text::new(rtc::render(&c.sources, d, Style::Short)),
    }
}

/// The status of a result; `RTC_STATUS_INVALID_ARGUMENT` for null.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_status(result: *const rtc_result) -> rtc_status {
    // SAFETY: this function's contract.
    unsafe { object(result) }.map_or(rtc_status::InvalidArgument, |r| r.status)
}

/// Why there is no output, if no diagnostic says it; empty otherwise.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_message(result: *const rtc_result) -> rtc_bytes {
    // SAFETY: this function's contract.
    unsafe { object(result) }.map_or(rtc_bytes::EMPTY, |r| rtc_bytes::of(&r.message))
}

/// An output (`rtc_output`) of a result; `RTC_STATUS_NOT_FOUND` if it does not have it.
///
/// # Safety
/// `result` is a result; `bytes` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_output(result: *const rtc_result, output: u32, bytes: *mut rtc_bytes) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let result = unsafe { object(result) }?;
        let output = rtc_output::of(output).ok_or(rtc_status::InvalidArgument)?;
        let found = result.outputs.iter().find(|o| o.0 == output).ok_or(rtc_status::NotFound)?;
        // SAFETY: this function's contract.
        unsafe { put(bytes, rtc_bytes::of(&found.1)) }?;
        Ok(rtc_status::Ok)
    })
}

/// The number of diagnostics.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_diagnostic_count(result: *const rtc_result) -> usize {
    // SAFETY: this function's contract.
    unsafe { object(result) }.map_or(0, |r| r.diagnostics.len())
}

/// A diagnostic.
///
/// # Safety
/// `result` is a result; `diagnostic` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_diagnostic(result: *const rtc_result, index: usize, diagnostic: *mut rtc_diagnostic) -> rtc_status {
    guarded(|| {
        // SAFETY: this function's contract.
        let result = unsafe { object(result) }?;
        let d = result.diagnostics.get(index).ok_or(rtc_status::InvalidArgument)?;
        let shown = rtc_diagnostic {
            severity: d.severity,
            line: d.line,
            column: d.column,
            code: rtc_bytes::of(&d.code),
            message: rtc_bytes::of(&d.message),
            file: rtc_bytes::of(&d.file),
            rendered: rtc_bytes::of(&d.rendered),
        };
        // SAFETY: this function's contract.
        unsafe { put(diagnostic, shown) }?;
        Ok(rtc_status::Ok)
    })
}

/// The number of inclusions, repeated ones included: what a build depends on.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_include_count(result: *const rtc_result) -> usize {
    // SAFETY: this function's contract.
    unsafe { object(result) }.map_or(0, |r| r.includes.len())
}

/// The path of an included file; empty if there is no such one.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_include(result: *const rtc_result, index: usize) -> rtc_bytes {
    // SAFETY: this function's contract.
    let found = unsafe { object(result) }.ok().and_then(|r| r.includes.get(index));
    found.map_or(rtc_bytes::EMPTY, rtc_bytes::of)
}

/// Frees a result, and everything that came from it.
///
/// # Safety
/// `result` is null, or a result that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rtc_result_free(result: *mut rtc_result) {
    // SAFETY: this function's contract.
    unsafe { free(result) };
}
