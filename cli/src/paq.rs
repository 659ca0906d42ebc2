//! `rtc paq`: infers payload access qualifiers of libraries and prints them or writes them into the sources.

use rtc::Options;
use rtc::arguments::SourcesRequest;

use crate::error::Result;
use crate::{messages, output};

const USAGE: &str = "usage: rtc paq -T PROFILE [OPTIONS] FILES...
Infers the tightest payload access qualifiers and prints the shader that requires each stage. FILES must be all libraries that trace
with the payloads or receive them. The options of the compiler apply, and:
  -fix                  write the qualifiers into the sources; a stage whose stores nothing reads stays in `write`, so that the result
                        compiles without warnings about them, and the report names these stores
  -tightest             with -fix: leave such stages out; each of these stores is then a warning
  -json                 print JSON
  -layout=FILE          write a layout file instead: the offsets of payload fields for libraries that are compiled with
                        -payload-layout-file=FILE; it uses the declared qualifiers only
  -no-empty-hit-groups  assume that every hit group has a closest-hit shader; the default is to assume it if the libraries declare
                        hit groups and all of them have one
A null entry of a shader table counts as an empty shader: if a pipeline has one, keep `read` together with `write` in that stage.";

/// Infers, prints, and with `-fix` rewrites. Returns `false` after an error, or if the qualifiers of a payload cannot be inferred.
///
/// # Errors
/// Invalid arguments and files that cannot be read or written.
pub fn run(arguments: &[String]) -> Result<bool> {
    let (mut fix, mut tightest, mut json, mut assume) = (false, false, false, rtc::paq::Assume::default());
    let mut layout: Option<String> = None;
    let mut rest = Vec::new();
    for a in arguments {
        match a.strip_prefix('-').map(|a| a.strip_prefix('-').unwrap_or(a)) {
            Some("fix") => fix = true,
            Some("tightest") => tightest = true,
            Some("json") => json = true,
            Some("no-empty-hit-groups") => assume.all_shaded = true,
            Some("layout") | Some("layout=") => return Err("-layout requires a file: -layout=FILE".into()),
            Some(a) if a.starts_with("layout=") => layout = a.strip_prefix("layout=").map(str::to_owned),
            Some("help" | "h" | "?") => {
                rtc_base::say!("{USAGE}");
                return Ok(true);
            }
            _ => rest.push(a.clone()),
        }
    }
    let SourcesRequest { sources: files, options, style, notes } = Options::parse_args_of_several(&rest, &mut output::Named::default())?;
    messages::print_notes(&notes, &rtc::arguments::Messages { style, ..Default::default() });
    let caller = messages::Caller::this_process();
    let (style, coloured) = (caller.style(style), caller.coloured(None));
    if files.is_empty() {
        return Err(format!("no source file given\n{USAGE}").into());
    }
    let mut sources: Vec<(String, Vec<u8>)> = Vec::new();
    for f in files {
        if f == "-" && fix {
            return Err("standard input cannot be rewritten".into());
        }
        if !sources.iter().any(|s| s.0 == f) {
            let bytes = output::read(&f)?;
            sources.push((f, bytes));
        }
    }
    if let Some(path) = layout {
        return match fix || json {
            true => Err("-layout cannot be combined with -fix or -json".into()),
            false => write_layout(&path, &sources, &options, style),
        };
    }
    assume.keep_stores = fix && !tightest;
    let found = rtc::paq::infer(&sources, &mut rtc::Disk, &options, assume);
    let none = rtc::SourceMap::new();
    let of_libraries = found.libraries.iter().flat_map(|c| c.diagnostics.iter().map(|d| (&c.sources, d)));
    eprint!("{}", messages::text(of_libraries.chain(found.diagnostics.iter().map(|d| (&none, d))), style, coloured, caller));
    if found.libraries.iter().any(rtc::Compilation::failed) {
        return Ok(false);
    }
    let shown = if json { rtc::paq::json(&found.payloads) } else { rtc::paq::text(&found.payloads) };
    output::print(shown.as_bytes())?;
    let mut good = !found.failed();
    if fix {
        let new = rtc::paq::rewrite(&found, &sources, &mut rtc::Disk, &options);
        good &= new.diagnostics.is_empty();
        eprint!("{}", messages::text(new.diagnostics.iter().map(|d| (&none, d)), style, coloured, caller));
        output::write_all(&new.files)?;
        for (path, _) in &new.files {
            eprintln!("rtc: qualifiers written into `{path}`");
        }
    }
    Ok(good)
}

/// Writes the layout file of these libraries.
fn write_layout(path: &str, sources: &[(String, Vec<u8>)], options: &rtc::Options, style: rtc::Style) -> Result<bool> {
    let caller = messages::Caller::this_process();
    let coloured = caller.coloured(None);
    let made = rtc::paq::layout(sources, &mut rtc::Disk, options);
    let none = rtc::SourceMap::new();
    let of_libraries = made.libraries.iter().flat_map(|c| c.diagnostics.iter().map(|d| (&c.sources, d)));
    eprint!("{}", messages::text(of_libraries.chain(made.diagnostics.iter().map(|d| (&none, d))), style, coloured, caller));
    match made.text {
        Some(file) => output::write(path, file.as_bytes()).map(|()| true),
        None => Ok(false),
    }
}
