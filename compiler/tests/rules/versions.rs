//! What depends on the validator version that a module names: containers of older compilers are valid by the rules of their time.

use std::collections::BTreeSet;

use super::edit::Edit;
use rtc::validate::{self, Validation};
use rtc_dxil_container::metadata::tag;
use rtc_dxil_container::psv::Psv;
use rtc_dxil_container::rdat::{ComputeInfo, Rdat};
use rtc_dxil_container::shader_flags::{self, bit};
use rtc_dxil_container::{FourCc, Version};
use rtc_dxil_module::Op;
use rtc_oracles::Dxv;
use rtc_tables::resources::CompType;

const MESH: &str = "// rtc -T ms_6_5 -E main
struct V { float4 at : SV_Position; };
[numthreads(3, 1, 1)] [outputtopology(\"triangle\")]
void main(uint i : SV_GroupIndex, out vertices V v[3], out indices uint3 t[1]) {
    SetMeshOutputCounts(3, 1);
    v[i].at = i;
    t[0] = uint3(0, 1, 2);
}";

fn check(e: &Edit) -> Validation {
    validate::validate(&e.bytes()).expect("a container")
}

/// The rules that are violated.
fn rules(e: &Edit) -> Vec<&'static str> {
    let found: BTreeSet<&str> = check(e).report.findings.iter().map(|f| f.rule.id).collect();
    found.into_iter().collect()
}

/// Compilers before 1.9 gave an output array of a mesh shader an index for each vertex, and one row.
#[test]
fn outputs_of_mesh_shaders_had_an_index_for_each_vertex() {
    let refused = vec!["CONTAINER.CONTENTMATCHES", "CONTAINER.UNUSEDITEMINTABLE", "META.WELLFORMED"];
    for (validator, wrong) in [(6, vec![]), (7, vec![]), (8, vec![]), (9, refused)] {
        let mut e = Edit::compile(MESH);
        e.set_validator(validator);
        e.signatures(|s| {
            s.outputs[0].indices = vec![0, 1, 2];
            s.outputs[0].spare_indices = 2;
        });
        e.settle();
        assert_eq!(rules(&e), wrong, "1.{validator}: {}", check(&e).report);
        // Three records of one register.
        let stored = rtc_dxil_container::signature::read("OSG1", e.part(FourCc::OSG1)).expect("a signature");
        assert_eq!(stored.iter().map(|r| (r.index, r.register)).collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 0)]);
    }
    // No other stage had that.
    let mut e = Edit::compile("// rtc -T vs_6_0 -E main\nfloat4 main(float4 p : P) : SV_Position { return p; }");
    e.set_validator(7);
    e.signatures(|s| {
        s.outputs[0].indices = vec![0, 1];
        s.outputs[0].spare_indices = 1;
    });
    e.settle();
    assert_eq!(rules(&e), ["META.WELLFORMED"]);
    // More rows than indices never had a meaning.
    let mut e = Edit::compile(MESH);
    e.signatures(|s| s.outputs[0].indices = Vec::new());
    assert_eq!(rules(&e), ["META.WELLFORMED"]);
}

/// Records of one name in one register are in the order in which the sort of some C++ library left them.
#[test]
fn equal_records_of_signatures_are_in_any_order() {
    const SOURCE: &str = "// rtc -T vs_6_0 -E main
struct O { float2 a : A2; float2 b : A5; float4 at : SV_Position; };
O main(float4 p : P) { O o; o.a = p.xy; o.b = p.zw; o.at = p; return o; }";
    const RECORD: usize = 32;
    let mut e = Edit::compile(SOURCE);
    let part = e.part(FourCc::OSG1);
    let records = rtc_dxil_container::signature::read("OSG1", part).expect("a signature");
    let places: Vec<_> = records.iter().map(|r| (&*r.name, r.index, r.register)).collect();
    assert_eq!(places, [("A", 2, 0), ("A", 5, 0), ("SV_Position", 0, 1)]);
    let swap = |part: &mut Vec<u8>, n: usize| {
        let at = 8 + n * RECORD;
        let first = part[at..at + RECORD].to_vec();
        part.copy_within(at + RECORD..at + 2 * RECORD, at);
        part[at + RECORD..at + 2 * RECORD].copy_from_slice(&first);
    };
    swap(part, 0);
    assert_eq!(rules(&e), [""; 0], "{}", check(&e).report);
    // The order of registers is the same everywhere.
    swap(e.part(FourCc::OSG1), 1);
    assert_eq!(rules(&e), ["CONTAINER.PARTMATCHES"]);
}

