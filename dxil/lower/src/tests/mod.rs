//! Tests of the lowering: IR text in, module listing, facts and container out.
//!
//! RDAT of packages is computed from the IR, that of containers from the finished code, as a validator does: every fixture must
//! agree.

mod contraction;
mod errors;
mod listing;
mod semantics;
mod vectors;

use std::borrow::Cow;

use rtc_ir::Module;

use super::{DxilOptions, Profile, Settings};
use crate::library;
use rtc_dxil_container::digest::DigestState;
use rtc_dxil_container::hash::ShaderHash;
use rtc_dxil_container::program::Program;
use rtc_dxil_container::rdat::Rdat;
use rtc_dxil_container::{Container, FourCc, Version};
use rtc_dxil_module::bitcode;
use rtc_dxil_testing::corpus;

const FIXTURES: &[(&str, &str)] = &[
    ("hello", include_str!("hello.rtir")),
    ("rt_basic", include_str!("rt_basic.rtir")),
    ("control", include_str!("control.rtir")),
    ("types", include_str!("types.rtir")),
    ("exports", include_str!("exports.rtir")),
    ("buffers", include_str!("buffers.rtir")),
    ("textures", include_str!("textures.rtir")),
    ("compute", include_str!("compute.rtir")),
];

fn fixture(name: &str) -> Module {
    let text = FIXTURES.iter().find(|f| f.0 == name).expect("a fixture").1;
    module(text)
}

/// A module from text; sound, or the test is wrong.
fn module(text: &str) -> Module {
    let m = rtc_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = rtc_ir::verify::verify(&m) {
        panic!("{}", rtc_ir::verify::print_with_errors(&m, &errors));
    }
    m
}

/// Settings for a validator of version 1.`minor`.
fn settings(minor: u32) -> Cow<'static, Settings> {
    Cow::Owned(Settings { validator: Version::new(1, minor), ..Settings::default() })
}

fn options(name: &str, validator: u32) -> DxilOptions<'static> {
    DxilOptions {
        profile: if name == "compute" { Profile::Shader(rtc_ir::Stage::Compute) } else { Profile::Library },
        settings: settings(validator),
        ..DxilOptions::default()
    }
}

/// Validator versions that know the module's shader model.
fn validators(m: &Module) -> impl Iterator<Item = u32> + use<> {
    m.shader_model.max(3)..=10
}

#[test]
fn a_package_has_the_runtime_data_of_the_container() {
    for (name, _) in FIXTURES.iter().filter(|f| f.0 != "compute") {
        let m = fixture(name);
        for v in validators(&m) {
            let container = library::compile(&m, &options(name, v)).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let container = Container::parse(&container).expect("our own container");
            let stored = Rdat::read(container.require(FourCc::RDAT).expect("checked")).expect("runtime data");
            let alone = library::library_rdat(&m, Version::new(1, v), rtc_rootsig::RootVersion::V1_1).expect("it is sound");
            assert_eq!(alone.write(Version::new(1, v)), stored.write(Version::new(1, v)), "{name} 1.{v}: {alone:#?}\n{stored:#?}");
        }
    }
}

#[test]
fn containers_have_the_parts_of_their_version_and_read_back() {
    for (name, _) in FIXTURES {
        let m = fixture(name);
        for v in validators(&m) {
            let o = options(name, v);
            let bytes = library::compile(&m, &o).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let c = Container::parse(&bytes).expect("our own container");
            assert_eq!(c.digest_state, DigestState::Valid, "{name} 1.{v}");
            let found: Vec<String> = c.parts.iter().map(|p| p.name.to_string()).collect();
            let mut wanted = vec!["SFI0"];
            if o.profile == Profile::Library {
                if v >= 8 {
                    wanted.push("VERS");
                }
                wanted.push("RDAT");
            } else {
                wanted.extend(["ISG1", "OSG1", "PSV0"]);
            }
            wanted.push("STAT");
            if v >= 5 {
                wanted.push("HASH");
            }
            wanted.push("DXIL");
            assert_eq!(found, wanted, "{name} 1.{v}");
            let dxil = Program::read("DXIL", c.require(FourCc::DXIL).expect("checked")).expect("a program");
            let again = bitcode::read(dxil.bitcode).expect("our own bitcode");
            assert_eq!(bitcode::write(&again), dxil.bitcode, "{name} 1.{v}");
            if v >= 5 {
                let hash = ShaderHash::read(c.require(FourCc::HASH).expect("checked")).expect("a hash");
                assert_eq!(hash, ShaderHash::of(dxil.bitcode));
            }
            let stat = Program::read("STAT", c.require(FourCc::STAT).expect("checked")).expect("a program");
            let reflected = bitcode::read(stat.bitcode).expect("our own bitcode");
            assert!(reflected.funcs.values().all(|f| f.body.is_none()), "{name}");
        }
    }
}

#[test]
fn rt_basic_has_the_runtime_data_of_the_reference_compiler() {
    let m = fixture("rt_basic");
    for (reference, v) in [("rt_basic.val16.dxil", 6), ("rt_basic.dxil", 10)] {
        let ours = library::compile(&m, &options("rt_basic", v)).expect("it compiles");
        let ours = Container::parse(&ours).expect("our own container");
        let theirs = Container::parse(corpus::get(reference)).expect("a container");
        for part in [FourCc::SFI0, FourCc::RDAT] {
            assert_eq!(ours.require(part), theirs.require(part), "{part} of {reference}");
        }
        let alone = library::library_rdat(&m, Version::new(1, v), rtc_rootsig::RootVersion::V1_1).expect("facts");
        let theirs = Rdat::read(theirs.require(FourCc::RDAT).expect("checked")).expect("runtime data");
        assert_eq!(alone, theirs, "{reference}");
    }
}

#[test]
fn subobjects_raise_the_validator_version() {
    let m = fixture("rt_basic");
    let at = |v| library::compile(&m, &options("rt_basic", v)).expect("it compiles");
    assert!(!m.subobjects.is_empty());
    assert_eq!(at(3), at(4));
    let c = Container::parse(&at(3)).expect("our own container");
    let rdat = Rdat::read(c.require(FourCc::RDAT).expect("checked")).expect("runtime data");
    assert_eq!(rdat.subobjects.len(), m.subobjects.len());
}

#[test]
fn unsigned_and_stripped_containers() {
    let m = fixture("hello");
    let settings = Settings { sign: false, strip_reflection: true, ..settings(6).into_owned() };
    let o = DxilOptions { settings: Cow::Owned(settings), ..options("hello", 6) };
    let c = Container::parse(&library::compile(&m, &o).expect("it compiles")).expect("our own container");
    assert_eq!(c.digest_state, DigestState::Unsigned);
    assert!(c.part(FourCc::STAT).is_none());
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (name, _) in FIXTURES {
        let o = options(name, 8);
        let one = library::compile(&fixture(name), &o).expect("it compiles");
        assert_eq!(one, library::compile(&fixture(name), &o).expect("it compiles"), "{name}");
    }
}
