//! The programs of `examples/`: each is built into this test and run on a small library.

#![allow(dead_code, reason = "the `main` functions of the examples")]

#[path = "../examples/compile.rs"]
mod compile;
#[path = "../examples/permutations.rs"]
mod permutations;
#[path = "../examples/reflect_package.rs"]
mod reflect_package;
#[path = "../examples/reorder_points.rs"]
mod reorder_points;

const LIBRARY: &str = r#"
RaytracingAccelerationStructure Scene : register(t0);
RWTexture2D<float4> Output : register(u0);
struct [raypayload] Payload { float4 color : read(caller) : write(caller, closesthit, miss); };

[shader("raygeneration")]
void Camera() {
    uint2 pixel = DispatchRaysIndex().xy;
    float exposure = Output[pixel].w;
    RayDesc ray = { float3(pixel, 0), 0, float3(0, 0, 1), 100 };
    Payload payload = { (float4)0 };
    TraceRay(Scene, 0, 0xff, 0, 1, 0, ray, payload);
    Output[pixel] = payload.color * exposure;
}

[shader("miss")]
void Sky(inout Payload payload) { payload.color = 1; }
"#;

#[test]
fn compile_gives_a_container_or_diagnostics() {
    let good = compile::compile("library.hlsl", LIBRARY.as_bytes(), "lib_6_6").expect("a valid profile");
    assert!(good.container.is_some_and(|c| c.starts_with(b"DXBC")), "{}", good.messages);
    let bad = compile::compile("bad.hlsl", b"float f() { return missing; }", "lib_6_6").expect("a valid profile");
    assert!(bad.container.is_none() && bad.messages.contains("`missing`") && bad.messages.contains("bad.hlsl:1:20"), "{}", bad.messages);
    assert!(compile::compile("library.hlsl", LIBRARY.as_bytes(), "lib_5_0").is_err());
}

#[test]
fn reflection_has_entry_points_and_bindings() {
    let json = reflect_package::reflect_package("library.hlsl", LIBRARY.as_bytes()).expect("it compiles");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let names: Vec<&str> = value["functions"].as_array().expect("functions").iter().filter_map(|f| f["name"].as_str()).collect();
    assert_eq!(names, ["Camera", "Sky"]);
    assert_eq!(value["vulkan"]["bindings"].as_array().map(Vec::len), Some(2), "{json}");
    assert!(reflect_package::reflect_package("bad.hlsl", b"float f() { return missing; }").is_err());
}

#[test]
fn reorder_points_are_listed() {
    let text = reorder_points::reorder_points("library.hlsl", LIBRARY.as_bytes()).expect("it compiles");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("Camera: TraceRay in line 12: ") && !text.contains(" 0 bytes"), "{text}");
}

#[test]
fn permutations_share_headers() {
    let said = permutations::compare(4, 1).expect("they compile");
    assert!(said.contains("4 permutations on 1 threads") && said.contains("reads: 30,"), "{said}");
    // Two threads may read one file at the same time, so their number of reads is not fixed.
    let said = permutations::compare(4, 2).expect("they compile");
    assert!(said.contains("4 permutations on 2 threads"), "{said}");
    assert!(permutations::library().lines().count() >= 500);
}
