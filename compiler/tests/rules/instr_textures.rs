//! Cases of rules for textures and samplers.

use super::Case;
use super::edit::Edit;
use rtc_tables::validation::rule;

const TEXTURES: &str = "// rtc -T cs_6_6 -E main
Texture2D<float4> t; SamplerState s; SamplerComparisonState c; RWByteAddressBuffer o;
[numthreads(8, 8, 1)] void main(uint2 i : SV_GroupThreadID) {
  float2 at = i / 8.0;
  float4 v = t.SampleLevel(s, at, 0, int2(1, 1));
  v.x += t.SampleCmpLevelZero(c, at, 0.5);
  v += t.Gather(s, at, int2(1, 2));
  v += t.SampleBias(s, at, at.x);
  v.x += t.CalculateLevelOfDetail(s, at);
  v += t.Load(int3(i, 0));
  o.Store4(16 * (i.x + 8 * i.y), asuint(v));
}";

/// One operation on a texture of its own: (declarations, expression).
macro_rules! one {
    ($decl:literal, $value:literal) => {
        concat!(
            "// rtc -T cs_6_6 -E main\n",
            $decl,
            "SamplerState s; SamplerComparisonState c; RWByteAddressBuffer o;
[numthreads(8, 8, 1)] void main(uint2 i : SV_GroupThreadID) {
  float2 at = i / 8.0; o.Store4(16 * (i.x + 8 * i.y), asuint((",
            $value,
            ").xxxx)); }"
        )
    };
}

const LEVEL: &str = one!("Texture2D<float4> t;", "t.SampleLevel(s, at, 0, int2(1, 1))");
const COMPARE: &str = one!("Texture2D<float4> t;", "t.SampleCmpLevelZero(c, at, 0.5)");
const GATHER: &str = one!("Texture2D<float4> t;", "t.Gather(s, at, int2(1, 2))");
const LOD: &str = one!("Texture2D<float4> t;", "t.CalculateLevelOfDetail(s, at)");
const LOAD: &str = one!("Texture2D<float4> t;", "t.Load(int3(i, 0))");
const LOAD_UAV: &str = one!("RWTexture2D<float4> t;", "t[i]");
const LOAD_SAMPLE: &str = one!("Texture2DMS<float4> t;", "t.Load(i, 0)");
const STORE: &str = "// rtc -T cs_6_6 -E main
RWTexture2D<float4> t;
[numthreads(8, 8, 1)] void main(uint2 i : SV_GroupThreadID) { t[i] = 1; }";

const UAV: i64 = 1 << 12;
const COMPARISON: i64 = 1 << 15;

/// Makes the texture of a sample one of `uint`.
fn integers(e: &mut Edit) {
    e.properties("SampleLevel", 1, |[basic, detail]| [basic, detail & !0xFF | 5]);
}

#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { rule: rule::INSTR_SAMPLER_SAMPLE, source: LEVEL, edit: |e| e.flip("SampleLevel", 2, COMPARISON), reference: "" },
    Case { rule: rule::INSTR_SAMPLER_SAMPLE, source: GATHER, edit: |e| e.flip("TextureGather", 2, COMPARISON), reference: "" },
    Case { rule: rule::INSTR_SAMPLER_SAMPLE_CMP, source: COMPARE, edit: |e| e.flip("SampleCmpLevelZero", 2, COMPARISON), reference: "" },
    Case { rule: rule::INSTR_SAMPLER_LOD, source: LOD, edit: |e| e.flip("CalculateLOD", 2, COMPARISON), reference: "" },
    Case { rule: rule::INSTR_SAMPLE_TYPE, source: LEVEL, edit: integers, reference: "" },
    Case { rule: rule::INSTR_SAMPLE_CLASS, source: LEVEL, edit: |e| e.flip("SampleLevel", 1, UAV), reference: "" },
    Case { rule: rule::INSTR_SAMPLE_CLASS, source: GATHER, edit: |e| e.flip("TextureGather", 1, UAV), reference: "" },
    Case { rule: rule::INSTR_SAMPLE_CLASS, source: LOD, edit: |e| e.flip("CalculateLOD", 1, UAV), reference: "" },
    Case { rule: rule::INSTR_SAMPLE_KIND, source: LEVEL, edit: |e| e.kind("SampleLevel", 1, 3), reference: "" },
    Case { rule: rule::INSTR_SAMPLE_CMP_KIND, source: COMPARE, edit: |e| e.kind("SampleCmpLevelZero", 1, 4), reference: "" },
    Case { rule: rule::INSTR_GATHER_KIND, source: GATHER, edit: |e| e.kind("TextureGather", 1, 4), reference: "" },
    Case { rule: rule::INSTR_LOD_KIND, source: LOD, edit: |e| e.kind("CalculateLOD", 1, 3), reference: "" },
    Case { rule: rule::INSTR_BIAS, source: TEXTURES, edit: |e| e.give_f32("SampleBias", 10, 16.0), reference: "" },
    Case { rule: rule::INSTR_BIAS, source: TEXTURES, edit: |e| e.give_f32("SampleBias", 10, -16.5), reference: "" },
    Case { rule: rule::INSTR_COORD_MISSING, source: LEVEL, edit: |e| e.undefine("SampleLevel", 4), reference: "" },
    Case { rule: rule::INSTR_COORD_MISSING, source: LOD, edit: |e| e.undefine("CalculateLOD", 4), reference: "" },
    Case { rule: rule::INSTR_COORD_EXTRA, source: LEVEL, edit: |e| e.give_f32("SampleLevel", 5, 0.0), reference: "" },
    Case { rule: rule::INSTR_COORD_EXTRA, source: GATHER, edit: |e| e.give_f32("TextureGather", 6, 0.0), reference: "" },
    Case { rule: rule::INSTR_OFFSET_MISSING, source: LEVEL, edit: |e| e.undefine("SampleLevel", 8), reference: "" },
    Case { rule: rule::INSTR_OFFSET_MISSING, source: GATHER, edit: |e| e.undefine("TextureGather", 8), reference: "" },
    Case { rule: rule::INSTR_OFFSET_EXTRA, source: LEVEL, edit: |e| e.give_i32("SampleLevel", 9, 1), reference: "" },
    Case { rule: rule::INSTR_TEXTURE_OFFSET, source: LEVEL, edit: |e| e.give_i32("SampleLevel", 7, 8), reference: "" },
    Case { rule: rule::INSTR_TEXTURE_LOAD_KIND, source: LOAD, edit: |e| e.kind("TextureLoad", 1, 5), reference: "" },
    Case { rule: rule::INSTR_UAV_LOAD_OFFSET, source: LOAD_UAV, edit: |e| e.give_i32("TextureLoad", 6, 1), reference: "" },
    Case { rule: rule::INSTR_UAV_LOAD_MIP, source: LOAD_UAV, edit: |e| e.give_i32("TextureLoad", 2, 0), reference: "" },
    Case { rule: rule::INSTR_LOAD_SAMPLE, source: LOAD_SAMPLE, edit: |e| e.undefine("TextureLoad", 2), reference: "" },
    Case { rule: rule::INSTR_TEXTURE_STORE_KIND, source: STORE, edit: |e| e.kind("TextureStore", 1, 5), reference: "" },
    Case { rule: rule::INSTR_STORE_CLASS, source: STORE, edit: |e| e.flip("TextureStore", 1, UAV), reference: "" },
];
