//! The command line of dxc as a function: from arguments to what they ask for.
//!
//! [`Options::parse_args`] reads arguments in the dialect of dxc, in all its spellings, and returns an [`Invocation`]: options of the
//! compiler, files to write, and what is done with the source. Nothing is printed, and no file is opened but through
//! [`ArgumentFiles`].
//!
//! ```
//! use rtc::arguments::{Action, Invocation};
//! use rtc::{NoIncludes, Options};
//!
//! let Invocation::Compile(request) = Options::parse_args(["-Tlib_6_6", "/Zi", "-Fo", "a.dxil", "a.hlsl"], &mut NoIncludes)? else {
//!     unreachable!("there is a source to compile");
//! };
//! assert_eq!((request.source.as_str(), request.action), ("a.hlsl", Action::Compile));
//! assert_eq!(request.options.profile.to_string(), "lib_6_6");
//! assert_eq!(request.outputs.object.as_deref(), Some("a.dxil"));
//! # Ok::<(), rtc::arguments::ArgumentError>(())
//! ```

mod container;
mod error;
mod files;
mod help;
mod read;
mod request;
mod spirv;
mod syntax;
#[cfg(test)]
mod tests;

use rtc_base::Severity;
use rtc_base::render::Style;
use rtc_tables::flags::{FLAGS, Support};
use std::path::Path;
use std::time::Duration;

use crate::options::Options;
use crate::report::Request;
use error::{Result, invalid, missing};
use syntax::{Arguments, Query};

pub use error::{ArgumentError, ArgumentErrorKind};
pub use files::{ArgumentFiles, reason};
pub use help::help;
pub use request::{
    Action, CompileRequest, ContainerRequest, Encoding, Invocation, LinkRequest, Messages, Note, Show, SourcesRequest, Trace,
};

impl Options {
    /// Reads arguments in the dialect of dxc, without the name of the program.
    ///
    /// # Errors
    /// An unknown, refused or malformed option, options that contradict each other, a file that cannot be read; no source.
    pub fn parse_args<S: AsRef<str>>(args: impl IntoIterator<Item = S>, files: &mut dyn ArgumentFiles) -> Result<Invocation> {
        parse(&strings(args), None, files)
    }

    /// The same for a source in memory, which has the name `source` if the arguments do not name it.
    ///
    /// # Errors
    /// As [`Options::parse_args`], except that there is a source.
    pub fn parse_args_of<S: AsRef<str>>(
        source: &str,
        args: impl IntoIterator<Item = S>,
        files: &mut dyn ArgumentFiles,
    ) -> Result<Invocation> {
        parse(&strings(args), Some(source), files)
    }

    /// Reads the arguments of a command with any number of sources, which have their options in common.
    ///
    /// # Errors
    /// As [`Options::parse_args`], except that there may be no source.
    pub fn parse_args_of_several<S: AsRef<str>>(
        args: impl IntoIterator<Item = S>,
        files: &mut dyn ArgumentFiles,
    ) -> Result<SourcesRequest> {
        let a = Arguments::parse(&strings(args), files)?;
        let mut notes = Vec::new();
        let options = read::options(&a, files, &mut notes)?;
        Ok(SourcesRequest { sources: a.files().into_iter().map(str::to_owned).collect(), options, style: style(&a)?, notes })
    }
}

fn strings<S: AsRef<str>>(args: impl IntoIterator<Item = S>) -> Vec<String> {
    args.into_iter().map(|a| a.as_ref().to_owned()).collect()
}

fn is_link(arg: &str) -> bool {
    matches!(arg, "-link" | "/link" | "--link")
}

fn parse(args: &[String], name: Option<&str>, files: &mut dyn ArgumentFiles) -> Result<Invocation> {
    if args.iter().any(|a| is_link(a)) {
        let rest: Vec<String> = args.iter().filter(|a| !is_link(a)).cloned().collect();
        return link(&Arguments::parse(&rest, files)?, files);
    }
    let a = Arguments::parse(args, files)?;
    // Other errors are reported in the encoding that is requested.
    let encoding = read::encoding(&a)?;
    of_source(&a, args, name, files, encoding).map_err(|e| e.in_encoding(encoding))
}

