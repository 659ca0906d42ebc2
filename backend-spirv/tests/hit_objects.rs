//! Tests of hit objects: errors for features that an extension lacks, and the extensions that modules require.

use rtc_spirv::{Error, Numbering, Options, Output, Purpose, Ser};

/// A ray-generation shader with this body between its constants and its `return`.
fn compile(body: &str, ser: Ser) -> Result<Output, Vec<Error>> {
    let text = format!(
        r#"module sm 6.10 props(inlined no_privates)

struct s0 "Payload" {{
  "color" : f32x3
}}
struct s1 "Attr" {{
  "barycentrics" : f32x2
}}

g0 = resource "Scene" : res(srv accel) register 0 space 0
g1 = resource "Out" : res(uav raw) register 0 space 0

fn fn0 "RayGen" stage raygen {{
  pl0 = payload out s0 "p"
  pl1 = attr hit s1 "a"
  pl2 = ray query query(0 0) "q"
  pl3 = payload out s0 "p2"
  l0 = local [40 x hitobj] "many"
  v0 = const i32 0
  v1 = const i32 255
  v2 = const f32 0.0
  v3 = const f32 1.0
  v4 = const i32 1
r0:
  v15 = construct v2, v2, v2 : f32x3
  v16 = construct v2, v2, v3 : f32x3
  v10 = dispatch_rays_index : i32x3
  v11 = extract #0 v10 : i32
  v14 = resource g0
  v9 = resource g1
{body}
  return
}}
"#
    );
    let m = rtc_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{errors:?}");
    }
    rtc_spirv::compile(&m, &Default::default(), &Options::default(), Purpose { ser, numbering: Numbering::Distinct, ..Purpose::HOST })
}

const TRACE: &str = "  v17 = hit_trace pl0, v14, v0, v1, v0, v4, v0, v15, v2, v16, v3 : hitobj\n";

#[test]
fn what_an_extension_lacks_is_said() {
    let codes = |r: Result<Output, Vec<Error>>| match r {
        Ok(o) => o.warnings.iter().map(|e| e.code.id).collect::<Vec<_>>(),
        Err(all) => all.iter().map(|e| e.code.id).collect(),
    };
    let position = format!("{TRACE}  v18 = hit_triangle_object_position #1 v17 : f32x3\n  raw_store #4 v9, v0, v18\n");
    assert_eq!(codes(compile(&position, Ser::Nv)), ["E0920"]);
    assert_eq!(codes(compile(&position, Ser::Ext)), [""; 0]);
    let cluster = format!("{TRACE}  v18 = hit_get_cluster_id v17 : i32\n  raw_store #4 v9, v0, v18\n");
    assert_eq!(codes(compile(&cluster, Ser::Nv)), [""; 0]);
    assert_eq!(codes(compile(&cluster, Ser::Ext)), ["W0922"]);
    let many = format!("{TRACE}  store l0[v11], v17\n  v18 = load l0[v0] : hitobj\n  hit_invoke pl0, v18\n");
    for ser in [Ser::Nv, Ser::Ext] {
        assert_eq!(codes(compile(&many, ser)), ["E0921"]);
    }
}

#[test]
fn modules_ask_for_no_more_than_they_need() {
    let required = |body: &str, ser| {
        let out = compile(body, ser).expect("it compiles");
        let reqs = out.map.requirements.into_iter();
        let mut names: Vec<String> = reqs.filter(|r| r.kind.to_string().contains("extension")).map(|r| r.name).collect();
        names.retain(|n| n.starts_with("SPV"));
        names
    };
    let nothing = "  v18 = hit_make_nop : hitobj\n  v19 = hit_is_nop v18 : bool\n";
    assert_eq!(required(nothing, Ser::Nv), ["SPV_KHR_ray_tracing"]);
    let hint = "  v18 = hit_make_nop : hitobj\n  reorder v18, v11, v1\n";
    assert_eq!(required(hint, Ser::Nv), ["SPV_KHR_ray_tracing", "SPV_NV_shader_invocation_reorder"]);
    assert_eq!(required(hint, Ser::Ext), ["SPV_KHR_ray_tracing", "SPV_EXT_shader_invocation_reorder"]);
    let record = format!("{TRACE}  v18 = hit_load_root_constant v17, v0 : i32\n  raw_store #4 v9, v0, v18\n");
    assert_eq!(
        required(&record, Ser::Ext),
        ["SPV_KHR_ray_tracing", "SPV_EXT_shader_invocation_reorder", "SPV_KHR_physical_storage_buffer"]
    );
}

/// Whether a shader with this body has the instruction for trace, reorder and invocation, and the one for the latter two.
fn fused(body: &str) -> (bool, bool) {
    let words = compile(body, Ser::Ext).expect("it compiles").words;
    let listing = rtc_spirv::listing::listing(&words).expect("it is well formed");
    assert!(!rtc_spirv::listing::listing(&compile(body, Ser::Nv).expect("it compiles").words).unwrap().contains("Execute "));
    (listing.contains("OpHitObjectTraceReorderExecuteEXT"), listing.contains("OpHitObjectReorderExecuteShaderEXT"))
}

#[test]
fn what_stands_together_is_one_instruction() {
    let (trace, reorder, invoke) = (TRACE, "  reorder v17, v11, v4\n", "  hit_invoke pl0, v17\n");
    let together = [trace, reorder, invoke].concat();
    assert_eq!(fused(&together), (true, false));
    // The payload goes to a variable of its own, which is the same one.
    let copies = "  v18 = load pl0.0 : f32x3\n  store pl3.0, v18\n";
    let other = "  hit_invoke pl3, v17\n";
    assert_eq!(fused(&[trace, copies, reorder, other].concat()), (true, false));
    assert_eq!(fused(&[trace, reorder, copies, other].concat()), (true, false));
    // A hint that could have been computed before.
    let hint = "  v18 = imul v11, v1 : i32\n  reorder v17, v18, v4\n";
    assert_eq!(fused(&[trace, hint, invoke].concat()), (true, false));
    // One that depends on the hit.
    let hint = "  v18 = hit_get_kind v17 : i32\n  reorder v17, v18, v4\n";
    assert_eq!(fused(&[trace, hint, invoke].concat()), (false, true));
    // The payload is changed, read, or used with its old value.
    let changed = "  store pl0.0, v16\n";
    assert_eq!(fused(&[trace, changed, reorder, invoke].concat()), (false, true));
    assert_eq!(fused(&[trace, reorder, changed, invoke].concat()), (false, false));
    let seen = "  v18 = load pl0.0 : f32x3\n  raw_store #4 v9, v0, v18\n";
    assert_eq!(fused(&[trace, seen, reorder, invoke].concat()), (false, true));
    let kept = "  v19 = load pl0.0 : f32x3\n  raw_store #4 v9, v0, v19\n";
    assert_eq!(fused(&[trace, copies, reorder, other, kept].concat()), (false, true));
    // The hit object is used afterwards.
    let getter = "  v20 = hit_get_kind v17 : i32\n  raw_store #4 v9, v0, v20\n";
    assert_eq!(fused(&[trace, reorder, invoke, getter].concat()), (false, true));
    // Another hit object is invoked.
    let two = "  v21 = hit_trace pl0, v14, v0, v1, v0, v4, v0, v15, v2, v16, v3 : hitobj\n";
    assert_eq!(fused(&[two, trace, "  reorder v21, v11, v4\n", invoke].concat()), (false, false));
}
