//! Rules about the declarations of resources.

use super::Cx;
use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::{ComponentType, ResourceClass, ResourceKind, ShaderKind};
use rtc_tables::limits::CONSTANT_BUFFER_BYTES;
use rtc_tables::validation::{Rule, rule};

/// Each resource by itself.
pub(super) fn each(cx: &mut Cx<'_>) {
    let info = cx.info;
    for r in &info.resources {
        let mut say = |rule: &'static Rule, text: String| {
            cx.module(rule, format!("resource `{}` ({}{}): {text}", r.name, r.class.letter(), r.lower));
        };
        match r.class {
            ResourceClass::Srv | ResourceClass::Uav => viewed(r, &mut say),
            ResourceClass::Cbv if r.size > CONSTANT_BUFFER_BYTES => {
                say(rule::SM_CBUFFER_SIZE, format!("a constant buffer of {} bytes, {CONSTANT_BUFFER_BYTES} are possible", r.size));
            }
            ResourceClass::Cbv | ResourceClass::Sampler => {}
        }
        if r.rov && !matches!(info.kind, ShaderKind::Pixel | ShaderKind::Library) {
            say(rule::SM_ROV_STAGE, format!("a rasteriser-ordered view in a {} shader", info.kind));
        }
        if r.class == ResourceClass::Cbv && r.element(cx.m).is_some_and(|ty| cx.m.types.fields(ty).is_none()) {
            cx.module(rule::SM_CBUFFER_STRUCT, format!("constant buffer `{}` holds something else than a structure", r.name));
        }
    }
}

/// An SRV or UAV.
fn viewed(r: &Resource, say: &mut dyn FnMut(&'static Rule, String)) {
    use ResourceKind as K;
    match r.kind {
        K::Invalid | K::CBuffer | K::Sampler | K::SubpassInput | K::SubpassInputMS => {
            say(rule::SM_RESOURCE_KIND, format!("no view is a {}", r.kind))
        }
        K::TextureCube | K::TextureCubeArray if r.class == ResourceClass::Uav => {
            say(rule::SM_UAV_TEXTURE_KIND, format!("a {} cannot be written", r.kind));
        }
        K::FeedbackTexture2D | K::FeedbackTexture2DArray if r.feedback.is_none_or(|f| f > 1) => {
            say(rule::SM_FEEDBACK_TYPE, "a kind of sampler feedback that does not exist".into());
        }
        K::FeedbackTexture2D | K::FeedbackTexture2DArray | K::Texture2DMS | K::Texture2DMSArray | K::AccelerationStructure => {}
        kind if r.samples > 0 => say(rule::SM_SAMPLE_COUNT, format!("a {kind} with {} samples", r.samples)),
        _ => {}
    }
    if r.counter && r.kind != K::StructuredBuffer {
        say(rule::SM_COUNTER, format!("a {} with a counter", r.kind));
    }
    let untyped = matches!(r.kind, K::StructuredBuffer | K::RawBuffer | K::FeedbackTexture2D | K::FeedbackTexture2DArray);
    use ComponentType as C;
    let plain =
        matches!(r.component, C::F32 | C::SNormF32 | C::UNormF32 | C::F64 | C::I32 | C::I64 | C::U32 | C::U64 | C::F16 | C::I16 | C::U16);
    let of_a_view = !matches!(r.kind, K::Invalid | K::CBuffer | K::Sampler);
    if !untyped && !plain && of_a_view {
        say(rule::SM_RESOURCE_COMPONENT, format!("no component type of a view is {}", r.component));
    }
}

/// No two resources of a class have registers in common.
pub(super) fn overlaps(cx: &mut Cx<'_>) {
    let info = cx.info;
    let mut all: Vec<&Resource> = info.resources.iter().filter(|r| !info.is_library() || r.lower != u32::MAX).collect();
    all.sort_by_key(|r| (r.class as u32, r.space, r.lower));
    for pair in all.windows(2) {
        let [a, b] = pair else { continue };
        if (a.class, a.space) == (b.class, b.space) && b.lower <= a.last() {
            let text = format!(
                "`{}` has {}{} to {} of space {}, `{}` begins at {}",
                a.name,
                a.class.letter(),
                a.lower,
                a.last(),
                a.space,
                b.name,
                b.lower
            );
            cx.module(rule::SM_RESOURCE_OVERLAP, text);
        }
    }
}
