//! Signature elements in metadata: `{id, name, component type, semantic, {indices}, interpolation, rows, columns, row, column, tags}`.

use rtc_tables::pipeline::Domain;
use rtc_tables::resources::CompType;
use rtc_tables::signature::{Interpolation, Interpretation, Semantic, SigPoint};

use super::{int, tuple};
use crate::{ShaderKind, Version};
use rtc_dxil_module::{Meta, Module};

/// Where a record has what.
pub mod field {
    /// The component type.
    pub const COMPONENT: usize = 2;
    /// The semantic.
    pub const SEMANTIC: usize = 3;
    /// The interpolation mode.
    pub const INTERPOLATION: usize = 5;
    /// The tags.
    pub const TAGS: usize = 10;
}

/// The tags of an element.
pub mod tag {
    /// The stream, if it is not the first.
    pub const STREAM: i64 = 0;
    /// The components that are indexed dynamically, if there are any.
    pub const DYNAMIC: i64 = 2;
    /// The components that are used, since validator version 1.5.
    pub const USAGE: i64 = 3;
}

/// Whether metadata says which components are used, under the rules of a validator version.
pub fn says_usage(validator: Version) -> bool {
    validator.major == 0 || validator >= Version::new(1, 5)
}

/// An element of a signature.
#[derive(Clone, Debug, PartialEq)]
pub struct SignatureElement {
    /// Its number in the signature.
    pub id: u32,
    /// The name without the index.
    pub name: String,
    /// The type of the components.
    pub component: CompType,
    /// The system value.
    pub semantic: Semantic,
    /// The semantic index of each row, and then those that are spare.
    pub indices: Vec<u32>,
    /// How many of the indices are beyond its rows: compilers before 1.9 gave an output array of a mesh shader one for each vertex or
    /// primitive.
    pub spare_indices: u32,
    /// How it is interpolated.
    pub interpolation: Interpolation,
    /// Columns.
    pub columns: u32,
    /// Its first register, if it has one.
    pub row: Option<u32>,
    /// Its first component there.
    pub column: u32,
    /// The stream.
    pub stream: u32,
    /// The components of some row that are indexed dynamically, bit 0 the first of the element.
    pub dynamic: u8,
    /// The components that are read or written, bit 0 the first of the element.
    pub usage: u8,
}

impl SignatureElement {
    /// Rows.
    pub fn rows(&self) -> u32 {
        (self.indices.len() as u32).saturating_sub(self.spare_indices)
    }
    /// The components as bits of a register.
    pub fn mask(&self) -> u8 {
        (((1u32 << self.columns) - 1) << self.column) as u8
    }
    /// What it is at a signature point.
    pub fn interpretation(&self, point: SigPoint) -> Interpretation {
        self.interpretation_if_any(point).unwrap_or(Interpretation::Arbitrary)
    }
    /// What it is at a signature point; `None`: the point does not have such a semantic.
    pub fn interpretation_if_any(&self, point: SigPoint) -> Option<Interpretation> {
        // The inputs of a geometry shader are those of its vertices, and what it has once for a primitive.
        let other = if point == SigPoint::GsVIn { SigPoint::GsIn } else { point };
        self.semantic.at(point).or(self.semantic.at(other))
    }
    /// Whether the shader uses 16 bits of a register's component.
    pub fn is_small(&self) -> bool {
        matches!(self.component, CompType::I16 | CompType::U16 | CompType::F16)
    }
}

/// The signatures of an entry point.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Signatures {
    /// The inputs.
    pub inputs: Vec<SignatureElement>,
    /// The outputs.
    pub outputs: Vec<SignatureElement>,
    /// Patch constants or primitives.
    pub patch: Vec<SignatureElement>,
    /// The domain of the patches, where it is known: not here, but in the properties of the entry point.
    pub domain: Option<Domain>,
}

impl Signatures {
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.outputs.is_empty() && self.patch.is_empty()
    }

    /// Reads the tuple of an entry point's record.
    ///
    /// # Errors
    /// What is malformed.
    pub fn read(m: &Module, node: Option<Meta>) -> Result<Signatures, String> {
        let mut out = Signatures::default();
        if node.is_none() {
            return Ok(out);
        }
        let lists = tuple(m, node).ok_or("has signatures that are no tuple")?;
        for (n, list) in [&mut out.inputs, &mut out.outputs, &mut out.patch].into_iter().enumerate() {
            let Some(&Some(elements)) = lists.get(n) else { continue };
            for &e in tuple(m, Some(elements)).ok_or("has a signature that is no tuple")? {
                list.push(element(m, e)?);
            }
        }
        Ok(out)
    }

    /// Writes the tuple; none if there are no elements. `masks`: with the components that are indexed dynamically, and with `usage` those
    /// that are used.
    pub fn write(&self, m: &mut Module, masks: bool, usage: bool) -> Option<Meta> {
        if self.is_empty() {
            return None;
        }
        let lists: Vec<Option<Meta>> = [&self.inputs, &self.outputs, &self.patch]
            .into_iter()
            .map(|list| {
                let records: Vec<Option<Meta>> = list.iter().map(|e| Some(record(m, e, masks, usage))).collect();
                (!records.is_empty()).then(|| m.meta.node(&records))
            })
            .collect();
        Some(m.meta.node(&lists))
    }
}

