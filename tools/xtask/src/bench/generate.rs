//! Sources of any size for the scale benchmark: a mix as engines write it, and one source for each way of being large.
//!
//! Everything that is generated is reachable from an entry point, so no compiler may drop it early. The text depends on the
//! arguments alone.

use std::fmt::Write as _;

/// A source with the files that it includes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The main file.
    pub text: String,
    /// Names and texts of included files.
    pub includes: Vec<(String, String)>,
}

impl Source {
    fn of(text: String) -> Source {
        Source { text, includes: Vec::new() }
    }

    /// Lines of all files.
    pub fn lines(&self) -> usize {
        let included = self.includes.iter().map(|i| i.1.lines().count());
        self.text.lines().count() + included.sum::<usize>()
    }
}

/// One way of being large: a name, and the source for a size.
pub struct Extreme {
    /// What a person reads.
    pub name: &'static str,
    /// The size that the benchmark asks for; half of it is measured as well.
    pub size: usize,
    /// The source for a size.
    pub make: fn(usize) -> Source,
}

/// All of them.
#[rustfmt::skip]
pub const EXTREMES: &[Extreme] = &[
    Extreme { name: "function-lines",  size: 20_000, make: long_function },
    Extreme { name: "functions",       size: 5_000,  make: many_functions },
    Extreme { name: "call-chain",      size: 200,    make: call_chain },
    Extreme { name: "entry-points",    size: 1_000,  make: entry_points },
    Extreme { name: "switch-cases",    size: 10_000, make: large_switch },
    Extreme { name: "depth",           size: 200,    make: deep_expression },
    Extreme { name: "initialiser",     size: 10_000, make: long_initialiser },
    Extreme { name: "include-chain",   size: 160,    make: include_chain },
    Extreme { name: "instantiations",  size: 200,    make: instantiations },
    Extreme { name: "branches",        size: 2_000,  make: many_branches },
    Extreme { name: "loops",           size: 500,    make: many_loops },
    Extreme { name: "nesting",         size: 100,    make: deep_nesting },
    Extreme { name: "macros",          size: 10_000, make: many_macros },
    Extreme { name: "resources",       size: 500,    make: many_resources },
];

/// Writes a line of a format string.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {{
        // Writing to a string cannot fail.
        let _ = writeln!($out, $($arg)*);
    }};
}

const HEADER: &str = "\
struct Payload
{
    float4 color;
    uint4 state;
};
RaytracingAccelerationStructure Scene : register(t0);
RWStructuredBuffer<float4> Out : register(u0);
ByteAddressBuffer Input : register(t1);

float4 Read(uint at)
{
    return asfloat(Input.Load4(at * 16));
}

";

/// The beginning of a source whose entry point is a ray generation shader.
fn raygen(body: &str) -> String {
    format!("[shader(\"raygeneration\")]\nvoid Main()\n{{\n    uint index = DispatchRaysIndex().x;\n{body}}}\n")
}

// ---- The mix ----

/// About `lines` lines as an engine's library has them: structs with methods, templates, macros, small functions, some long
/// ones, switches, a hit or miss shader for every hundred lines.
pub fn mix(lines: usize) -> Source {
    let mut out = String::from(HEADER);
    out.push_str(MIX_HEADER);
    let mut count = out.lines().count();
    let mut group = 0;
    while count < lines {
        let before = out.len();
        mix_group(&mut out, group);
        count += out.get(before..).map_or(0, |t| t.lines().count());
        group += 1;
    }
    out.push_str(&raygen(
        "    RayDesc ray = { Read(index).xyz, 0.001, Read(index + 1).xyz, 1000.0 };\n    Payload payload;\n    payload.color = 0;\n    \
         payload.state = index;\n    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, payload);\n    Out[index] = payload.color;\n",
    ));
    Source::of(out)
}

const MIX_HEADER: &str = "\
#define SATURATE_MAD(a, b, c) saturate((a) * (b) + (c))
#define DECLARE_LERP(Name, Type) Type Name(Type a, Type b, float t) { return a + (b - a) * t; }
DECLARE_LERP(Lerp3, float3)
DECLARE_LERP(Lerp4, float4)

template<typename T>
T Clamped(T x, T low, T high)
{
    return min(max(x, low), high);
}

template<typename T, int N>
struct Ring
{
    T items[N];
    int head;

    void Push(T item)
    {
        items[head % N] = item;
        head++;
    }

