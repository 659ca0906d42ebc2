//! The files of a compilation to DXIL besides its container: reflection data, the hash, the root signature, the PDB.

use rtc_base::SourceMap;
use rtc_dxil_container::debug_module::{self, DebugKind};
use rtc_dxil_container::pdb::Pdb;
use rtc_dxil_container::source_info::{Source, SourceInfo};
use rtc_dxil_container::{Container, FormatError, FourCc, put_part};
use rtc_dxil_link::Linked;
use rtc_dxil_lower::library::{self, Built};

use crate::options::Options;

/// The files besides a container that options can request.
#[derive(Clone, Debug, Default)]
pub struct AuxiliaryFiles {
    /// Reflection data (`-Fre`): the part `STAT` with its header, followed by `RDAT` for a library.
    pub reflection: Vec<u8>,
    /// The data of the part `HASH` (`-Fsh`).
    pub hash: Vec<u8>,
    /// A container with the root signature (`-Frs`), if the shader has one.
    pub root_signature: Option<Vec<u8>>,
    /// The PDB (`-Fd`), if debug information is requested.
    pub pdb: Option<PdbFile>,
}

/// A PDB file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdbFile {
    /// The default file name.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl AuxiliaryFiles {
    /// The files for a compiled shader or library.
    ///
    /// # Errors
    /// The PDB is too large for its format.
    pub(crate) fn new(built: &Built, o: &Options, sources: &debug_module::SourceInfo) -> Result<Self, FormatError> {
        let mut reflection = Vec::new();
        put_part(&mut reflection, FourCc::STAT, &built.reflection);
        if let Some(rdat) = built.part(FourCc::RDAT) {
            put_part(&mut reflection, FourCc::RDAT, rdat);
        }
        Ok(AuxiliaryFiles {
            reflection,
            hash: built.hash.write(),
            root_signature: built.root_signature.as_ref().map(|r| crate::rootsig::container_of(r, o.dxil.sign)),
            pdb: pdb(built, o, sources)?,
        })
    }

    /// The files for a linked library or shader.
    ///
    /// # Errors
    /// The PDB is too large for its format.
    pub fn linked(linked: &Linked) -> Result<Self, FormatError> {
        let container = Container::parse(&linked.bytes)?;
        let data = |name| container.part(name).map(|p| p.data.as_slice());
        let mut reflection = Vec::new();
        put_part(&mut reflection, FourCc::STAT, &linked.reflection);
        if let Some(rdat) = data(FourCc::RDAT) {
            put_part(&mut reflection, FourCc::RDAT, rdat);
        }
        let version = library::version_part();
        let pdb = linked.debug.as_ref().map(|debug| {
            let named = [FourCc::ILDN, FourCc::HASH].into_iter().filter_map(|name| Some((name, data(name)?)));
            let parts: Vec<_> = named.chain([(FourCc::VERS, version.as_slice()), (FourCc::ILDB, &debug.part)]).collect();
            Ok::<_, FormatError>(PdbFile { name: debug.name.clone(), bytes: Pdb::new(debug.hash.digest, &parts)?.write()? })
        });
        Ok(AuxiliaryFiles {
            reflection,
            hash: linked.hash.write(),
            root_signature: data(FourCc::RTS0).map(|r| crate::rootsig::container_of(r, linked.signed)),
            pdb: pdb.transpose()?,
        })
    }
}

/// The PDB: the parts that identify the shader, sources and arguments, and the debug module, or reflection data if there is none.
fn pdb(built: &Built, o: &Options, sources: &debug_module::SourceInfo) -> Result<Option<PdbFile>, FormatError> {
    let Some(debug) = built.debug.as_ref().filter(|_| o.debug.kind != DebugKind::None) else { return Ok(None) };
    let info = source_info(o, sources).write()?;
    let version = library::version_part();
    let mut parts: Vec<(FourCc, &[u8])> = Vec::new();
    for name in [FourCc::ILDN, FourCc::HASH] {
        parts.extend(built.part(name).map(|data| (name, data)));
    }
    parts.push((FourCc::SRCI, &info));
    if debug.part.is_empty() {
        parts.push((FourCc::STAT, &built.reflection));
    }
    parts.push((FourCc::VERS, &version));
    if !debug.part.is_empty() {
        parts.push((FourCc::ILDB, &debug.part));
    }
    Ok(Some(PdbFile { name: debug.name.clone(), bytes: Pdb::new(built.hash.digest, &parts)?.write()? }))
}

/// Source texts and arguments for debug information.
pub(crate) fn texts(main: &str, o: &Options, map: &SourceMap) -> debug_module::SourceInfo {
    let mut files: Vec<(String, String)> = Vec::new();
    // Predefined macros and macros of the command line are buffers without a file.
    let mut all: Vec<_> = map.files().map(|(_, f)| f).filter(|f| !f.name.starts_with('<')).collect();
    all.sort_by_key(|f| f.name != main);
    let mut seen = std::collections::HashSet::new();
    for f in all {
        if seen.insert(f.name.as_str()) {
            files.push((f.name.clone(), f.text.to_string()));
        }
    }
    let define = |d: &rtc_frontend::preprocess::Define| match &d.value {
        Some(v) => format!("{}={v}", d.name),
        None => d.name.clone(),
    };
    debug_module::SourceInfo { main: main.into(), files, defines: o.defines.iter().map(define).collect(), args: o.args.clone() }
}

/// The main file first, then the others by name. Relative paths of included files begin with `./`, because tools that compile
/// from PDBs look them up in this form.
fn source_info(o: &Options, sources: &debug_module::SourceInfo) -> SourceInfo {
    let mut files: Vec<Source> = Vec::new();
    for (name, text) in &sources.files {
        let plain = *name == sources.main || name.starts_with(['/', '\\']) || name.starts_with("./") || name.get(1..2) == Some(":");
        let name = if plain { name.clone() } else { format!("./{name}") };
        files.push(Source { name, text: text.clone() });
    }
    if let Some(included) = files.get_mut(1..) {
        included.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let mut args = vec![("E".to_owned(), o.entry.clone()), ("T".to_owned(), o.profile.to_string())];
    args.extend(o.arguments.iter().filter(|a| a.name != "E" && a.name != "T").map(|a| (a.name.clone(), a.value.clone())));
    SourceInfo { sources: files, args }
}
