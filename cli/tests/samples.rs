//! The samples and outside tools: validators at every level, RDAT of the reference compiler, reference images. `RTC_SAMPLES=name` selects
//! samples by name.

use std::path::{Path, PathBuf};
use std::process::Command;

use rtc_oracles::{Dxc, Llvm, SpirvVal, container, facts, skip};

mod shared;
use shared::samples::*;

#[track_caller]
fn compile(file: &Path, rest: &[String], args: &[&str], out: &Path) -> Vec<u8> {
    let done = Command::new(env!("CARGO_BIN_EXE_rtc")).args(rest).args(args).arg(file).arg("-Fo").arg(out).output().expect("rtc starts");
    assert!(done.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&done.stderr));
    std::fs::read(out).expect("the object")
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

const LEVELS: [&str; 5] = ["-Od", "-O0", "-O1", "-O2", "-O3"];

#[test]
fn samples_are_valid_at_every_level() {
    let (dxc, llvm, spirv) = match (Dxc::load(), Llvm::find(), SpirvVal::load()) {
        (Ok(a), Ok(b), Ok(c)) => (a, b, c),
        (Err(m), ..) | (_, Err(m), _) | (.., Err(m)) => return skip::skip(m),
    };
    for name in samples() {
        let (own, rest) = compile_options(&name);
        let dxil = |profile: &str, level: &str| {
            let out = scratch(&format!("{name}{level}{profile}.dxil"));
            // The pinned validator knows profiles up to 6.6. The samples' payloads have no access qualifiers, which later
            // profiles want by default.
            let known = profile <= "lib_6_6";
            let more: &[&str] = if known { &["-validator-version", "1.6"] } else { &["-disable-payload-qualifiers"] };
            let bytes = compile(&source(&name), &rest, &[&["-T", profile, level], more].concat(), &out);
            let validated = if known { dxc.validate(&bytes).map(|_| ()) } else { Ok(()) };
            if let Err(e) = validated.and_then(|()| llvm.verify_container(&bytes)) {
                panic!("{name} {level} {profile}: {e}");
            }
        };
        let spv = |env: &str, level: &str| {
            let out = scratch(&format!("{name}{level}.spv"));
            let args = ["-T", own.as_str(), "-spirv", env, level];
            let bytes = compile(&source(&name), &rest, &args, &out);
            if let Err(e) = spirv.validate(&words(&bytes)) {
                panic!("{name} {level} {env}: {e}");
            }
        };
        for level in LEVELS {
            dxil(&own, level);
            spv("-fspv-target-env=vulkan1.3", level);
        }
        for profile in ["lib_6_3", "lib_6_5", "lib_6_6", "lib_6_7", "lib_6_8"] {
            if profile > own.as_str() {
                dxil(profile, "-Od");
                dxil(profile, "-O3");
            }
        }
        // Samples with hit objects, in every way that they have in SPIR-V.
        if own.as_str() >= "lib_6_9" {
            for way in ["-fspv-ser=nv", "-fspv-ser=ext", "-fspv-ser=lower"] {
                spv(way, "-Od");
                spv(way, "-O3");
            }
        }
        spv("-fspv-target-env=vulkan1.2", "-Od");
        spv("-fspv-target-env=vulkan1.2", "-O3");
    }
}

#[test]
fn rdat_equals_the_reference() {
    let dxc = match Dxc::load() {
        Ok(d) => d,
        Err(m) => return skip::skip(m),
    };
    for name in samples() {
        let text = std::fs::read_to_string(source(&name)).expect("the source");
        let (own, rest) = known_to_the_reference(&name);
        let mut args = vec!["-T", own.as_str(), "-validator-version", "1.6"];
        args.extend(rest.iter().map(String::as_str));
        // The name is what includes are relative to.
        let theirs = dxc.compile(&text, &source(&name).to_string_lossy(), &args);
        let Some(theirs) = theirs.object else { panic!("{name}: {}", theirs.diagnostics) };
        let ours = compile(&source(&name), &[], &args, &scratch(&format!("{name}.rdat.dxil")));
        let (a, b) = (container::part(&ours, b"RDAT"), container::part(&theirs, b"RDAT"));
        assert!(a.is_some() && a == b, "{name}: RDAT differs");
        assert_eq!(container::part(&ours, b"SFI0"), container::part(&theirs, b"SFI0"), "{name}: SFI0");
    }
}

