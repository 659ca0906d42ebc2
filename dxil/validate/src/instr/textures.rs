//! Rules about textures and samplers: sampling, gathering, levels of detail, loads and stores of texels.

use super::buffers::{arg, masks, to_uav};
use super::*;
use rtc_dxil_container::{ComponentType, ResourceKind};
use rtc_tables::dxil_ops::op;
use rtc_tables::validation::Rule;

/// The least and the largest constant bias.
const BIAS: std::ops::RangeInclusive<f32> = -16.0..=15.99;
/// The least and the largest constant offset.
const OFFSET: std::ops::RangeInclusive<i64> = -8..=7;

/// Sampling without comparison.
pub(super) fn sample(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    sampling(cx, here, call, false);
}

/// Sampling with comparison.
pub(super) fn sample_cmp(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    sampling(cx, here, call, true);
}

/// Whether a sampler is one with comparison; none if it is no sampler.
fn comparison(cx: &Cx<'_>, value: Value) -> Option<bool> {
    let props = handles::of(cx, value).props;
    (props.class() == Some(ResourceClass::Sampler)).then(|| props.comparison_or_counter())
}

fn sampler(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, wanted: bool) {
    if comparison(cx, call.args[2]) != Some(wanted) {
        let (rule, text) = if wanted {
            (rule::INSTR_SAMPLER_SAMPLE_CMP, "the sampler is not one with comparison")
        } else {
            (rule::INSTR_SAMPLER_SAMPLE, "the sampler is not one of default mode")
        };
        cx.inst(rule, here, call.inst, text);
    }
}

fn sampling(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, compare: bool) {
    bias(cx, here, call);
    sampler(cx, here, call, compare);
    let props = handles::of(cx, call.args[1]).props;
    if props.class() != Some(ResourceClass::Srv) {
        return cx.inst(rule::INSTR_SAMPLE_CLASS, here, call.inst, "the resource is no SRV");
    }
    use ResourceKind::*;
    let kind = props.kind();
    let fits = match kind {
        Texture1D | Texture1DArray | Texture2D | Texture2DArray | TextureCube | TextureCubeArray => true,
        Texture3D => !compare,
        _ => false,
    };
    if !fits {
        let rule = if compare { rule::INSTR_SAMPLE_CMP_KIND } else { rule::INSTR_SAMPLE_KIND };
        return cx.inst(rule, here, call.inst, format!("a {kind} cannot be sampled this way"));
    }
    if !filterable(cx, props.component(), compare) {
        let text = format!("a texture of {} cannot be sampled this way", props.component());
        cx.inst(rule::INSTR_SAMPLE_TYPE, here, call.inst, text);
    }
    coordinates(cx, here, call, &call.args[3..7], kind.coords());
    offsets(cx, here, call, &call.args[7..10], kind);
}

fn filterable(cx: &Cx<'_>, component: ComponentType, compare: bool) -> bool {
    use ComponentType::*;
    match component {
        F16 | F32 | SNormF16 | UNormF16 | SNormF32 | UNormF32 => true,
        I16 | U16 | I32 | U32 => since(cx, 7) && !compare,
        _ => false,
    }
}

fn bias(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if let Some(Value::Const(c)) = arg(call, "bias")
        && let ConstKind::Float(bits) = cx.m.consts[c].kind
    {
        let bias = f32::from_bits(bits as u32);
        if bias < *BIAS.start() || bias > *BIAS.end() {
            let text = format!("bias {bias} is not between {} and {}", BIAS.start(), BIAS.end());
            cx.inst(rule::INSTR_BIAS, here, call.inst, text);
        }
    }
}

/// As many coordinates as the texture has.
fn coordinates(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, given: &[Value], count: u32) {
    counted(
        cx,
        here,
        call,
        given,
        count,
        [
            (rule::INSTR_COORD_MISSING, "a coordinate is undefined"),
            (rule::INSTR_COORD_EXTRA, "there is a coordinate that the texture does not have"),
        ],
    );
}