fn record(m: &mut Module, e: &SignatureElement, masks: bool, usage: bool) -> Meta {
    let mut tags: Vec<Option<Meta>> = Vec::new();
    let mut put = |m: &mut Module, tag: i64, n: u32| tags.extend([Some(m.meta_i32(tag as i32)), Some(m.meta_i32(n as i32))]);
    if e.stream > 0 {
        put(m, tag::STREAM, e.stream);
    }
    if masks && e.dynamic != 0 {
        put(m, tag::DYNAMIC, e.dynamic.into());
    }
    if masks && usage && e.usage != 0 {
        put(m, tag::USAGE, e.usage.into());
    }
    let tags = (!tags.is_empty()).then(|| m.meta.node(&tags));
    let indices: Vec<Option<Meta>> = e.indices.iter().map(|&n| Some(m.meta_i32(n as i32))).collect();
    let small = |m: &mut Module, n: i8| Some(m.meta_i8(n));
    let elems = [
        Some(m.meta_i32(e.id as i32)),
        Some(m.meta.string(&e.name)),
        small(m, e.component.number() as i8),
        small(m, e.semantic.number() as i8),
        Some(m.meta.node(&indices)),
        small(m, e.interpolation as i8),
        Some(m.meta_i32(e.rows() as i32)),
        small(m, e.columns as i8),
        Some(m.meta_i32(e.row.map_or(-1, |r| r as i32))),
        small(m, if e.row.is_some() { e.column as i8 } else { -1 }),
        tags,
    ];
    m.meta.node(&elems)
}

fn element(m: &Module, node: Option<Meta>) -> Result<SignatureElement, String> {
    let Some(&[id, name, component, semantic, indices, interpolation, rows, columns, row, column, tags]) = tuple(m, node) else {
        return Err("has a signature element that is not a tuple of eleven".into());
    };
    let number = |meta: Option<Meta>| int(m, meta).ok_or("has a signature element without a number");
    let small = |meta: Option<Meta>| number(meta).map(|n| n as u32 & 0xff);
    let name = name.and_then(|n| m.meta.bytes(n)).ok_or("has a signature element without a name")?;
    let mut out = SignatureElement {
        id: number(id)? as u32,
        name: String::from_utf8_lossy(name).into_owned(),
        component: CompType::from_number(small(component)?).ok_or("has a signature element of an unknown component type")?,
        semantic: Semantic::from_number(small(semantic)?).ok_or("has a signature element of an unknown semantic")?,
        indices: Vec::new(),
        spare_indices: 0,
        interpolation: Interpolation::from_number(small(interpolation)?).ok_or("has an unknown interpolation mode")?,
        columns: small(columns)?,
        row: u32::try_from(number(row)?).ok(),
        column: 0,
        stream: 0,
        dynamic: 0,
        usage: 0,
    };
    if !(1..=4).contains(&out.columns) {
        return Err(format!("has a signature element of {} columns", out.columns));
    }
    if out.row.is_some() {
        out.column = small(column)?;
    }
    for &n in tuple(m, indices).ok_or("has a signature element without indices")? {
        out.indices.push(number(n)? as u32);
    }
    let rows = number(rows)?;
    // As many as indices, or fewer.
    let spare = i64::from(out.rows()).checked_sub(rows).and_then(|spare| u32::try_from(spare).ok());
    out.spare_indices = spare.ok_or("has a signature element with fewer indices than rows")?;
    if out.rows() == 0 || out.row.is_some_and(|r| r > 32) || out.rows() > 1024 || out.column > 3 {
        return Err("has a signature element of an impossible size".into());
    }
    if tags.is_some() {
        let pairs = tuple(m, tags).ok_or("has tags of a signature element that are no tuple")?;
        for pair in pairs.chunks_exact(2) {
            let value = number(pair[1])? as u32;
            match number(pair[0])? {
                tag::STREAM => out.stream = value & 3,
                tag::DYNAMIC => out.dynamic = value as u8 & 15,
                tag::USAGE => out.usage = value as u8 & 15,
                _ => {}
            }
        }
    }
    Ok(out)
}

/// The signature points of a kind of shader: of its inputs, its outputs, and its patch constants or primitives.
pub fn points(kind: ShaderKind) -> Option<[SigPoint; 3]> {
    use SigPoint as P;
    Some(match kind {
        ShaderKind::Vertex => [P::VsIn, P::VsOut, P::VsOut],
        ShaderKind::Pixel => [P::PsIn, P::PsOut, P::PsOut],
        ShaderKind::Hull => [P::HsCpIn, P::HsCpOut, P::PcOut],
        ShaderKind::Domain => [P::DsCpIn, P::DsOut, P::DsIn],
        ShaderKind::Geometry => [P::GsVIn, P::GsOut, P::GsOut],
        ShaderKind::Mesh => [P::MsIn, P::MsOut, P::MsPOut],
        _ => return None,
    })
}
