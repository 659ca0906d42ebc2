//! IR without a DXIL form is an error, never a panic.

use super::{fixture, module, options};
use crate::DxilOptions;
use crate::library::{compile, library_rdat};
use rtc_rootsig::RootVersion;

fn messages(text: &str) -> Vec<String> {
    messages_with(text, &options("", 8))
}

fn messages_with(text: &str, o: &DxilOptions) -> Vec<String> {
    match compile(&module(text), o) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.into_iter().map(|e| e.message).collect(),
    }
}

#[track_caller]
fn says(text: &str, expected: &str) {
    let found = messages(text);
    assert!(found.iter().any(|m| m.contains(expected)), "{expected}: {found:?}");
}

#[test]
fn root_signatures_are_compiled() {
    let text = "module sm 6.3\nsubobject \"G\" = global_root_signature \"CBV(b0), CBV(q1)\"\n";
    says(text, "root signature, byte");
    assert!(library_rdat(&module(text), options("", 8).settings.validator, RootVersion::V1_1).is_err());
}

#[test]
fn registers_are_not_shared() {
    let text = "module sm 6.3
g0 = resource \"A\" : res(srv raw) register 3 space 1
g1 = resource \"B\" : res(srv raw) array count 4 register 1 space 1
fn fn0 \"R\" stage raygen {
  v0 = const i32 0
r0:
  v1 = resource g0
  v2 = raw_load v1, v0 : i32
  v3 = resource g1[v0]
  raw_store v3, v0, v2
  return
}
";
    says(&text.replace("srv", "uav"), "`B` and `A` both use register u3 of space 1");
}

#[test]
fn a_loop_must_end() {
    let text = "module sm 6.3
fn fn0 \"R\" stage raygen {
r0:
  loop () {
  r1:
    continue r1()
  } continuing {
  r2:
    next
  }
  unreachable
}
";
    says(text, "this loop never ends");
}

#[test]
fn resources_are_not_chosen_at_run_time() {
    let text = "module sm 6.3
g0 = resource \"A\" : res(uav raw) register 0 space 0
g1 = resource \"B\" : res(uav raw) register 1 space 0
fn fn0 \"R\" stage raygen {
  v0 = const i32 0
r0:
  v1 = dispatch_rays_index : i32x3
  v2 = extract #0 v1 : i32
  v3 = ieq v2, v0 : bool
  v4 = resource g0
  v5 = resource g1
  v6 = if v3 : res(uav raw) {
  r1:
    yield v4
  } else {
  r2:
    yield v5
  }
  raw_store v6, v0, v2
  return
}
";
    says(text, "must not depend on control flow");
}

#[test]
fn operations_need_their_shader_model_and_type() {
    let geometry = "module sm 6.3
struct s0 \"P\" {
  \"a\" : i32
}
struct s1 \"A\" {
  \"b\" : f32x2
}
fn fn0 \"C\" stage closesthit {
  pl0 = payload in s0 \"p\"
  pl1 = attr in s1 \"a\"
r0:
  v0 = geometry_index : i32
  store pl0.0, v0
  return
}
";
    says(geometry, "`GeometryIndex` needs shader model 6.5, the target is 6.3");
    assert!(messages(&geometry.replace("6.3", "6.5")).is_empty());
    let root = "module sm 6.3
struct s0 \"P\" {
  \"a\" : f64
}
fn fn0 \"C\" stage callable {
  pl0 = callable in s0 \"p\"
r0:
  v0 = load pl0.0 : f64
  v1 = sqrt v0 : f64
  store pl0.0, v1
  return
}
";
    says(root, "Sqrt has no overload");
}

#[test]
fn old_validators_do_not_know_new_shader_models() {
    let found = messages_with("module sm 6.6\n", &options("", 5));
    assert_eq!(found, ["shader model 6.6 needs validator version 1.6, the chosen one is 1.5"]);
    let found = messages_with("module sm 6.3\n", &options("compute", 8));
    assert_eq!(found, ["there is no compute shader to compile"]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let depth = 900;
    let mut text = String::from("module sm 6.3\nfn fn0 \"R\" stage raygen {\n v0 = const bool true\nr0:\n");
    for n in 0..depth {
        text += &format!("if v0 {{\nr{}:\n", 2 * n + 1);
    }
    text += "return\n";
    for n in (0..depth).rev() {
        text += &format!("}} else {{\nr{}:\n yield\n}}\n", 2 * n + 2);
        text += if n == 0 { "return\n" } else { "yield\n" };
    }
    text += "}\n";
    assert_eq!(messages(&text), [""; 0]);
}

#[test]
fn leftover_calls_are_named() {
    let m = fixture("hello");
    assert!(compile(&m, &options("", 8)).is_ok());
    let text = "module sm 6.3
fn fn0 \"helper\" stage library {
r0:
  return
}
fn fn1 \"R\" stage raygen {
r0:
  call fn0()
  return
}
";
    says(text, "the call of `helper` was not inlined");
}
