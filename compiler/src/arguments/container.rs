//! Options for containers: editing an existing one (`-dumpbin`), and parts of a compiled one.

use rtc_base::Severity;

use super::error::{ArgumentError, ArgumentErrorKind, Result, contradiction, requirement};
use super::files::{ArgumentFiles, read};
use super::request::{ContainerRequest, Note};
use super::syntax::Arguments;
use crate::container::Edits;
use crate::options::{BindingTable, Options, ProfileKind, Target};
use crate::output_files::{Header, OutputFiles};

/// The changes of parts that the options request.
pub(super) fn edits(a: &Arguments, files: &mut dyn ArgumentFiles) -> Result<Edits> {
    for (strip, set) in [("Qstrip_priv", "setprivate"), ("Qstrip_rootsignature", "setrootsignature")] {
        if a.has(strip) && a.has(set) {
            return Err(contradiction(format!("-{strip} and -{set} contradict each other")));
        }
    }
    Ok(Edits {
        strip_debug: a.has("Qstrip_debug"),
        strip_reflection: a.has("Qstrip_reflect"),
        strip_private: a.has("Qstrip_priv"),
        strip_root_signature: a.has("Qstrip_rootsignature"),
        private: a.last("setprivate").map(|f| read(files, f)).transpose()?,
        root_signature: a.last("setrootsignature").map(|f| root_signature(files, f)).transpose()?,
    })
}

/// The root signature of a container in a file.
fn root_signature(files: &mut dyn ArgumentFiles, path: &str) -> Result<Vec<u8>> {
    let data = read(files, path)?;
    crate::rootsig::of_container(&data).map_err(|e| ArgumentError::new(ArgumentErrorKind::File, format!("`{path}`: {e}")))
}

/// The files that options request.
pub(super) fn outputs(a: &Arguments, entry: &str) -> OutputFiles {
    let file = |name| a.last(name).map(str::to_owned);
    let extracts = a.has("extractrootsignature");
    OutputFiles {
        object: file("Fo").filter(|_| !extracts),
        listing: file("Fc"),
        header: file("Fh").map(|file| Header { file, variable: a.last("Vn").map_or_else(|| format!("g_{entry}"), str::to_owned) }),
        pdb: file("Fd"),
        reflection: file("Fre"),
        root_signature: file("Frs"),
        hash: file("Fsh"),
        private: file("getprivate"),
        extracted_root_signature: file("Fo").filter(|_| extracts),
    }
}

/// Reads the options for the compiled container. Returns the private data that it gets.
pub(super) fn options(a: &Arguments, files: &mut dyn ArgumentFiles, o: &mut Options, notes: &mut Vec<Note>) -> Result<Option<Vec<u8>>> {
    let edits = edits(a, files)?;
    let spirv = !matches!(o.target, Target::Dxil);
    for name in ["Fd", "Fre", "Frs", "Fsh", "setprivate", "getprivate", "setrootsignature", "extractrootsignature"] {
        if spirv && a.has(name) {
            return Err(requirement(format!("-{name} applies to DXIL containers, and the target is another")));
        }
    }
    for (name, needs) in [("Vn", "Fh"), ("extractrootsignature", "Fo")] {
        if a.has(name) && !a.has(needs) {
            return Err(requirement(format!("-{name} requires -{needs}")));
        }
    }
    if a.has("verifyrootsignature") {
        return Err(requirement("-verifyrootsignature applies to an existing container: add -dumpbin"));
    }
    if o.profile.kind == ProfileKind::Library && !spirv {
        for name in ["setrootsignature", "rootsig-define"] {
            if a.has(name) {
                // As in dxc.
                let message = format!("-{name} has no effect: libraries have root signatures as subobjects");
                notes.push(Note { severity: Severity::Warning, message });
            }
        }
    }
    o.root_signature = edits.root_signature;
    o.binding_table = match (a.last("import-binding-table"), a.last("binding-table-define")) {
        (Some(path), _) => {
            let text = String::from_utf8_lossy(&read(files, path)?).into_owned();
            Some(BindingTable::File(path.to_owned(), text))
        }
        (None, name) => name.map(|n| BindingTable::Macro(n.to_owned())),
    };
    Ok(edits.private)
}

/// `-dumpbin`: what is done with an existing container.
///
/// # Errors
/// Options of the compiler, changes without an output file, files that cannot be read.
pub(super) fn request(a: &Arguments, files: &mut dyn ArgumentFiles, file: &str, notes: Vec<Note>) -> Result<ContainerRequest> {
    if let Some(name) = a.first(|f| f.compiling) {
        return Err(contradiction(format!("-{name} applies to compilation and cannot be combined with -dumpbin")));
    }
    let edits = edits(a, files)?;
    let verify = match a.last("verifyrootsignature") {
        Some(path) => Some((path.to_owned(), root_signature(files, path)?)),
        None => None,
    };
    let outputs = outputs(a, "main");
    if a.has("extractrootsignature") && !a.has("Fo") {
        return Err(requirement("-extractrootsignature requires -Fo"));
    }
    if verify.is_none() && !edits.is_empty() && !a.has("Fo") {
        return Err(requirement("changing a container requires an output file: -Fo"));
    }
    Ok(ContainerRequest { file: file.to_owned(), edits, outputs, verify, notes })
}