/// The operations that a listing calls, by number.
fn operations(listing: &str) -> std::collections::BTreeSet<u32> {
    let calls = listing.split("@dx.op.").skip(1);
    let number = |call: &str| call.split_once("(i32 ")?.1.split([',', ')']).next()?.parse::<i64>().ok();
    calls.filter_map(number).map(|n| n as u32).collect()
}

/// The metadata of a container besides the code: versions, resources, entry points with their properties, the kind of record that
/// names the compiler. Symbols and ids of the module are left out.
fn said(data: &[u8]) -> String {
    use rtc_dxil_container::metadata::Info;
    use rtc_dxil_container::{Container, FourCc, program::Program, vers::CompilerVersion};
    use rtc_dxil_module::{Meta, MetaNode, Module};
    use std::fmt::Write;
    fn text(m: &Module, meta: Option<Meta>) -> String {
        let Some(meta) = meta else { return "null".into() };
        match &m.meta[meta] {
            MetaNode::String(s) => format!("{:?}", String::from_utf8_lossy(s)),
            MetaNode::Value(_) => m.meta_int(meta).map_or("value".into(), |n| n.to_string()),
            MetaNode::Node { elems, .. } => format!("{{{}}}", elems.iter().map(|&e| text(m, e)).collect::<Vec<_>>().join(", ")),
            MetaNode::Debug { .. } => "debug".into(),
        }
    }
    let c = Container::parse(data).expect("a container");
    let program = Program::read("DXIL", c.require(FourCc::DXIL).expect("a program")).expect("its header");
    let m = rtc_dxil_module::bitcode::read(program.bitcode).expect("bitcode");
    let info = Info::read(&m);
    assert!(info.malformed.is_empty(), "{:?}", info.malformed);
    let mut out = format!("{} {} {} {}\n", info.kind, info.model, info.dxil, info.validator);
    for r in &info.resources {
        let fields: Vec<String> =
            m.meta.elems(r.node.expect("it was read")).iter().enumerate().filter(|(n, _)| *n != 1).map(|(_, &f)| text(&m, f)).collect();
        _ = writeln!(out, "{} {}", r.class, fields.join(" "));
    }
    for e in &info.entries {
        let func = e.func.map_or("-", |f| &m.funcs[f].name);
        _ = writeln!(
            out,
            "{func} {} {}",
            e.name,
            e.props.all.iter().map(|&(t, v)| format!("{t}={}", text(&m, v))).collect::<Vec<_>>().join(" ")
        );
    }
    let payloads = m.meta.named("dx.dxrPayloadAnnotations");
    _ = writeln!(out, "payloads {}", payloads.iter().map(|&n| text(&m, Some(n))).collect::<Vec<_>>().join(" "));
    let parts: Vec<String> = c.parts.iter().map(|p| p.name.to_string()).collect();
    _ = writeln!(out, "{}", parts.join(" "));
    if let Some(part) = c.part(FourCc::VERS) {
        let v = CompilerVersion::read(&part.data).expect("a version");
        _ = writeln!(out, "a version, of a compiler with a name or a commit: {}", !v.sha.is_empty() || !v.custom.is_empty());
    }
    out
}

