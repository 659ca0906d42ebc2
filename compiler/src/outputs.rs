//! What a compilation to DXIL makes beside its container: the files that build systems ask for.

use rtc_base::SourceMap;
use rtc_dxil::container::pdb::Pdb;
use rtc_dxil::container::source_info::{Source, SourceInfo};
use rtc_dxil::container::{Container, FormatError, FourCc, put_part};
use rtc_dxil::debug::{self, DebugKind};
use rtc_dxil::library::{self, Built};
use rtc_dxil::link::Linked;

use crate::options::Options;

/// The files beside a container.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// What reflection reads (`-Fre`): the part `STAT` with its header; of a library, `RDAT` behind it.
    pub reflection: Vec<u8>,
    /// The data of `HASH` (`-Fsh`).
    pub hash: Vec<u8>,
    /// A container of the root signature (`-Frs`), if the shader has one.
    pub root_signature: Option<Vec<u8>>,
    /// The PDB (`-Fd`), if debug information is asked for, and its name.
    pub pdb: Option<(Vec<u8>, String)>,
}

impl Outputs {
    /// The files of what was built of these sources.
    ///
    /// # Errors
    /// When the PDB would be too large.
    pub(crate) fn new(built: &Built, o: &Options, sources: &debug::SourceInfo) -> Result<Self, FormatError> {
        let mut reflection = Vec::new();
        put_part(&mut reflection, FourCc::STAT, &built.reflection);
        if let Some(rdat) = built.part(FourCc::RDAT) {
            put_part(&mut reflection, FourCc::RDAT, rdat);
        }
        Ok(Outputs {
            reflection,
            hash: built.hash.write(),
            root_signature: built.root_signature.as_ref().map(|r| crate::rootsig::container_of(r, o.sign)),
            pdb: pdb(built, o, sources)?,
        })
    }

    /// The files of what was linked.
    ///
    /// # Errors
    /// When the PDB would be too large.
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
            Ok::<_, FormatError>((Pdb::new(debug.hash.digest, &parts)?.write()?, debug.name.clone()))
        });
        Ok(Outputs {
            reflection,
            hash: linked.hash.write(),
            root_signature: data(FourCc::RTS0).map(|r| crate::rootsig::container_of(r, linked.signed)),
            pdb: pdb.transpose()?,
        })
    }
}

/// The PDB: what names the shader, sources and arguments, and the debug module, or, where there is none, what reflection reads.
fn pdb(built: &Built, o: &Options, sources: &debug::SourceInfo) -> Result<Option<(Vec<u8>, String)>, FormatError> {
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
    Ok(Some((Pdb::new(built.hash.digest, &parts)?.write()?, debug.name.clone())))
}

/// Texts and arguments, as debug information has them.
pub(crate) fn texts(main: &str, o: &Options, map: &SourceMap) -> debug::SourceInfo {
    let mut files: Vec<(String, String)> = Vec::new();
    // Predefined macros and those of the command line are buffers without a file.
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
    debug::SourceInfo { main: main.into(), files, defines: o.defines.iter().map(define).collect(), args: o.args.clone() }
}

/// The main file first, then the others by name. Relative paths of included files begin with `./`, which is how tools that compile
/// from PDBs look for them.
fn source_info(o: &Options, sources: &debug::SourceInfo) -> SourceInfo {
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
    args.extend(o.arguments.iter().filter(|a| a.0 != "E" && a.0 != "T").cloned());
    SourceInfo { sources: files, args }
}
