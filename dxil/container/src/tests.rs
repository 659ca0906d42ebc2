//! The container and its small parts against the reference containers, and against damage.

use super::digest::{self, DigestState};
use super::hash::ShaderHash;
use super::program::Program;
use super::psv::Psv;
use super::rdat::Rdat;
use super::vers::CompilerVersion;
use super::*;
use rtc_dxil_testing::{Random, corpus};

/// Reads every part that this crate understands; what comes out does not matter.
fn read_all(c: &Container) {
    for p in &c.parts {
        match p.name {
            FourCc::SFI0 => drop(sfi0::read(&p.data)),
            FourCc::VERS => drop(CompilerVersion::read(&p.data)),
            FourCc::HASH => drop(ShaderHash::read(&p.data)),
            FourCc::ILDN => drop(debug_name::read(&p.data)),
            FourCc::RDAT => drop(Rdat::read(&p.data)),
            FourCc::PSV0 => drop(Psv::read(&p.data)),
            FourCc::ISG1 | FourCc::OSG1 | FourCc::PSG1 => drop(signature::read("ISG1", &p.data)),
            FourCc::DXIL | FourCc::STAT | FourCc::ILDB => drop(Program::read("DXIL", &p.data)),
            _ => {}
        }
    }
}

#[test]
fn reference_containers_come_back_byte_for_byte() {
    for (name, data) in corpus::ALL {
        let c = Container::parse(data).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (state, signing) =
            if *name == "sm610.dxil" { (DigestState::Preview, Signing::Preview) } else { (DigestState::Valid, Signing::Digest) };
        assert_eq!(c.digest_state, state, "{name}");
        let parts: Vec<_> = c.parts.iter().map(|p| (p.name, &p.data)).collect();
        assert_eq!(write(&parts, signing).unwrap(), *data, "{name}");
        for p in &c.parts {
            assert_eq!(&data[p.offset..p.offset + p.data.len()], p.data, "{name} {}", p.name);
        }
    }
}

#[test]
fn small_parts_come_back_byte_for_byte() {
    let mut seen = Vec::new();
    for (name, data) in corpus::ALL {
        for p in Container::parse(data).unwrap().parts {
            let d = &p.data;
            let again = match p.name {
                FourCc::SFI0 => sfi0::write(sfi0::read(d).unwrap()),
                FourCc::VERS => CompilerVersion::read(d).unwrap().write(),
                FourCc::HASH => ShaderHash::read(d).unwrap().write(),
                FourCc::ILDN => debug_name::write(debug_name::read(d).unwrap()).unwrap(),
                FourCc::PSV0 => Psv::read(d).unwrap().write(),
                FourCc::ISG1 | FourCc::OSG1 if signature::read("ISG1", d).unwrap().is_empty() => signature::empty(),
                FourCc::DXIL | FourCc::STAT | FourCc::ILDB => Program::read("DXIL", d).unwrap().write(),
                FourCc::RDAT => continue,
                other => panic!("{name}: unexpected part {other}"),
            };
            assert_eq!(again, *d, "{name} {}", p.name);
            seen.push(p.name);
        }
    }
    for part in [FourCc::ILDN, FourCc::ILDB, FourCc::VERS, FourCc::PSV0, FourCc::OSG1, FourCc::STAT] {
        assert!(seen.contains(&part), "no reference container has {part}");
    }
}

#[test]
fn what_the_small_parts_say() {
    let c = Container::parse(corpus::get("rt_basic.Zi.dxil")).unwrap();
    let program = Program::read("DXIL", c.require(FourCc::DXIL).unwrap()).unwrap();
    assert_eq!((program.kind, program.model), (ShaderKind::Library, Version::new(6, 3)));
    assert_eq!(program.dxil, Version::new(1, 3));
    assert_eq!(program.bitcode[..4], *b"BC\xc0\xde");
    let hash = ShaderHash::read(c.require(FourCc::HASH).unwrap()).unwrap();
    assert_eq!(hash, ShaderHash::of(program.bitcode));
    assert_eq!(hash.hex(), "942b32e8dd4212f9e232c40fc3c02699");
    let name = debug_name::read(c.require(FourCc::ILDN).unwrap()).unwrap();
    assert_eq!(name, format!("{}.pdb", hash.hex()));
    let v = CompilerVersion::read(c.require(FourCc::VERS).unwrap()).unwrap();
    assert_eq!((v.major, v.minor, v.commits), (1, 10, 5466));
    assert_eq!((v.sha.as_str(), v.custom.as_str()), ("9a3e225d", "1.9.0.15466"));

    let c = Container::parse(corpus::get("rt_inline.dxil")).unwrap();
    let features = sfi0::read(c.require(FourCc::SFI0).unwrap()).unwrap();
    assert_eq!(features, sfi0::RAYTRACING_TIER_1_1);
    assert_eq!(sfi0::names(features).collect::<Vec<_>>(), ["Raytracing tier 1.1 features"]);
}

