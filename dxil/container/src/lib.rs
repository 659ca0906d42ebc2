//! The container: a header, a digest and a list of named parts, one file here per part.
//!
//! All integers are little-endian. [`Container::parse`] accepts exactly what the writer can produce
//! (parts back to back, in the order of the offset table, ending where the file ends) and refuses
//! everything else with the place and the cause; [`write()`] lays out the parts in the caller's order.
//! What is *in* a part is read by the part's own module.
//!
//! | module | part |
//! |---|---|
//! | [`program`] | `DXIL`, `ILDB`, `STAT`: bitcode after a program header |
//! | [`rdat`] | `RDAT`: resources, functions and subobjects of a library |
//! | [`sfi0`] | `SFI0`: feature bits |
//! | [`vers`] | `VERS`: the compiler that made it |
//! | [`hash`] | `HASH`: digest of the bitcode |
//! | [`debug_name`] | `ILDN`: the file name of the debug information |
//! | [`signature`] | `ISG1`, `OSG1`, `PSG1`: stage inputs and outputs |
//! | [`packing`] | which registers the elements take |
//! | [`psv`] | `PSV0`: what the pipeline must know of a compute shader |
//! | [`source_info`] | `SRCI`, `PDBI`: sources and arguments, in a PDB |
//! | [`pdb`], [`msf`] | the file that debug information has of its own |
//!
//! Two modules look into the bitcode: [`metadata`] says what the metadata of a module says (entry points, resources, payloads), and
//! [`recompute`] derives flags, RDAT and PSV0 from the module alone. The compiler writes what is derived; the validator compares.
//!
//! To read the crate, begin with [`Container`] and [`bytes`], then a small part ([`hash`]), then [`rdat`] and [`recompute`].
//!
//! # Example
//!
//! ```
//! use rtc_dxil_container::{Container, FourCc, Signing, write};
//!
//! let bytes = write(&[(FourCc::VERS, [0u8; 16])], Signing::Digest)?;
//! let container = Container::parse(&bytes)?;
//! assert_eq!(container.require(FourCc::VERS)?.len(), 16);
//! assert!(container.part(FourCc::RDAT).is_none());
//! # Ok::<(), rtc_dxil_container::FormatError>(())
//! ```
//!
//! What is *not* here: the runtime package for Vulkan (`rtc-package`), which is a file of the same form, and rules (`rtc-dxil-validate`).

pub mod bytes;
pub mod debug_module;
pub mod debug_name;
pub mod digest;
mod edit;
pub mod hash;
pub mod kinds;
pub mod metadata;
pub mod msf;
pub mod packing;
pub mod pdb;
#[cfg(test)]
mod pdb_tests;
pub mod program;
pub mod psv;
pub mod rdat;
pub mod recompute;
pub mod sfi0;
pub mod shader_flags;
pub mod signature;
pub mod source_info;
pub mod vers;

#[cfg(test)]
mod tests;

pub use bytes::{Bytes, put_u16, put_u32};
pub use digest::{DigestState, Signing};
pub use kinds::{ComponentType, HitGroupType, ResourceClass, ResourceKind, ShaderKind, SubobjectKind};
use serde::{Deserialize, Serialize};

/// Why bytes are not what they claim to be, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The part (`RDAT`), or `container` for the frame around the parts.
    pub part: String,
    /// Byte offset of the trouble, counted from the start of that part's data (of the file for
    /// `container`).
    pub offset: usize,
    /// What is wrong, without a full stop.
    pub reason: String,
}

impl FormatError {
    /// An error at `offset` of `part`.
    pub fn new(part: impl Into<String>, offset: usize, reason: impl Into<String>) -> Self {
        FormatError { part: part.into(), offset, reason: reason.into() }
    }
}

impl std::fmt::Display for FormatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at byte {:#x}: {}", self.part, self.offset, self.reason)
    }
}

impl std::error::Error for FormatError {}

/// The four characters that name a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FourCc(pub [u8; 4]);

#[allow(missing_docs)] // the module table above says what each part is
impl FourCc {
    pub const DXBC: FourCc = FourCc(*b"DXBC");
    pub const SFI0: FourCc = FourCc(*b"SFI0");
    pub const ISG1: FourCc = FourCc(*b"ISG1");
    pub const OSG1: FourCc = FourCc(*b"OSG1");
    pub const PSG1: FourCc = FourCc(*b"PSG1");
    pub const VERS: FourCc = FourCc(*b"VERS");
    pub const RDAT: FourCc = FourCc(*b"RDAT");
    pub const PSV0: FourCc = FourCc(*b"PSV0");
    pub const RTS0: FourCc = FourCc(*b"RTS0");
    pub const STAT: FourCc = FourCc(*b"STAT");
    pub const ILDB: FourCc = FourCc(*b"ILDB");
    pub const ILDN: FourCc = FourCc(*b"ILDN");
    pub const HASH: FourCc = FourCc(*b"HASH");
    pub const DXIL: FourCc = FourCc(*b"DXIL");
    pub const PRIV: FourCc = FourCc(*b"PRIV");
    pub const SRCI: FourCc = FourCc(*b"SRCI");
    pub const PDBI: FourCc = FourCc(*b"PDBI");
    pub const RDEF: FourCc = FourCc(*b"RDEF");
    pub const RTPK: FourCc = FourCc(*b"RTPK");
    pub const SPRV: FourCc = FourCc(*b"SPRV");
    pub const BMAP: FourCc = FourCc(*b"BMAP");
}

impl std::fmt::Display for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for b in self.0 {
            write!(f, "{}", b.escape_ascii())?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for FourCc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// A major and a minor number: a shader model, a validator version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The number before the dot.
    pub major: u32,
    /// The number after the dot.
    pub minor: u32,
}

