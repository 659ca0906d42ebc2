//! The table of resource bindings, from the resource metadata of a module.

use rtc_dxil_container::metadata::{Resource, resources};
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::Module;
use std::fmt::Write;

/// Writes the table.
pub fn resource_bindings(out: &mut String, m: &Module) {
    out.push_str(";\n; Resource Bindings:\n;\n");
    out.push_str("; Name                                 Type  Format         Dim      ID      HLSL Bind  Count\n");
    out.push_str("; ------------------------------ ---------- ------- ----------- ------- -------------- ------\n");
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
            match r.kind.is_multisampled() && r.samples != 0 {
                true => format!("{}{}", dimension(&r), r.samples),
                false => dimension(&r).to_owned(),
            },
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
        ResourceKind::CBuffer
        | ResourceKind::Sampler
        | ResourceKind::SubpassInput
        | ResourceKind::SubpassInputMS
        | ResourceKind::Invalid => "NA",
    }
}
