//! Structure annotations in `dx.typeAnnotations`: field names, offsets and types of constant buffers.

use super::{int, tuple};
use crate::{ComponentType, Version};
use rtc_dxil_module::{Func, Meta, MetaNode, Module, Type, Value};
use rustc_hash::FxHashMap;

/// What an annotation of a field says, by number.
pub mod field_tag {
    /// Rows, columns and orientation of a matrix.
    pub const MATRIX: i32 = 2;
    /// Bytes from the beginning of a constant buffer.
    pub const OFFSET: i32 = 3;
    /// Its name.
    pub const NAME: i32 = 6;
    /// Its component type.
    pub const COMPONENT: i32 = 7;
    /// The code reads this member of a constant buffer.
    pub const USED: i32 = 9;
    /// What kind of resource it is.
    pub const RESOURCE: i32 = 10;
    /// The bit-fields that share it.
    pub const BIT_FIELDS: i32 = 11;
    /// The bits of a bit-field.
    pub const BIT_WIDTH: i32 = 12;
    /// The components of a vector.
    pub const VECTOR: i32 = 13;

    /// The minor version of the first validator that knows a tag: earlier ones refuse the module.
    pub fn since(tag: i64) -> u32 {
        match tag as i32 {
            USED => 5,
            BIT_FIELDS | BIT_WIDTH => 7,
            RESOURCE | VECTOR => 8,
            _ => 0,
        }
    }
}

/// The annotation of a structure (`parameters`: of a function) without what a validator does not know. Version 0.0 knows all.
pub fn annotation_for(m: &mut Module, note: Meta, parameters: bool, validator: Version) -> Meta {
    if validator.major == 0 || !matches!(m.meta[note], MetaNode::Node { .. }) {
        return note;
    }
    let mut all = m.meta.elems(note).to_vec();
    // A structure begins with its size.
    for elem in &mut all[usize::from(!parameters)..] {
        let Some(node) = *elem else { continue };
        let Some(parts) = tuple(m, Some(node)).map(<[_]>::to_vec) else { continue };
        *elem = Some(if parameters {
            let mut parts = parts;
            if let Some(Some(field)) = parts.get_mut(1) {
                *field = field_for(m, *field, validator);
            }
            m.meta.node(&parts)
        } else {
            field_for(m, node, validator)
        });
    }
    m.meta.node(&all)
}

fn field_for(m: &mut Module, field: Meta, validator: Version) -> Meta {
    let Some(tags) = tuple(m, Some(field)) else { return field };
    let known = |pair: &&[Option<Meta>]| int(m, pair[0]).is_none_or(|tag| validator >= Version::new(1, field_tag::since(tag)));
    let kept: Vec<Option<Meta>> = tags.chunks(2).filter(known).flatten().copied().collect();
    if kept.len() == tags.len() { field } else { m.meta.node(&kept) }
}

/// The annotation of a structure.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Bytes in a constant buffer.
    pub size: u32,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// The annotation of a field.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Bytes from the beginning of the structure in a constant buffer.
    pub offset: u32,
    /// The component type.
    pub component: Option<ComponentType>,
    /// Rows, columns, and 1 for row-major or 2 for column-major.
    pub matrix: Option<[i64; 3]>,
    /// Components, of a vector.
    pub vector: Option<u32>,
    /// The code reads this member of a constant buffer.
    pub used: bool,
    /// The bit fields of an integer, from the lowest bit on.
    pub bit_fields: Vec<BitField>,
}

/// The annotation of a bit field.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct BitField {
    /// The name.
    pub name: String,
    /// Bits.
    pub width: u32,
}

