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

/// Judges DXIL containers by the rules of DXIL and prints what breaks them.
///
/// # Errors
/// Wrong use and files that cannot be read.
pub fn validate(args: &[String]) -> Result<bool, String> {
    const USAGE: &str = "usage: rtc validate FILES\nJudges DXIL containers (any compiler's) by the rules of DXIL.";
    let mut all = true;
    if args.is_empty() {
        return Err(format!("no file given\n{USAGE}"));
    }
    for file in args {
        match file.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{USAGE}");
                return Ok(true);
            }
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{USAGE}")),
            _ => {}
        }
        let report = rtc::validate::container(&output::read(file)?);
        if report.is_valid() {
            println!("{file}: valid");
        } else {
            all = false;
            eprint!("{file}: not valid\n{report}");
        }
    }
    Ok(all)
}
