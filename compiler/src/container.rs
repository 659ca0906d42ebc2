//! Editing of compiled containers: lists, extracts, removes and replaces parts.

use std::fmt::Write as _;

use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::{Container, DigestState, FormatError, FourCc};

use crate::error::FileError;

/// Changes of a container. A part to be removed must exist.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edits {
    /// `-Qstrip_debug`: remove the debug module.
    pub strip_debug: bool,
    /// `-Qstrip_reflect`: remove the reflection part.
    pub strip_reflection: bool,
    /// `-Qstrip_priv`: remove private data.
    pub strip_private: bool,
    /// `-Qstrip_rootsignature`: remove the root signature.
    pub strip_root_signature: bool,
    /// `-setprivate`: private data.
    pub private: Option<Vec<u8>>,
    /// `-setrootsignature`: the root signature in binary form. It must bind the resources of the shader.
    pub root_signature: Option<Vec<u8>>,
}

impl Edits {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        *self == Edits::default()
    }

    /// The container with the changes; it is signed if the original was.
    ///
    /// # Errors
    /// The container is damaged, a part to be removed is missing, or the root signature does not match the shader.
    pub fn apply(&self, data: &[u8]) -> Result<Vec<u8>, FileError> {
        let mut c = Container::parse(data)?;
        for (wanted, name, what) in [
            (self.strip_debug, FourCc::ILDB, "debug module"),
            (self.strip_reflection, FourCc::STAT, "reflection"),
            (self.strip_private, FourCc::PRIV, "private data"),
            (self.strip_root_signature, FourCc::RTS0, "root signature"),
        ] {
            if wanted && c.remove(name).is_none() {
                return Err(FileError::MissingPart(format!("the container has no {what} to remove (part {name})")));
            }
        }
        if let Some(signature) = &self.root_signature {
            if let Some(problem) = crate::rootsig::problems(signature, data)?.into_iter().next() {
                return Err(FileError::RootSignature(format!("the root signature does not match the shader: {problem}")));
            }
            // The position that the compiler gives it.
            c.put_after(FourCc::RTS0, signature.clone(), FourCc::PSV0);
        }
        if let Some(private) = &self.private {
            c.put(FourCc::PRIV, private.clone());
        }
        Ok(c.write()?)
    }
}

/// The data of a part of a container, or of the container in a PDB.
///
/// # Errors
/// The file is damaged or has no such part.
pub fn part(data: &[u8], name: &str) -> Result<Vec<u8>, FileError> {
    let c = any(data)?;
    match c.parts.iter().find(|p| p.name.to_string() == name) {
        Some(p) => Ok(p.data.clone()),
        None => Err(FileError::MissingPart(format!("there is no part {name}"))),
    }
}

/// A container, or the one in a PDB.
fn any(data: &[u8]) -> Result<Container, FormatError> {
    if is_pdb(data) { Pdb::read(data)?.parts() } else { Container::parse(data) }
}

/// The parts of a container or a PDB with offsets and sizes, and the state of the digest.
///
/// # Errors
/// The file is damaged.
pub fn list(data: &[u8]) -> Result<String, FileError> {
    let c = any(data)?;
    let digest = match c.digest_state {
        DigestState::Valid => "valid",
        DigestState::ValidDebug => "valid (of a debug build of the validator)",
        DigestState::Preview => "marker of a preview shader model",
        DigestState::Unsigned => "none: the container is not signed",
        DigestState::Mismatch => "invalid: the container was changed after it was signed",
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
