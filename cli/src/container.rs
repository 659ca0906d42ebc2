//! Existing containers: `-dumpbin`, and `rtc container`.

use rtc::FileError;
use rtc::arguments::ContainerRequest;

use crate::error::Result;
use crate::messages::print_notes;
use crate::output;

/// `-dumpbin`: extracts and changes parts of a container or a PDB. Without an output it prints the listing.
///
/// # Errors
/// A damaged file, a missing part.
pub fn dump(request: ContainerRequest) -> Result<bool> {
    let ContainerRequest { file, edits, outputs, verify, notes } = request;
    print_notes(&notes, &rtc::arguments::Messages::default());
    let data = output::read(&file)?;
    let named = |e: FileError| format!("`{file}`: {e}");
    if let Some((path, signature)) = verify {
        let problems = rtc::rootsig::problems(&signature, &data).map_err(named)?;
        if let Some(problem) = problems.first() {
            return Err(format!("the root signature of `{path}` does not match `{file}`: {problem}").into());
        }
        output::print(b"root signature verification succeeded.\n")?;
        return Ok(true);
    }
    output::write_files(&outputs.of_container(&data, &edits).map_err(named)?)?;
    Ok(true)
}

const USAGE: &str = "usage: rtc container FILE [-extract PART -o OUT]\n\
    Lists the parts of a container or a PDB with their offsets and sizes, or writes the data of one part to a file (- is standard \
    output).";

/// `rtc container`: lists parts, or extracts one.
///
/// # Errors
/// Invalid arguments, a damaged file, a missing part.
pub fn run(args: &[String]) -> Result<bool> {
    let (mut file, mut part, mut out) = (None, None, None);
    let mut rest = args.iter();
    while let Some(a) = rest.next() {
        match a.as_str() {
            "-h" | "-help" | "--help" => {
                rtc_base::say!("{USAGE}");
                return Ok(true);
            }
            "-extract" | "--extract" => part = Some(rest.next().ok_or("option `-extract` requires a part")?),
            "-o" => out = Some(rest.next().ok_or("option `-o` requires a file")?),
            a if a.starts_with('-') && a != "-" => return Err(format!("unknown option `{a}`\n{USAGE}").into()),
            _ if file.is_none() => file = Some(a),
            _ => return Err(format!("more than one file given\n{USAGE}").into()),
        }
    }
    let file = file.ok_or_else(|| format!("no file given\n{USAGE}"))?;
    let data = output::read(file)?;
    let named = |e: FileError| format!("`{file}`: {e}");
    output::refuse_inputs(out.map(|o| ("-o", o.as_str())), &[file], "".as_ref())?;
    match (part, out) {
        (Some(part), Some(out)) => output::write(out, &rtc::container::part(&data, part).map_err(named)?)?,
        (Some(_), None) => return Err("option `-extract` requires `-o OUT`".into()),
        (None, out) => {
            let text = rtc::container::list(&data).map_err(named)?;
            output::write(out.map_or("-", |o| o), text.as_bytes())?;
        }
    }
    Ok(true)
}
