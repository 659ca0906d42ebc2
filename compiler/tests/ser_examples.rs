//! Shader execution reordering: every example of the specifications, completed to a program, compiles to DXIL and to SPIR-V with the NV extension, with
//! the EXT extension, without, and divided for software reordering, at all levels, and the outside tools accept it.
//!
//! The examples leave things out (`TraceRay( ... )`); [`FILLINGS`] completes them. One shader of our own has every method that the specifications list.

use rtc::{NoIncludes, OptLevel, Options, Product, Profile, Ser, Target};
use rtc_oracles::{Llvm, SpirvVal, facts, skip};

/// What the examples leave out, and what they take for granted.
const FILLINGS: &[(&str, &str)] = &[
    ("HitObject::TraceRay( ..., Payload )", "HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, Payload)"),
    ("HitObject::TraceRay( ray, payload, ... )", "HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, payload)"),
    ("HitObject::TraceRay( shadowRay )", "HitObject::TraceRay(Scene, 4, 255, 0, 1, 0, shadowRay, payload)"),
    ("HitObject::TraceRay( ... )", "HitObject::TraceRay(Scene, 0, 255, 0, 1, 0, ray, payload)"),
    ("HitObject::Invoke( hit, ... )", "HitObject::Invoke(hit, payload)"),
    ("sampleNextBounce( ... )", "ContinuePath(payload)"),
    ("for( ... )", "for (uint round = 0; round < 3; ++round)"),
    ("<...>", ""),
    ("struct IorData\n{\n    float ior;\n    uint id;\n};", ""),
];

/// The declarations around the examples.
const BEFORE: &str = r#"
using namespace dx;
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
Texture2D<float4> Map : register(t1);
SamplerState Linear : register(s0);
static const int maxBounces = 5;
static const int MaxBounces = 5;
static const float ThroughputThreshold = 0.01;
struct P {
  float shadowTerm; float giData; float brdfValue; float ior; float3 normal; uint surfaceShaderIdx; bool needsNextBounce;
};
struct IorData { float ior; uint id; };
bool russianRoulette(float albedo) { return albedo < 0.5; }
float GlobalIlluminationCacheLookup(HitObject h) { return asfloat(Out.Load(h.GetPrimitiveIndex() * 4)); }
float SampleShadowMap(HitObject h) { return Map.SampleLevel(Linear, h.GetWorldRayDirection().xy, 0).x; }
IorData LoadIorDataFromHit(HitObject h) { IorData d = { h.GetRayTCurrent(), h.GetInstanceID() }; return d; }
float UpdateIorList(IorData d, bool enter, inout IorData list[16], inout uint size) {
  if (enter) list[size++ & 15] = d; else --size;
  return list[size & 15].ior;
}
uint CompressNormal(float3 n) { return (uint)(n.x * 255) | (uint)(n.y * 255) << 8; }
float3 UncompressNormal(uint n) { return float3(n & 255, n >> 8, 1) / 255; }
RayDesc GeneratePrimaryRay() {
  RayDesc r; r.Origin = DispatchRaysIndex(); r.TMin = 0; r.Direction = float3(0, 0, 1); r.TMax = 100; return r;
}
RayDesc SampleShadow(HitObject h) {
  RayDesc r = GeneratePrimaryRay(); r.Origin = h.GetWorldRayOrigin() + h.GetRayTCurrent() * h.GetWorldRayDirection(); return r;
}
RayDesc ContinuePath(P p) { RayDesc r = GeneratePrimaryRay(); r.Direction = p.normal; return r; }
"#;

const SHADER: &str = r#"
[shader("raygeneration")]
void Example() {
  P payload = (P)0, Payload = (P)0;
  RayDesc ray = GeneratePrimaryRay();
  HitObject hit;
  float throughput = 1;
"#;

const AFTER: &str = r#"
  Out.Store4(DispatchRaysIndex().x * 16, asuint(float4(payload.brdfValue, Payload.brdfValue, throughput, hit.GetRayTMin())));
}
"#;

/// The example completed to a program.
fn complete(text: &str) -> String {
    let snippet = text.split_once("// ---- snippet as is ----").map_or(text, |p| p.1);
    let mut body = snippet.to_owned();
    for (gap, filling) in FILLINGS {
        body = body.replace(gap, filling);
    }
    if body.contains("int MyFunc(") {
        return format!("{BEFORE}{body}{SHADER}  Out.Store(4, MyFunc(3));\n{AFTER}");
    }
    format!("{BEFORE}{SHADER}  {{\n{body}\n  }}\n{AFTER}")
}

