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
pub mod flags;
mod help;
mod read;
mod request;
mod spirv;
mod syntax;
#[cfg(test)]
mod tests;

use rtc_base::Severity;
use rtc_base::render::Style;
use std::path::Path;
use std::time::Duration;

use crate::dependencies::quoted;
use crate::options::Options;
use crate::output_files::OutputFiles;
use crate::pipeline::plan;
use crate::report::Request;
use error::{Result, contradiction, invalid, missing, requirement};
use flags::{FLAGS, Flag, Support};
use syntax::{Arguments, Query};

pub use crate::dependencies::MakeRule;
pub use error::{ArgumentError, ArgumentErrorKind};
pub use files::{ArgumentFiles, reason};
pub use help::help;
pub use request::{
    Action, CompileRequest, ContainerRequest, Depfile, Encoding, Invocation, LinkRequest, Messages, Note, Show, SourcesRequest, Trace,
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

/// The form of diagnostics that arguments ask for, whatever else is wrong with them.
pub fn style_of<S: AsRef<str>>(args: impl IntoIterator<Item = S>, files: &mut dyn ArgumentFiles) -> Option<Style> {
    let name = syntax::last_value(&strings(args), "fdiagnostics-format", files)?;
    style_named(&name)
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
    let messages = Messages {
        style: style(a)?,
        colour: a.on_or_off("fcolor-diagnostics", "fno-color-diagnostics"),
        file: a.last("Fe").map(str::to_owned),
        encoding,
    };
    if preprocessed.is_none() {
        notes.extend(a.ignored_files().into_iter().map(|file| ignored(a, file, source)));
    }
    let action = action(a, source, preprocessed)?;
    if (a.has("v") || a.has("verbose")) && matches!(action, Action::Compile | Action::Verify) {
        notes.extend(plan::lines(&options).into_iter().map(|message| Note { severity: Severity::Note, message }));
    }
    let outputs = container::outputs(a, &options.entry);
    let depfile = depfile(a, &outputs)?;
    let show = show(a)?;
    options.times = show.times || show.trace.is_some();
    Ok(Invocation::Compile(Box::new(CompileRequest {
        source: source.to_owned(),
        action,
        outputs,
        depfile,
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
        let outputs = container::outputs(a, "");
        return Ok(Action::Dependencies { rule: make_rule(a, &outputs, Some(source))?, file });
    }
    Ok(if a.has("verify") { Action::Verify } else { Action::Compile })
}

/// The rule for make that the arguments ask for. Its targets are those of `-MT` and `-MQ`, or else the outputs, or else `source`, as with dxc.
fn make_rule(a: &Arguments, outputs: &OutputFiles, source: Option<&str>) -> Result<MakeRule> {
    let mut targets: Vec<String> = a.all("MT").map(str::to_owned).chain(a.all("MQ").map(quoted)).collect();
    if targets.is_empty() {
        // As dxc, a rule that lists dependencies only is that of the object.
        let object = source.and(outputs.object.as_deref());
        targets.extend(outputs.named().into_iter().filter(|(_, file)| object.is_none_or(|o| o == *file)).map(|(_, file)| quoted(file)));
    }
    if targets.is_empty() {
        let none = || requirement("-depfile has no target: name an output (-Fo, -Fh) or the target itself (-MT)");
        targets.push(quoted(source.ok_or_else(none)?));
    }
    Ok(MakeRule { targets, empty_rules: a.has("MP") })
}

/// `-depfile`, and the options that are about a rule for make only.
fn depfile(a: &Arguments, outputs: &OutputFiles) -> Result<Option<Depfile>> {
    let lists = read::lists_dependencies(a);
    let Some(file) = a.last("depfile") else {
        let about = ["MP", "MT", "MQ"].into_iter().find(|name| a.has(name) && !lists);
        return match about {
            Some(name) => Err(requirement(format!("-{name} is about a make rule: add -depfile=FILE, which compiles too, or -M, -MD, -MF"))),
            None => Ok(None),
        };
    };
    if lists || read::preprocesses(a) || a.has("verify") {
        let other = ["M", "MD", "MF", "P", "Po", "verify"].into_iter().find(|name| a.has(name)).unwrap_or("M");
        return Err(contradiction(format!("-depfile compiles, and -{other} does not: leave one of them out")));
    }
    Ok(Some(Depfile { file: file.to_owned(), rule: make_rule(a, outputs, None)? }))
}

/// A remark on a file that is not read.
fn ignored(a: &Arguments, file: &str, source: &str) -> Note {
    let message = if a.has("P") {
        format!("`{file}` is ignored: the source is `{source}`, and -Fi {file} names the file that -P writes")
    } else {
        format!("`{file}` is not compiled: of several sources the last one counts, which is `{source}`")
    };
    Note { severity: Severity::Warning, message }
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
    let note = |f: &Flag| match f.support {
        Support::NoEffect(why) => Some(Note { severity: Severity::Note, message: format!("`-{}` has no effect: {why}", f.name) }),
        _ => None,
    };
    present.filter_map(note).collect()
}

/// The forms of diagnostics by name.
const STYLES: &[(&str, Style)] = &[
    ("rich", Style::Rich),
    ("clang", Style::Short),
    ("short", Style::Short),
    ("msvc", Style::Msvc),
    ("msvc-fallback", Style::MsvcFallback),
    ("msvc-code", Style::MsvcCode),
    ("vi", Style::Vi),
    ("json", Style::Json),
];

/// The form of diagnostics that `-fdiagnostics-format` calls `name`.
pub fn style_named(name: &str) -> Option<Style> {
    STYLES.iter().find(|s| s.0 == name).map(|s| s.1)
}

fn style(a: &Arguments) -> Result<Option<Style>> {
    let Some(name) = a.last("fdiagnostics-format") else { return Ok(None) };
    let unknown = || {
        let names: Vec<&str> = STYLES.iter().map(|s| s.0).collect();
        let near = rtc_base::similar::nearest(name, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
        invalid(format!("unknown diagnostics format `{name}`{near}; expected one of {}", names.join(", ")))
    };
    style_named(name).map(Some).ok_or_else(unknown)
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
    if let Some(name) = ["depfile", "MP", "MT", "MQ"].into_iter().find(|name| a.has(name)) {
        return Err(contradiction(format!("-{name} is about a compilation, and -link compiles nothing")));
    }
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