    T Sum()
    {
        T sum = items[0];
        for (int i = 1; i < N; ++i)
            sum += items[i];
        return sum;
    }
};

uint Hash(uint v)
{
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    return v;
}

";

/// About a hundred lines.
fn mix_group(out: &mut String, g: usize) {
    let k = |n: usize| format!("{}.{}", (g * 7 + n * 3) % 9 + 1, (g * 13 + n * 5) % 10);
    line!(out, "// ---- Group {g} ----");
    line!(out, "#define GROUP_{g}_SCALE {}", k(0));
    line!(out, "#define GROUP_{g}_BIAS(x) ((x) * GROUP_{g}_SCALE + {})", k(1));
    line!(out, "\nnamespace group{g}\n{{\n");
    line!(out, "static const float WEIGHTS[4] = {{ {}, {}, {}, {} }};\n", k(2), k(3), k(4), k(5));
    line!(out, "struct Lobe\n{{\n    float3 color;\n    float roughness;\n    uint flags;\n");
    line!(out, "    float3 Shade(float3 normal, float3 view)\n    {{");
    line!(out, "        const float facing = saturate(dot(normal, view));");
    line!(out, "        const float rim = pow(1 - facing, {});", k(6));
    line!(out, "        return Lerp3(color, color * color, rim * roughness);\n    }}\n");
    line!(out, "    bool Has(uint bit)\n    {{\n        return (flags & 1u << bit) != 0;\n    }}\n}};\n");
    line!(out, "Lobe LoadLobe(uint at)\n{{\n    const float4 raw = Read(at);\n    Lobe lobe;");
    line!(out, "    lobe.color = Clamped<float3>(raw.xyz, 0, {});", k(7));
    line!(out, "    lobe.roughness = GROUP_{g}_BIAS(raw.w);");
    line!(out, "    lobe.flags = Hash(at + {g}u);\n    return lobe;\n}}\n");
    line!(out, "float Falloff(float distance, float radius)\n{{\n    if (distance > radius)\n        return 0;");
    line!(out, "    const float x = distance / max(radius, 1e-3);\n    return SATURATE_MAD(-x, x, {});\n}}\n", k(8));
    line!(out, "float3 Rotate(float3 v, float angle)\n{{\n    float s, c;\n    sincos(angle, s, c);");
    line!(out, "    const float3x3 m = {{ c, -s, 0, s, c, 0, 0, 0, 1 }};\n    return mul(m, v);\n}}\n");
    line!(out, "float3 Gather(uint at, float3 normal)\n{{\n    Ring<float3, 3> ring = (Ring<float3, 3>)0;");
    line!(out, "    [loop]\n    for (uint i = 0; i < (at & 7); ++i)\n    {{\n        const Lobe lobe = LoadLobe(at + i);");
    line!(out, "        if (lobe.roughness > {})\n            continue;", k(9));
    line!(out, "        Lobe copy = lobe;\n        ring.Push(copy.Shade(normal, Rotate(lobe.color, i * {})));", k(10));
    line!(out, "        if (copy.Has(i & 31))\n            break;\n    }}");
    line!(out, "    return ring.Sum() * WEIGHTS[at & 3];\n}}\n");
    line!(out, "float4 Choose(uint kind, float4 x)\n{{\n    switch (kind)\n    {{");
    for case in 0..6 {
        line!(
            out,
            "        case {case}:\n            return {};",
            [
                format!("x * {}", k(11 + case)),
                format!("sqrt(abs(x + {}))", k(12 + case)),
                "x.wzyx".to_string(),
                format!("Lerp4(x, Read({g}), {})", k(13)),
                format!("float4(Rotate(x.xyz, {}), x.w)", k(14)),
                "frac(x)".to_string(),
            ][case]
        );
    }
    line!(out, "        default:\n            return 0;\n    }}\n}}\n");
    line!(out, "}} // namespace group{g}\n");
    let (stage, parameters) = [
        ("closesthit", "inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes"),
        ("miss", "inout Payload payload"),
        ("anyhit", "inout Payload payload, in BuiltInTriangleIntersectionAttributes attributes"),
    ][g % 3];
    line!(out, "[shader(\"{stage}\")]\nvoid Entry{g}({parameters})\n{{");
    line!(out, "    const uint index = payload.state.x + {g};");
    line!(out, "    const float3 normal = normalize(WorldRayDirection() + Read(index).xyz);");
    line!(out, "    float3 light = group{g}::Gather(index, normal);");
    if g.is_multiple_of(8) {
        for n in 0..40 {
            line!(out, "    const float term{n} = dot(normal, Read(index + {n}).xyz) * {};", k(n));
            line!(out, "    light = Lerp3(light, light.{} * term{n}, saturate(term{n}));", ["zxy", "yzx", "xxz"][n % 3]);
        }
    }
    line!(out, "    light *= group{g}::Falloff(length(light), {});", k(15));
    line!(out, "    payload.color += group{g}::Choose(payload.state.y % 7, float4(light, 1));");
    line!(out, "    payload.state.z = Hash(payload.state.z);");
    if g % 3 == 2 {
        line!(out, "    if (payload.color.w > {})\n        IgnoreHit();", k(16));
    }
    line!(out, "}}\n");
}

