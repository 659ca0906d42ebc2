//! The layout of a constant or structured buffer as a tree of variables, from the type annotations of a module.

use super::{BitField, Field, Layout, Resource};
use crate::recompute::layout::Sizes;
use crate::{ComponentType, ResourceKind};
use rtc_dxil_module::{LAYOUT_NATIVE_16BIT, Module, Type, TypeKind};
use rustc_hash::FxHashMap;

/// Deepest nesting that is read; more than any real structure has.
const MAX_DEPTH: usize = 32;
/// Most variables of a tree: structures of a damaged module that nest without end are cut off.
const MAX_VARIABLES: usize = 1 << 16;

/// A variable in a buffer: a member of a structure, or the whole contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Bytes from the start of the buffer, or of an element of a structured buffer.
    pub offset: u32,
    /// Elements of all dimensions together; `None` if it is no array.
    pub count: Option<u64>,
    /// The type, arrays taken off.
    pub ty: VariableType,
    /// The bit-fields that it consists of, from the lowest bit on.
    pub bit_fields: Vec<BitField>,
}

/// The type of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VariableType {
    /// A scalar, vector or matrix.
    Numeric {
        /// The component type in HLSL; empty if the annotation does not say.
        component: &'static str,
        /// Components of a vector; `None` for scalars and matrices.
        lanes: Option<u32>,
        /// Rows, columns, and 1 for row-major or 2 for column-major.
        matrix: Option<[i64; 3]>,
    },
    /// A structure.
    Struct {
        /// The name.
        name: String,
        /// The members; `None` if the structure has no annotation.
        members: Option<Vec<Variable>>,
    },
}

/// Reads the layouts of buffers.
pub struct BufferLayouts<'a> {
    m: &'a Module,
    notes: FxHashMap<Type, Layout>,
    native: bool,
    sizes: Sizes,
    /// Variables that may still be added to the tree.
    left: usize,
}

impl<'a> BufferLayouts<'a> {
    /// The layouts of the buffers of `m`.
    pub fn new(m: &'a Module) -> Self {
        BufferLayouts { m, notes: super::annotations(m), native: &*m.data_layout == LAYOUT_NATIVE_16BIT, sizes: Sizes::default(), left: 0 }
    }

    /// The contents of a constant buffer: one structure.
    pub fn constant_buffer(&mut self, r: &Resource) -> Option<Variable> {
        self.left = MAX_VARIABLES;
        let ty = self.structure(r.element(self.m)?, Packing::Annotated, 0, 0);
        Some(Variable { name: r.name.clone(), offset: 0, count: None, ty, bit_fields: Vec::new() })
    }

    /// Whether the module says what is in a buffer: not after its reflection was taken out.
    pub fn is_annotated(&self, r: &Resource) -> bool {
        r.element(self.m).is_some_and(|ty| self.notes.contains_key(&ty))
    }

    /// Bytes of a buffer's contents or element. The record of a `tbuffer` does not say it, the annotation of its structure does.
    pub fn bytes(&self, r: &Resource) -> u32 {
        let annotated = || Some(self.notes.get(&r.element(self.m)?)?.size);
        match r.kind {
            ResourceKind::TBuffer => annotated().unwrap_or(r.size),
            _ => r.size,
        }
    }

    /// An element of a structured buffer, with the name `$Element`.
    pub fn structured_buffer(&mut self, r: &Resource) -> Option<Variable> {
        self.left = MAX_VARIABLES;
        let ty = r.element(self.m)?;
        let element = self.m.types.fields(ty)?.types.first().copied()?;
        let mut note = self.notes.get(&ty).and_then(|n| n.fields.first().cloned()).unwrap_or_default();
        note.name = "$Element".into();
        Some(self.variable(element, &note, Packing::InMemory, 0, 0))
    }

    fn structure(&mut self, ty: Type, packing: Packing, offset: u32, depth: usize) -> VariableType {
        let name = self.m.types.struct_name(ty).unwrap_or_default().to_string();
        if self.m.types.fields(ty).is_some_and(|f| f.types.is_empty()) {
            return VariableType::Struct { name, members: Some(Vec::new()) };
        }
        // The annotation is taken out meanwhile, so that a structure in itself has none.
        let Some(notes) = self.notes.remove(&ty) else { return VariableType::Struct { name, members: None } };
        let m = self.m;
        let types = m.types.fields(ty).map_or(&[][..], |f| &f.types);
        let mut members = Vec::new();
        if depth < MAX_DEPTH {
            for (n, (&member, note)) in types.iter().zip(&notes.fields).enumerate() {
                if self.left == 0 {
                    break;
                }
                self.left -= 1;
                let at = match packing {
                    Packing::Annotated => note.offset,
                    Packing::InMemory => self.sizes.field(m, ty, n).map_or(note.offset, |at| at as u32),
                };
                members.push(self.variable(member, note, packing, offset.wrapping_add(at), depth + 1));
            }
        }
        self.notes.insert(ty, notes);
        VariableType::Struct { name, members: Some(members) }
    }