/// A mesh shader need not say what it makes, nor a geometry shader without inputs what it is run for: `PSV0` has 0 then.
#[test]
fn primitives_may_be_missing() {
    const GEOMETRY: &str = "// rtc -T gs_6_0 -E main
struct V { float4 at : SV_Position; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { V o; o.at = 1; s.Append(o); }";
    for (source, tag, n) in [(MESH, tag::MESH, 3), (GEOMETRY, tag::GEOMETRY, 0)] {
        let mut e = Edit::compile(source);
        e.state(tag, n, 0);
        e.settle();
        assert_eq!(rules(&e), [""; 0], "{}", check(&e).report);
        let psv = Psv::read(e.part(FourCc::PSV0)).expect("pipeline information");
        let said = if source == MESH { (psv.threads, psv.stage_words[3]) } else { ([0; 3], psv.stage_half.into()) };
        assert_eq!(said, if source == MESH { ([3, 1, 1], 3 | 1 << 16) } else { ([0; 3], 1) });
    }
}

/// The first release of validator version 1.9 had rows about compute shaders, and no flag for sampler feedback.
#[test]
fn two_forms_of_validator_version_1_9() {
    const COMPUTE: &str = "// rtc -T lib_6_3\n[shader(\"compute\")] [numthreads(8, 4, 1)] void main() {}";
    for (validator, wrong) in [(8, vec!["CONTAINER.PARTMATCHES"]), (9, vec![])] {
        let mut e = Edit::compile(COMPUTE);
        e.set_validator(validator);
        e.settle();
        assert_eq!(rules(&e), [""; 0], "1.{validator}");
        let mut rdat = Rdat::read(e.part(FourCc::RDAT)).expect("runtime data");
        rdat.functions[0].v2.compute = Some(ComputeInfo { threads: [8, 4, 1], groupshared: 0 });
        *e.part(FourCc::RDAT) = rdat.write(Version::new(1, validator as u32));
        assert_eq!(rules(&e), wrong, "1.{validator}: {}", check(&e).report);
        // Rows that say something else are wrong in both.
        rdat.functions[0].v2.compute = Some(ComputeInfo { threads: [8, 4, 2], groupshared: 0 });
        *e.part(FourCc::RDAT) = rdat.write(Version::new(1, validator as u32));
        assert_eq!(rules(&e), ["CONTAINER.PARTMATCHES"], "1.{validator}");
    }
    const FEEDBACK: &str = "// rtc -T ps_6_5 -E main
FeedbackTexture2D<SAMPLER_FEEDBACK_MIN_MIP> f; Texture2D t; SamplerState s;
float4 main(float2 p : P) : SV_Target { f.WriteSamplerFeedback(t, s, p); return 1; }";
    let feedback = shader_flags::features(bit::SAMPLER_FEEDBACK);
    for (validator, flagged) in [(8, false), (9, true)] {
        let mut e = Edit::compile(FEEDBACK);
        e.set_validator(validator);
        e.settle();
        assert_eq!(rules(&e), [""; 0], "1.{validator}");
        let said = u64::from_le_bytes(e.part(FourCc::SFI0).as_slice().try_into().expect("features"));
        assert_eq!(said & feedback != 0, flagged);
        // The other form: the flag of 1.8, which the first release of 1.9 has too.
        let mut other = Edit::compile(FEEDBACK);
        other.set_validator(8);
        other.settle();
        other.set_validator(validator);
        assert_eq!(rules(&other), [""; 0], "1.{validator}: {}", check(&other).report);
    }
    // Only one half of it is no form.
    let mut e = Edit::compile(FEEDBACK);
    e.set_validator(9);
    e.settle();
    e.part(FourCc::SFI0).fill(0);
    assert_eq!(rules(&e), ["CONTAINER.PARTMATCHES"]);
}

/// Rules that came with a version hold for modules that name it or a later one; else a note tells of them.
#[test]
fn younger_rules_hold_from_their_version_on() {
    let mut rows: BTreeSet<&str> = rtc_tables::validation::all().filter(|r| r.since.is_some()).map(|r| r.id).collect();
    assert!(!rows.is_empty());
    for case in super::cases() {
        let (id, Some(first)) = (case.rule.id, case.rule.since) else { continue };
        rows.remove(id);
        for validator in [first - 1, first] {
            let mut e = Edit::compile(case.source);
            e.set_validator(validator as i32);
            case.break_rule(&mut e);
            e.settle();
            let (found, notes) = (rules(&e), check(&e).notes);
            let told = notes.iter().any(|n| n.starts_with(&format!("it breaks {id}, a rule since validator version 1.{first}: ")));
            assert_eq!(found, if validator == first { vec![id] } else { vec![] }, "{id} 1.{validator}: {}", check(&e).report);
            assert_eq!(told, validator < first, "{id} 1.{validator}: {notes:?}");
        }
    }
    assert!(rows.is_empty(), "no case breaks {rows:?}");
}

const VERTEX: &str = "// rtc -T vs_6_0 -E main
struct O { float4 at : SV_Position; float4 c : COLOR; float2 uv : TEXCOORD3; };
O main(float4 p : POSITION, uint i : SV_VertexID) { O o; o.at = p; o.c = p.wzyx * i; o.uv = p.xy; return o; }";

const COMPUTE: &str = "// rtc -T cs_6_0 -E main
RWByteAddressBuffer b : register(u3);
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { b.Store(4 * i, i); }";

/// Compilers older than the validator wrote the record of pipeline information that they knew; validators before 1.9 took it.
#[test]
fn pipeline_information_may_have_an_older_record() {
    for (source, validator) in [VERTEX, COMPUTE].into_iter().flat_map(|s| (5..=10).map(move |v| (s, v))) {
        for record in 0..=4 {
            let mut e = Edit::compile(source);
            e.set_validator(validator);
            e.settle();
            let psv = Psv::read(e.part(FourCc::PSV0)).expect("pipeline information");
            if record > psv.version {
                continue;
            }
            let wrong = if record == psv.version || validator < 9 { vec![] } else { vec!["CONTAINER.CONTENTMATCHES"] };
            let mut older = psv.in_record(record);
            *e.part(FourCc::PSV0) = older.write();
            assert_eq!(rules(&e), wrong, "1.{validator}, record {record}: {}", check(&e).report);
            // What it says is that of the module all the same.
            older.min_wave_lanes = 4;
            *e.part(FourCc::PSV0) = older.write();
            assert_eq!(rules(&e), ["CONTAINER.CONTENTMATCHES"], "1.{validator}, record {record}");
        }
    }
}

/// Compilers before 1.8 left the tables of dependencies of a geometry shader with several streams empty.
#[test]
fn dependencies_of_several_streams_were_not_said() {
    const STREAMS: [&str; 2] = [
        "// rtc -T gs_6_0 -E main
struct V { float4 at : SV_Position; float3 v : V; };
[maxvertexcount(2)] void main(point V v[1], inout PointStream<V> s, inout PointStream<V> t) { s.Append(v[0]); t.Append(v[0]); }",
        "// rtc -T gs_6_0 -E main
struct V { float4 at : SV_Position; float3 v : V; };
[maxvertexcount(2)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); }",
    ];
    for (streams, source) in [(2, STREAMS[0]), (1, STREAMS[1])] {
        for validator in [6, 7, 8, 9] {
            let mut e = Edit::compile(source);
            e.set_validator(validator);
            e.settle();
            assert_eq!(rules(&e), [""; 0], "1.{validator}: {}", check(&e).report);
            // A word for each component of two registers.
            let data = e.part(FourCc::PSV0);
            let at = data.len() - streams * 8 * 4;
            assert!(data[at..].iter().any(|&b| b != 0));
            data[at..].fill(0);
            let wrong = if streams == 2 && validator < 9 { vec![] } else { vec!["CONTAINER.CONTENTMATCHES"] };
            assert_eq!(rules(&e), wrong, "{streams} streams, 1.{validator}: {}", check(&e).report);
        }
    }
}

