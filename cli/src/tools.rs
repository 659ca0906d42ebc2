//! The subcommands that read compiled files: `rtc dis`, `rtc reflect` and `rtc validate`.

use crate::error::Result;
use crate::output;

fn usage(name: &str, does: &str) -> String {
    format!("usage: rtc {name} FILE [-o OUT]\n{does}")
}

/// Parses the arguments of `dis` and `reflect`: the input file and the output file; `None` after `--help`.
fn files(name: &str, does: &str, args: &[String]) -> Result<Option<(String, String)>> {
    let (mut file, mut out) = (None, "-".to_owned());
    let mut rest = args.iter();
    while let Some(a) = rest.next() {
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                rtc_base::say!("{}", usage(name, does));
                return Ok(None);
            }
            "-o" => out = rest.next().cloned().ok_or("option `-o` requires a file")?,
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{}", usage(name, does)).into()),
            _ if file.is_none() => file = Some(a.clone()),
            _ => return Err(format!("more than one file given\n{}", usage(name, does)).into()),
        }
    }
    match file {
        Some(f) => Ok(Some((f, out))),
        None => Err(format!("no file given\n{}", usage(name, does)).into()),
    }
}

/// Warns of a container that has changed since it was signed. What it says is read all the same.
fn warn_of_changes(file: &str, data: &[u8]) {
    if rtc::validate::has_changed(data) {
        eprintln!("rtc: warning: `{file}`: its digest belongs to different content");
    }
}

/// Prints the listing of a DXIL container, a runtime package or a SPIR-V module.
///
/// # Errors
/// Invalid arguments, an unreadable or a damaged file.
pub fn dis(args: &[String]) -> Result<bool> {
    let does = "Prints the disassembly of a DXIL container of any compiler, a runtime package or a SPIR-V module.";
    let Some((file, out)) = files("dis", does, args)? else { return Ok(true) };
    let data = output::read(&file)?;
    output::refuse_inputs([("-o", out.as_str())], &[&file], "".as_ref())?;
    let text = rtc::dis::disassemble(&data).map_err(|e| format!("`{file}`: {e}"))?;
    warn_of_changes(&file, &data);
    output::write(&out, text.as_bytes())?;
    Ok(true)
}

/// Prints the reflection of a compiled file as JSON, or with `-text` for people.
///
/// # Errors
/// Invalid arguments, an unreadable or a damaged file.
pub fn reflect(args: &[String]) -> Result<bool> {
    let does = "Prints entry points, payload and attribute sizes, signatures and state of graphics stages, resources and subobjects of a \
                DXIL container, a runtime package or a SPIR-V module, as JSON.\n-text prints it for people.";
    let (options, args): (Vec<&String>, Vec<&String>) = args.iter().partition(|a| *a == "-text" || *a == "--text");
    let args: Vec<String> = args.into_iter().cloned().collect();
    let Some((file, out)) = files("reflect", does, &args)? else { return Ok(true) };
    let data = output::read(&file)?;
    let of = if options.is_empty() { rtc::reflect::reflect } else { rtc::reflect_text::text };
    output::refuse_inputs([("-o", out.as_str())], &[&file], "".as_ref())?;
    let text = of(&data).map_err(|e| format!("`{file}`: {e}"))?;
    warn_of_changes(&file, &data);
    output::write(&out, text.as_bytes())?;
    Ok(true)
}

/// Validates DXIL containers and prints the violated rules. Returns whether all are valid.
///
/// # Errors
/// Invalid arguments. Files that cannot be read or are no DXIL containers are reported, and the others validated.
pub fn validate(args: &[String]) -> Result<bool> {
    const USAGE: &str = "usage: rtc validate [-json] FILES\n\
        Validates DXIL containers of any compiler by the rules of DXIL, those of the validator version that each names: exit code 0 if all are\n\
        valid, else 1. A digest of other content is an error, a container that is not signed none.\n\
        With debug information in the container, findings have the source location of the instruction.\n\
        -json prints an array with an object for each file.";
    let mut json = false;
    let mut files = Vec::new();
    for arg in args {
        match arg.as_str() {
            "-h" | "-help" | "--help" => {
                rtc_base::say!("{USAGE}");
                return Ok(true);
            }
            "-json" | "--json" => json = true,
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{USAGE}").into()),
            _ => files.push(arg.clone()),
        }
    }
    if files.is_empty() {
        return Err(format!("no file given\n{USAGE}").into());
    }
    let mut all = true;
    let mut results = Vec::new();
    for file in files {
        let result = output::read(&file).and_then(|data| rtc::validate::validate(&data).map_err(|e| format!("`{file}` {e}").into()));
        let result = result.map_err(|e| e.to_string());
        all &= result.as_ref().is_ok_and(rtc::validate::Validation::is_valid);
        if json {
            results.push(rtc::validate::FileResult { file, result });
            continue;
        }
        match result {
            Err(e) => eprintln!("error: {e}"),
            Ok(j) if j.is_valid() => rtc_base::say!("{file}: valid{}", in_brackets(&j.notes)),
            Ok(j) => {
                let errors: String = j.errors.iter().map(|e| format!("{e}\n")).collect();
                eprint!("{file}: not valid{}\n{errors}{}", in_brackets(&j.notes), j.report);
            }
        }
    }
    if json {
        output::print(rtc::validate::to_json(&results).as_bytes())?;
    }
    Ok(all)
}

fn in_brackets(notes: &[String]) -> String {
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}