// ---- Extremes ----

fn long_function(n: usize) -> Source {
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        match i % 4 {
            0 => line!(body, "    float4 t{i} = Read(index + {i}) * x;"),
            1 => line!(body, "    x = t{} + x.wxyz * {}.5;", i - 1, i % 7),
            2 => line!(body, "    x.y += sin(x.x) * t{}.z;", i - 2),
            _ => line!(body, "    x = max(x, -x.{});", ["yxwz", "zwxy", "xyzw"][i % 3]),
        }
    }
    body.push_str("    Out[index] = x;\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn many_functions(n: usize) -> Source {
    let mut out = String::from(HEADER);
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        line!(out, "float4 Function{i}(float4 v)\n{{\n    return v.yzwx * {}.25 + v;\n}}", i % 9);
        line!(body, "    x = Function{i}(x);");
    }
    body.push_str("    Out[index] = x;\n");
    out.push_str(&raygen(&body));
    Source::of(out)
}

fn call_chain(n: usize) -> Source {
    let mut out = String::from(HEADER);
    line!(out, "float4 Function0(float4 v)\n{{\n    return v;\n}}");
    for i in 1..n {
        line!(
            out,
            "float4 Function{i}(float4 v)\n{{\n    if (v.x > {i})\n        return Read({i});\n    return Function{}(v * v.yxwz);\n}}",
            i - 1
        );
    }
    out.push_str(&raygen(&format!("    Out[index] = Function{}(Read(index));\n", n - 1)));
    Source::of(out)
}

fn entry_points(n: usize) -> Source {
    let mut out = String::from(HEADER);
    for i in 0..n {
        line!(
            out,
            "[shader(\"miss\")]\nvoid Miss{i}(inout Payload payload)\n{{\n    payload.color += Read(payload.state.x + {i}) * {}.5;\n}}",
            i % 5
        );
    }
    Source::of(out)
}

fn large_switch(n: usize) -> Source {
    let mut body = String::from("    float4 x = Read(index);\n    uint kind = asuint(x.x);\n    switch (kind)\n    {\n");
    for i in 0..n {
        line!(body, "        case {i}: x += {}.5 * x.wzyx; break;", i % 11);
    }
    body.push_str("        default: break;\n    }\n    Out[index] = x;\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn deep_expression(n: usize) -> Source {
    let mut text = "x.x".to_string();
    for i in 0..n {
        text = format!("({} {text})", ["x.y +", "x.z *", "-", "x.w -"][i % 4]);
    }
    let body = format!("    float4 x = Read(index);\n    Out[index] = {text};\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn long_initialiser(n: usize) -> Source {
    let mut out = String::from(HEADER);
    line!(out, "static const float4 TABLE[{n}] =\n{{");
    for i in 0..n {
        line!(out, "    float4({i}, {}.5, {}, 1),", i % 100, i * 7 % 256);
    }
    out.push_str("};\n");
    out.push_str(&raygen(&format!("    Out[index] = TABLE[index % {n}];\n")));
    Source::of(out)
}

fn include_chain(n: usize) -> Source {
    let mut includes = Vec::new();
    for i in 0..n {
        let mut text = format!("#ifndef CHAIN_{i}\n#define CHAIN_{i}\n");
        if i + 1 < n {
            line!(text, "#include \"chain{}.hlsli\"", i + 1);
        }
        line!(text, "float4 Chain{i}(float4 v)\n{{\n    return v * {}.5 + Read({i});\n}}\n#endif", i % 7);
        includes.push((format!("chain{i}.hlsli"), text));
    }
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        line!(body, "    x = Chain{i}(x);");
    }
    body.push_str("    Out[index] = x;\n");
    Source { text: format!("{HEADER}#include \"chain0.hlsli\"\n#include \"chain0.hlsli\"\n{}", raygen(&body)), includes }
}

fn instantiations(n: usize) -> Source {
    let mut out = String::from(HEADER);
    out.push_str("template<typename T, int N>\nstruct Big\n{\n");
    for i in 0..20 {
        line!(out, "    T member{i};");
    }
    for i in 0..20 {
        line!(out, "    T Method{i}(T v)\n    {{\n        return v * member{i} + member{} * N;\n    }}", (i + 7) % 20);
    }
    out.push_str("    void Fill(T v)\n    {\n");
    for i in 0..20 {
        line!(out, "        member{i} = v * {i}.5;");
    }
    out.push_str("    }\n};\n");
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        let ty = ["float", "float2", "float3", "float4"][i % 4];
        let swizzle = ["x", "xy", "xyz", "xyzw"][i % 4];
        line!(body, "    Big<{ty}, {i}> big{i};\n    big{i}.Fill(x.{swizzle});");
        line!(body, "    x.{swizzle} = big{i}.Method{}(x.{swizzle});", i % 20);
    }
    body.push_str("    Out[index] = x;\n");
    out.push_str(&raygen(&body));
    Source::of(out)
}

