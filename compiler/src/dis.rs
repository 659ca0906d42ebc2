//! Disassembly listings of DXIL containers of any compiler, PDBs, runtime packages and SPIR-V modules.

use std::fmt::Write as _;

use rtc_dxil_container::pdb::{Pdb, is_pdb};
use rtc_dxil_container::source_info::SourceInfo;
use rtc_dxil_container::{Container, FourCc};
use rtc_package::payloads;
use rtc_package::{Form, Package, RequirementKind};

use crate::error::FileError;

fn damaged(e: impl std::fmt::Display) -> FileError {
    FileError::Damaged(e.to_string())
}

/// The listing of a PDB: the shader's hash, sources and arguments, and the debug module, if it has one.
fn pdb(data: &[u8]) -> Result<String, FileError> {
    let pdb = Pdb::read(data)?;
    let container = pdb.parts()?;
    let mut out = String::from("; PDB of a shader\n");
    let hash: String = pdb.hash.iter().map(|b| format!("{b:02x}")).collect();
    _ = writeln!(out, "; hash: {hash}");
    out.push_str(&crate::container::parts(&container));
    let info = match (container.part(FourCc::SRCI), container.part(FourCc::PDBI)) {
        (Some(part), _) => Some(SourceInfo::read(&part.data)),
        (None, Some(part)) => Some(SourceInfo::read_pdbi(&part.data)),
        (None, None) => None,
    };
    if let Some(info) = info.transpose()? {
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
        out.push_str(&rtc_dxil_dis::listing(&pdb.container).map_err(damaged)?);
    }
    Ok(out)
}

/// The listing of a compiled file of any kind.
///
/// # Errors
/// The file is damaged, which the error locates by part and offset, or of an unknown kind.
pub fn disassemble(data: &[u8]) -> Result<String, FileError> {
    let unsupported = |message: &str| Err(FileError::Unsupported(message.into()));
    match data {
        [b'D', b'X', b'B', b'C', ..] => {
            let container = Container::parse(data)?;
            if container.part(FourCc::SPRV).is_some() {
                let package = Package::read(data)?;
                return Ok(forms(&package) + &payloads(&package) + &spirv(&package.spirv)?);
            }
            match container.parts.as_slice() {
                [part] if part.name == FourCc::RTS0 => {
                    let signature = rtc_rootsig::read(&part.data)?;
                    Ok(format!("; Root signature, version {}:\n;\n; {signature}\n", signature.version))
                }
                _ => rtc_dxil_dis::listing(data).map_err(damaged),
            }
        }
        _ if is_pdb(data) => pdb(data),
        [0x03, 0x02, 0x23, 0x07, ..] => spirv(&words(data)?),
        [b'B', b'C', 0xc0, 0xde, ..] => {
            let module = rtc_dxil_module::bitcode::read(data).map_err(damaged)?;
            Ok(rtc_dxil_dis::module_text(&module))
        }
        [0x07, 0x23, 0x02, 0x03, ..] => unsupported("a big-endian SPIR-V module; rtc reads little-endian ones"),
        [] => unsupported("the file is empty"),
        // What `rtc container -extract DXIL` writes: the header of a program before its module.
        _ => match rtc_dxil_container::program::Program::read("DXIL", data) {
            Ok(program) => {
                let module = rtc_dxil_module::bitcode::read(program.bitcode).map_err(damaged)?;
                Ok(rtc_dxil_dis::module_text(&module))
            }
            Err(_) => unsupported("neither a DXIL container or a program of one, a PDB, a runtime package nor a SPIR-V module"),
        },
    }
}

/// A line of a listing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedLine {
    /// The line, without its end.
    pub text: String,
    /// The place in the source that it comes from.
    pub location: Option<Location>,
}

