//! The command line of the compiler: does what its arguments ask for and prints the outcome. What they mean is in the library
//! ([`rtc::arguments`]).

use std::mem::ManuallyDrop;

use rtc::arguments::{Action, CompileRequest, Invocation};
use rtc::{Disk, Options, Product, Session};

use crate::error::Result;
use crate::messages::{print_notes, report};
use crate::{commands, container, link, output, verify};

/// Does what the arguments ask for. Returns `false` after printing errors.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn run(args: &[String]) -> Result<bool> {
    let mut named = output::Named::default();
    match Options::parse_args(args, &mut named)? {
        Invocation::Help => output::print(commands::help().as_bytes()).map(|()| true),
        Invocation::Version => output::print(commands::version().as_bytes()).map(|()| true),
        Invocation::Container(request) => container::dump(*request),
        Invocation::Link(request) => link::link(*request),
        Invocation::Compile(request) => compile(*request, &named.read),
    }
}

/// Compiles, or reads a source in another way. `named` are the files that arguments name and that were read.
fn compile(request: CompileRequest, named: &[String]) -> Result<bool> {
    let CompileRequest { source: file, action, options, outputs, depfile, private, reports, messages, limits, show, notes } = request;
    print_notes(&notes, &messages);
    let source = output::read(&file)?;
    let mut written = outputs.named();
    written.extend(messages.file.iter().map(|f| ("-Fe", f.as_str())));
    written.extend(depfile.iter().map(|d| ("-depfile", d.file.as_str())));
    written.extend(reports.iter().filter_map(|r| Some(("-report", r.file.as_deref()?))));
    written.extend(show.trace.iter().filter_map(|t| Some(("-ftime-trace", t.file.as_deref()?))));
    // Nothing is written over what was read; what that is, is known when the source is read to its end.
    let refuse = |c: &rtc::Compilation, more: &[(&str, &str)]| {
        let includes = c.includes.iter().map(|i| i.path.as_str());
        let read: Vec<&str> = std::iter::once(file.as_str()).chain(named.iter().map(String::as_str)).chain(includes).collect();
        output::refuse_inputs(written.iter().chain(more).copied(), &read)
    };
    // The process ends with the compilation, so nothing of it is freed.
    let session = ManuallyDrop::new(Session::for_one_job(Disk));
    let job = session.job().limits(&limits);
    let stopped = |e: rtc::Stopped| e.to_string();
    match action {
        Action::Preprocess { file: out } => {
            let (text, c) = job.preprocess(&file, &source, &options).map_err(stopped)?;
            refuse(&c, &[("-Fi", &out)])?;
            report(&c, &messages)?;
            return if c.failed() { Ok(false) } else { output::write(&out, text.as_bytes()).map(|()| true) };
        }
        Action::Dependencies { rule, file: out } => {
            let (_, c) = job.preprocess(&file, &source, &options).map_err(stopped)?;
            refuse(&c, &[("-MF", out.as_deref().unwrap_or("-"))])?;
            report(&c, &messages)?;
            let rule = c.make_rule(&rule, &file, named);
            return if c.failed() { Ok(false) } else { output::write(out.as_deref().unwrap_or("-"), rule.as_bytes()).map(|()| true) };
        }
        Action::Compile | Action::Verify => {}
    }
    let mut c = ManuallyDrop::new(job.compile(&file, &source, &options).map_err(stopped)?);
    refuse(&c, &[])?;
    if show.times {
        eprint!("{}", rtc::times::report(&c.times));
    }
    if let Some(trace) = &show.trace {
        output::write(trace.file.as_deref().unwrap_or("-"), rtc::times::trace(&c.times, trace.least).as_bytes())?;
    }
    if action == Action::Verify {
        let differences = verify::verify(&c);
        eprint!("{differences}");
        return Ok(differences.is_empty());
    }
    report(&c, &messages)?;
    if show.includes {
        // As dxc: a file that is included again is not opened again.
        let mut opened: Vec<&str> = Vec::new();
        for i in &c.includes {
            if !opened.contains(&i.path.as_str()) {
                let line = format!("; Opening file [{}], stack top [{}]\n", i.path, opened.len());
                output::write("-", line.as_bytes())?;
                opened.push(&i.path);
            }
        }
    }
    let Some(product) = c.product.take() else { return Ok(false) };
    for request in &reports {
        let Some(found) = c.reports.iter().find(|r| r.kind() == request.kind) else { continue };
        output::write(request.file.as_deref().unwrap_or("-"), found.render(request.format).as_bytes())?;
    }
    if let Product::Spirv(module) = &product
        && show.requirements
    {
        for r in &module.requirements {
            eprintln!("{}: {}", r.name, r.reason);
        }
    }
    let mut files = outputs.of_product(product, c.outputs.as_ref(), private).map_err(|e| e.to_string())?;
    // A requested report replaces the listing on standard output.
    files.listing = files.listing.filter(|_| reports.is_empty());
    if let Some(depfile) = &depfile {
        files.files.push((depfile.file.clone(), c.make_rule(&depfile.rule, &file, named).into_bytes()));
    }
    output::write_files(&files)?;
    Ok(true)
}