/// What a module does not say of its dependencies does not follow from its code.
#[test]
fn a_module_without_dependencies_has_none() {
    for validator in [6, 9] {
        let mut e = Edit::compile(VERTEX);
        e.set_validator(validator);
        e.settle();
        e.set_named("dx.viewIdState", &[]);
        assert_eq!(rules(&e), ["CONTAINER.CONTENTMATCHES"], "1.{validator}");
        // A word for each component of two registers.
        let data = e.part(FourCc::PSV0);
        let at = data.len() - 8 * 4;
        data[at..].fill(0);
        assert_eq!(rules(&e), [""; 0], "1.{validator}: {}", check(&e).report);
    }
}

/// Where texts lie in the pipeline information is up to the writer.
#[test]
fn texts_of_pipeline_information_lie_anywhere() {
    let mut e = Edit::compile(VERTEX);
    let names = [&b"POSITION\0"[..], b"COLOR\0"];
    let data = e.part(FourCc::PSV0);
    let at = |data: &[u8], what: &[u8]| data.windows(what.len()).position(|w| w == what).expect("the name");
    let start = at(data, &names.concat());
    // The names change places; their elements follow.
    let swapped = [names[1], names[0]].concat();
    data[start..start + swapped.len()].copy_from_slice(&swapped);
    let offsets = [(1u32, 1 + names[1].len() as u32), (1 + names[0].len() as u32, 1)];
    let elements = data.len() - 8 * 4 - 5 * 16;
    for element in data[elements..].chunks_exact_mut(16).take(5) {
        let name = u32::from_le_bytes([element[0], element[1], element[2], element[3]]);
        if let Some(&(_, new)) = offsets.iter().find(|o| o.0 == name) {
            element[..4].copy_from_slice(&new.to_le_bytes());
        }
    }
    assert_eq!(rules(&e), [""; 0], "{}", check(&e).report);
    // Without that, the elements have each other's names.
    e.part(FourCc::PSV0)[start..start + swapped.len()].copy_from_slice(&names.concat());
    assert_eq!(rules(&e), ["CONTAINER.CONTENTMATCHES", "CONTAINER.UNUSEDITEMINTABLE"]);
}

