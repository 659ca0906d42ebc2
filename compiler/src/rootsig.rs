//! Root signatures in binary form: read, checked, compared with the resources of a shader, and put into containers.

use rtc_base::{Diagnostic, Span};
use rtc_dxil_container::psv::Psv;
use rtc_dxil_container::{self as container, Container, FourCc, Signing};
use rtc_dxil_lower::library::Built;
use rtc_rootsig::{self as rootsig, RootSignature};
use rtc_tables::diagnostics as codes;

use crate::error::FileError;

/// Checks that the root signature binds the resources of the shader; errors are reported at `span`.
pub(crate) fn check_shader(built: &Built, span: Span, found: &mut Vec<Diagnostic>) {
    let (Some(data), Some(psv)) = (&built.root_signature, built.part(FourCc::PSV0)) else { return };
    let problems = match (read(data), Psv::read(psv)) {
        (Ok(signature), Ok(psv)) => rootsig::check_shader(&signature, &psv),
        (Err(e), _) => vec![e.to_string()],
        (_, Err(e)) => vec![e.to_string()],
    };
    found.extend(problems.into_iter().map(|p| Diagnostic::new(&codes::E0646, span, p)));
}

/// The resources of a container's shader that a root signature in binary form does not bind; a sentence for each.
///
/// # Errors
/// One of the two is damaged, or the container is a library, which has no root signature.
pub fn problems(data: &[u8], container: &[u8]) -> Result<Vec<String>, FileError> {
    let c = Container::parse(container)?;
    if c.part(FourCc::RDAT).is_some() {
        return Err(FileError::RootSignature("a library has no root signature of its own".into()));
    }
    let psv = c.require(FourCc::PSV0).and_then(Psv::read)?;
    let signature = read(data)?;
    Ok(rootsig::check_shader(&signature, &psv))
}

/// Reads and checks the binary form.
///
/// # Errors
/// The binary form is damaged, or the root signature breaks a rule.
pub fn read(data: &[u8]) -> Result<RootSignature, FileError> {
    let signature = rootsig::read(data)?;
    match rootsig::check(&signature).into_iter().next() {
        Some(p) => Err(FileError::RootSignature(p.message)),
        None => Ok(signature),
    }
}

/// The root signature in the container of a root signature or of a shader.
///
/// # Errors
/// The container is damaged or has no root signature, or the root signature is not valid.
pub fn of_container(data: &[u8]) -> Result<Vec<u8>, FileError> {
    let c = Container::parse(data)?;
    let part = c.require(FourCc::RTS0)?;
    read(part)?;
    Ok(part.to_vec())
}

/// A container whose only part is a root signature.
pub fn container_of(data: &[u8], sign: bool) -> Vec<u8> {
    let signing = if sign { Signing::Digest } else { Signing::Unsigned };
    // Only tables of a hundred million ranges are too large for a container.
    container::write(&[(FourCc::RTS0, data)], signing).unwrap_or_default()
}