struct Validators {
    spirv: Option<SpirvVal>,
    llvm: Option<Llvm>,
}

impl Validators {
    fn new() -> Validators {
        let there = |missing| {
            skip::skip(missing);
            None
        };
        Validators {
            spirv: SpirvVal::load().map_or_else(there, Some),
            llvm: Llvm::find().map_or_else(
                |e| {
                    skip::skip(e);
                    None
                },
                Some,
            ),
        }
    }

    /// Compiles for all targets and levels and returns the errors of all tools.
    fn check(&self, name: &str, source: &str, translations: &[Ser]) -> Vec<String> {
        self.check_as("lib_6_9", name, source, translations)
    }

    fn check_as(&self, profile: &str, name: &str, source: &str, translations: &[Ser]) -> Vec<String> {
        let mut wrong = Vec::new();
        for level in [OptLevel::O3, OptLevel::O0] {
            let spirv = translations.iter().map(|&s| (Target::Spirv, s));
            for (target, ser) in spirv.chain([(Target::Dxil, Ser::ByExtension)]) {
                let mut o = Options::new(Profile::parse(profile).expect("a profile"));
                (o.target, o.vulkan.ser, o.level) = (target, ser, level);
                // The examples say nothing about payloads.
                o.payload_qualifiers = Some(false);
                let c = rtc::compile(name, source.as_bytes(), &mut NoIncludes, &o);
                let said = match &c.product {
                    Some(Product::Spirv(rtc::SpirvModule { words, .. })) => self.spirv.as_ref().map_or(Ok(()), |v| v.validate(words)),
                    Some(Product::Dxil(bytes)) => self.llvm.as_ref().map_or(Ok(()), |l| l.verify_container(bytes)),
                    _ => Err(c.diagnostics.iter().filter(|d| d.is_error()).map(|d| format!("{} {}\n", d.code.id, d.message)).collect()),
                };
                if let Err(e) = said {
                    wrong.push(format!("{name} {target:?} {ser:?} {level:?}: {e}"));
                }
            }
        }
        wrong
    }
}

const TRANSLATIONS: &[Ser] = &[Ser::Nv, Ser::Ext, Ser::Lower, Ser::Wavefront];

#[test]
fn every_method_compiles_for_every_target() {
    let wrong = Validators::new().check("methods.hlsl", include_str!("ser/methods.hlsl"), TRANSLATIONS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn methods_of_shader_model_6_10_compile_for_every_target() {
    let (validators, source) = (Validators::new(), include_str!("ser/methods_6_10.hlsl"));
    let mut wrong = validators.check_as("lib_6_10", "methods_6_10.hlsl", source, &[Ser::Nv, Ser::Ext]);
    let positions = format!("#define POSITIONS\n{source}");
    wrong.extend(validators.check_as("lib_6_10", "methods_6_10.hlsl with positions", &positions, &[Ser::Ext]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn examples_of_the_specifications_compile_for_every_target() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let validators = Validators::new();
    let (mut seen, mut wrong) = (0, Vec::new());
    let mut files: Vec<_> = std::fs::read_dir(&dir).expect("the examples").flatten().map(|e| e.path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        if !name.contains("_ser_") || !name.ends_with(".hlsl") {
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(&path).expect("an example");
        wrong.extend(validators.check(&name, &complete(&text), TRANSLATIONS));
    }
    assert!(seen >= 24, "only {seen} examples found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The shader with every method is not short of one.
#[test]
fn the_lists_of_methods_are_covered() {
    let dir = rtc_oracles::require!(facts::spec_examples());
    let ours = include_str!("ser/methods.hlsl");
    let mut names = Vec::new();
    for file in ["000_sig_hitobject_methods.hlsl", "002_sig_hitobject_methods.hlsl"] {
        let text = facts::read(&dir.join(file));
        for part in text.split("HitObject::").skip(1) {
            names.extend(part.split_once('(').map(|p| p.0.trim().to_owned()).filter(|n| n.chars().all(char::is_alphanumeric)));
        }
    }
    names.sort();
    names.dedup();
    assert!(names.len() >= 28, "{names:?}");
    let missing: Vec<_> = names.iter().filter(|n| !ours.contains(&format!("{n}(")) && !ours.contains(&format!("{n}<"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