/// What arguments without `-link` ask for.
fn of_source(a: &Arguments, args: &[String], name: Option<&str>, files: &mut dyn ArgumentFiles, encoding: Encoding) -> Result<Invocation> {
    match a.query() {
        Some(Query::Help) => return Ok(Invocation::Help),
        Some(Query::Version) => return Ok(Invocation::Version),
        None => {}
    }
    let (source, preprocessed) = a.inputs();
    let Some(source) = source.or(name) else {
        return Err(missing("no source file given; rtc --help lists the options"));
    };
    let mut notes = if a.has("v") || a.has("verbose") { without_effect(a) } else { Vec::new() };
    if a.has("dumpbin") {
        return Ok(Invocation::Container(Box::new(container::request(a, files, source, notes)?)));
    }
    let mut options = read::options(a, files, &mut notes)?;
    read::debug_options(a, args, source, &mut options, &mut notes)?;
    options.arguments = a.recorded();
    let private = container::options(a, files, &mut options, &mut notes)?;
    let reports = a.all("report").map(Request::parse).collect::<std::result::Result<Vec<_>, _>>()?;
    options.reports = reports.iter().map(|r| r.kind).collect();
    let messages = Messages { style: style(a)?, file: a.last("Fe").map(str::to_owned), encoding };
    let show = show(a)?;
    options.times = show.times || show.trace.is_some();
    Ok(Invocation::Compile(Box::new(CompileRequest {
        source: source.to_owned(),
        action: action(a, source, preprocessed)?,
        outputs: container::outputs(a, &options.entry),
        options,
        private,
        reports,
        messages,
        limits: read::limits(a)?,
        show,
        notes,
    })))
}

/// What is done with the source.
fn action(a: &Arguments, source: &str, preprocessed: Option<&str>) -> Result<Action> {
    if read::preprocesses(a) {
        let named = a.last("Fi").or(preprocessed);
        return Ok(Action::Preprocess { file: named.map_or_else(|| with_extension(source, "i", "-Fi"), |f| Ok(f.to_owned()))? });
    }
    if read::lists_dependencies(a) {
        let file = match a.last("MF") {
            None if a.has("MD") => Some(with_extension(source, "d", "-MF")?),
            file => file.map(str::to_owned),
        };
        return Ok(Action::Dependencies { target: a.last("Fo").unwrap_or(source).to_owned(), file });
    }
    Ok(if a.has("verify") { Action::Verify } else { Action::Compile })
}

/// A file's path with another extension.
///
/// # Errors
/// The file is standard input; `option` names the file instead.
fn with_extension(file: &str, extension: &str, option: &str) -> Result<String> {
    match file {
        "-" => Err(missing(format!("standard input has no name to write a file `.{extension}` by; name it with {option}"))),
        _ => Ok(Path::new(file).with_extension(extension).to_string_lossy().into_owned()),
    }
}

/// Notes for `-v`.
fn without_effect(a: &Arguments) -> Vec<Note> {
    let present = FLAGS.iter().filter(|f| a.has(f.name));
    let note = |f: &rtc_tables::flags::Flag| match f.support {
        Support::NoEffect(why) => Some(Note { severity: Severity::Note, message: format!("`-{}` has no effect: {why}", f.name) }),
        _ => None,
    };
    present.filter_map(note).collect()
}

fn style(a: &Arguments) -> Result<Option<Style>> {
    Ok(Some(match a.last("fdiagnostics-format") {
        None => return Ok(None),
        Some("short" | "clang") => Style::Short,
        Some("rich") => Style::Rich,
        Some("msvc") => Style::Msvc,
        Some("msvc-fallback") => Style::MsvcFallback,
        Some("vi") => Style::Vi,
        Some("json") => Style::Json,
        Some(other) => {
            let known = "rich, clang, short, msvc, msvc-fallback, vi or json";
            return Err(invalid(format!("unknown diagnostics format `{other}`; expected {known}")));
        }
    }))
}

fn show(a: &Arguments) -> Result<Show> {
    let least = a
        .last("ftime-trace-granularity")
        .map_or(Ok(0), |v| v.parse().map_err(|_| invalid(format!("-ftime-trace-granularity={v}: expected a number of microseconds"))))?;
    let trace = a
        .last("ftime-trace")
        .map(|file| Trace { file: Some(file).filter(|f| !f.is_empty()).map(str::to_owned), least: Duration::from_micros(least) });
    Ok(Show { includes: a.has("H") || a.has("Vi"), requirements: a.has("why-capability"), times: a.has("ftime-report"), trace })
}

/// What `-link` asks for.
fn link(a: &Arguments, files: &mut dyn ArgumentFiles) -> Result<Invocation> {
    let mut names: Vec<String> = Vec::new();
    for file in a.files() {
        // An existing file may have a semicolon in its name.
        if file.contains(';') && !files.exists(file) {
            names.extend(file.split(';').map(str::trim).filter(|f| !f.is_empty()).map(str::to_owned));
        } else {
            names.push(file.to_owned());
        }
    }
    Ok(Invocation::Link(Box::new(LinkRequest {
        files: names,
        options: read::link_options(a)?,
        outputs: container::outputs(a, a.last("E").unwrap_or("main")),
        quiet: a.has("no-warnings"),
        strict: a.has("WX"),
        messages: a.last("Fe").map(str::to_owned),
        limits: read::limits(a)?,
    })))
}
