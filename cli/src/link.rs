//! The linker command `rtc link`, also in the form of dxc: `rtc -link -T lib_6_6 "a.dxil;b.dxil" -Fo out.dxil`.

use rtc::arguments::LinkRequest;
use rtc::link::Input;
use rtc::outputs::AuxiliaryFiles;
use rtc::{Failure, NoIncludes, Product, Session};

use crate::error::Result;
use crate::output;

/// The help text.
pub const USAGE: &str = "usage: rtc link -T PROFILE [OPTIONS] FILES
Links DXIL libraries of any compiler into one library, or into a compute shader or one of a graphics stage. FILES may also be one list: \"a.dxil;b.dxil\".
  -T PROFILE              lib_6_3 to lib_6_10, lib_6_x (for linking only), or that of a shader: cs_6_3, vs_6_3 to cs_6_10, vs_6_10
                          and ps, gs, hs, ds; ms_6_5, as_6_5 to ms_6_10, as_6_10
  -E NAME                 entry point of the shader (default main)
  -Fo FILE, -Fc FILE      write the container, its disassembly
  -Fh FILE, -Vn NAME      write a C header with the container's bytes
  -exports LIST           exported functions and their new names: new[,new2]=old;other
  -export-shaders-only    export entry points only
  -auto-binding-space N   assign registers of space N to resources without one
  -validator-version M.N  the version of the validator to be compatible with
  -Qstrip_reflect, -Vd    omit the reflection part; do not sign the container
  -Qstrip_debug           omit debug information; by default it is kept if a library has it (-Zi -Qembed_debug)
  -Fd FILE                write debug information to a PDB; with -Qembed_debug the container has it too
The form of dxc is supported: rtc -link -T lib_6_6 \"a.dxil;b.dxil\" -Fo out.dxil";

/// Whether the arguments of `rtc link` contain a request for help.
pub fn is_help(arguments: &[String]) -> bool {
    arguments.iter().any(|a| matches!(a.as_str(), "-h" | "-help" | "--help" | "-?" | "/?"))
}

/// Whether the arguments contain `-link`.
pub fn is_requested(args: &[String]) -> bool {
    args.iter().any(|a| matches!(a.as_str(), "-link" | "/link" | "--link"))
}

/// Links. Returns `false` after printing errors.
///
/// # Errors
/// Files that cannot be read or written.
pub fn link(request: LinkRequest) -> Result<bool> {
    if request.files.is_empty() {
        return Err(format!("no library given\n{USAGE}").into());
    }
    let mut files = Vec::new();
    for name in &request.files {
        files.push((name, output::read(name)?));
    }
    let inputs: Vec<Input> = files.iter().map(|(name, bytes)| Input { name, bytes }).collect();
    let session = Session::new(NoIncludes);
    let (text, linked) = match session.job().limits(&request.limits).link(&inputs, &request.options) {
        Ok(linked) => {
            let warnings = if request.quiet { &[][..] } else { &linked.warnings };
            let text: String = warnings.iter().map(|w| format!("rtc: warning: {w}\n")).collect();
            if request.strict && !warnings.is_empty() { (text.replace("rtc: warning:", "rtc: error:"), None) } else { (text, Some(linked)) }
        }
        Err(Failure::Stopped(e)) => return Err(e.to_string().into()),
        Err(Failure::Error(errors)) => (errors.0.iter().map(|e| format!("rtc: error: {e}\n")).collect(), None),
    };
    eprint!("{text}");
    if let Some(path) = &request.messages {
        output::write(path, text.as_bytes())?;
    }
    let Some(linked) = linked else { return Ok(false) };
    let auxiliary = AuxiliaryFiles::linked(&linked).map_err(|e| e.to_string())?;
    if auxiliary.pdb.is_none() && request.outputs.pdb.is_some() {
        return Err("-Fd requires debug information, and no library has any".into());
    }
    let product = Product::Dxil(linked.bytes);
    output::write_files(&request.outputs.of_product(product, Some(&auxiliary), None).map_err(|e| e.to_string())?)?;
    Ok(true)
}