fn many_branches(n: usize) -> Source {
    let mut body = String::from("    float4 x = Read(index);\n    uint count = 0;\n");
    for i in 0..n {
        line!(body, "    if (x.{} > {i})\n    {{\n        x += Read(index + {i});\n        count++;\n    }}", ["x", "y", "z", "w"][i % 4]);
    }
    body.push_str("    Out[index] = x * count;\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn many_loops(n: usize) -> Source {
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        line!(
            body,
            "    for (uint i{i} = 0; i{i} < (index & 15); ++i{i})\n    {{\n        x = x.wxyz * Read(i{i} + {i});\n        if (x.x > {i})\n            break;\n    }}"
        );
    }
    body.push_str("    Out[index] = x;\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn deep_nesting(n: usize) -> Source {
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        if i % 4 == 3 {
            line!(body, "    for (uint i{i} = 0; i{i} < index; ++i{i})\n    {{");
        } else {
            line!(body, "    if (x.{} > {i})\n    {{\n        x += Read({i});", ["x", "y", "z"][i % 4]);
        }
    }
    body.push_str("    Out[index] = x;\n");
    body.push_str(&"    }\n".repeat(n));
    body.push_str("    Out[index + 1] = x;\n");
    Source::of(format!("{HEADER}{}", raygen(&body)))
}

fn many_macros(n: usize) -> Source {
    let mut out = String::from(HEADER);
    line!(out, "#define STEP_0(v) (v)");
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 1..n {
        // Chains of ten.
        let inner = if i % 10 == 0 { "(v)".to_string() } else { format!("STEP_{}(v)", i - 1) };
        line!(out, "#define STEP_{i}(v) ({inner} + {i})");
        if i % 10 == 9 {
            line!(body, "    x = STEP_{i}(x.yzwx);");
        }
    }
    body.push_str("    Out[index] = x;\n");
    out.push_str(&raygen(&body));
    Source::of(out)
}

fn many_resources(n: usize) -> Source {
    let mut out = String::from(HEADER);
    let mut body = String::from("    float4 x = Read(index);\n");
    for i in 0..n {
        line!(out, "Texture2D<float4> Texture{i} : register(t{}, space1);", i);
        line!(out, "cbuffer Constants{i} : register(b{i}, space1)\n{{\n    float4 value{i};\n    uint offset{i};\n}};");
        line!(body, "    x += Texture{i}.Load(int3(index, offset{i}, 0)) * value{i};");
    }
    body.push_str("    Out[index] = x;\n");
    out.push_str(&raygen(&body));
    Source::of(out)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn a_mix_has_the_requested_lines() {
        for lines in [1_000, 5_000] {
            let got = mix(lines).lines();
            assert!(got.abs_diff(lines) < 250, "{got} lines for {lines}");
        }
        assert_eq!(mix(1_000), mix(1_000));
    }

    #[test]
    fn extremes_grow_with_their_size() {
        for e in EXTREMES {
            let (small, large) = ((e.make)(e.size / 2), (e.make)(e.size));
            let bytes = |s: &Source| s.text.len() + s.includes.iter().map(|i| i.1.len()).sum::<usize>();
            assert!(bytes(&large) > bytes(&small), "{}", e.name);
        }
    }
}
