//! A shader's PDB: a [multi-stream file](super::msf) whose sixth stream is a container with what debuggers need.
//!
//! Stream 1 has the header of every PDB, with the shader's hash as its unique number, so that a PDB is found by the hash in a
//! shader; streams 0 and 2 to 4 are empty. The container has, in this order, `ILDN` and `HASH` as the shader has them, `SRCI`
//! (sources and arguments, [`super::source_info`]), `STAT` if there is no debug module, `VERS`, and `ILDB`, the debug module.

use super::{Bytes, Container, FormatError, FourCc, Signing, msf, put_u32};

/// Which stream has the PDB's header.
const HEADER_STREAM: usize = 1;
/// Which stream has the container.
const CONTAINER_STREAM: usize = 5;
/// Version of the header (that of Visual C++ 7.0).
const VERSION: u32 = 20_000_404;

/// A PDB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pdb {
    /// The hash of the shader that it belongs to.
    pub hash: [u8; 16],
    /// The container.
    pub container: Vec<u8>,
}

/// Whether these bytes start as a PDB does.
pub fn is_pdb(data: &[u8]) -> bool {
    data.starts_with(msf::MAGIC)
}

impl Pdb {
    /// A PDB of a shader with these parts (in the order that the module says), unsigned as the reference compiler leaves it.
    ///
    /// # Errors
    /// When it would be too large.
    pub fn new<D: AsRef<[u8]>>(hash: [u8; 16], parts: &[(FourCc, D)]) -> Result<Pdb, FormatError> {
        Ok(Pdb { hash, container: super::write(parts, Signing::Unsigned)? })
    }

    /// Reads a PDB that a shader compiler made.
    ///
    /// # Errors
    /// When the file is damaged or has no container: a PDB of another kind of program.
    pub fn read(data: &[u8]) -> Result<Pdb, FormatError> {
        let streams = msf::read(data)?;
        let stream = |i: usize, what: &str| {
            let found = streams.get(i).filter(|s| !s.is_empty());
            found.ok_or_else(|| FormatError::new("PDB", 44, format!("has no stream {i} ({what})")))
        };
        let header = Bytes::new("PDB stream 1", stream(HEADER_STREAM, "the header")?);
        let mut hash = [0; 16];
        hash.copy_from_slice(header.slice(12, 16)?);
        let container = stream(CONTAINER_STREAM, "the container")?;
        if !container.starts_with(&FourCc::DXBC.0) {
            return Err(FormatError::new("PDB", 0, "is not one of a shader: stream 5 is no container"));
        }
        Ok(Pdb { hash, container: container.clone() })
    }

    /// The container, read.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn parts(&self) -> Result<Container, FormatError> {
        Container::parse(&self.container)
    }

    /// The file.
    ///
    /// # Errors
    /// When it would be too large.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut header = Vec::with_capacity(56);
        // Version, signature, age.
        for word in [VERSION, 0, 1] {
            put_u32(&mut header, word);
        }
        header.extend_from_slice(&self.hash);
        // The table of named streams: no bytes of names, no entries, room for one (it may not be zero), no sets of bits.
        for word in [0, 0, 1, 0, 0, 0, 0] {
            put_u32(&mut header, word);
        }
        msf::write(&[&[], &header, &[], &[], &[], &self.container])
    }
}
