//! `rtc dis`, `rtc reflect` and `rtc validate`: looking into compiled files.

use crate::output;

fn usage(name: &str, does: &str) -> String {
    format!("usage: rtc {name} FILE [-o OUT]\n{does}")
}

/// File and output of the two tools.
fn files(name: &str, does: &str, args: &[String]) -> Result<Option<(String, String)>, String> {
    let (mut file, mut out) = (None, "-".to_owned());
    let mut rest = args.iter();
    while let Some(a) = rest.next() {
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{}", usage(name, does));
                return Ok(None);
            }
            "-o" => out = rest.next().cloned().ok_or("option `-o` wants a file")?,
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{}", usage(name, does))),
            _ if file.is_none() => file = Some(a.clone()),
            _ => return Err(format!("one file at a time\n{}", usage(name, does))),
        }
    }
    match file {
        Some(f) => Ok(Some((f, out))),
        None => Err(format!("no file given\n{}", usage(name, does))),
    }
}

/// Prints the listing of a DXIL container, a runtime package or a SPIR-V module.
///
/// # Errors
/// Wrong use, an unreadable or a damaged file.
pub fn dis(args: &[String]) -> Result<bool, String> {
    let does = "Prints the listing of a DXIL container (any compiler's), a runtime package or a SPIR-V module.";
    let Some((file, out)) = files("dis", does, args)? else { return Ok(true) };
    let data = output::read(&file)?;
    let text = rtc::dis::disassemble(&data).map_err(|e| format!("`{file}`: {e}"))?;
    output::write(&out, text.as_bytes())?;
    Ok(true)
}

/// Prints what is in a library, as JSON.
///
/// # Errors
/// Wrong use, an unreadable or a damaged file.
pub fn reflect(args: &[String]) -> Result<bool, String> {
    let does = "Prints entry points, payload and attribute sizes, resources and subobjects of a DXIL library or a \
                runtime package, as JSON.";
    let Some((file, out)) = files("reflect", does, args)? else { return Ok(true) };
    let data = output::read(&file)?;
    let text = rtc::reflect::reflect(&data).map_err(|e| format!("`{file}`: {e}"))?;
    output::write(&out, text.as_bytes())?;
    Ok(true)
}

/// Judges DXIL containers by the rules of DXIL and prints what breaks them. Gives whether all are valid.
///
/// # Errors
/// Wrong use. Files that cannot be read or are no DXIL containers are reported, and the others judged.
pub fn validate(args: &[String]) -> Result<bool, String> {
    const USAGE: &str = "usage: rtc validate [-json] FILES\n\
        Judges DXIL containers (any compiler's) by the rules of DXIL: exit code 0 if all are valid, else 1.\n\
        With debug information in the container, instructions are named with the line of HLSL.\n\
        -json prints an array with an object for each file.";
    let mut json = false;
    let mut files = Vec::new();
    for arg in args {
        match arg.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{USAGE}");
                return Ok(true);
            }
            "-json" | "--json" => json = true,
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{USAGE}")),
            _ => files.push(arg.clone()),
        }
    }
    if files.is_empty() {
        return Err(format!("no file given\n{USAGE}"));
    }
    let mut all = true;
    let mut said = Vec::new();
    for file in files {
        let judged = output::read(&file).and_then(|data| rtc::validate::judge(&data).map_err(|e| format!("`{file}` {e}")));
        all &= judged.as_ref().is_ok_and(|j| j.report.is_valid());
        if json {
            said.push((file, judged));
            continue;
        }
        match judged {
            Err(e) => eprintln!("error: {e}"),
            Ok(j) if j.report.is_valid() => println!("{file}: valid{}", in_brackets(&j.notes)),
            Ok(j) => eprint!("{file}: not valid{}\n{}", in_brackets(&j.notes), j.report),
        }
    }
    if json {
        output::print(rtc::validate::to_json(&said).as_bytes())?;
    }
    Ok(all)
}

fn in_brackets(notes: &[String]) -> String {
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}
