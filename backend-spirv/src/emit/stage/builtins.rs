//! Which builtin a signature element is, if it is one, and in which storage class its variable is.

use rtc_ir::{ElementData, ElementRole, Stage};
use rtc_tables::signature::Semantic;
use rtc_tables::vk_builtins::VkBuiltin;
use spirv::{BuiltIn, Capability as C, Decoration as D, StorageClass};

/// A builtin with the capability and the extension that it needs.
pub(super) type Builtin = (BuiltIn, Option<C>, Option<&'static str>);

/// The builtin of a system value, with the capability and the extension that it needs.
pub(super) fn builtin(e: &ElementData, stage: Stage) -> Option<Builtin> {
    use Semantic as S;
    let input = class_of(e, stage) == StorageClass::Input;
    let pixel = stage == Stage::Pixel;
    let own = matches!(stage, Stage::Pixel | Stage::Geometry | Stage::Mesh);
    let rate = Some("SPV_KHR_fragment_shading_rate");
    if let Some(b) = e.builtin {
        return Some(vk_builtin(b, stage));
    }
    Some(match e.semantic {
        S::VertexId => (BuiltIn::VertexIndex, None, None),
        S::InstanceId => (BuiltIn::InstanceIndex, None, None),
        S::StartVertexLocation => (BuiltIn::BaseVertex, Some(C::DrawParameters), None),
        S::StartInstanceLocation => (BuiltIn::BaseInstance, Some(C::DrawParameters), None),
        S::Position if pixel && input => (BuiltIn::FragCoord, None, None),
        S::Position => (BuiltIn::Position, None, None),
        S::ClipDistance => (BuiltIn::ClipDistance, Some(C::ClipDistance), None),
        S::CullDistance => (BuiltIn::CullDistance, Some(C::CullDistance), None),
        // Vulkan has them between the last stage before the rasteriser and the pixel shader alone.
        S::RenderTargetArrayIndex | S::ViewportArrayIndex | S::ShadingRate if is_passed_on(e, stage) => return None,
        S::RenderTargetArrayIndex => (BuiltIn::Layer, Some(if own { C::Geometry } else { C::ShaderLayer }), None),
        S::ViewportArrayIndex => (BuiltIn::ViewportIndex, Some(if own { C::MultiViewport } else { C::ShaderViewportIndex }), None),
        S::PrimitiveId => (BuiltIn::PrimitiveId, own.then_some(C::Geometry), None),
        S::GsInstanceId | S::OutputControlPointId => (BuiltIn::InvocationId, None, None),
        S::DomainLocation => (BuiltIn::TessCoord, None, None),
        S::TessFactor => (BuiltIn::TessLevelOuter, None, None),
        S::InsideTessFactor => (BuiltIn::TessLevelInner, None, None),
        S::SampleIndex => (BuiltIn::SampleId, Some(C::SampleRateShading), None),
        // What a geometry shader says of it reaches no pixel shader.
        S::IsFrontFace if pixel => (BuiltIn::FrontFacing, None, None),
        S::Coverage => (BuiltIn::SampleMask, None, None),
        S::InnerCoverage => (BuiltIn::FullyCoveredEXT, Some(C::FragmentFullyCoveredEXT), Some("SPV_EXT_fragment_fully_covered")),
        S::Depth | S::DepthGreaterEqual | S::DepthLessEqual => (BuiltIn::FragDepth, None, None),
        S::StencilRef => (BuiltIn::FragStencilRefEXT, Some(C::StencilExportEXT), Some("SPV_EXT_shader_stencil_export")),
        S::ViewId => (BuiltIn::ViewIndex, Some(C::MultiView), Some("SPV_KHR_multiview")),
        S::Barycentrics => {
            let b = if e.interpolation.is_noperspective() { BuiltIn::BaryCoordNoPerspKHR } else { BuiltIn::BaryCoordKHR };
            (b, Some(C::FragmentBarycentricKHR), Some("SPV_KHR_fragment_shader_barycentric"))
        }
        S::CullPrimitive => (BuiltIn::CullPrimitiveEXT, None, None),
        S::ShadingRate if input => (BuiltIn::ShadingRateKHR, Some(C::FragmentShadingRateKHR), rate),
        S::ShadingRate => (BuiltIn::PrimitiveShadingRateKHR, Some(C::FragmentShadingRateKHR), rate),
        _ => return None,
    })
}

/// Whether an element is a system value of the rasteriser where it is none yet: what a stage before the last one writes, and what a stage reads
/// of the one before. Such values have locations.
pub(super) fn is_passed_on(e: &ElementData, stage: Stage) -> bool {
    use Semantic as S;
    let layer = matches!(e.semantic, S::RenderTargetArrayIndex | S::ViewportArrayIndex);
    let passed = match (class_of(e, stage), stage) {
        (StorageClass::Input, _) => stage != Stage::Pixel,
        (_, Stage::Hull) => true,
        // A domain shader has no shading rate of primitives.
        (_, Stage::Domain) => e.semantic == S::ShadingRate,
        _ => false,
    };
    passed && (layer || e.semantic == S::ShadingRate)
}

/// `[[vk::builtin("…")]]`
fn vk_builtin(b: VkBuiltin, stage: Stage) -> Builtin {
    match b {
        VkBuiltin::PointSize => {
            let capability = match stage {
                Stage::Geometry => Some(C::GeometryPointSize),
                Stage::Hull | Stage::Domain => Some(C::TessellationPointSize),
                _ => None,
            };
            (BuiltIn::PointSize, capability, None)
        }
        VkBuiltin::HelperInvocation => (BuiltIn::HelperInvocation, None, None),
        VkBuiltin::BaseVertex => (BuiltIn::BaseVertex, Some(C::DrawParameters), None),
        VkBuiltin::BaseInstance => (BuiltIn::BaseInstance, Some(C::DrawParameters), None),
        VkBuiltin::DrawIndex => (BuiltIn::DrawIndex, Some(C::DrawParameters), None),
        VkBuiltin::DeviceIndex => (BuiltIn::DeviceIndex, Some(C::DeviceGroup), None),
        VkBuiltin::ViewportMaskNv => (BuiltIn::ViewportMaskNV, Some(C::ShaderViewportMaskNV), Some("SPV_NV_viewport_array2")),
    }
}

/// Whether attributes say where the variable of an element is: `[[vk::ext_decorate(…)]]` with a location or builtin.
fn is_decorated_with_place(e: &ElementData) -> bool {
    e.decorations.iter().any(|d| d.number == D::Location as u32 || d.number == D::BuiltIn as u32)
}

/// Whether a decoration of inline SPIR-V makes a variable the size of a point.
pub(super) fn is_point_size(d: &rtc_ir::inline::Decoration) -> bool {
    let point_size = rtc_ir::inline::DecorationOperands::Words(vec![BuiltIn::PointSize as u32]);
    d.number == D::BuiltIn as u32 && d.operands == point_size
}

/// Whether an element gets a location.
pub(super) fn has_location(e: &ElementData, stage: Stage) -> bool {
    builtin(e, stage).is_none() && !is_decorated_with_place(e)
}

/// Whether an element is a builtin.
pub(crate) fn is_builtin(e: &ElementData, stage: Stage) -> bool {
    builtin(e, stage).is_some()
}

/// The storage class of an element's variable.
pub(super) fn class_of(e: &ElementData, stage: Stage) -> StorageClass {
    match e.role {
        ElementRole::Input => StorageClass::Input,
        // Patch constants come from the hull shader.
        ElementRole::Patch if stage == Stage::Domain => StorageClass::Input,
        _ => StorageClass::Output,
    }
}

/// Whether an element is an output: those of a patch or primitive are, except in domain shaders.
pub(crate) fn is_output(e: &ElementData, stage: Stage) -> bool {
    class_of(e, stage) == StorageClass::Output
}
