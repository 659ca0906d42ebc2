//! Listings: of DXIL containers (any compiler's), PDBs, runtime packages and SPIR-V modules.

use std::fmt::Write as _;

use rtc_dxil::container::package::Package;
use rtc_dxil::container::pdb::{Pdb, is_pdb};
use rtc_dxil::container::source_info::SourceInfo;
use rtc_dxil::container::{Container, FourCc, package_payloads};

/// The listing of a PDB: where it belongs to, its sources and arguments, and of the debug module, if it has one.
fn pdb(data: &[u8]) -> Result<String, String> {
    let pdb = Pdb::read(data).map_err(|e| e.to_string())?;
    let container = pdb.parts().map_err(|e| e.to_string())?;
    let mut out = String::from("; PDB of a shader\n");
    let hash: String = pdb.hash.iter().map(|b| format!("{b:02x}")).collect();
    _ = writeln!(out, "; hash: {hash}");
    out.push_str(&crate::container::parts(&container));
    let info = match (container.part(FourCc::SRCI), container.part(FourCc::PDBI)) {
        (Some(part), _) => Some(SourceInfo::read(&part.data)),
        (None, Some(part)) => Some(SourceInfo::read_pdbi(&part.data)),
        (None, None) => None,
    };
    if let Some(info) = info.transpose().map_err(|e| e.to_string())? {
        let args = info.args.iter().map(|(name, value)| match (name.as_str(), value.as_str()) {
            ("", v) => v.to_owned(),
            (n, "") => format!("-{n}"),
            (n, v) => format!("-{n} {v}"),
        });
        _ = writeln!(out, ";\n; Arguments: {}", args.collect::<Vec<_>>().join(" "));
        for s in &info.sources {
            _ = writeln!(out, ";\n; Source {} ({} bytes):\n;", s.name, s.text.len());
            s.text.lines().for_each(|l| _ = writeln!(out, "; {l}"));
        }
    }
    if container.part(FourCc::ILDB).is_some() || container.part(FourCc::DXIL).is_some() {
        out.push_str(";\n");
        out.push_str(&rtc_dxil::dis::listing(&pdb.container).map_err(|e| e.to_string())?);
    }
    Ok(out)
}

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
                return Ok(payloads(&package) + &spirv(&package.spirv)?);
            }
            match container.parts.as_slice() {
                [part] if part.name == FourCc::RTS0 => {
                    let signature = rtc_dxil::rootsig::read(&part.data).map_err(|e| e.to_string())?;
                    Ok(format!("; Root signature, version {}:\n;\n; {signature}\n", signature.version))
                }
                _ => rtc_dxil::dis::listing(data).map_err(|e| e.to_string()),
            }
        }
        _ if is_pdb(data) => pdb(data),
        [0x03, 0x02, 0x23, 0x07, ..] => spirv(&words(data)?),
        [0x07, 0x23, 0x02, 0x03, ..] => Err("a big-endian SPIR-V module; rtc reads little-endian ones".into()),
        [] => Err("the file is empty".into()),
        _ => Err("neither a DXIL container, a PDB, a runtime package nor a SPIR-V module".into()),
    }
}

fn words(data: &[u8]) -> Result<Vec<u32>, String> {
    if data.len() % 4 != 0 {
        return Err(format!("a SPIR-V module of {} bytes, which is no whole number of words", data.len()));
    }
    Ok(data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// The payload types of a package as comments in front of its module, where there are any.
fn payloads(p: &Package) -> String {
    let mut out = String::new();
    for (n, t) in p.map.payloads.types.iter().enumerate() {
        let how = if t.packed { "packed" } else { "as declared" };
        _ = writeln!(out, "; payload {}: {} bytes declared, {} bytes {how}", t.name, t.declared_size, t.size);
        for f in &t.fields {
            let at = f.offset.map_or("no room".to_owned(), |o| match f.bits {
                1 => format!("word {} bit {}", o / 32, o % 32),
                b => format!("word {} bit {}, {b} bits", o / 32, o % 32),
            });
            let list = |set: u8| package_payloads::stages(set).collect::<Vec<_>>().join(", ");
            let alive: Vec<String> = f.alive_on().map(|(a, b)| format!("{a}->{b}")).collect();
            let alive = if alive.is_empty() { "never".to_owned() } else { alive.join(" ") };
            _ = writeln!(out, ";   {} {}: {at}; read({}) write({}); alive {alive}", f.ty, f.name, list(f.read), list(f.write));
        }
        for (traces, what) in [(true, "traced by"), (false, "taken by")] {
            let of = p.map.payloads.uses.iter().filter(|u| u.payload as usize == n && u.traces == traces);
            let names: Vec<&str> = of.filter_map(|u| Some(p.map.entries.get(u.entry as usize)?.export.as_str())).collect();
            if !names.is_empty() {
                _ = writeln!(out, ";   {what} {}", names.join(", "));
            }
        }
    }
    out
}

/// The listing of a SPIR-V module.
///
/// # Errors
/// When it is malformed.
pub fn spirv(words: &[u32]) -> Result<String, String> {
    Ok(rtc_spirv::listing::listing(words)? + "\n")
}
