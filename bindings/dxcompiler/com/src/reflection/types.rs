//! Types of variables in buffers, from the types of a module and the annotations of their fields.
//!
//! A matrix or a vector is known by its annotation; arrays around it are one dimension, since reflection has no more. A structure counts
//! as many columns as it has scalars.

use std::collections::HashMap;

use rtc_dxil_container::ComponentType;
use rtc_dxil_container::metadata::{Field, Layout, annotations};
use rtc_dxil_container::recompute::layout::Sizes;
use rtc_dxil_module::{Module, Type as ModuleType, TypeKind};

/// Types inside types beyond this are left out, and so is what follows this many: a damaged module may nest without end.
const MAX_DEPTH: usize = 32;
const MAX_TYPES: usize = 1 << 16;

/// The classes of types, with their numbers.
pub mod class {
    #![allow(missing_docs)]
    pub const SCALAR: u32 = 0;
    pub const VECTOR: u32 = 1;
    pub const MATRIX_ROWS: u32 = 2;
    pub const MATRIX_COLUMNS: u32 = 3;
    pub const OBJECT: u32 = 4;
    pub const STRUCT: u32 = 5;
    pub const BIT_FIELD: u32 = 8;
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariableType {
    /// One of [`class`].
    pub class: u32,
    /// The type of components, or of an object.
    pub kind: u32,
    /// Rows; 1 for scalars, vectors and structures.
    pub rows: u32,
    /// Columns; of a structure its scalars, of a bit field its bits.
    pub columns: u32,
    /// Elements of an array; 0 if it is none.
    pub elements: u32,
    /// Bytes from the start of the enclosing structure.
    pub offset: u32,
    /// The name.
    pub name: String,
    /// The members of a structure, or the bit fields of an integer.
    pub members: Vec<(String, VariableType)>,
    /// The number of members that is reported; reported types have as many.
    pub member_count: u32,
    /// Bytes in a constant buffer.
    pub size: u32,
}

/// Number and name of a component type, and its bytes in a constant buffer. Types that have no number in reflection are none.
#[rustfmt::skip]
fn component(c: ComponentType, minimum_precision: bool) -> (u32, &'static str, u32) {
    use ComponentType::*;
    match (c, minimum_precision) {
        (I1, _) => (1, "bool", 4),
        (I32, _) => (2, "int", 4),
        (U32, _) => (19, "uint", 4),
        (F32 | SNormF32 | UNormF32, _) => (3, "float", 4),
        (I16, true) => (56, "min16int", 4),
        (I16, false) => (58, "int16_t", 2),
        (U16, true) => (57, "min16uint", 4),
        (U16, false) => (59, "uint16_t", 2),
        (F16 | SNormF16 | UNormF16, true) => (54, "min16float", 4),
        (F16 | SNormF16 | UNormF16, false) => (60, "float16_t", 2),
        (I64, _) => (61, "int64_t", 8),
        (U64, _) => (62, "uint64_t", 8),
        (F64 | SNormF64 | UNormF64, _) => (39, "double", 8),
        _ => (0, "", 4),
    }
}

/// A scalar `uint` has another name than vectors of it.
const UINT: u32 = 19;

/// Names of object types, by their beginning or as a whole, and their numbers. Streams and wave types have none.
#[rustfmt::skip]
const OBJECTS: &[(&str, bool, u32)] = &[
    ("ByteAddressBuffer", true, 46), ("RWByteAddressBuffer", true, 47),
    ("Buffer", false, 25), ("RWBuffer", false, 45), ("StructuredBuffer", false, 48), ("RWStructuredBuffer", false, 49),
    ("Texture1D", false, 6), ("RWTexture1D", false, 40), ("Texture2D", false, 7), ("RWTexture2D", false, 42),
    ("Texture3D", false, 8), ("RWTexture3D", false, 44), ("TextureCube", false, 9),
];

/// Takes off the characters of a prefix, in any order and number, as the reference does to names.
fn without<'a>(name: &'a str, prefix: &str) -> &'a str {
    name.trim_start_matches(|c| prefix.contains(c))
}