/// What the newest reference compiler made of six sources: ours has the same parts in binary form, and calls the same operations.
#[test]
fn the_newest_reference() {
    let dir = facts::reference();
    let mut sources: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("the folder of references")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "hlsl"))
        .collect();
    sources.sort();
    assert!(sources.len() >= 6, "{sources:?}");
    let mut compared = 0;
    for source in sources {
        let name = source.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&source).expect("the source");
        let first = text.lines().next().unwrap_or_default();
        let args: Vec<String> = first.strip_prefix("// dxc ").expect("arguments").split_whitespace().map(str::to_string).collect();
        for (suffix, more) in [
            ("", &["-validator-version", "1.10"][..]),
            (".Zi", &["-validator-version", "1.10", "-Zi", "-Qembed_debug"]),
            (".val16", &["-validator-version", "1.6"]),
            (".Od", &["-validator-version", "1.10", "-Od"]),
        ] {
            let reference = dir.join(format!("{name}{suffix}.dxil"));
            let Ok(theirs) = std::fs::read(&reference) else { continue };
            compared += 1;
            let ours = compile(&source, &args, more, &scratch(&format!("{name}{suffix}.dxil")));
            for part in [b"RDAT", b"SFI0", b"PSV0", b"ISG1", b"OSG1"] {
                assert_eq!(container::part(&ours, part), container::part(&theirs, part), "{name}{suffix}: {}", part.escape_ascii());
            }
            assert_eq!(said(&ours), said(&theirs), "{name}{suffix}: metadata");
        }
        let listing = scratch(&format!("{name}.ll"));
        let fc = listing.to_string_lossy().into_owned();
        compile(&source, &args, &["-validator-version", "1.10", "-Fc", &fc], &scratch(&format!("{name}.dxil")));
        let ours = std::fs::read_to_string(&listing).expect("our listing");
        let theirs = std::fs::read(dir.join(format!("{name}.dxil"))).expect("the reference container");
        let theirs = rtc::dis::disassemble(&theirs).expect("their listing");
        assert!(!operations(&theirs).is_empty());
        // Fast products and sums are contracted here alone.
        let but_contracted = |text: &str| operations(&text.lines().filter(|l| !l.contains("; FMad(")).collect::<Vec<_>>().join("\n"));
        assert_eq!(but_contracted(&ours), but_contracted(&theirs), "operations of {name}");
    }
    assert!(compared >= 17, "{compared}");
}

#[test]
#[cfg(feature = "run")]
fn samples_render_their_pictures() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    for name in samples() {
        let made = draw(&name, "pictures", &VULKAN, &[]).unwrap_or_else(|e| panic!("{e}"));
        if std::env::var_os("RTC_BLESS").is_some() {
            std::fs::copy(&made, reference(&name)).expect("the reference is rewritten");
        }
        if let Some(why) = difference(&name, &made, &reference(&name), 1) {
            panic!("{why}; RTC_BLESS=1 takes the new picture");
        }
        let a = image::open(&made).expect("a picture").to_rgba8();
        let mean = a.iter().map(|&x| u64::from(x)).sum::<u64>() / a.len() as u64;
        assert!((16..250).contains(&mean), "{name}: a picture of mean {mean} shows nothing");
    }
}

/// What a compiler leaves to the device, it may leave otherwise where it optimises nothing: pictures of shaders that draw are the same, and
/// so is what they count.
#[test]
#[cfg(feature = "run")]
fn drawn_pictures_are_the_same_without_optimisation() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    let names = samples_that(true);
    if names.is_empty() {
        return skip::skip("none of the samples that RTC_SAMPLES names draws");
    }
    for name in names {
        let made = draw(&name, "drawn", &VULKAN, &[]).unwrap_or_else(|e| panic!("{e}"));
        let plain = draw(&name, "drawn-plain", &VULKAN, &["-Od"]).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(difference(&format!("{name} -O3 and -Od"), &made, &plain, 1), None);
        let counts = |picture: &Path| std::fs::read_to_string(picture.with_extension("json")).ok();
        assert_eq!(counts(&made), counts(&plain), "{name}: counts");
    }
}

/// A sample that traces in another way as well makes the same picture in that form.
#[test]
#[cfg(feature = "run")]
fn older_forms_make_the_same_pictures() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    let wanted = samples();
    let forms: Vec<_> = OLDER_FORMS.iter().filter(|f| wanted.iter().any(|w| w == f.0)).collect();
    if forms.is_empty() {
        return skip::skip("none of the samples that RTC_SAMPLES names has an older form");
    }
    for (name, options) in forms {
        let made = draw(name, "older-pictures", &VULKAN, options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(difference(&format!("{name} {options:?}"), &made, &reference(name), 1), None);
    }
}

