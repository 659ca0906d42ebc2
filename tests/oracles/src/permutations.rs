//! A generated project for benchmarks: permutations of a ray-tracing library of 500 lines, with headers of 3,000 lines.

use std::fmt::Write as _;

/// The names and texts of the headers: thirty files of a hundred lines with structures, macros and functions, each including the one before.
pub fn header_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for n in 0..30 {
        let mut text = format!("#ifndef HEADER_{n}\n#define HEADER_{n}\n");
        if n > 0 {
            _ = writeln!(text, "#include \"header_{}.hlsli\"", n - 1);
        }
        _ = writeln!(text, "struct Material_{n} {{\n  float3 base;\n  float roughness;\n  uint flags;\n}};");
        for f in 0..11 {
            _ = write!(
                text,
                "#define SCALE_{n}_{f}(x) ((x) * {f}.5 + {n}.25)\n\
                 // Function {f} of header {n}.\n\
                 float3 shade_{n}_{f}(Material_{n} m, float3 normal, float3 light) {{\n  \
                   float d = saturate(dot(normal, light));\n  \
                   if (m.flags & {f}u) d = SCALE_{n}_{f}(d);\n  \
                   return m.base * pow(d, 1 + m.roughness);\n}}\n\n"
            );
        }
        text.push_str("#endif\n");
        files.push((format!("header_{n}.hlsli"), text));
    }
    files
}

/// The library: eight hit shaders of some sixty lines that use functions of the headers, under features that macros select.
pub fn library() -> String {
    let mut text = String::from(
        "#include \"header_29.hlsli\"\n\
         RaytracingAccelerationStructure Scene : register(t0);\nRWTexture2D<float4> Output : register(u0);\n\
         struct Payload { float3 color; float distance; uint seed; };\n\
         struct Attributes { float2 barycentrics; };\n",
    );
    for shader in 0..8 {
        _ = write!(
            text,
            "[shader(\"closesthit\")]\nvoid Hit{shader}(inout Payload p, Attributes a) {{\n  float3 n = normalize(float3(a.barycentrics, 1)), sum = 0;\n"
        );
        for step in 0..9 {
            let (header, function) = ((shader * 7 + step * 3) % 30, (shader + step) % 11);
            _ = write!(
                text,
                "#if FEATURES & {bit}\n  {{\n    Material_{header} m = {{ p.color, {step} * 0.1, PERMUTATION + {step}u }};\n    \
                   sum += shade_{header}_{function}(m, n, WorldRayDirection());\n  }}\n#endif\n",
                bit = 1 << (step % 6)
            );
        }
        text.push_str("  p.color = sum;\n  p.distance = RayTCurrent();\n}\n\n");
    }
    text.push_str(
        "[shader(\"miss\")]\nvoid Sky(inout Payload p) { p.color = WorldRayDirection() * 0.5 + 0.5; }\n\n\
         [shader(\"raygeneration\")]\nvoid Camera() {\n  uint2 pixel = DispatchRaysIndex().xy;\n  \
           RayDesc ray = { float3(pixel, 0), 0, float3(0, 0, 1), 1000 };\n  Payload p = { (float3)0, 0, PERMUTATION };\n  \
           TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);\n  Output[pixel] = float4(p.color, p.distance);\n}\n",
    );
    text
}

/// The macros of a permutation, each with its value.
pub fn defines(permutation: usize) -> [String; 2] {
    [format!("PERMUTATION={permutation}"), format!("FEATURES={}", permutation % 64)]
}