/// A place in a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The file, as it was named to the compiler.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// The listing of a compiled file, line by line. A DXIL container says where its instructions come from if it embeds debug information
/// (`-Zi -Qembed_debug`), a SPIR-V module if it has lines (`-fspv-debug=line`); the listing is that of the code alone.
///
/// # Errors
/// As [`disassemble`].
pub fn disassemble_by_line(data: &[u8]) -> Result<Vec<ListedLine>, FileError> {
    let of_spirv = |words: &[u32]| {
        let lines = rtc_spirv::listing::listing_by_line(words).map_err(damaged)?;
        let location = |(file, line, column)| Location { file, line, column };
        Ok(lines.into_iter().map(|l| ListedLine { text: l.text, location: l.location.map(location) }).collect())
    };
    match data {
        [b'D', b'X', b'B', b'C', ..] => {
            let container = Container::parse(data)?;
            if container.part(FourCc::SPRV).is_some() {
                return of_spirv(&Package::read(data)?.spirv);
            }
            if container.part(FourCc::DXIL).is_some() {
                let location = |l: rtc_dxil_container::metadata::debug_lookup::SourceLocation| Location {
                    file: l.file,
                    line: l.line,
                    column: l.column,
                };
                let lines = rtc_dxil_dis::listing_by_line(data).map_err(damaged)?;
                return Ok(lines.into_iter().map(|l| ListedLine { text: l.text, location: l.location.map(location) }).collect());
            }
        }
        [0x03, 0x02, 0x23, 0x07, ..] => return of_spirv(&words(data)?),
        _ => {}
    }
    Ok(disassemble(data)?.lines().map(|text| ListedLine { text: text.to_owned(), location: None }).collect())
}

/// The words of a SPIR-V module.
pub(crate) fn words(data: &[u8]) -> Result<Vec<u32>, FileError> {
    if !data.len().is_multiple_of(4) {
        return Err(FileError::Damaged(format!("a SPIR-V module of {} bytes, which is no whole number of words", data.len())));
    }
    Ok(data.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// What is special about the form of a package, or the forms of one with several, as comments before its module.
fn forms(p: &Package) -> String {
    let mut out = String::new();
    if p.forms.is_empty() {
        if let Some(count) = p.map.null_misses {
            let records = if count == 1 { "record" } else { "records" };
            _ = writeln!(out, "; all lanes of a wave trace: {count} miss {records} without a shader before those of the application");
        }
        return out;
    }
    let own = (p.form(), &p.spirv, &p.map, ", listed below");
    for (form, spirv, map, end) in std::iter::once(own).chain(p.forms.iter().map(|f| (f.form, &f.spirv, &f.map, ""))) {
        _ = write!(out, "; form {form}: {} bytes of SPIR-V", 4 * spirv.len());
        let needs = map.requirements.iter().filter(|r| r.kind == RequirementKind::DeviceExtension).map(|r| r.name.as_str());
        let needs: Vec<&str> = needs.filter(|name| form != Form::Lower && name.ends_with("invocation_reorder")).collect();
        if !needs.is_empty() {
            _ = write!(out, ", needs {}", needs.join(", "));
        }
        for s in &map.wavefront {
            let points = if s.points.len() == 1 { "point" } else { "points" };
            _ = write!(out, ", `{}` divided at {} {points}, records of {} words", s.shader, s.points.len(), s.words);
        }
        _ = writeln!(out, "{end}");
    }
    out
}

/// The payload types of a package, as comments before its module.
fn payloads(p: &Package) -> String {
    let mut out = String::new();
    for (n, t) in p.map.payloads.types.iter().enumerate() {
        let how = if t.packed { "packed" } else { "as declared" };
        _ = writeln!(out, "; payload {}: {} bytes declared, {} bytes {how}", t.name, t.declared_size, t.size);
        for f in &t.fields {
            let at = f.offset.map_or("no storage".to_owned(), |o| match f.bits {
                1 => format!("word {} bit {}", o / 32, o % 32),
                b => format!("word {} bit {}, {b} bits", o / 32, o % 32),
            });
            let list = |set: u8| payloads::stages(set).collect::<Vec<_>>().join(", ");
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
/// The module is malformed.
pub fn spirv(words: &[u32]) -> Result<String, FileError> {
    Ok(rtc_spirv::listing::listing_with_names(words).map_err(|e| FileError::Damaged(e.to_string()))? + "\n")
}
