//! Constant buffers, texture buffers and the elements of structured buffers, with their variables.

use rtc_dxil_container::metadata::{Info, Resource};
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::TypeKind;

use super::types::{Types, VariableType};

/// A buffer.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    /// The name.
    pub name: String,
    /// One of [`kind`].
    pub kind: u32,
    /// Bytes.
    pub size: u32,
    /// The variables.
    pub variables: Vec<Variable>,
}

/// The kinds of buffers, with their numbers.
pub mod kind {
    #![allow(missing_docs)]
    pub const CONSTANTS: u32 = 0;
    pub const TEXELS: u32 = 1;
    pub const ELEMENT: u32 = 3;
}

/// A variable of a buffer.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Bytes from the buffer's start.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// Whether the code reads it.
    pub used: bool,
    /// Whether it has no textures and samplers, and says so.
    pub no_objects: bool,
    /// The type.
    pub ty: VariableType,
}

/// Whether the metadata of a module says which variables are read: since validator 1.5.
fn says_usage(info: &Info) -> bool {
    info.since(5)
}

/// The buffers of a module in the order of the reference: constant buffers, then what is in writable buffers, then in others.
pub fn buffers(types: &mut Types<'_>, info: &Info) -> Vec<Buffer> {
    let mut all: Vec<Buffer> = info.of_class(ResourceClass::Cbv).map(|r| constants(types, info, r)).collect();
    let structured = |r: &&Resource| r.kind == ResourceKind::StructuredBuffer;
    all.extend(info.of_class(ResourceClass::Uav).filter(structured).map(|r| element(types, r)));
    for r in info.of_class(ResourceClass::Srv) {
        match r.kind {
            ResourceKind::StructuredBuffer => all.push(element(types, r)),
            ResourceKind::TBuffer => all.push(texels(types, info, r)),
            _ => {}
        }
    }
    all
}

/// The variables of a structure in a constant or texture buffer.
fn variables(types: &mut Types<'_>, info: &Info, r: &Resource, no_objects: bool) -> Vec<Variable> {
    let Some(ty) = r.element(types.module()) else { return Vec::new() };
    let Some(layout) = types.layout(ty).cloned() else { return Vec::new() };
    let fields = types.module().types.fields(ty).map_or(&[][..], |f| &f.types);
    let all_used = fields.len() < 2 || !says_usage(info);
    let members = fields.iter().zip(&layout.fields);
    members
        .map(|(&ty, field)| {
            let ty = types.variable(ty, field, field.offset, true);
            Variable { name: field.name.clone(), offset: field.offset, size: ty.size, used: all_used || field.used, no_objects, ty }
        })
        .collect()
}

fn constants(types: &mut Types<'_>, info: &Info, r: &Resource) -> Buffer {
    let mut variables = variables(types, info, r, false);
    let is_array = r.ty.is_some_and(|ty| matches!(types.module().types[ty], TypeKind::Array { .. }));
    if r.count > 1 || is_array {
        // Of an array of buffers, the contents count as an array of one.
        variables.iter_mut().for_each(|v| v.ty.elements = 1);
    }
    Buffer { name: r.name.clone(), kind: kind::CONSTANTS, size: r.size.wrapping_add(15) & !15, variables }
}

fn texels(types: &mut Types<'_>, info: &Info, r: &Resource) -> Buffer {
    let variables = variables(types, info, r, true);
    let size = variables.iter().map(|v| v.offset.saturating_add(v.size)).max().unwrap_or(0);
    Buffer { name: r.name.clone(), kind: kind::TEXELS, size: size.wrapping_add(15) & !15, variables }
}

/// Bytes of an element of a structured buffer.
pub fn element_size(types: &mut Types<'_>, r: &Resource) -> u32 {
    r.element(types.module()).map_or(0, |ty| types.size(ty))
}

fn element(types: &mut Types<'_>, r: &Resource) -> Buffer {
    let m = types.module();
    let mut name = r.name.clone();
    let mut whole = r.ty;
    while let Some(TypeKind::Array { elem, .. }) = whole.map(|ty| &m.types[ty]) {
        name += "[0]";
        whole = Some(*elem);
    }
    let size = element_size(types, r);
    let first = whole.and_then(|ty| Some((m.types.fields(ty)?.types.first().copied()?, types.layout(ty)?.fields.first()?.clone())));
    let ty = first.map_or_else(VariableType::default, |(ty, field)| types.variable(ty, &field, 0, false));
    let variable = Variable { name: "$Element".into(), offset: 0, size, used: true, no_objects: true, ty };
    Buffer { name, kind: kind::ELEMENT, size, variables: vec![variable] }
}
