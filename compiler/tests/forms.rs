//! Packages with several forms (`-fspv-ser=auto`): each form is what its option alone makes, and what cannot have one has a warning.

use std::path::{Path, PathBuf};

use rtc::{Compilation, ConvergeTraces, Disk, OptLevel, Options, Product, Profile, Ser, Target, Virtual, compile};
use rtc_oracles::{SpirvVal, skip};
use rtc_package::{Form, Package};

const SER: [(Form, Ser); 4] = [(Form::Lower, Ser::Lower), (Form::Ext, Ser::Ext), (Form::Nv, Ser::Nv), (Form::Wavefront, Ser::Wavefront)];

fn options(profile: &str) -> Options {
    let mut o = Options::new(Profile::parse(profile).expect("a profile"));
    (o.target, o.vulkan.ser) = (Target::Package, Ser::Auto);
    o
}

/// The options with hit objects in another form.
fn with(o: &Options, ser: Ser) -> Options {
    let mut o = o.clone();
    o.vulkan.ser = ser;
    o
}

fn converging(mut o: Options, traces: ConvergeTraces) -> Options {
    o.vulkan.converge_traces = traces;
    o
}

fn package(c: &Compilation) -> Package {
    let messages: Vec<_> = c.diagnostics.iter().map(|d| &d.message).collect();
    let Some(Product::Package(bytes)) = &c.product else { panic!("{messages:?}") };
    Package::read(bytes).unwrap_or_else(|e| panic!("{e}"))
}

fn of(source: &str, o: &Options) -> Compilation {
    compile("main.hlsl", source.as_bytes(), &mut Virtual::new([]), o)
}

/// Codes and messages of warnings.
fn said(c: &Compilation) -> Vec<(&str, &str)> {
    c.diagnostics.iter().map(|d| (d.code.id, d.message.as_str())).collect()
}

/// Shaders of the conformance set whose forms are compared: points in loops, in functions, of several shaders; records; plain traces.
const COMPARED: [&str; 6] = ["reorder_loop", "reorder_in_functions", "two_raygens", "hit_local_root", "fused", "recursion_trace_ray"];

#[test]
fn each_form_is_what_its_option_makes() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lit-tests/tests/ser");
    let validator = SpirvVal::load().map_err(skip::skip).ok();
    let mut forms = 0;
    for name in COMPARED {
        let path = folder.join(name).with_extension("hlsl");
        let text = std::fs::read(&path).expect("the source");
        for level in [OptLevel::O0, OptLevel::O3] {
            let mut o = Options { level, ..options("lib_6_9") };
            o.warnings.none = true;
            let make = |o: &Options| package(&compile(&path.to_string_lossy(), &text, &mut Disk, o));
            let whole = make(&o);
            assert_eq!(whole.form(), Form::Lower);
            for (form, ser) in SER {
                let alone = make(&with(&o, ser));
                match whole.clone().into_form(form) {
                    Some(one) => {
                        assert!(one == alone, "{name} {level:?}: form `{form}` differs");
                        forms += 1;
                        if let Some(Err(e)) = validator.as_ref().map(|v| v.validate(&one.spirv)) {
                            panic!("{name} {level:?} {form}: {e}");
                        }
                    }
                    // Nothing of that form is left in it.
                    None => assert_ne!(alone.form(), form, "{name} {level:?}: no form `{form}`"),
                }
            }
        }
    }
    assert!(forms >= 36, "{forms} forms");
}