impl Version {
    /// `major.minor`.
    pub const fn new(major: u32, minor: u32) -> Self {
        Version { major, minor }
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Size of the container header that precedes the offset table.
pub const HEADER_SIZE: usize = 32;
/// Size of a part's header: name and data size.
pub const PART_HEADER_SIZE: usize = 8;
/// No container may be larger than this many bytes.
pub const MAX_SIZE: usize = 0x8000_0000;

/// One named part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name.
    pub name: FourCc,
    /// Its data, without the part header.
    pub data: Vec<u8>,
    /// Where the data began in the file that was parsed (0 for a part that was made here).
    pub offset: usize,
}

/// A parsed container.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    /// The digest in the header.
    pub digest: [u8; 16],
    /// What that digest says about the content.
    pub digest_state: DigestState,
    /// The parts, in the order of the file.
    pub parts: Vec<Part>,
}

impl Container {
    /// Reads a whole container.
    ///
    /// # Errors
    /// When the header is not a container's, a size or an offset does not fit, parts overlap or leave
    /// gaps, or bytes follow the end. A digest that does not match is *not* an error here: see
    /// [`Container::digest_state`].
    pub fn parse(data: &[u8]) -> Result<Container, FormatError> {
        let b = Bytes::new("container", data);
        if data.len() < HEADER_SIZE {
            return Err(b.error(data.len(), format!("{} bytes are too few for a header", data.len())));
        }
        if data[..4] != FourCc::DXBC.0 {
            return Err(b.error(0, "does not start with 'DXBC'"));
        }
        let mut stored = [0; 16];
        stored.copy_from_slice(&data[4..20]);
        let (major, minor) = (b.u16(20)?, b.u16(22)?);
        if (major, minor) != (1, 0) {
            return Err(b.error(20, format!("container version is {major}.{minor}, known is 1.0")));
        }
        let size = b.u32(24)? as usize;
        if size > MAX_SIZE {
            return Err(b.error(24, format!("total size {size:#x} is above the limit {MAX_SIZE:#x}")));
        }
        if size != data.len() {
            return Err(b.error(24, format!("total size is {size}, the file has {} bytes", data.len())));
        }
        let count = b.u32(28)? as usize;
        let table = b.slice(HEADER_SIZE, count as u64 * 4)?;
        let mut at = HEADER_SIZE + table.len();
        let mut parts = Vec::with_capacity(count);
        for i in 0..count {
            let entry = HEADER_SIZE + 4 * i;
            let offset = b.u32(entry)? as usize;
            if offset != at {
                let what = if offset < at { "overlaps what is before it" } else { "leaves a gap before it" };
                return Err(b.error(entry, format!("part {i} at {offset:#x} {what} (expected at {at:#x})")));
            }
            let head = b.slice(offset, PART_HEADER_SIZE as u64)?;
            let name = FourCc([head[0], head[1], head[2], head[3]]);
            let length = b.u32(offset + 4)?;
            let start = offset + PART_HEADER_SIZE;
            let Ok(body) = b.slice(start, u64::from(length)) else {
                let room = data.len() - start;
                return Err(b.error(offset + 4, format!("part {name} has size {length}, only {room} bytes are left")));
            };
            parts.push(Part { name, data: body.to_vec(), offset: start });
            at = start + body.len();
        }
        if at != data.len() {
            return Err(b.error(at, format!("{} bytes after the last part", data.len() - at)));
        }
        Ok(Container { digest: stored, digest_state: digest::state(data), parts })
    }

    /// The first part of that name.
    pub fn part(&self, name: FourCc) -> Option<&Part> {
        self.parts.iter().find(|p| p.name == name)
    }

    /// The data of the part of that name.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn require(&self, name: FourCc) -> Result<&[u8], FormatError> {
        match self.part(name) {
            Some(p) => Ok(&p.data),
            None => Err(FormatError::new("container", HEADER_SIZE, format!("has no {name} part"))),
        }
    }
}

/// Adds a part with its header.
pub fn put_part(out: &mut Vec<u8>, name: FourCc, data: &[u8]) {
    out.extend_from_slice(&name.0);
    put_u32(out, data.len() as u32);
    out.extend_from_slice(data);
}

/// Writes a container with these parts, in this order, back to back.
///
/// The data is written as it is: the writer of a part pads it to a multiple of four bytes
/// where the format requires that.
///
/// # Errors
/// When the container would be larger than [`MAX_SIZE`].
pub fn write<D: AsRef<[u8]>>(parts: &[(FourCc, D)], signing: Signing) -> Result<Vec<u8>, FormatError> {
    let mut size = HEADER_SIZE;
    for (_, data) in parts {
        size = size.saturating_add(4 + PART_HEADER_SIZE).saturating_add(data.as_ref().len());
    }
    if size > MAX_SIZE {
        return Err(FormatError::new("container", 24, format!("would have {size} bytes, the limit is {MAX_SIZE}")));
    }
    let mut out = Vec::with_capacity(size);
    out.extend_from_slice(&FourCc::DXBC.0);
    out.extend_from_slice(&[0; 16]);
    put_u16(&mut out, 1);
    put_u16(&mut out, 0);
    put_u32(&mut out, size as u32);
    put_u32(&mut out, parts.len() as u32);
    let mut at = HEADER_SIZE + 4 * parts.len();
    for (_, data) in parts {
        put_u32(&mut out, at as u32);
        at += PART_HEADER_SIZE + data.as_ref().len();
    }
    for (name, data) in parts {
        put_part(&mut out, *name, data.as_ref());
    }
    digest::sign(&mut out, signing);
    Ok(out)
}
