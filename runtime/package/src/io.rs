//! The parts of a package in their container.

use crate::forms;
use crate::layouts;
use crate::map::{read_map, read_spirv, write_map};
use crate::{FORMAT_VERSION, Form, Package};
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::{Bytes, Container, DigestState, FormatError, FourCc, Signing, Version, put_u32};

/// The part with layouts of constant buffers.
const LAYS: FourCc = FourCc(*b"LAYS");

/// The part with further forms.
const FORM: FourCc = FourCc(*b"FORM");

pub(super) fn write(package: &Package) -> Result<Vec<u8>, FormatError> {
    let mut head = Vec::new();
    let converged = package.all_forms().contains(&Form::Converge) || package.map.null_misses.is_some();
    put_u32(&mut head, if converged { FORMAT_VERSION } else { 1 + u32::from(!package.forms.is_empty()) });
    put_u32(&mut head, package.flags);
    let spirv: Vec<u8> = package.spirv.iter().flat_map(|w| w.to_le_bytes()).collect();
    let mut parts = vec![
        (FourCc::RTPK, head),
        (FourCc::RDAT, package.rdat.write(Version::new(0, 0))),
        (FourCc::SPRV, spirv),
        (FourCc::BMAP, write_map(&package.map)),
    ];
    if !package.layouts.is_empty() {
        parts.push((LAYS, layouts::write(&package.layouts)));
    }
    if !package.forms.is_empty() {
        parts.push((FORM, forms::write(&package.forms)));
    }
    rtc_dxil_container::write(&parts, Signing::Digest)
}

pub(super) fn read(data: &[u8]) -> Result<Package, FormatError> {
    let container = Container::parse(data)?;
    if container.digest_state != DigestState::Valid {
        return Err(FormatError::new("container", 4, "digest mismatch"));
    }
    let head = Bytes::new("RTPK", container.require(FourCc::RTPK)?);
    let version = head.u32(0)?;
    if version == 0 || version > FORMAT_VERSION {
        let why = format!("unsupported package format {version}, the newest supported is {FORMAT_VERSION}");
        return Err(head.error(0, why));
    }
    let mut package = Package {
        flags: head.u32(4)?,
        rdat: Rdat::read(container.require(FourCc::RDAT)?)?,
        spirv: read_spirv(container.require(FourCc::SPRV)?)?,
        map: read_map(container.require(FourCc::BMAP)?)?,
        layouts: container.part(LAYS).map_or(Ok(Vec::new()), |part| layouts::read(&part.data))?,
        forms: Vec::new(),
    };
    // Format 1 has no such part, and its readers skip parts that they do not know.
    if let Some(part) = container.part(FORM).filter(|_| version > 1) {
        package.forms = forms::read(&part.data, &package)?;
    }
    Ok(package)
}
