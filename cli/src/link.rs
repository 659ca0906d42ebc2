//! `rtc link`, and dxc's spelling of it: `rtc -link -T lib_6_6 "a.dxil;b.dxil" -Fo out.dxil`.

use rtc::link::{Export, Input, LinkOptions, Target};

use crate::{args, output};

/// How it is used.
pub const USAGE: &str = "usage: rtc link -T PROFILE [OPTIONS] FILES
Links DXIL libraries (any compiler's) into one, or into a compute shader. FILES may also be one list: \"a.dxil;b.dxil\".
  -T PROFILE              lib_6_3 to lib_6_10, lib_6_x (for linking only), or cs_6_3 to cs_6_10
  -E NAME                 entry point of the compute shader (default main)
  -Fo FILE, -Fc FILE      write the container, its listing
  -Fh FILE, -Vn NAME      write a C header with the container's bytes
  -exports LIST           what the library exports, with new names: new[,new2]=old;other
  -export-shaders-only    export entry points only
  -auto-binding-space N   resources without register get one in this space
  -validator-version M.N  make the container for this version of the validator
  -Qstrip_reflect, -Vd    leave out the reflection part; leave the container unsigned
  -Qstrip_debug           leave out debug information, which the result has if a library has it (-Zi -Qembed_debug)
  -Fd FILE                write debug information to a PDB; the container has it too with -Qembed_debug
dxc's spelling works too: rtc -link -T lib_6_6 \"a.dxil;b.dxil\" -Fo out.dxil";

/// Whether these arguments ask dxc to link.
pub fn is_asked(args: &[String]) -> bool {
    args.iter().any(|a| matches!(a.as_str(), "-link" | "/link" | "--link"))
}

/// Links. `false`: it printed errors.
///
/// # Errors
/// Wrong use and files that cannot be read or written.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    if arguments.iter().any(|a| matches!(a.as_str(), "-h" | "-help" | "--help" | "-?" | "/?")) {
        println!("{USAGE}");
        return Ok(true);
    }
    let rest: Vec<String> = arguments.iter().filter(|a| !matches!(a.as_str(), "-link" | "/link" | "--link")).cloned().collect();
    let asked = args::linking(&rest)?;
    let mut names: Vec<String> = Vec::new();
    for file in &asked.files {
        // A file may have a semicolon in its name; then it is there.
        if file.contains(';') && !std::path::Path::new(file).exists() {
            names.extend(file.split(';').map(str::trim).filter(|f| !f.is_empty()).map(str::to_owned));
        } else {
            names.push(file.clone());
        }
    }
    if names.is_empty() {
        return Err(format!("no library given\n{USAGE}"));
    }
    let mut files = Vec::new();
    for name in names {
        let bytes = output::read(&name)?;
        files.push((name, bytes));
    }
    let inputs: Vec<Input> = files.iter().map(|(name, bytes)| Input { name, bytes }).collect();
    let mut options = LinkOptions::new(Target::parse(&asked.profile, &asked.entry)?);
    options.validator = asked.validator;
    options.exports = asked.exports.iter().map(|e| Export { function: e.function.clone(), names: e.names.clone() }).collect();
    options.shaders_only = asked.shaders_only;
    options.auto_space = asked.auto_space;
    options.sign = asked.sign;
    options.strip_reflection = asked.strip_reflection;
    options.debug = asked.debug;
    options.debug_name.clone_from(&asked.debug_name);
    let (text, linked) = match rtc::link::link(&inputs, &options) {
        Ok(linked) => {
            let warnings = if asked.quiet { &[][..] } else { &linked.warnings };
            let text: String = warnings.iter().map(|w| format!("rtc: warning: {w}\n")).collect();
            if asked.strict && !warnings.is_empty() { (text.replace("rtc: warning:", "rtc: error:"), None) } else { (text, Some(linked)) }
        }
        Err(errors) => (errors.iter().map(|e| format!("rtc: error: {e}\n")).collect(), None),
    };
    eprint!("{text}");
    if let Some(path) = &asked.messages {
        output::write(path, text.as_bytes())?;
    }
    match linked {
        Some(linked) => asked.emit(linked).map(|()| true),
        None => Ok(false),
    }
}
