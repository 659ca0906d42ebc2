//! Containers that exist already: what is in them, and what of it can be taken out, put in and replaced.

use std::fmt::Write as _;

use rtc_dxil::container::pdb::{Pdb, is_pdb};
use rtc_dxil::container::{Container, DigestState, FourCc};

/// What to change of a container. Parts that are to go must be there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// `-Qstrip_debug`: the debug module goes.
    pub strip_debug: bool,
    /// `-Qstrip_reflect`: the reflection part goes.
    pub strip_reflection: bool,
    /// `-Qstrip_priv`: private data goes.
    pub strip_private: bool,
    /// `-Qstrip_rootsignature`: the root signature goes.
    pub strip_root_signature: bool,
    /// `-setprivate`: private data.
    pub private: Option<Vec<u8>>,
    /// `-setrootsignature`: the root signature in binary form. It must bind what the shader uses.
    pub root_signature: Option<Vec<u8>>,
}

impl Edits {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Edits::default()
    }

    /// The container with the changes, signed if it was.
    ///
    /// # Errors
    /// When the container is damaged, a part that is to go is not there, or the root signature does not fit.
    pub fn apply(&self, data: &[u8]) -> Result<Vec<u8>, String> {
        let mut c = open(data)?;
        for (wanted, name, what) in [
            (self.strip_debug, FourCc::ILDB, "debug module"),
            (self.strip_reflection, FourCc::STAT, "reflection"),
            (self.strip_private, FourCc::PRIV, "private data"),
            (self.strip_root_signature, FourCc::RTS0, "root signature"),
        ] {
            if wanted && c.remove(name).is_none() {
                return Err(format!("the container has no {what} to leave out (part {name})"));
            }
        }
        if let Some(signature) = &self.root_signature {
            if let Some(problem) = crate::rootsig::problems(signature, data)?.into_iter().next() {
                return Err(format!("the root signature does not fit: {problem}"));
            }
            // Where the compiler puts it.
            c.put_behind(FourCc::RTS0, signature.clone(), FourCc::PSV0);
        }
        if let Some(private) = &self.private {
            c.put(FourCc::PRIV, private.clone());
        }
        c.write().map_err(|e| e.to_string())
    }
}

fn open(data: &[u8]) -> Result<Container, String> {
    Container::parse(data).map_err(|e| e.to_string())
}

/// The data of a container's part. Of a PDB, those of the container inside.
///
/// # Errors
/// When the file is damaged or has no such part.
pub fn part(data: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let c = any(data)?;
    match c.parts.iter().find(|p| p.name.to_string() == name) {
        Some(p) => Ok(p.data.clone()),
        None => Err(format!("there is no part {name}")),
    }
}

/// A container, or the one in a PDB.
fn any(data: &[u8]) -> Result<Container, String> {
    if is_pdb(data) {
        return Pdb::read(data).and_then(|p| p.parts()).map_err(|e| e.to_string());
    }
    open(data)
}

/// The parts of a container or a PDB with places and sizes, and what the digest says.
///
/// # Errors
/// When the file is damaged.
pub fn list(data: &[u8]) -> Result<String, String> {
    let c = any(data)?;
    let digest = match c.digest_state {
        DigestState::Valid => "valid",
        DigestState::ValidDebug => "valid (of a debug build of the validator)",
        DigestState::Preview => "mark of a preview shader model",
        DigestState::Unsigned => "none: the container is not signed",
        DigestState::Wrong => "wrong: the container was changed after it was signed",
    };
    Ok(format!("{}; digest: {digest}\n", parts(&c)))
}

/// The table of parts.
pub(crate) fn parts(c: &Container) -> String {
    let mut out = String::from("; Part     Offset       Size\n; ---- ---------- ----------\n");
    for p in &c.parts {
        _ = writeln!(out, "; {} {:>10} {:>10}", p.name, p.offset, p.data.len());
    }
    out
}