fn counted(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, given: &[Value], count: u32, say: [(&'static Rule, &str); 2]) {
    let is = |n: usize| !cx.is_undef(given[n]);
    let count = (count as usize).min(given.len());
    let (missing, extra) = ((0..count).any(|n| !is(n)), (count..given.len()).any(is));
    for ((rule, text), wrong) in say.into_iter().zip([missing, extra]) {
        if wrong {
            cx.inst(rule, here, call.inst, text);
        }
    }
}

/// Offsets in every dimension or in none; before 6.7 small constants.
fn offsets(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>, given: &[Value], kind: ResourceKind) {
    use ResourceKind::*;
    let count = match kind {
        Texture1D | Texture1DArray => 1,
        Texture2D | Texture2DArray | Texture2DMS | Texture2DMSArray => 2,
        Texture3D => 3,
        _ => 0,
    };
    let any = given[..count].iter().any(|&v| !cx.is_undef(v));
    let wanted = if any { count } else { 0 };
    counted(
        cx,
        here,
        call,
        given,
        wanted as u32,
        [
            (rule::INSTR_OFFSET_MISSING, "an offset is undefined"),
            (rule::INSTR_OFFSET_EXTRA, "there is an offset in a dimension that the texture does not have"),
        ],
    );
    let small = |v: Value| cx.is_undef(v) || cx.int(v).is_some_and(|n| OFFSET.contains(&n));
    if !since(cx, 7) && !given[..count].iter().all(|&v| small(v)) {
        let text = format!("an offset is no constant between {} and {}", OFFSET.start(), OFFSET.end());
        cx.inst(rule::INSTR_TEXTURE_OFFSET, here, call.inst, text);
    }
}

/// Gathering, with comparison or without.
pub(super) fn gather(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    sampler(cx, here, call, call.op.opcode == op::TEXTURE_GATHER_CMP);
    let props = handles::of(cx, call.args[1]).props;
    if props.class() != Some(ResourceClass::Srv) {
        return cx.inst(rule::INSTR_SAMPLE_CLASS, here, call.inst, "the resource is no SRV");
    }
    use ResourceKind::*;
    let kind = props.kind();
    let offsets = match kind {
        Texture2D | Texture2DArray => 2,
        TextureCube | TextureCubeArray => 0,
        _ => return cx.inst(rule::INSTR_GATHER_KIND, here, call.inst, format!("nothing is gathered from a {kind}")),
    };
    coordinates(cx, here, call, &call.args[3..7], kind.coords());
    let given = &call.args[7..9];
    let wanted = if cx.is_undef(given[0]) { 0 } else { offsets };
    counted(
        cx,
        here,
        call,
        given,
        wanted,
        [
            (rule::INSTR_OFFSET_MISSING, "an offset is undefined"),
            (rule::INSTR_OFFSET_EXTRA, "there is an offset in a dimension that the texture does not have"),
        ],
    );
}

/// The level of detail that sampling would take.
pub(super) fn level_of_detail(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    match comparison(cx, call.args[2]) {
        Some(false) => {}
        Some(true) if since(cx, 8) => {}
        _ => cx.inst(rule::INSTR_SAMPLER_LOD, here, call.inst, "the sampler is not one of default mode"),
    }
    let props = handles::of(cx, call.args[1]).props;
    if props.class() != Some(ResourceClass::Srv) {
        return cx.inst(rule::INSTR_SAMPLE_CLASS, here, call.inst, "the resource is no SRV");
    }
    let kind = props.kind();
    if !kind.is_texture() || kind.is_multisampled() {
        return cx.inst(rule::INSTR_LOD_KIND, here, call.inst, format!("a {kind} has no levels of detail"));
    }
    let slice = u32::from(kind.is_array());
    coordinates(cx, here, call, &call.args[3..6], kind.coords() - slice);
}

/// Loads of texels.
pub(super) fn load(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    let props = handles::of(cx, call.args[1]).props;
    let kind = props.kind();
    let mip = call.args[2];
    let given = &call.args[6..9];
    match props.class() {
        Some(ResourceClass::Uav) => {
            if given.iter().any(|&v| !cx.is_undef(v)) {
                return cx.inst(rule::INSTR_UAV_LOAD_OFFSET, here, call.inst, "a load from a UAV has an offset");
            }
            if !cx.is_undef(mip) && !kind.is_multisampled() {
                cx.inst(rule::INSTR_UAV_LOAD_MIP, here, call.inst, "a load from a UAV has a mip level");
            }
        }
        Some(ResourceClass::Srv) => {}
        _ => return cx.inst(rule::INSTR_LOAD_CLASS, here, call.inst, "the resource is neither SRV nor UAV"),
    }
    if !kind.is_texture() || matches!(kind, ResourceKind::TextureCube | ResourceKind::TextureCubeArray) {
        let text = format!("texels cannot be loaded from a {kind}");
        return cx.inst(rule::INSTR_TEXTURE_LOAD_KIND, here, call.inst, text);
    }
    if kind.is_multisampled() && cx.is_undef(mip) {
        cx.inst(rule::INSTR_LOAD_SAMPLE, here, call.inst, "it is open which sample is loaded");
    }
    offsets(cx, here, call, given, kind);
}

/// Stores of texels.
pub(super) fn store(cx: &mut Cx<'_>, here: Here<'_>, call: Call<'_>) {
    if !to_uav(cx, here, call) {
        return;
    }
    let kind = handles::of(cx, call.args[1]).props.kind();
    if !kind.is_texture() || matches!(kind, ResourceKind::TextureCube | ResourceKind::TextureCubeArray) {
        let text = format!("texels cannot be stored to a {kind}");
        return cx.inst(rule::INSTR_TEXTURE_STORE_KIND, here, call.inst, text);
    }
    masks(cx, here, call, true);
}
