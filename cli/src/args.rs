//! The command line of the compiler: does what its arguments ask for and prints the outcome. What they mean is in the library
//! ([`rtc::arguments`]).

use std::mem::ManuallyDrop;

use rtc::arguments::{Action, CompileRequest, Invocation, help};
use rtc::{Disk, Options, Product, Session};

use crate::error::Result;
use crate::messages::{print_notes, report};
use crate::{container, link, output, verify, version};

/// Does what the arguments ask for. Returns `false` after printing errors.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn run(args: &[String]) -> Result<bool> {
    match Options::parse_args(args, &mut output::Named)? {
        Invocation::Help => print_help(),
        Invocation::Version => output::print(version::text().as_bytes()).map(|()| true),
        Invocation::Container(request) => container::dump(*request),
        Invocation::Link(request) => link::link(*request),
        Invocation::Compile(request) => compile(*request),
    }
}

/// The help text, with the subcommands.
fn print_help() -> Result<bool> {
    let text = format!(
        "Compiles HLSL to DXIL and SPIR-V, with the options of dxc.\n\n\
         Usage: rtc -T PROFILE [OPTIONS] FILE\n       \
         rtc build [rtc.toml] | cache stat | run SCENE.toml | explore FILE | dis FILE | validate FILES | reflect FILE | container FILE | paq FILES | explain CODES | lsp | link -T PROFILE FILES | -list-intrinsics\n\n\
         Arguments:\n  [FILE]...  the source; - is standard input; of several, the last one counts\n\n{}",
        help()
    );
    output::print(text.as_bytes()).map(|()| true)
}

fn compile(request: CompileRequest) -> Result<bool> {
    let CompileRequest { source: file, action, options, outputs, private, reports, messages, limits, show, notes } = request;
    print_notes(&notes);
    let source = output::read(&file)?;
    // The process ends with the compilation, so nothing of it is freed.
    let session = ManuallyDrop::new(Session::for_one_job(Disk));
    let job = session.job().limits(&limits);
    let stopped = |e: rtc::Stopped| e.to_string();
    match action {
        Action::Preprocess { file: out } => {
            let (text, c) = job.preprocess(&file, &source, &options).map_err(stopped)?;
            report(&c, &messages)?;
            return if c.failed() { Ok(false) } else { output::write(&out, text.as_bytes()).map(|()| true) };
        }
        Action::Dependencies { target, file: out } => {
            let (_, c) = job.preprocess(&file, &source, &options).map_err(stopped)?;
            report(&c, &messages)?;
            let rule = c.make_rule(&target, &file);
            return if c.failed() { Ok(false) } else { output::write(out.as_deref().unwrap_or("-"), rule.as_bytes()).map(|()| true) };
        }
        Action::Compile | Action::Verify => {}
    }
    let mut c = ManuallyDrop::new(job.compile(&file, &source, &options).map_err(stopped)?);
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
    output::write_files(&files)?;
    Ok(true)
}