#[test]
fn compute_information_is_what_the_reference_writes() {
    for (name, validator) in [("cs_query.dxil", Version::new(1, 10)), ("cs_query.val16.dxil", Version::new(1, 6))] {
        let c = Container::parse(corpus::get(name)).unwrap();
        let theirs = c.require(FourCc::PSV0).unwrap();
        let mut ours = Psv::compute(validator, "main", [8, 8, 1]);
        let resource = |ty, lower, kind| psv::PsvResource { ty, space: 0, lower, upper: lower, kind, flags: 0 };
        ours.groupshared = 256;
        ours.resources = vec![
            resource(psv::resource_type::CBV, 0, 13),
            resource(psv::resource_type::SRV_RAW, 0, 16),
            resource(psv::resource_type::SRV_TYPED, 1, 2),
            resource(psv::resource_type::UAV_TYPED, 0, 2),
        ];
        assert_eq!(ours.write(), theirs, "{name}");
    }
    assert_eq!(Psv::record_for(Version::new(1, 0)), 0);
    assert_eq!(Psv::record_for(Version::new(1, 5)), 1);
    assert_eq!(Psv::record_for(Version::new(1, 9)), 3);
    assert_eq!(Psv::record_for(Version::new(0, 0)), 4);
}

#[test]
fn golden_bytes_of_a_small_container() {
    let parts = [(FourCc::SFI0, vec![0u8; 8]), (FourCc::PRIV, vec![7])];
    let bytes = write(&parts, Signing::Unsigned).unwrap();
    #[rustfmt::skip]
    let expected = [
        b'D', b'X', b'B', b'C', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        1, 0, 0, 0, 65, 0, 0, 0, 2, 0, 0, 0, 40, 0, 0, 0, 56, 0, 0, 0,
        b'S', b'F', b'I', b'0', 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        b'P', b'R', b'I', b'V', 1, 0, 0, 0, 7,
    ];
    assert_eq!(bytes, expected);
    let c = Container::parse(&bytes).unwrap();
    assert_eq!(c.digest_state, DigestState::Unsigned);
    assert_eq!(c.part(FourCc::PRIV).unwrap().offset, 64);
    let missing = c.require(FourCc::RDAT).unwrap_err();
    assert_eq!(missing.to_string(), "container at byte 0x20: has no RDAT part");
}

#[test]
fn the_digest_notices_every_byte() {
    let original = corpus::get("rt_inline.dxil");
    for at in 20..original.len() {
        let mut data = original.to_vec();
        data[at] ^= 0x10;
        assert_eq!(digest::state(&data), DigestState::Mismatch, "byte {at}");
    }
}

#[test]
fn truncation_at_every_byte_is_an_error() {
    for name in ["rt_basic.dxil", "cs_query.dxil"] {
        let whole = corpus::get(name);
        for len in 0..whole.len() {
            let mut data = whole[..len].to_vec();
            assert!(Container::parse(&data).is_err(), "{name} cut to {len}");
            // Cut and made to look whole, so that the parts are what does not fit.
            if len >= HEADER_SIZE {
                data[24..28].copy_from_slice(&(len as u32).to_le_bytes());
                assert!(Container::parse(&data).is_err(), "{name} cut to {len}, size fixed");
            }
        }
    }
}

#[test]
fn truncated_parts_are_errors() {
    for name in ["rt_basic.Zi.dxil", "cs_query.dxil"] {
        for p in Container::parse(corpus::get(name)).unwrap().parts {
            let d = &p.data;
            for len in 0..d.len() {
                let cut = &d[..len];
                let failed = match p.name {
                    FourCc::SFI0 => sfi0::read(cut).is_err(),
                    FourCc::HASH => ShaderHash::read(cut).is_err(),
                    FourCc::RDAT => Rdat::read(cut).is_err(),
                    FourCc::PSV0 => Psv::read(cut).is_err(),
                    FourCc::ISG1 | FourCc::OSG1 => signature::read("ISG1", cut).is_err(),
                    FourCc::DXIL | FourCc::STAT | FourCc::ILDB => Program::read("DXIL", cut).is_err(),
                    // Padding may be missing there.
                    FourCc::ILDN => debug_name::read(cut).is_err() || len + 3 >= d.len(),
                    FourCc::VERS => CompilerVersion::read(cut).is_err() || len + 3 >= d.len(),
                    _ => true,
                };
                assert!(failed, "{name} {} cut to {len} of {}", p.name, d.len());
            }
        }
    }
}

#[test]
fn sizes_and_offsets_near_the_limits_are_errors() {
    let whole = corpus::get("rt_inline.dxil");
    let count = Container::parse(whole).unwrap().parts.len();
    let mut places = vec![24, 28];
    places.extend((0..count).map(|i| HEADER_SIZE + 4 * i));
    places.extend(Container::parse(whole).unwrap().parts.iter().map(|p| p.offset - 4));
    for at in places {
        for word in [0u32, 31, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fff8, 0xffff_ffff] {
            let mut data = whole.to_vec();
            data[at..at + 4].copy_from_slice(&word.to_le_bytes());
            let e = Container::parse(&data).expect_err("a wrong size");
            assert!(e.offset <= data.len(), "{e}");
        }
    }
}

#[test]
fn damaged_containers_never_panic() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (_, whole) in corpus::ALL {
        let clean = Container::parse(whole).unwrap();
        let mut data = whole.to_vec();
        for _ in 0..200 {
            data.copy_from_slice(whole);
            let head = 32 + 12 * clean.parts.len();
            random.damage(&mut data[..head]);
            if let Ok(c) = Container::parse(&data) {
                read_all(&c);
            }
        }
        // The frame stays whole, the parts are damaged.
        for _ in 0..500 {
            let mut c = clean.clone();
            for p in &mut c.parts {
                let reach = p.data.len().min(2048);
                random.damage(&mut p.data[..reach]);
            }
            read_all(&c);
        }
    }
}
