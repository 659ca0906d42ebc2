//! Listings of the code of particular instructions.

use super::{module, options};
use crate::facts::Facts;
use crate::{DxilOptions, lower};
use rtc_dxil_dis::module_text;

/// The lines of the only function's body, without comments and blank lines.
fn body(text: &str) -> Vec<String> {
    body_with(text, &options("", 6))
}

fn body_with(text: &str, o: &DxilOptions) -> Vec<String> {
    let m = module(text);
    let mut errors = Vec::new();
    let facts = Facts::new(&m, o.profile, &mut errors);
    let lowered = lower(&m, &facts, o, &[]).unwrap_or_else(|e| panic!("{e:?}"));
    let listing = module_text(&lowered.module);
    let lines = listing.lines().skip_while(|l| !l.starts_with("define")).skip(1);
    let lines = lines.take_while(|l| *l != "}");
    let plain = |l: &str| l.split("  ; ").next().unwrap_or_default().trim().to_owned();
    lines.map(plain).filter(|l| !l.is_empty()).collect()
}

/// A miss shader with a payload of this type, these constants and this code.
fn miss(payload: &str, constants: &str, code: &str) -> String {
    format!(
        "module sm 6.3\nstruct s0 \"P\" {{\n \"a\" : {payload}\n}}\nfn fn0 \"M\" stage miss {{\n pl0 = payload in s0 \"p\"\n{constants}\nr0:\n{code}\n return\n}}\n"
    )
}

#[test]
fn only_used_components_are_loaded() {
    let text =
        miss("f32", "", "v0 = world_ray_direction : f32x3\nv1 = extract #2 v0 : f32\nv2 = world_ray_origin : f32x3\nstore pl0.0, v1");
    assert_eq!(
        body(&text),
        [
            "%1 = getelementptr inbounds %struct.P, %struct.P* %p, i32 0, i32 0",
            "%2 = call float @dx.op.worldRayDirection.f32(i32 148, i8 2)",
            "store float %2, float* %1, align 4",
            "ret void",
        ]
    );
}

#[test]
fn precise_operations_are_not_fast() {
    let text =
        miss("f32", "v9 = const f32 2.0", "v0 = ray_tmin : f32\nv1 = precise fmul v0, v9 : f32\nv2 = fadd v1, v9 : f32\nstore pl0.0, v2");
    let body = body(&text);
    assert!(body.contains(&"%3 = fmul float %2, 2.000000e+00".to_owned()), "{body:?}");
    assert!(body.contains(&"%4 = fadd fast float %3, 2.000000e+00".to_owned()), "{body:?}");
}

#[test]
fn booleans_are_words_in_memory() {
    let text = miss("boolx2", "v9 = const f32 0.0", "v0 = load pl0.0 : boolx2\nv1 = not v0 : boolx2\nstore pl0.0, v1");
    let body = body(&text);
    let wanted = ["load <2 x i32>", "icmp ne i32", "xor i1", "zext i1", "store <2 x i32>"];
    for w in wanted {
        assert!(body.iter().any(|l| l.contains(w)), "{w}: {body:#?}");
    }
}

#[test]
fn an_exit_through_several_levels_is_a_jump() {
    let text = miss(
        "i32",
        "v8 = const i32 0\nv9 = const i32 7",
        "v0 = loop (v8) : i32 {
r1(v1 : i32):
  loop () {
  r3:
    v2 = ray_flags : i32
    v3 = ieq v2, v1 : bool
    if v3 {
    r5:
      break r1(v2)
    } else {
    r6:
      yield
    }
    v4 = ult v2, v9 : bool
    if v4 {
    r7:
      continue r1(v2)
    } else {
    r8:
      continue r3()
    }
    unreachable
  } continuing {
  r4:
    next
  }
  unreachable
} continuing {
r2(v5 : i32):
  next v5
}
store pl0.0, v0",
    );
    let body = body(&text);
    assert!(!body.iter().any(|l| l.starts_with("switch")), "{body:#?}");
    assert_eq!(body.iter().filter(|l| l.starts_with("br i1")).count(), 2, "{body:#?}");
    // Only the outer loop's state needs a phi: the value that leaves has one source.
    let phis = body.iter().filter(|l| l.contains("= phi i32")).count();
    assert_eq!(phis, 1, "{body:#?}");
    assert!(!body.iter().any(|l| l == "unreachable"), "{body:#?}");
}

#[test]
fn dynamic_indices_reach_flat_arrays() {
    let text = miss(
        "i32",
        "l0 = local [3 x f32x2] \"a\"\nv8 = const f32 1.0\nv9 = const i32 1",
        "v0 = load pl0.0 : i32\nv1 = construct v8, v8 : f32x2\nstore l0[v0], v1\nv2 = load l0[v9][v0] : f32\nv3 = ftos v2 : i32\nstore pl0.0, v3",
    );
    let body = body(&text);
    for w in [
        "alloca [6 x float], align 4",
        "mul i32 %3, 2",
        "add i32 %4, 1",
        "getelementptr inbounds [6 x float], [6 x float]* %1, i32 0, i32 %4",
    ] {
        assert!(body.iter().any(|l| l.contains(w)), "{w}: {body:#?}");
    }
}

