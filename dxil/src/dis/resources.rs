//! The table of resource bindings, from the resource metadata of a module.

use crate::container::{ComponentType, ResourceClass, ResourceKind};
use crate::module::{Meta, MetaNode, Module, Type, Value};
use std::fmt::Write;

/// One resource of a module, as its metadata has it.
pub struct Resource {
    /// The class.
    pub class: ResourceClass,
    /// The number within the class.
    pub id: i64,
    /// The HLSL type of one element, arrays taken off.
    pub ty: Option<Type>,
    /// The name.
    pub name: String,
    /// The register space.
    pub space: u32,
    /// The first register.
    pub lower: u32,
    /// How many; `u32::MAX` for no limit.
    pub count: u32,
    /// The shape.
    pub kind: ResourceKind,
    /// The component type if it is typed.
    pub component: ComponentType,
    /// Bytes: of a constant buffer, or of an element of a structured buffer.
    pub size: u32,
    /// Whether it has a counter.
    pub counter: bool,
}

/// The resources of a module: constant buffers, samplers, SRVs, UAVs. What is malformed is left out.
pub fn resources(m: &Module) -> Vec<Resource> {
    let Some(&node) = m.meta.named("dx.resources").first() else {
        return Vec::new();
    };
    let lists = m.meta.elems(node);
    let order = [
        (2, ResourceClass::Cbv),
        (3, ResourceClass::Sampler),
        (0, ResourceClass::Srv),
        (1, ResourceClass::Uav),
    ];
    let mut all = Vec::new();
    for (at, class) in order {
        if let Some(&Some(list)) = lists.get(at) {
            let rows = m.meta.elems(list).iter().flatten();
            all.extend(rows.filter_map(|&row| resource(m, class, row)));
        }
    }
    all
}

fn resource(m: &Module, class: ResourceClass, row: Meta) -> Option<Resource> {
    let fields = m.meta.elems(row);
    let at = |i: usize| fields.get(i).copied().flatten();
    let int = |i: usize| at(i).and_then(|meta| m.meta_int(meta));
    let symbol = match m.meta[at(1)?] {
        MetaNode::Value(value) => value,
        _ => return None,
    };
    let mut ty = m
        .value_type(None, symbol)
        .and_then(|ty| m.types.pointee(ty));
    while let Some(crate::module::TypeKind::Array { elem, .. }) = ty.map(|ty| &m.types[ty]) {
        ty = Some(*elem);
    }
    let (kind, tags) = match class {
        ResourceClass::Srv => (int(6)?, 8),
        ResourceClass::Uav => (int(6)?, 10),
        ResourceClass::Cbv => (13, 7),
        ResourceClass::Sampler => (14, 7),
    };
    let mut found = Resource {
        class,
        id: int(0)?,
        ty,
        name: String::from_utf8_lossy(m.meta.bytes(at(2)?)?).into_owned(),
        space: int(3)? as u32,
        lower: int(4)? as u32,
        count: int(5)? as u32,
        kind: ResourceKind::from_number(kind as u32)?,
        component: ComponentType::Invalid,
        size: if class == ResourceClass::Cbv {
            int(6)? as u32
        } else {
            0
        },
        counter: class == ResourceClass::Uav && int(8)? != 0,
    };
    let tags = at(tags).map_or(&[][..], |node| m.meta.elems(node));
    for pair in tags.chunks_exact(2) {
        let value = pair[1].and_then(|meta| m.meta_int(meta));
        match (pair[0].and_then(|meta| m.meta_int(meta)), value) {
            (Some(0), Some(v)) => {
                found.component = ComponentType::from_number(v as u32).unwrap_or(found.component);
            }
            (Some(1), Some(v)) => found.size = v as u32,
            _ => {}
        }
    }
    Some(found)
}

/// Writes the table.
pub fn resource_bindings(out: &mut String, m: &Module) {
    out.push_str(";\n; Resource Bindings:\n;\n");
    out.push_str(
        "; Name                                 Type  Format         Dim      ID      HLSL Bind  Count\n",
    );
    out.push_str(
        "; ------------------------------ ---------- ------- ----------- ------- -------------- ------\n",
    );
    for r in resources(m) {
        let (ty, id, register) = match r.class {
            ResourceClass::Cbv => ("cbuffer", "CB", "cb"),
            ResourceClass::Sampler => ("sampler", "S", "s"),
            ResourceClass::Srv => ("texture", "T", "t"),
            ResourceClass::Uav => ("UAV", "U", "u"),
        };
        let mut bind = format!("{register}{}", r.lower);
        if r.space != 0 {
            let _ = write!(bind, ",space{}", r.space);
        }
        let count = match r.count {
            u32::MAX => "unbounded".to_string(),
            count => count.to_string(),
        };
        let _ = writeln!(
            out,
            "; {:<30} {ty:>10} {:>7} {:>11} {:>7} {bind:>14}{count:>6}",
            r.name,
            format(&r),
            dimension(&r),
            format!("{id}{}", r.id),
        );
    }
    out.push_str(";\n");
}

fn format(r: &Resource) -> &'static str {
    match (r.class, r.kind) {
        (ResourceClass::Cbv | ResourceClass::Sampler, _) => "NA",
        (_, ResourceKind::RawBuffer) => "byte",
        (_, ResourceKind::StructuredBuffer) => "struct",
        _ => r.component.title(),
    }
}

fn dimension(r: &Resource) -> &'static str {
    let uav = r.class == ResourceClass::Uav;
    match r.kind {
        ResourceKind::Texture1D => "1d",
        ResourceKind::Texture2D => "2d",
        ResourceKind::Texture2DMS => "2dMS",
        ResourceKind::Texture3D => "3d",
        ResourceKind::TextureCube => "cube",
        ResourceKind::Texture1DArray => "1darray",
        ResourceKind::Texture2DArray => "2darray",
        ResourceKind::Texture2DMSArray => "2darrayMS",
        ResourceKind::TextureCubeArray => "cubearray",
        ResourceKind::TypedBuffer => "buf",
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer if uav && r.counter => "r/w+cnt",
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer if uav => "r/w",
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => "r/o",
        ResourceKind::TBuffer => "tbuffer",
        ResourceKind::AccelerationStructure => "ras",
        ResourceKind::FeedbackTexture2D => "fbtex2d",
        ResourceKind::FeedbackTexture2DArray => "fbtex2darray",
        ResourceKind::CBuffer | ResourceKind::Sampler | ResourceKind::Invalid => "NA",
    }
}

/// The type that an undefined value in metadata stands for.
pub fn undef_type(m: &Module, meta: Meta) -> Option<Type> {
    match m.meta[meta] {
        MetaNode::Value(Value::Const(c)) => Some(m.consts[c].ty),
        _ => None,
    }
}