const TRACE: &str = "
struct [raypayload] P { float3 color : read(caller) : write(caller, closesthit, miss); };
RaytracingAccelerationStructure Scene;
RWByteAddressBuffer Out;
[shader(\"raygeneration\")] void Main() {
    P p = { float3(0, 0, 0) };
    RayDesc ray = { float3(DispatchRaysIndex()), 0, float3(0, 0, 1), 100 };
    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    Out.Store3(DispatchRaysIndex().x * 12, asuint(p.color));
}
[shader(\"closesthit\")] void Hit(inout P p, BuiltInTriangleIntersectionAttributes a) { p.color = 1; }
[shader(\"miss\")] void Miss(inout P p) { p.color = 0; }
";

#[test]
fn libraries_without_hit_objects_have_one_form_or_the_wavefront_form_too() {
    let mut o = options("lib_6_9");
    let one = package(&of(TRACE, &o));
    assert_eq!((one.all_forms(), one.is_neutral()), (vec![Form::Lower], true));
    assert_eq!(one, package(&of(TRACE, &with(&o, Ser::ByExtension))));
    o.vulkan.wavefront_traces = true;
    let both = package(&of(TRACE, &o));
    assert_eq!(both.all_forms(), [Form::Lower, Form::Wavefront]);
    assert_eq!((both.spirv.clone(), both.map.clone()), (one.spirv, one.map));
    // A shader of another kind.
    let o = Options { entry: "Main".into(), ..options("cs_6_6") };
    let compute = package(&of("RWByteAddressBuffer Out; [numthreads(1, 1, 1)] void Main() { Out.Store(0, 1); }", &o));
    assert_eq!(compute.all_forms(), [Form::Lower]);
}

#[test]
fn traces_by_all_lanes_are_a_form_of_their_own() {
    let trace = "    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);";
    let some = TRACE.replace(trace, &format!("    if (Out.Load(DispatchRaysIndex().y * 4)) {{ {trace} }}"));
    let mut o = options("lib_6_9");
    o.vulkan.converge_traces = ConvergeTraces::On;
    let both = package(&of(&some, &o));
    assert_eq!(both.all_forms(), [Form::Lower, Form::Converge]);
    for (form, converge_traces) in [(Form::Lower, ConvergeTraces::Off), (Form::Converge, ConvergeTraces::On)] {
        let alone = package(&of(&some, &converging(with(&o, Ser::Lower), converge_traces)));
        assert!(both.clone().into_form(form).expect("a form") == alone, "form `{form}` differs");
        assert_eq!(alone.map.null_misses, (form == Form::Converge).then_some(1));
    }
    // Nothing diverges; or too little follows.
    assert_eq!(package(&of(TRACE, &o)).all_forms(), [Form::Lower]);
    assert_eq!(package(&of(&some, &converging(o, ConvergeTraces::Auto))).all_forms(), [Form::Lower]);
}

/// A library with a hit object, a reorder point, and what a test adds to both sides of it.
fn library(before: &str, after: &str) -> String {
    let text = TRACE.replace(
        "    TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);",
        &format!(
            "{before}
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(hit);
    dx::HitObject::Invoke(hit, p);
    {after}"
        ),
    );
    text.replace("write(caller, ", "write(")
}

#[test]
fn what_cannot_be_divided_has_the_other_forms() {
    let o = options("lib_6_9");
    let all = of(&library("", "p.color += 1;"), &o);
    assert_eq!(package(&all).all_forms(), [Form::Lower, Form::Ext, Form::Nv, Form::Wavefront], "{:?}", said(&all));
    let c = of(
        &library("uint list[300]; for (uint n = 0; n < 300; ++n) list[n] = Out.Load(n * 4);", "Out.Store(0, list[Out.Load(0) % 300]);"),
        &o,
    );
    assert_eq!(package(&c).all_forms(), [Form::Lower, Form::Ext, Form::Nv]);
    let divided: Vec<_> = said(&c).into_iter().filter(|d| d.0 == "W0925").collect();
    assert!(matches!(divided[..], [(_, m)] if m.starts_with("`Main` is not divided at its reorder points")), "{divided:?}");
}

#[test]
fn forms_that_do_not_compile_are_left_out() {
    let mut o = options("lib_6_10");
    let source = library("", "if (hit.IsHit()) Out.Store3(0, asuint(hit.TriangleObjectPositions().p0));");
    let c = of(&source, &o);
    let forms = package(&c).all_forms();
    assert!(!forms.contains(&Form::Nv) && forms.contains(&Form::Ext), "{forms:?}");
    let left_out: Vec<_> = said(&c).into_iter().filter(|d| d.0 == "W0926").collect();
    assert!(matches!(left_out[..], [(_, m)] if m.starts_with("the package has no form `nv`: ")), "{:?}", said(&c));
    // Warnings that all forms have are given once.
    let mut once: Vec<_> = said(&c);
    once.sort();
    assert!(once.windows(2).all(|w| w[0] != w[1]), "{once:?}");
    // The extensions that the options allow.
    o.spirv.extensions = Some(vec!["SPV_EXT_shader_invocation_reorder".into()]);
    let c = of(&source, &o);
    assert!(said(&c).iter().all(|d| d.0 != "W0926"), "{:?}", said(&c));
    assert_eq!(package(&c).all_forms().iter().filter(|f| [Form::Ext, Form::Nv].contains(f)).collect::<Vec<_>>(), [&Form::Ext]);
    o.spirv.extensions = Some(Vec::new());
    assert_eq!(package(&of(&library("", ""), &o)).all_forms(), [Form::Lower, Form::Wavefront]);
    // An error of the lowered form is the compilation's.
    let wrong = of(&source.replace("asuint(hit", "asuint(hot"), &o);
    assert!(wrong.failed());
}

#[test]
fn where_no_option_names_a_form_it_is_the_next_one() {
    let source = "
struct [raypayload] P { uint v : read(caller) : write(caller, closesthit, miss); };
RaytracingAccelerationStructure Scene : register(t0);
RWByteAddressBuffer Out : register(u0);
[shader(\"closesthit\")] void Hit(inout P p, in BuiltInTriangleIntersectionAttributes a) { p.v = RayFlags(); }
[shader(\"miss\")] void Miss(inout P p) { p.v = 0; }
[shader(\"raygeneration\")] void Main()
{
    RayDesc ray = { float3(0, 0, 0), 0, float3(0, 0, 1), 9 };
    P p = { 0 };
    dx::HitObject hit = dx::HitObject::TraceRay(Scene, RAY_FLAG_FORCE_OPAQUE, 255, 0, 1, 0, ray, p);
    dx::MaybeReorderThread(hit);
    dx::HitObject::Invoke(hit, p);
    Out.Store(0, p.v);
}";
    let mut o = options("lib_6_9");
    (o.vulkan.ser, o.spirv.extensions) = (Ser::ByExtension, Some(vec!["SPV_NV_shader_invocation_reorder".into()]));
    let c = of(source, &o);
    assert_eq!(package(&c).all_forms(), [Form::Lower], "{:?}", said(&c));
    let left_out: Vec<_> = said(&c).into_iter().filter(|d| d.0 == "W0926").collect();
    assert!(matches!(left_out[..], [(_, m)] if m.starts_with("the library is not compiled in form `nv`: ")), "{:?}", said(&c));
    // A form that is named is the only one.
    o.vulkan.ser = Ser::Nv;
    assert!(of(source, &o).failed());
}

#[test]
fn modules_have_one_form() {
    let o = options("lib_6_9");
    let words = |o: &Options| match of(&library("", ""), o).product {
        Some(Product::Spirv(m)) => m.words,
        _ => panic!("a module"),
    };
    let module = Options { target: Target::Spirv, ..o };
    assert_eq!(words(&module), words(&with(&module, Ser::Lower)));
}

#[test]
fn listings_name_the_forms() {
    let c = of(&library("", ""), &options("lib_6_9"));
    let Some(Product::Package(bytes)) = &c.product else { panic!("a package") };
    let listing = rtc::dis::disassemble(bytes).expect("a listing");
    let lines: Vec<&str> = listing.lines().filter(|l| l.starts_with("; form ")).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    let forms = rtc::reflect::reflection(bytes).expect("a reflection").vulkan.and_then(|v| v.forms);
    assert_eq!(forms, Some(["lower", "ext", "nv", "wavefront"].map(str::to_owned).to_vec()));
    assert!(lines[0].starts_with("; form lower: ") && lines[0].ends_with(", listed below"), "{lines:?}");
    assert!(lines[1].ends_with(", needs VK_EXT_ray_tracing_invocation_reorder"), "{lines:?}");
    assert!(lines[3].starts_with("; form wavefront: ") && lines[3].contains(", `Main` divided at 1 point, records of "), "{lines:?}");
}