/// The number of an object type, by its name; `None` if it is no object.
fn object(name: &str) -> Option<u32> {
    if name.starts_with("dx.types.wave_t") {
        return Some(0);
    }
    let name = without(without(name, "class."), "struct.");
    if name.ends_with("_slice_type") {
        return None;
    }
    match name {
        "SamplerState" | "SamplerComparisonState" => return Some(10),
        _ if ["TriangleStream", "PointStream", "LineStream"].iter().any(|s| name.starts_with(s)) => return Some(0),
        _ if name.starts_with("AppendStructuredBuffer") => return Some(50),
        _ if name.starts_with("ConsumeStructuredBuffer") => return Some(51),
        _ if name.starts_with("ConstantBuffer") => return Some(26),
        _ => {}
    }
    let name = without(name, "RasterizerOrdered");
    OBJECTS.iter().find(|(text, whole, _)| if *whole { name == *text } else { name.starts_with(text) }).map(|o| o.2)
}

/// Reads types of a module.
pub struct Types<'m> {
    m: &'m Module,
    notes: HashMap<ModuleType, Layout>,
    sizes: Sizes,
    minimum_precision: bool,
    left: usize,
}

impl<'m> Types<'m> {
    /// The types of `m`.
    pub fn new(m: &'m Module, minimum_precision: bool) -> Self {
        Types { m, notes: annotations(m).into_iter().collect(), sizes: Sizes::default(), minimum_precision, left: MAX_TYPES }
    }

