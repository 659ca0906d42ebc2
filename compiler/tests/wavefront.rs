//! Software reordering: every shader of the conformance set of reordering, and every sample with ray generation shaders, is divided at every level, and the validator
//! accepts the module.

use std::path::{Path, PathBuf};

use rtc::{Disk, OptLevel, Options, Product, Profile, Ser, Target, compile};
use rtc_oracles::{SpirvVal, skip};
use rtc_package::{Package, WavefrontShader};
use rtc_tables::wavefront::{BUFFERS, resume};

fn folder(path: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join(path);
    let mut all: Vec<PathBuf> = std::fs::read_dir(root).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

/// The options that a source asks for in its first lines.
fn options(text: &str) -> Options {
    let line = text.lines().find_map(|l| l.strip_prefix("// rtc ")).unwrap_or("-T lib_6_9");
    let words: Vec<&str> = line.split_whitespace().collect();
    let profile = words.iter().position(|w| *w == "-T").map_or("lib_6_9", |n| words[n + 1]);
    let mut o = Options::new(Profile::parse(profile).expect("a profile"));
    (o.target, o.vulkan.ser, o.hlsl_version) = (Target::Package, Ser::Wavefront, 2021);
    o.native_16bit = words.contains(&"-enable-16bit-types");
    o.warnings.none = true;
    o
}

/// Compiles with `o`; gives what is divided. Nothing if the source does not compile lowered either.
fn divided(path: &Path, o: &Options, validator: Option<&SpirvVal>) -> Option<Vec<WavefrontShader>> {
    let name = path.to_string_lossy();
    let text = std::fs::read(path).expect("the source");
    let c = compile(&name, &text, &mut Disk, o);
    let Some(Product::Package(bytes)) = c.product else {
        let mut plain = o.clone();
        (plain.vulkan.ser, plain.vulkan.wavefront_traces) = (Ser::Lower, false);
        let lowered = compile(&name, &text, &mut Disk, &plain);
        let errors: Vec<_> = c.diagnostics.iter().filter(|d| d.is_error()).map(|d| &d.message).collect();
        assert!(lowered.failed(), "{name}, {:?}: {errors:?}", o.level);
        return None;
    };
    let package = Package::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    if let Some(Err(e)) = validator.map(|v| v.validate(&package.spirv)) {
        panic!("{name}, {:?}: {e}", o.level);
    }
    for s in &package.map.wavefront {
        for (k, p) in s.points.iter().enumerate() {
            assert_eq!(p.resume, resume(&s.shader, k as u32));
            let record = |export: &str| package.map.entries.iter().find(|e| e.export == export).map(|e| e.record);
            assert_eq!(record(&p.resume), record(&s.shader), "{name}: the shader record of `{}`", p.resume);
        }
        // What waits between launches has to be somewhere; the state only if there is any.
        for buffer in BUFFERS.into_iter().filter(|b| s.words > 0 || *b != rtc_tables::wavefront::STATE) {
            assert!(package.map.bindings.iter().any(|b| b.name == buffer && b.writable), "{name}: no `{buffer}`");
        }
    }
    Some(package.map.wavefront)
}

fn validator() -> Option<SpirvVal> {
    SpirvVal::load().map_err(skip::skip).ok()
}

#[test]
fn the_conformance_set_is_divided_at_every_level() {
    let validator = validator();
    let (mut shaders, mut points) = (0, 0);
    for path in folder("lit-tests/tests/ser").iter().filter(|p| p.extension().is_some_and(|e| e == "hlsl")) {
        let mut o = options(&std::fs::read_to_string(path).expect("the source"));
        for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
            o.level = level;
            let all = divided(path, &o, validator.as_ref()).unwrap_or_default();
            shaders += all.len();
            points += all.iter().map(|s| s.points.len()).sum::<usize>();
        }
    }
    println!("{shaders} shaders with {points} points");
    assert!(shaders >= 30 && points >= shaders, "{shaders} shaders, {points} points");
}

#[test]
fn traces_of_samples_are_points() {
    let validator = validator();
    let mut shaders = 0;
    for dir in folder("samples") {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        let path = dir.join(format!("{name}.hlsl"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if !text.contains("raygeneration") {
            continue;
        }
        let mut o = options(&text);
        o.vulkan.wavefront_traces = true;
        for level in [OptLevel::O0, OptLevel::O1, OptLevel::O3] {
            o.level = level;
            for s in divided(&path, &o, validator.as_ref()).unwrap_or_default() {
                let words: Vec<u32> = s.points.iter().map(|p| p.words).collect();
                println!("{name} {level:?}: `{}` saves {words:?} words", s.shader);
                shaders += 1;
            }
        }
    }
    assert!(shaders >= 9, "{shaders} shaders are divided");
}