    fn variable(&mut self, ty: Type, note: &Field, packing: Packing, offset: u32, depth: usize) -> Variable {
        let mut elem = ty;
        let (mut count, mut levels) = (1u64, 0);
        let components = note.matrix.map(|[rows, columns, _]| rows.saturating_mul(columns) as u64);
        while let TypeKind::Array { elem: inner, len } = self.m.types[elem]
            && !components.is_some_and(|n| self.is_matrix(elem, n, 2))
        {
            count = count.saturating_mul(len);
            levels += 1;
            elem = inner;
        }
        let ty = if note.matrix.is_none() && self.m.types.fields(elem).is_some() {
            self.structure(elem, packing, offset, depth)
        } else {
            let lanes = match &self.m.types[elem] {
                TypeKind::Vector { len, .. } if note.matrix.is_none() => Some(*len),
                _ => None,
            };
            let component = note.component.map_or("", |c| hlsl_name(c, self.native));
            VariableType::Numeric { component, lanes, matrix: note.matrix }
        };
        Variable { name: note.name.clone(), offset, count: (levels > 0).then_some(count), ty, bit_fields: note.bit_fields.clone() }
    }
}

/// Where members of structures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    /// Where annotations say: in constant buffers.
    Annotated,
    /// Where their types put them: in structured buffers. A structure that is in both kinds has the annotation of constant buffers.
    InMemory,
}

impl BufferLayouts<'_> {
    /// Whether a type is a matrix of so many components: an array of its rows or columns, or a vector if there is one. Those that are classes
    /// of their own are no arrays.
    fn is_matrix(&self, ty: Type, components: u64, levels: u32) -> bool {
        match self.m.types[ty] {
            TypeKind::Array { elem, len } => {
                let inner = components.checked_div(len).filter(|n| n * len == components && *n > 0 && levels > 0);
                inner.is_some_and(|n| self.is_matrix(elem, n, levels - 1))
            }
            TypeKind::Vector { len, .. } => levels > 0 && u64::from(len) == components,
            TypeKind::Struct(_) | TypeKind::Named { .. } => false,
            _ => components == 1,
        }
    }
}

impl VariableType {
    /// The type in HLSL: `row_major float3x4`, or the name of a structure without the prefixes that it has in modules.
    pub fn hlsl(&self) -> String {
        match self {
            VariableType::Numeric { component, matrix: Some([rows, columns, orientation]), .. } => {
                let order = match orientation {
                    1 => "row_major ",
                    2 => "column_major ",
                    _ => "",
                };
                format!("{order}{component}{rows}x{columns}")
            }
            VariableType::Numeric { component, lanes: Some(lanes), .. } => format!("{component}{lanes}"),
            VariableType::Numeric { component, .. } => (*component).to_owned(),
            VariableType::Struct { name, .. } => {
                let mut own = name.as_str();
                while let Some(rest) = own.strip_prefix("struct.").or_else(|| own.strip_prefix("hostlayout.")) {
                    own = rest;
                }
                own.to_owned()
            }
        }
    }
}

/// A component type as HLSL has it; minimum-precision types unless 16-bit types are real.
fn hlsl_name(component: ComponentType, native: bool) -> &'static str {
    match component {
        ComponentType::I1 => "bool",
        ComponentType::I16 if native => "int16_t",
        ComponentType::I16 => "min16int",
        ComponentType::U16 if native => "uint16_t",
        ComponentType::U16 => "min16uint",
        ComponentType::I32 => "int",
        ComponentType::U32 => "uint",
        ComponentType::I64 => "int64_t",
        ComponentType::U64 => "uint64_t",
        ComponentType::F16 if native => "half",
        ComponentType::F16 => "min16float",
        ComponentType::F32 => "float",
        ComponentType::F64 => "double",
        ComponentType::SNormF16 => "snorm half",
        ComponentType::UNormF16 => "unorm half",
        ComponentType::SNormF32 => "snorm float",
        ComponentType::UNormF32 => "unorm float",
        ComponentType::SNormF64 => "snorm double",
        ComponentType::UNormF64 => "unorm double",
        ComponentType::PackedS8x32 => "int8_t4_packed",
        ComponentType::PackedU8x32 => "uint8_t4_packed",
        ComponentType::Invalid => "",
    }
}