/// Of `bool` elements pipeline information had no type before 1.5; derivatives of mesh shaders are a feature since they exist.
#[test]
fn types_and_features_of_older_versions() {
    const FLAG: &str = "// rtc -T ps_6_0 -E main\nfloat4 main(bool b : B, float4 c : C) : SV_Target { return b ? c : 1; }";
    for (validator, component) in [(4, 0), (5, 1)] {
        let mut e = Edit::compile(FLAG);
        e.set_validator(validator);
        e.signatures(|s| s.inputs[0].component = CompType::I1);
        e.settle();
        let psv = Psv::read(e.part(FourCc::PSV0)).expect("pipeline information");
        let word = |at: usize| u32::from_le_bytes(psv.signature_data[at..at + 4].try_into().expect("four bytes")) as usize;
        let indices = 4 + word(0);
        let elements = indices + 4 + 4 * word(indices) + 4;
        assert_eq!(psv.signature_data[elements + 12], component, "1.{validator}");
    }
    const SAMPLES: &str = "// rtc -T ms_6_6 -E main
struct V { float4 at : SV_Position; };
Texture2D<float4> t; SamplerState s;
[numthreads(4, 1, 1)] [outputtopology(\"triangle\")]
void main(uint i : SV_GroupIndex, out vertices V v[4], out indices uint3 p[1]) {
    SetMeshOutputCounts(4, 1);
    v[i].at = t.Sample(s, i);
    p[0] = uint3(0, 1, 2);
}";
    let feature = shader_flags::features(bit::MESH_DERIVATIVES);
    for validator in [6, 7, 8, 9] {
        let mut e = Edit::compile(SAMPLES);
        e.set_validator(validator);
        e.settle();
        let said = u64::from_le_bytes(e.part(FourCc::SFI0).as_slice().try_into().expect("features"));
        assert_eq!(said & feature, feature, "1.{validator}");
    }
}

/// What the reference validator lets through: an element just in front of an object, whose end is address zero, and a ray query that is
/// undefined where it begins.
#[test]
fn what_no_validator_ever_refused() {
    const SHARED: &str = "// rtc -T cs_6_6 -E main
RWByteAddressBuffer o; groupshared uint g[16];
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) { g[i] = i; GroupMemoryBarrierWithGroupSync(); o.Store(4 * i, g[i ^ 1]); }";
    const INLINE: &str = "// rtc -T cs_6_6 -E main
RaytracingAccelerationStructure scene; RWByteAddressBuffer o;
[numthreads(32, 1, 1)] void main(uint i : SV_GroupIndex) {
  RayDesc r = {float3(i, 0, 0), 0, float3(0, 0, 1), 1};
  RayQuery<RAY_FLAG_NONE> q; q.TraceRayInline(scene, 0, 255, r); q.Proceed();
  o.Store(4 * i, q.CommittedStatus());
}";
    let dxv = Dxv::find().ok();
    let compare = |e: &mut Edit, wrong: &[&str]| {
        e.settle();
        assert_eq!(rules(e), wrong, "{}", check(e).report);
        if let Some(dxv) = &dxv {
            assert_eq!(dxv.validate(&e.bytes()).is_ok(), wrong.is_empty());
        }
    };
    for (index, wrong) in [(-1, &[][..]), (-2, &["INSTR.INBOUNDSACCESS"]), (16, &["INSTR.INBOUNDSACCESS"]), (15, &[])] {
        let mut e = Edit::compile(SHARED);
        let index = e.m.i32(index);
        let (func, address) = e.find(|op| matches!(op, Op::Gep { .. }));
        let Op::Gep { operands, .. } = *e.op((func, address)) else { unreachable!("an address") };
        *e.body(func).values_mut(operands).last_mut().expect("an index") = index;
        compare(&mut e, wrong);
    }
    let mut e = Edit::compile(INLINE);
    e.undefine("RayQuery_TraceRayInline", 1);
    compare(&mut e, &[]);
}