/// Samples that the reference compiler does not take to SPIR-V, and why.
#[cfg(feature = "run")]
const WITHOUT_REFERENCE: [(&str, &str); 5] = [
    ("shapes", "arguments in shader records, which it reads from descriptors"),
    ("gbuffer", "it crashes"),
    ("mesh-culling", "primitives that are culled one by one"),
    ("divergent", "hit objects, which it knows in DXIL alone; the GPU benchmark compares the older form"),
    ("ser-pathtracer", "hit objects, which it knows in DXIL alone; the older form has arguments in shader records"),
];

/// The package of a sample with the reference compiler's module in it, or why there is none.
#[cfg(feature = "run")]
fn with_reference_module(name: &str) -> rtc_package::Package {
    use rtc_differential::interfaces::own_interfaces;
    use rtc_package::Package;
    let (own, rest) = compile_options(name);
    let ours = compile(&source(name), &rest, &["-T", &own, "-spirv"], &scratch(&format!("{name}.rtp")));
    let mut package = Package::read(&ours).expect("our package");
    // One binding for each register: the classes of HLSL get ranges of their own.
    let shifts = [('b', 0), ('t', 1000), ('u', 2000), ('s', 3000)];
    let mut args: Vec<String> =
        ["-T", &own, "-spirv", "-fspv-target-env=vulkan1.2", "-fvk-use-dx-layout", "-Vd"].map(str::to_string).to_vec();
    for (class, shift) in shifts {
        args.extend([format!("-fvk-{class}-shift"), shift.to_string(), "all".to_string()]);
    }
    // It crashes on subobjects in this mode; the pipeline gets them from our package.
    args.extend(["-D".to_string(), "NO_SUBOBJECTS".to_string()]);
    args.extend(rest);
    let words_of: Vec<&str> = args.iter().map(String::as_str).collect();
    let text = std::fs::read_to_string(source(name)).expect("the source");
    let dxc = Dxc::load().expect("loaded before");
    let theirs = dxc.compile(&text, &source(name).to_string_lossy(), &words_of);
    let Some(object) = theirs.object else { panic!("{name}: {}", theirs.diagnostics) };
    package.spirv = rtc_differential::rebind::own_locations(own_interfaces(&words(&object)).expect("the reference's module"));
    for b in &mut package.map.bindings {
        let letter = b.class.letter();
        let shift = shifts.iter().find(|s| s.0 == letter).map_or(0, |s| s.1);
        (b.set, b.binding) = (b.space, b.register + shift);
    }
    for e in &mut package.map.entries {
        e.spirv_name.clone_from(&e.export);
    }
    package
}

/// The output of the shaders, checked by outside tools: the same scene with the reference compiler's module. Its SPIR-V ignores
/// `-Gis` (no `NoContraction`), so drivers round differently, which changes a few pixels.
#[test]
#[cfg(feature = "run")]
fn pictures_agree_with_the_reference_compiler() {
    if let Err(m) = rtc_oracles::vulkan::available() {
        return skip::skip(m);
    }
    if let Err(m) = Dxc::load() {
        return skip::skip(m);
    }
    for name in samples() {
        if WITHOUT_REFERENCE.iter().any(|w| w.0 == name) {
            continue;
        }
        let scene = rtc_host::scene::Scene::read(&folder(&name).join("scene.toml")).expect("the scene");
        let bytes = with_reference_module(&name).write().expect("a package");
        let out = scratch("reference-pictures");
        // The reference compiler declares `FrontFacing` as a number, which the validation layer refuses.
        let validation = Some(false);
        let options = rtc_host::RunOptions { output: out.clone(), device: Some("vulkan".into()), validation, ..Default::default() };
        rtc_host::run_scene(&scene, &bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (far, all) = far(&out.join(format!("{name}.png")), &reference(&name), NEAR);
        println!("{name}: {} of {all} pixels differ", far.len());
        assert!(far.len() * 2000 <= all, "{name}: {} of {all} pixels differ", far.len());
    }
}