#[test]
fn undefined_values_never_reach_an_operation() {
    let text = miss(
        "f32",
        "v8 = undef f32\nv9 = const f32 1.0",
        "v0 = fadd v8, v9 : f32\nv1 = sqrt v8 : f32\nv2 = fmul v0, v1 : f32\nstore pl0.0, v2",
    );
    let body = body(&text);
    assert!(body.iter().all(|l| !l.contains("undef")), "{body:#?}");
}

#[test]
fn shifts_count_modulo_the_width() {
    let text = miss("i32", "v9 = const i32 33", "v0 = load pl0.0 : i32\nv1 = shl v0, v9 : i32\nv2 = lshr v1, v0 : i32\nstore pl0.0, v2");
    let body = body(&text);
    assert!(body.iter().any(|l| l.ends_with("shl i32 %2, 1")), "{body:#?}");
    assert!(body.iter().any(|l| l.ends_with("and i32 %2, 31")), "{body:#?}");
}

#[test]
fn payload_qualifiers_become_annotations() {
    let text = "module sm 6.7
struct s0 \"Inner\" raypayload {
  \"x\" : f32 read(anyhit) write(caller closesthit)
}
struct s1 \"P\" raypayload {
  \"a\" : f32x4 read(caller) write(closesthit miss)
  \"n\" : s0
}
fn fn0 \"M\" stage miss {
  pl0 = payload in s1 \"p\"
r0:
  return
}
";
    let m = module(text);
    let o = options("", 7);
    let facts = Facts::new(&m, o.profile, &mut Vec::new());
    let listing = module_text(&lower(&m, &facts, &o, &[]).expect("it lowers").module);
    for line in [
        "!dx.dxrPayloadAnnotations = !{",
        "{i32 0, i32 545}",
        "{i32 0, i32 0}",
        "{i32 0, i32 4130}",
        "%struct.P undef",
        "%struct.Inner undef",
    ] {
        assert!(listing.contains(line), "{line}\n{listing}");
    }
}

#[test]
fn computed_once() {
    // Components that are computed twice, a choice that all ways agree on, and a component that two results share.
    let text = miss(
        "f32",
        "v9 = const f32 2.0",
        "v0 = world_ray_direction : f32x3\nv1 = extract #2 v0 : f32\nv2 = construct v1, v9, v1 : f32x3\nv3 = fmul v2, v2 : f32x3\n\
         v4 = extract #0 v3 : f32\nv5 = extract #2 v3 : f32\nv6 = fadd v4, v5 : f32\nstore pl0.0, v6",
    );
    let body = body(&text);
    assert_eq!(body.iter().filter(|l| l.contains("fmul")).count(), 1, "{body:?}");
}

#[test]
fn precise_and_fast_are_apart() {
    let text =
        miss("f32", "", "v0 = ray_tmin : f32\nv1 = sqrt v0 : f32\nv2 = precise sqrt v0 : f32\nv3 = fadd v1, v2 : f32\nstore pl0.0, v3");
    let body = body(&text);
    assert_eq!(body.iter().filter(|l| l.contains("unary")).count(), 2, "{body:?}");
}

#[test]
fn vectors_go_through_as_wholes() {
    let text = "module sm 6.3\nstruct s0 \"P\" {\n \"a\" : f32x4\n \"b\" : f32x4\n}\nfn fn0 \"M\" stage miss {\n pl0 = payload in s0 \"p\"\n\
        v9 = const f32 2.0\nv8 = undef f32x4\nr0:\nv0 = load pl0.0 : f32x4\nstore pl0.1, v8\nstore pl0.1, v0\nv1 = insert #2 v0, v9 : f32x4\n\
        store pl0.0, v1\n return\n}\n";
    let body = body(text);
    let address = |n: u32| format!("%{} = getelementptr inbounds %struct.P, %struct.P* %p, i32 0, i32 {n}", n + 1);
    assert_eq!(
        body,
        [
            address(0),
            address(1),
            "%3 = load <4 x float>, <4 x float>* %1, align 4".to_owned(),
            "store <4 x float> %3, <4 x float>* %2, align 4".to_owned(),
            "%4 = insertelement <4 x float> %3, float 2.000000e+00, i32 2".to_owned(),
            "store <4 x float> %4, <4 x float>* %1, align 4".to_owned(),
            "ret void".to_owned(),
        ]
    );
}

#[test]
fn nothing_is_kept_across_a_reorder_point_for_later() {
    let text = "module sm 6.3\nstruct s0 \"P\" {\n \"a\" : f32\n}\nfn fn0 \"M\" stage callable {\n pl0 = callable in s0 \"p\"\n pl1 = callable out s0 \"q\"\n\
        v9 = const i32 0\nr0:\nv0 = dispatch_rays_index : i32x3\nv1 = extract #0 v0 : i32\nv2 = utof v1 : f32\nstore pl1.0, v2\ncall_shader pl1, v9\n\
        v3 = dispatch_rays_index : i32x3\nv4 = extract #0 v3 : i32\nv5 = utof v4 : f32\nv6 = dispatch_rays_index : i32x3\nv7 = extract #0 v6 : i32\nv8 = utof v7 : f32\n\
        v10 = fadd v5, v8 : f32\nstore pl0.0, v10\n return\n}\n";
    let body = body(text);
    assert_eq!(body.iter().filter(|l| l.contains("uitofp")).count(), 2, "{body:?}");
}
