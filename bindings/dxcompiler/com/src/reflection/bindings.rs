//! Bound resources, with the numbers that Direct3D has for their kinds.

use rtc_dxil_container::metadata::{Info, Resource};
use rtc_dxil_container::{ComponentType, ResourceClass, ResourceKind};
use rtc_dxil_module::TypeKind;

use super::buffers::element_size;
use super::types::Types;

/// A bound resource.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The class.
    pub class: ResourceClass,
    /// The number within the class.
    pub id: u32,
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: u32,
    /// The first register.
    pub register: u32,
    /// How many; 0 for no limit, except for constant buffers.
    pub count: u32,
    /// Flags.
    pub flags: u32,
    /// The type of texels.
    pub return_type: u32,
    /// The shape.
    pub dimension: u32,
    /// Samples, or the bytes of a structured buffer's element.
    pub samples: u32,
    /// The register space.
    pub space: u32,
}

/// The resources of a module: constant buffers, samplers, resources that are read, then those that are written.
pub fn bindings(types: &mut Types<'_>, info: &Info) -> Vec<Binding> {
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    let mut all = Vec::new();
    for class in [Cbv, Sampler, Srv, Uav] {
        all.extend(info.of_class(class).map(|r| binding(types, r)));
    }
    all
}

fn binding(types: &mut Types<'_>, r: &Resource) -> Binding {
    let count = if r.count == u32::MAX && r.class != ResourceClass::Cbv { 0 } else { r.count };
    Binding {
        class: r.class,
        id: r.id,
        name: r.name.clone(),
        kind: kind(r),
        register: r.lower,
        count,
        flags: flags(types, r),
        return_type: return_type(r),
        dimension: dimension(r.kind),
        samples: samples(types, r),
        space: r.space,
    }
}

fn is_texture(kind: ResourceKind) -> bool {
    use ResourceKind::*;
    matches!(
        kind,
        Texture1D
            | Texture1DArray
            | Texture2D
            | Texture2DArray
            | Texture2DMS
            | Texture2DMSArray
            | Texture3D
            | TextureCube
            | TextureCubeArray
    )
}

fn kind(r: &Resource) -> u32 {
    let written = r.class == ResourceClass::Uav;
    match r.kind {
        ResourceKind::CBuffer => 0,
        ResourceKind::TBuffer => 1,
        ResourceKind::Sampler => 3,
        ResourceKind::StructuredBuffer if !written => 5,
        ResourceKind::StructuredBuffer => {
            if r.counter {
                11
            } else {
                6
            }
        }
        ResourceKind::RawBuffer => {
            if written {
                8
            } else {
                7
            }
        }
        ResourceKind::AccelerationStructure => 12,
        ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => 13,
        ResourceKind::TypedBuffer => {
            if written {
                4
            } else {
                2
            }
        }
        other if is_texture(other) => {
            if written {
                4
            } else {
                2
            }
        }
        _ => u32::MAX,
    }
}

fn return_type(r: &Resource) -> u32 {
    use ComponentType::*;
    if !matches!(r.class, ResourceClass::Srv | ResourceClass::Uav) || r.kind == ResourceKind::TBuffer {
        return 0;
    }
    match r.component {
        F64 => 7,
        UNormF16 | UNormF32 | UNormF64 => 1,
        SNormF16 | SNormF32 | SNormF64 => 2,
        I16 | I32 | I64 => 3,
        U16 | U32 | U64 => 4,
        F16 | F32 => 5,
        _ => 6,
    }
}

fn dimension(kind: ResourceKind) -> u32 {
    use ResourceKind::*;
    match kind {
        StructuredBuffer | TypedBuffer | RawBuffer => 1,
        Texture1D => 2,
        Texture1DArray => 3,
        Texture2D | FeedbackTexture2D => 4,
        Texture2DArray | FeedbackTexture2DArray => 5,
        Texture2DMS => 6,
        Texture2DMSArray => 7,
        Texture3D => 8,
        TextureCube => 9,
        TextureCubeArray => 10,
        _ => 0,
    }
}

fn samples(types: &mut Types<'_>, r: &Resource) -> u32 {
    use ResourceKind::*;
    match r.kind {
        _ if !matches!(r.class, ResourceClass::Srv | ResourceClass::Uav) => 0,
        _ if r.samples != 0 => r.samples,
        StructuredBuffer => element_size(types, r),
        RawBuffer | TBuffer | Texture2DMS | Texture2DMSArray => 0,
        _ => u32::MAX,
    }
}

/// Components of texels beyond the first, comparison samplers, buffers that the source lays out.
fn flags(types: &Types<'_>, r: &Resource) -> u32 {
    let m = types.module();
    match r.kind {
        _ if r.class == ResourceClass::Cbv => 1,
        ResourceKind::TBuffer => 1,
        ResourceKind::Sampler => u32::from(r.sampler == 1) << 1,
        kind if is_texture(kind) || kind == ResourceKind::TypedBuffer => {
            let texel = r.element(m).and_then(|ty| m.types.fields(ty)?.types.first().copied());
            match texel.map(|ty| &m.types[ty]) {
                Some(TypeKind::Vector { len: 4, .. }) => 0xc,
                Some(TypeKind::Vector { len: 3, .. }) => 8,
                Some(TypeKind::Vector { len: 2, .. }) => 4,
                _ => 0,
            }
        }
        _ => 0,
    }
}
