//! Tests of the oracles: each accepts something good and rejects something bad, on containers of the newest reference
//! compiler and on modules that the pinned one makes here.

use std::fs;
use std::path::PathBuf;

use rtc_oracles::{Dxc, Llvm, SpirvVal, container, facts, require};

const TINY: &str = r#"
struct [raypayload] Payload { float4 color : write(caller, miss) : read(caller); };
RaytracingAccelerationStructure scene : register(t0);
RWTexture2D<float4> image : register(u0);
[shader("raygeneration")] void gen() {
    RayDesc ray = { float3(0, 0, 0), 0.0, float3(0, 0, 1), 10.0 };
    Payload p = { float4(0, 0, 0, 0) };
    TraceRay(scene, RAY_FLAG_NONE, 0xff, 0, 1, 0, ray, p);
    image[DispatchRaysIndex().xy] = p.color;
}
[shader("miss")] void sky(inout Payload p) { p.color = float4(1, 0, 0, 1); }
"#;

/// The reference containers whose file names end like this.
fn references(ending: &str) -> Vec<PathBuf> {
    let dir = facts::reference();
    let entries = fs::read_dir(&dir).unwrap_or_else(|e| panic!("cannot read {}: {e}", dir.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.to_string_lossy().ends_with(ending));
    files.sort();
    files
}

#[test]
fn dxc_validates_containers_of_version_1_6() {
    let dxc = require!(Dxc::load());
    let files = references(".val16.dxil");
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let bytes = fs::read(&file).expect("readable");
        if let Err(text) = dxc.validate(&bytes) {
            panic!("{}: {text}", file.display());
        }
    }
}

#[test]
fn dxc_rejects_a_corrupted_rdat() {
    let dxc = require!(Dxc::load());
    for file in references(".val16.dxil") {
        let good = fs::read(&file).expect("readable");
        let Some(at) = container::part(&good, b"RDAT").map(|p| p.as_ptr() as usize - good.as_ptr() as usize + p.len() / 2) else {
            continue; // a compute shader has none
        };
        let mut bad = good.clone();
        bad[at] ^= 0x15;
        let text = dxc.validate(&bad).expect_err(&format!("{}: accepted", file.display()));
        assert!(text.contains("RDAT") || text.contains("Runtime"), "{}: {text}", file.display());
    }
}

#[test]
fn dxc_rejects_what_is_no_container() {
    let dxc = require!(Dxc::load());
    assert!(dxc.validate(b"").is_err());
    assert!(dxc.validate(b"DXBC").is_err());
    assert!(dxc.disassemble(b"no container at all").is_err());
}

#[test]
fn dxc_compiles_validates_and_disassembles() {
    let dxc = require!(Dxc::load());
    let args = ["-T", "lib_6_6", "-enable-payload-qualifiers", "-validator-version", "1.6"];
    let result = dxc.compile(TINY, "tiny.hlsl", &args);
    assert!(result.ok, "{}", result.diagnostics);
    let object = result.object.expect("an object");
    let validated = dxc.validate(&object).expect("valid");
    assert_eq!(validated.container.len(), object.len());
    let listing = dxc.disassemble(&object).expect("a listing");
    assert!(listing.contains("dx.op.traceRay"), "{listing}");
}

#[test]
fn dxc_reports_errors_with_file_and_line() {
    let dxc = require!(Dxc::load());
    let result = dxc.compile("float4 f() {\n    return nothing;\n}\n", "broken.hlsl", &["-T", "lib_6_3"]);
    assert!(!result.ok);
    assert_eq!(result.object, None);
    assert!(result.diagnostics.contains("broken.hlsl:2:12: error:"), "{}", result.diagnostics);
}

#[test]
fn dxc_answers_several_threads() {
    let dxc = require!(Dxc::load());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let result = dxc.compile(TINY, "tiny.hlsl", &["-T", "lib_6_6", "-enable-payload-qualifiers"]);
                    assert!(result.ok, "{}", result.diagnostics);
                }
            });
        }
    });
}

#[test]
fn spirv_validator_accepts_and_rejects() {
    let dxc = require!(Dxc::load());
    let val = require!(SpirvVal::load());
    let result = dxc.compile(TINY, "tiny.hlsl", &["-T", "lib_6_6", "-spirv", "-fspv-target-env=vulkan1.2"]);
    let object = result.object.expect(&result.diagnostics);
    let words: Vec<u32> = object.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    val.validate(&words).expect("valid");
    // The bound of identifiers: one too low for this module.
    let mut bad = words.clone();
    bad[3] = 2;
    let text = val.validate(&bad).expect_err("accepted");
    assert!(text.to_lowercase().contains("id"), "{text}");
    assert!(val.validate(&[]).is_err());
    assert!(val.validate_bytes(&object[..object.len() - 1]).is_err());
    assert!(val.validate_bytes(&object[..object.len() / 8 * 4]).is_err());
}

#[test]
fn llvm_reads_every_reference_container() {
    let llvm = require!(Llvm::find());
    let files = references(".dxil");
    assert!(files.len() >= 15, "{files:?}");
    for file in files {
        let bytes = fs::read(&file).expect("readable");
        if let Err(text) = llvm.verify_container(&bytes) {
            panic!("{}: {text}", file.display());
        }
    }
}

#[test]
fn llvm_rejects_broken_bitcode() {
    let llvm = require!(Llvm::find());
    let dxc = require!(Dxc::load());
    let result = dxc.compile(TINY, "tiny.hlsl", &["-T", "lib_6_6", "-enable-payload-qualifiers"]);
    let object = result.object.expect(&result.diagnostics);
    llvm.verify_container(&object).expect("valid");
    let bitcode = container::bitcode(&object).expect("bitcode");
    assert!(llvm.verify(&bitcode[..bitcode.len() / 8 * 4]).is_err(), "half of it");
    assert!(llvm.verify(b"no bitcode").is_err());
    assert!(llvm.verify_container(b"no container").is_err());
}
