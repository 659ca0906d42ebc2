//! Thread groups and waves: how wide they are, and what ends them before their time.

use crate::shader::{compile, device, run};

/// A compute shader of 64 threads.
fn shader(name: &str, attributes: &str, code: &str, profile: &str) -> Vec<u8> {
    let text = format!("groupshared uint G[64];\n[shader(\"compute\")] [numthreads(64, 1, 1)] {attributes} void Main(uint index : SV_GroupIndex) {{\n{code}\n}}");
    compile(name, &text, profile)
}

#[test]
fn a_barrier_that_some_threads_never_reach() {
    let code = "G[index] = index;\nif (index < 40)\n    GroupMemoryBarrierWithGroupSync();\nelse {\n    Out.Store(8, 1); GroupMemoryBarrierWithGroupSync(); }\nif (index == 0) Out.Store(0, G[63]);";
    let error = run(&mut device(|_| {}), &shader("divergent", "", code, "lib_6_3")).expect_err("a part waits").to_string();
    assert!(error.contains("barrier in divergent control flow") && error.contains("of 64 threads of the group 40 wait here"), "{error}");
    assert!(error.contains("divergent.hlsl:5:"), "{error}");
}

/// Lanes that have returned are inactive; that a barrier is in divergent control flow then is for the sanitizer to say.
#[test]
fn a_barrier_behind_an_early_return() {
    let code = "G[index] = index + 1;\nif (index >= 40)\n    return;\nGroupMemoryBarrierWithGroupSync();
if (index < 2) { uint sum = 0; for (uint i = 0; i < 64; ++i) sum += G[i]; Out.Store(index * 4, sum); }\nGroupMemoryBarrierWithGroupSync();\nif (index == 39) Out.Store(8, 7);";
    let made = shader("returned", "", code, "lib_6_3");
    let mut quiet = device(|_| {});
    assert_eq!(run(&mut quiet, &made).expect("it runs")[..3], [2080, 2080, 7]);
    assert!(quiet.take_findings().is_empty());
    let mut sanitizing = device(|o| o.lower.sanitize = true);
    assert_eq!(run(&mut sanitizing, &made).expect("it runs")[..3], [2080, 2080, 7]);
    let found = sanitizing.take_findings().join("\n");
    assert!(found.contains("24 threads of the group have ended and never reach this barrier") && found.contains("returned.hlsl:6:"), "{found}");
}

#[test]
fn lanes_that_meet_forever() {
    for (name, code) in [
        ("forever", "while (WaveActiveAllTrue(Out.Load(8) == 0)) Out.Store(4, index);"),
        ("alone", "if (index == 3) while (Out.Load(8) == 0) Out.Store(4, index);\nGroupMemoryBarrierWithGroupSync();\nOut.Store(0, G[index ^ 1]);"),
        ("waiting", "while (Out.Load(8) == 0) GroupMemoryBarrierWithGroupSync();"),
    ] {
        let error = run(&mut device(|o| o.limits.budget = 10_000), &shader(name, "", code, "lib_6_3")).expect_err(name).to_string();
        assert!(error.contains("--budget"), "{name}: {error}");
    }
}

#[test]
fn waves_are_as_wide_as_asked_for() {
    let code = "uint first = WaveReadLaneFirst(index);
if (WaveIsFirstLane()) Out.InterlockedAdd(0, 1);
if (index == 63) { Out.Store(4, WaveGetLaneCount()); Out.Store(8, first); Out.Store(12, WaveGetLaneIndex()); }";
    for (lanes, attribute, profile) in [(1, "", "lib_6_3"), (4, "", "lib_6_3"), (32, "", "lib_6_3"), (128, "", "lib_6_3"), (16, "[WaveSize(16)]", "lib_6_6")] {
        let device_lanes = if attribute.is_empty() { lanes } else { 32 };
        let out = run(&mut device(|o| o.limits.lanes = device_lanes), &shader("widths", attribute, code, profile)).expect("it runs");
        let first = 63 / lanes * lanes;
        assert_eq!(out[..4], [64u32.div_ceil(lanes), lanes, first, 63 - first], "{lanes} lanes {attribute}");
    }
}
