//! Thread groups and waves: their sizes, and early termination.

use crate::shader::{compile, device, run};

/// A compute shader of 64 threads.
fn shader(name: &str, attributes: &str, code: &str, profile: &str) -> Vec<u8> {
    let text = format!(
        "groupshared uint G[64];\n[shader(\"compute\")] [numthreads(64, 1, 1)] {attributes} void Main(uint index : SV_GroupIndex) {{\n{code}\n}}"
    );
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
fn a_barrier_after_an_early_return() {
    let code = "G[index] = index + 1;\nif (index >= 40)\n    return;\nGroupMemoryBarrierWithGroupSync();
if (index < 2) { uint sum = 0; for (uint i = 0; i < 64; ++i) sum += G[i]; Out.Store(index * 4, sum); }\nGroupMemoryBarrierWithGroupSync();\nif (index == 39) Out.Store(8, 7);";
    let made = shader("returned", "", code, "lib_6_3");
    let mut quiet = device(|_| {});
    assert_eq!(run(&mut quiet, &made).expect("it runs")[..3], [2080, 2080, 7]);
    assert!(quiet.take_findings().is_empty());
    let mut sanitizing = device(|o| o.lower.sanitize = true);
    assert_eq!(run(&mut sanitizing, &made).expect("it runs")[..3], [2080, 2080, 7]);
    let found: Vec<String> = sanitizing.take_findings().iter().map(ToString::to_string).collect();
    let found = found.join("\n");
    assert!(
        found.contains("24 threads of the group have returned and never reach this barrier") && found.contains("returned.hlsl:6:"),
        "{found}"
    );
}

/// An index beyond an array of the group is its last element, for operations that cannot be interrupted too; adjacent memory is unchanged.
#[test]
fn group_shared_arrays_end_where_they_end() {
    let text = "groupshared uint Before[4]; groupshared uint List[4]; groupshared float3x3 After[2];
[shader(\"compute\")] [numthreads(64, 1, 1)] void Main(uint index : SV_GroupIndex) {
    if (index < 4) { Before[index] = 5; List[index] = 0; After[index & 1] = 7; }
    GroupMemoryBarrierWithGroupSync();
    uint zero = Out.Load(128), old;
    InterlockedAdd(List[zero + 100000 + index], 1);
    InterlockedMax(List[zero - 1 - index], 1);
    InterlockedCompareExchange(List[zero + 4], 1000, 2, old);
    After[zero + 9][zero + 8][zero + 7] = 9;
    GroupMemoryBarrierWithGroupSync();
    if (index == 0) {
        Out.Store4(0, uint4(List[0], List[1], List[2], List[3])); Out.Store4(16, uint4(Before[0], Before[1], Before[2], Before[3]));
        Out.Store4(32, uint4(asuint(After[0][0][0]), asuint(After[0][2][2]), asuint(After[1][2][1]), asuint(After[1][2][2])));
    }
}";
    let out = run(&mut device(|_| {}), &compile("ends", text, "lib_6_3")).expect("it runs");
    assert_eq!(out[..8], [0, 0, 0, 64, 5, 5, 5, 5]);
    assert_eq!(out[8..12], [7.0f32, 7.0, 7.0, 9.0].map(f32::to_bits));
}

#[test]
fn lanes_that_meet_forever() {
    for (name, code) in [
        ("forever", "while (WaveActiveAllTrue(Out.Load(8) == 0)) Out.Store(4, index);"),
        (
            "alone",
            "if (index == 3) while (Out.Load(8) == 0) Out.Store(4, index);\nGroupMemoryBarrierWithGroupSync();\nOut.Store(0, G[index ^ 1]);",
        ),
        ("waiting", "while (Out.Load(8) == 0) GroupMemoryBarrierWithGroupSync();"),
    ] {
        let error = run(&mut device(|o| o.limits.budget = 10_000), &shader(name, "", code, "lib_6_3")).expect_err(name).to_string();
        assert!(error.contains("--budget"), "{name}: {error}");
    }
}

#[test]
fn waves_have_the_requested_size() {
    let code = "uint first = WaveReadLaneFirst(index);
if (WaveIsFirstLane()) Out.InterlockedAdd(0, 1);
if (index == 63) { Out.Store(4, WaveGetLaneCount()); Out.Store(8, first); Out.Store(12, WaveGetLaneIndex()); }";
    for (lanes, attribute, profile) in
        [(1, "", "lib_6_3"), (4, "", "lib_6_3"), (32, "", "lib_6_3"), (128, "", "lib_6_3"), (16, "[WaveSize(16)]", "lib_6_6")]
    {
        let device_lanes = if attribute.is_empty() { lanes } else { 32 };
        let out = run(&mut device(|o| o.limits.lanes = device_lanes), &shader("widths", attribute, code, profile)).expect("it runs");
        let first = 63 / lanes * lanes;
        assert_eq!(out[..4], [64u32.div_ceil(lanes), lanes, first, 63 - first], "{lanes} lanes {attribute}");
    }
}