/// The annotations of every structure that has any. What is malformed is left out.
pub fn annotations(m: &Module) -> FxHashMap<Type, Layout> {
    let mut all = FxHashMap::default();
    for &node in m.meta.named("dx.typeAnnotations") {
        let elems = m.meta.elems(node);
        // 0: structures; 1: functions.
        let Some((&kind, pairs)) = elems.split_first() else { continue };
        if int(m, kind) != Some(0) {
            continue;
        }
        for pair in pairs.chunks_exact(2) {
            let Some((ty, note)) = undef_type(m, pair[0]).zip(tuple(m, pair[1])) else { continue };
            let Some((&size, fields)) = note.split_first() else { continue };
            // What follows the fields is about template arguments.
            let count = m.types.fields(ty).map_or(0, |f| f.types.len());
            let fields = fields.iter().take(count).map(|&f| f.map_or_else(Field::default, |f| field(m, f))).collect();
            all.insert(ty, Layout { size: int(m, size).unwrap_or(0) as u32, fields });
        }
    }
    all
}

/// The annotations of the parameters of every function that has any, in order.
pub fn parameters(m: &Module) -> FxHashMap<Func, Vec<Field>> {
    let mut all = FxHashMap::default();
    for &node in m.meta.named("dx.typeAnnotations") {
        let Some((&kind, pairs)) = m.meta.elems(node).split_first() else { continue };
        if int(m, kind) != Some(1) {
            continue;
        }
        for pair in pairs.chunks_exact(2) {
            let Some(MetaNode::Value(Value::Func(func))) = pair[0].map(|what| &m.meta[what]) else { continue };
            let Some((_, parameters)) = tuple(m, pair[1]).and_then(|note| note.split_first()) else { continue };
            // How it is passed, what it is, and the numbers of its semantic.
            let about =
                |p: &Option<Meta>| tuple(m, *p).and_then(|p| p.get(1).copied().flatten()).map_or_else(Field::default, |f| field(m, f));
            all.insert(*func, parameters.iter().map(about).collect());
        }
    }
    all
}

fn field(m: &Module, node: Meta) -> Field {
    let mut field = Field::default();
    for pair in m.meta.elems(node).chunks_exact(2) {
        let (Some(tag), Some(value)) = (int(m, pair[0]).and_then(|n| i32::try_from(n).ok()), pair[1]) else { continue };
        match tag {
            field_tag::MATRIX => {
                let parts: Vec<i64> = m.meta.elems(value).iter().filter_map(|&p| int(m, p)).collect();
                field.matrix = parts.try_into().ok();
            }
            field_tag::OFFSET => field.offset = int(m, Some(value)).unwrap_or(0) as u32,
            field_tag::NAME => {
                let bytes = m.meta.bytes(value).unwrap_or_default();
                field.name = String::from_utf8_lossy(bytes).into_owned();
            }
            field_tag::COMPONENT => field.component = int(m, Some(value)).and_then(|n| ComponentType::from_number(n as u32)),
            field_tag::USED => field.used = int(m, Some(value)).is_some_and(|n| n & 1 != 0),
            field_tag::BIT_FIELDS => {
                field.bit_fields =
                    m.meta.elems(value).iter().map(|&part| part.map_or_else(BitField::default, |p| bit_field(m, p))).collect()
            }
            field_tag::VECTOR => field.vector = int(m, Some(value)).map(|n| n as u32),
            _ => {}
        }
    }
    field
}

fn bit_field(m: &Module, node: Meta) -> BitField {
    let mut part = BitField::default();
    for pair in m.meta.elems(node).chunks_exact(2) {
        match (int(m, pair[0]).and_then(|n| i32::try_from(n).ok()), pair[1]) {
            (Some(field_tag::NAME), Some(name)) => part.name = String::from_utf8_lossy(m.meta.bytes(name).unwrap_or_default()).into_owned(),
            (Some(field_tag::BIT_WIDTH), width) => part.width = int(m, width).unwrap_or(0) as u32,
            _ => {}
        }
    }
    part
}

/// The type that an undefined value in metadata stands for.
fn undef_type(m: &Module, meta: Option<Meta>) -> Option<Type> {
    match m.meta[meta?] {
        MetaNode::Value(Value::Const(c)) => Some(m.consts[c].ty),
        _ => None,
    }
}
