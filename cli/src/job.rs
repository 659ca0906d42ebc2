//! What the command does with a source, as effects: the same for a process that compiles one, for the server and for a worker of Bazel.

use std::borrow::Borrow;
use std::path::Path;

use rtc::arguments::{Action, CompileRequest};
use rtc::{Compilation, Job, Product};

use crate::effects::Effects;
use crate::error::Result;
use crate::messages::{Caller, notes_text, report};
use crate::{output, verify};

/// What a job reads besides the source and its includes.
pub struct Inputs<'a> {
    /// The files that arguments name and that were read.
    pub named: &'a [String],
    /// The folder that relative paths begin in; empty: that of the process.
    pub folder: &'a Path,
}

/// Compiles as requested. Gives whether that is a success, and the compilation, which may be large to free. `read` reads the source.
///
/// # Errors
/// The source cannot be read, or the compiler stopped before its end. The effects before that remain.
pub fn compile<B: Borrow<[u8]>>(
    request: CompileRequest,
    job: Job<'_>,
    read: impl FnOnce(&str) -> Result<B>,
    inputs: &Inputs<'_>,
    caller: &Caller,
    effects: &mut Effects,
) -> Result<(bool, Option<Box<Compilation>>)> {
    let CompileRequest { source: file, action, options, outputs, depfile, private, reports, messages, limits, show, notes } = request;
    effects.error(notes_text(&notes, &messages, *caller));
    let source = read(&file)?;
    let source = source.borrow();
    let mut written = outputs.named();
    written.extend(messages.file.iter().map(|f| ("-Fe", f.as_str())));
    written.extend(depfile.iter().map(|d| ("-depfile", d.file.as_str())));
    written.extend(reports.iter().filter_map(|r| Some(("-report", r.file.as_deref()?))));
    written.extend(show.trace.iter().filter_map(|t| Some(("-ftime-trace", t.file.as_deref()?))));
    // Nothing is written over what was read; what that is, is known when the source is read to its end.
    let refuse = |c: &Compilation, more: &[(&str, &str)]| {
        let includes = c.includes.iter().map(|i| i.path.as_str());
        let read: Vec<&str> = std::iter::once(file.as_str()).chain(inputs.named.iter().map(String::as_str)).chain(includes).collect();
        output::refuse_inputs(written.iter().chain(more).copied(), &read, inputs.folder)
    };
    let job = job.limits(&limits);
    let stopped = |e: rtc::Stopped| e.to_string();
    match action {
        Action::Preprocess { file: out } => {
            let (text, c) = job.preprocess(&file, source, &options).map_err(stopped)?;
            refuse(&c, &[("-Fi", &out)])?;
            report(&c, &messages, caller, effects);
            let success = !c.failed();
            if success {
                effects.write(&out, text.into_bytes());
            }
            return Ok((success, Some(Box::new(c))));
        }
        Action::Dependencies { rule, file: out } => {
            let (_, c) = job.preprocess(&file, source, &options).map_err(stopped)?;
            refuse(&c, &[("-MF", out.as_deref().unwrap_or("-"))])?;
            report(&c, &messages, caller, effects);
            let success = !c.failed();
            if success {
                effects.write(out.as_deref().unwrap_or("-"), c.make_rule(&rule, &file, inputs.named).into_bytes());
            }
            return Ok((success, Some(Box::new(c))));
        }
        Action::Compile | Action::Verify => {}
    }
    let mut c = Box::new(job.compile(&file, source, &options).map_err(stopped)?);
    refuse(&c, &[])?;
    if show.times {
        effects.error(rtc::times::report(&c.times));
    }
    if let Some(trace) = &show.trace {
        effects.write(trace.file.as_deref().unwrap_or("-"), rtc::times::trace(&c.times, trace.least).into_bytes());
    }
    if action == Action::Verify {
        let differences = verify::verify(&c);
        let success = differences.is_empty();
        effects.error(differences);
        return Ok((success, Some(c)));
    }
    report(&c, &messages, caller, effects);
    if show.includes {
        // As dxc: a file that is included again is not opened again.
        let mut opened: Vec<&str> = Vec::new();
        for i in &c.includes {
            if !opened.contains(&i.path.as_str()) {
                effects.print(format!("; Opening file [{}], stack top [{}]\n", i.path, opened.len()).into_bytes());
                opened.push(&i.path);
            }
        }
    }
    let Some(product) = c.product.take() else { return Ok((false, Some(c))) };
    for request in &reports {
        let Some(found) = c.reports.iter().find(|r| r.kind() == request.kind) else { continue };
        effects.write(request.file.as_deref().unwrap_or("-"), found.render(request.format).into_bytes());
    }
    if let Product::Spirv(module) = &product
        && show.requirements
    {
        for r in &module.requirements {
            effects.error(format!("{}: {}\n", r.name, r.reason));
        }
    }
    let mut files = outputs.of_product(product, c.outputs.as_ref(), private).map_err(|e| e.to_string())?;
    // A requested report replaces the listing on standard output.
    files.listing = files.listing.filter(|_| reports.is_empty());
    if let Some(depfile) = &depfile {
        files.files.push((depfile.file.clone(), c.make_rule(&depfile.rule, &file, inputs.named).into_bytes()));
    }
    effects.write_files(files);
    Ok((true, Some(c)))
}