    /// The module.
    pub fn module(&self) -> &'m Module {
        self.m
    }

    /// The annotation of a structure.
    pub fn layout(&self, ty: ModuleType) -> Option<&Layout> {
        self.notes.get(&ty)
    }

    /// Bytes of a type in memory.
    pub fn size(&mut self, ty: ModuleType) -> u32 {
        self.sizes.of(self.m, ty).map_or(0, |n| n.min(u32::MAX.into()) as u32)
    }

    /// The type of a variable. In a constant buffer, offsets are those of annotations, less `base`; else `base` is the offset.
    pub fn variable(&mut self, ty: ModuleType, field: &Field, base: u32, constants: bool) -> VariableType {
        self.read(ty, field, base, constants, 0)
    }

    fn is_object(&self, mut ty: ModuleType) -> bool {
        while let TypeKind::Array { elem, .. } = self.m.types[ty] {
            ty = elem;
        }
        self.m.types.fields(ty).is_some() && object(self.m.types.struct_name(ty).unwrap_or_default()).is_some()
    }

    /// Whether a type is an array or a vector of `count` scalars, at most `depth` levels deep.
    fn has_scalars(&self, ty: ModuleType, count: u64, depth: u32) -> bool {
        match self.m.types[ty] {
            TypeKind::Array { elem, len } => {
                depth > 0 && len > 0 && count >= len && count.is_multiple_of(len) && self.has_scalars(elem, count / len, depth - 1)
            }
            TypeKind::Vector { len, .. } => depth > 0 && u64::from(len) == count,
            _ => count == 1,
        }
    }

    fn read(&mut self, ty: ModuleType, field: &Field, base: u32, constants: bool, depth: usize) -> VariableType {
        let offset = if constants { field.offset.wrapping_sub(base) } else { base };
        let mut out = VariableType { offset, ..VariableType::default() };
        if self.left == 0 {
            return out;
        }
        self.left -= 1;
        // Of the matrix in its orientation, for the size.
        let (mut rows, mut columns) = (1u64, 1u64);
        if let Some([r, c, orientation]) = field.matrix {
            out.class = if orientation == 1 { class::MATRIX_ROWS } else { class::MATRIX_COLUMNS };
            (out.rows, out.columns) = (r as u32, c as u32);
            (rows, columns) = (out.rows.into(), out.columns.into());
            if out.class == class::MATRIX_COLUMNS {
                std::mem::swap(&mut rows, &mut columns);
            }
        } else if let Some(lanes) = field.vector.filter(|n| *n != 0) {
            (out.class, out.rows, out.columns) = (class::VECTOR, 1, lanes);
            columns = lanes.into();
        }
        let mut ty = ty;
        while let TypeKind::Array { elem, len } = self.m.types[ty] {
            let levels = if out.class == class::VECTOR || rows == 1 { 1 } else { 2 };
            if out.class != class::SCALAR && self.has_scalars(ty, rows * columns, levels) {
                break;
            }
            out.elements = out.elements.max(1).saturating_mul(len.min(u32::MAX.into()) as u32);
            ty = elem;
        }
        let (kind, name, bytes) = field.component.map_or((0, "", 4), |c| component(c, self.minimum_precision));
        out.kind = kind;
        out.name = name.to_owned();
        match &self.m.types[ty] {
            _ if out.class == class::VECTOR => out.name += &out.columns.to_string(),
            _ if out.class != class::SCALAR => out.name += &format!("{}x{}", out.rows, out.columns),
            TypeKind::Vector { len, .. } => {
                (out.class, out.rows, out.columns) = (class::VECTOR, 1, *len);
                out.name += &len.to_string();
                columns = (*len).into();
            }
            TypeKind::Pointer { .. } => {}
            TypeKind::Void => {
                (out.rows, out.columns) = (1, 1);
                out.name = "void".into();
            }
            _ if self.m.types.fields(ty).is_some() => {
                self.structure(ty, &mut out, constants, depth);
                return out;
            }
            _ => {
                (out.rows, out.columns) = (1, 1);
                if kind == UINT {
                    out.name = "dword".into();
                }
            }
        }
        if out.elements > 1 {
            rows *= u64::from(out.elements);
        }
        let stride = if bytes > 4 && columns > 2 { 32 } else { 16 };
        out.size = (stride * rows.saturating_sub(1) + u64::from(bytes) * columns).min(u32::MAX.into()) as u32;
        out
    }

    fn structure(&mut self, ty: ModuleType, out: &mut VariableType, constants: bool, depth: usize) {
        let full_name = self.m.types.struct_name(ty).unwrap_or_default();
        if let Some(kind) = object(full_name) {
            (out.class, out.kind) = (class::OBJECT, kind);
            return;
        }
        out.class = class::STRUCT;
        out.rows = 1;
        out.name = without(without(without(full_name, "dx.alignment.legacy."), "hostlayout."), "struct.").to_owned();
        if depth == MAX_DEPTH {
            return;
        }
        // The annotation is taken out meanwhile, so that a structure in itself has none.
        let Some(layout) = self.notes.remove(&ty) else { return };
        let m = self.m;
        let fields = m.types.fields(ty).map_or(&[][..], |f| &f.types);
        let mut last = None;
        for (n, (&field_type, field)) in fields.iter().zip(&layout.fields).enumerate() {
            if self.is_object(field_type) {
                continue;
            }
            let place = if constants { 0 } else { self.sizes.field(m, ty, n).unwrap_or(0) as u32 };
            let mut member = self.read(field_type, field, place, constants, depth + 1);
            let mut bit = 0;
            for part in &field.bit_fields {
                let mut bits = self.read(field_type, field, place, constants, depth + 1);
                (bits.class, bits.columns, bits.offset) = (class::BIT_FIELD, part.width, bit);
                bit += part.width;
                member.members.push((part.name.clone(), bits));
            }
            member.member_count = member.members.len() as u32;
            last = Some((member.offset, member.size));
            let is_empty = m.types.fields(field_type).is_some() && member.columns == 0;
            if !is_empty {
                let scalars = member.columns.max(1).wrapping_mul(member.rows.max(1)).wrapping_mul(member.elements.max(1));
                out.columns = out.columns.wrapping_add(scalars);
            }
            out.members.push((field.name.clone(), member));
        }
        out.member_count = out.members.len() as u32;
        if let Some((offset, size)) = last {
            out.size = offset.wrapping_add(size);
            if out.elements > 1 {
                let one = out.size.wrapping_add(15) & !15;
                out.size = out.size.wrapping_add((out.elements - 1).wrapping_mul(one));
            }
        }
        self.notes.insert(ty, layout);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_known_by_name() {
        assert_eq!(object("class.Texture2D<vector<float, 4> >"), Some(7));
        // Taking off the letters of `RasterizerOrdered` takes the first one of these too, as in the reference.
        assert_eq!(object("class.RWTexture2DArray<float>"), None);
        assert_eq!(object("struct.ByteAddressBuffer"), Some(46));
        assert_eq!(object("struct.SamplerState"), Some(10));
        assert_eq!(object("struct.Light"), None);
    }
}
