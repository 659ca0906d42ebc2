//! Rules about resource records in metadata.

use crate::Cx;
use rtc_dxil_container::metadata::Resource;
use rtc_dxil_container::recompute::layout::size_of;
use rtc_dxil_container::{ResourceClass, ResourceKind};
use rtc_dxil_module::TypeKind;
use rtc_tables::limits::STRUCTURE_STRIDE;
use rtc_tables::validation::{Rule, rule};

/// Bytes of a texel.
const MAX_TEXEL: u64 = 16;
/// The shader flag of real 16-bit types.
const NATIVE_16BIT: u64 = rtc_dxil_container::shader_flags::bit::NATIVE_LOW_PRECISION;

/// Numbers within a class count from zero.
pub(crate) fn identifiers(cx: &mut Cx<'_>) {
    let mut next = [0u32; 4];
    for r in &cx.info.resources {
        let slot = &mut next[r.class.number() as usize & 3];
        if r.id != *slot {
            let text = format!("{} `{}` has number {}, it is number {slot} of its class", r.class, name(r), r.id);
            cx.module(rule::META_DENSE_RES_IDS, text);
            return;
        }
        *slot += 1;
    }
}

/// What each kind of resource may be.
pub(crate) fn kinds(cx: &mut Cx<'_>) {
    let info = cx.info;
    let native = info.flags() & NATIVE_16BIT != 0;
    for r in &info.resources {
        let mut breach = |rule: &'static Rule, text: String| {
            cx.module(rule, format!("{} `{}` {text}", r.class, name(r)));
        };
        if r.class == ResourceClass::Sampler && r.sampler > 2 {
            breach(rule::META_SAMPLER_MODE, format!("has the unknown mode {}", r.sampler));
        }
        if r.class == ResourceClass::Uav && r.counter && (r.coherent || r.reorder_coherent) {
            let which = if r.coherent { "globally" } else { "reorder" };
            breach(rule::META_COHERENCE, format!("has a counter and is declared {which} coherent"));
        }
        if r.kind == ResourceKind::StructuredBuffer {
            if !r.size.is_multiple_of(4) && !native {
                breach(rule::META_STRUCT_BUF_ALIGNMENT, format!("has elements of {} bytes, no multiple of four", r.size));
            }
            if r.size > STRUCTURE_STRIDE {
                breach(rule::META_STRUCT_BUF_SIZE, format!("has elements of {} bytes, more than {STRUCTURE_STRIDE}", r.size));
            }
        }
        if is_typed(r.kind)
            && let Some(texel) = texel_size(cx, r)
            && texel > MAX_TEXEL
        {
            let text = format!("has texels of {texel} bytes, more than four words");
            cx.module(rule::META_TEXTURE_TYPE, format!("{} `{}` {text}", r.class, name(r)));
        }
    }
}

fn name(r: &Resource) -> String {
    r.name.escape_debug().to_string()
}

fn is_typed(kind: ResourceKind) -> bool {
    use ResourceKind as K;
    !matches!(kind, K::Invalid | K::RawBuffer | K::StructuredBuffer | K::CBuffer | K::Sampler | K::TBuffer | K::AccelerationStructure)
}

/// Bytes of the first field of the type that HLSL gave it.
fn texel_size(cx: &Cx<'_>, r: &Resource) -> Option<u64> {
    let ty = r.element(cx.m)?;
    let &first = cx.m.types.fields(ty)?.types.first()?;
    if matches!(cx.m.types[first], TypeKind::Pointer { .. }) {
        return None;
    }
    Some(size_of(cx.m, first))
}
