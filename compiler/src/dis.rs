//! Listings: of DXIL containers (any compiler's), runtime packages and SPIR-V modules.

use rtc_dxil::container::package::Package;
use rtc_dxil::container::{Container, FourCc};

/// The listing of a compiled file, whatever it is.
///
/// # Errors
/// A sentence that names the part and the offset where the file is damaged, or says that it is of no known kind.
pub fn disassemble(data: &[u8]) -> Result<String, String> {
    match data {
        [b'D', b'X', b'B', b'C', ..] => {
            let container = Container::parse(data).map_err(|e| e.to_string())?;
            if container.part(FourCc::SPRV).is_some() {
                let package = Package::read(data).map_err(|e| e.to_string())?;
                return spirv(&package.spirv);
            }
            rtc_dxil::dis::listing(data).map_err(|e| e.to_string())
        }
        [0x03, 0x02, 0x23, 0x07, ..] => spirv(&words(data)?),
        [0x07, 0x23, 0x02, 0x03, ..] => Err("a big-endian SPIR-V module; rtc reads little-endian ones".into()),
        [] => Err("the file is empty".into()),
        _ => Err("neither a DXIL container, a runtime package nor a SPIR-V module".into()),
    }
}

fn words(data: &[u8]) -> Result<Vec<u32>, String> {
    if data.len() % 4 != 0 {
        return Err(format!("a SPIR-V module of {} bytes, which is no whole number of words", data.len()));
    }
    Ok(data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// The listing of a SPIR-V module.
///
/// # Errors
/// When it is malformed.
pub fn spirv(words: &[u32]) -> Result<String, String> {
    Ok(rtc_spirv::listing::listing(words)? + "\n")
}
