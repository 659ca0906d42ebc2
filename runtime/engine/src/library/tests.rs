//! Records, static samplers and the checks of a package.

use super::*;
use crate::testing::{associate, library as rdat, sub};
use rtc_dxil_container::rdat::{Rdat, Resource};
use rtc_dxil_container::{ComponentType, ResourceClass, ResourceKind};
use rtc_package::{BindingMap, EntryPoint};

/// A package around `rdat` with an entry point for every function.
fn package(rdat: Rdat) -> Package {
    let entries = rdat
        .functions
        .iter()
        .map(|f| EntryPoint {
            export: f.unmangled.clone(),
            spirv_name: f.unmangled.clone(),
            stage: f.kind,
            record: None,
            payload_size: f.payload_size,
            attribute_size: f.attribute_size,
            elements: Vec::new(),
        })
        .collect();
    Package {
        rdat,
        // A header and one instruction of one word (OpNop).
        spirv: vec![0x0723_0203, 0x0001_0400, 0, 1, 0, 0x0001_0000],
        map: BindingMap { entries, ..BindingMap::default() },
        ..Package::default()
    }
}

/// `Material` in b0 as three root constants, `Data` in t1 by address, a table of u2 on.
const LOCAL: &str =
    "RootFlags(LOCAL_ROOT_SIGNATURE), RootConstants(num32BitConstants = 3, b0), SRV(t1), DescriptorTable(UAV(u2)), StaticSampler(s4)";

fn with_local_root() -> Package {
    let mut r = rdat();
    let signature = rootsig::parse(LOCAL, rootsig::RootVersion::V1_1, rootsig::Scope::Local).unwrap();
    r.subobjects.push(sub("L", SubobjectValue::LocalRootSignature { data: rootsig::write(&signature) }));
    r.subobjects.push(associate("L", &["G"]));
    for (name, class, kind, register) in
        [("Material", ResourceClass::Cbv, ResourceKind::CBuffer, 0), ("Data", ResourceClass::Srv, ResourceKind::RawBuffer, 1)]
    {
        r.resources.push(Resource { class, kind, id: 0, space: 0, lower: register, upper: register, name: name.into(), flags: 0 });
    }
    package(r)
}

fn read(p: &Package) -> Result<Library> {
    Library::read(&p.write().unwrap(), &Overrides::default())
}

fn name(s: &str) -> Slot {
    Slot::parse(s)
}

#[test]
fn record_data_is_laid_out() {
    let library = read(&with_local_root()).unwrap();
    let constants: Vec<u8> = (1..=12).collect();
    let data = library
        .record_data(
            "G",
            &[
                (name("u2"), RawArgument::Index(0x0102)),
                (name("Material"), RawArgument::Constants(constants.clone())),
                (name("t1"), RawArgument::Address(0x1122_3344_5566_7788)),
            ],
        )
        .unwrap();
    let mut expected = constants;
    expected.extend([0; 4]);
    expected.extend(0x1122_3344_5566_7788u64.to_le_bytes());
    expected.extend(0x0102u64.to_le_bytes());
    assert_eq!(data, expected);
    assert_eq!(library.record_data("Sky", &[]).unwrap(), Vec::<u8>::new());
}

#[test]
fn record_data_that_is_wrong() {
    let library = read(&with_local_root()).unwrap();
    let fails = |export: &str, args: &[(Slot, RawArgument)], what: &str| {
        let e = library.record_data(export, args).unwrap_err().to_string();
        assert!(e.contains(what), "{e}");
    };
    let material = (name("Material"), RawArgument::Constants(vec![0; 12]));
    fails("G", &[], "missing argument `Material`");
    fails("G", std::slice::from_ref(&material), "missing argument `Data`");
    fails("G", &[material.clone(), material.clone()], "duplicate argument");
    fails("G", &[(name("Matreial"), RawArgument::Index(0))], "arguments: `Material`, `Data`, `u2`");
    fails("G", &[(name("Material"), RawArgument::Constants(vec![0; 13]))], "room for 12 bytes, 13 are given");
    fails("G", &[(name("b0"), RawArgument::Address(1))], "is a constants and cannot be set to an address");
    fails("Sky", &[material], "no local root signature");
    fails("Nope", &[], "the library exports no `Nope`");
}

#[test]
fn static_samplers_are_found() {
    let library = read(&with_local_root()).unwrap();
    let [(4, 0, desc)] = library.static_samplers.as_slice() else { panic!("{:?}", library.static_samplers) };
    assert_eq!(desc.max_anisotropy, 16);
    assert!(desc.min_linear && desc.mag_linear && desc.mip_linear);
}

#[test]
fn entry_points_must_match() {
    let mut p = package(rdat());
    p.map.entries.remove(3);
    let e = read(&p).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Package);
    assert!(e.message.contains("no entry point for the export `Sky`"), "{e}");
    let mut p = package(rdat());
    p.map.entries[3].stage = ShaderKind::Callable;
    assert!(read(&p).unwrap_err().message.contains("but a callable shader in part BMAP"));
}

#[test]
fn lowered_hit_objects_are_looked_at() {
    let mut p = package(rdat());
    for e in p.map.entries.iter_mut().filter(|e| e.stage == ShaderKind::ClosestHit) {
        e.stage = ShaderKind::Miss;
    }
    let not_lowered = read(&p).unwrap_err().to_string();
    assert!(not_lowered.contains("in part RDAT, but a miss shader in part BMAP"), "{not_lowered}");
    let recorders = vec![(String::new(), "rtc.record".to_string())];
    let lowering = HitLowering { tail_offset: 8, tail_size: 4, recorders, missed: None };
    p.map.lowering = Some(lowering.clone());
    let library = read(&p).unwrap();
    let group = library.state.groups.first().unwrap();
    assert_eq!(library.recorder(&lowering, group).unwrap(), "rtc.record");
    let fails = |lowering: HitLowering, what: &str| {
        let mut bad = p.clone();
        bad.map.lowering = Some(lowering);
        let e = read(&bad).unwrap_err().to_string();
        assert!(e.contains(what), "{e}");
    };
    fails(HitLowering { recorders: Vec::new(), ..lowering.clone() }, "no recorder for hit group");
    fails(HitLowering { tail_offset: u32::MAX - 3, ..lowering.clone() }, "of shader records");
    fails(HitLowering { tail_offset: 6, ..lowering }, "of shader records");
    // Shaders that stayed what they were.
    let mut bad = package(rdat());
    bad.map.lowering = p.map.lowering.clone();
    let e = read(&bad).unwrap_err().to_string();
    assert!(e.contains("in part RDAT, but a closesthit shader in part BMAP"), "{e}");
}

#[test]
fn records_must_be_those_the_code_reads() {
    let mut p = with_local_root();
    let layout = read(&p).unwrap().record_layout("G").unwrap().unwrap().clone();
    p.map.records.push(RecordLayout { root_signature: "Other".into(), ..layout.clone() });
    p.map.entries[1].record = Some(0);
    // The same layout under another name is the same.
    read(&p).unwrap();
    p.map.records[0].params.pop();
    let e = read(&p).unwrap_err();
    assert!(e.message.contains("with local root signature `Other`, but `Hit` has `L`"), "{e}");
    p.map.entries[1].record = Some(7);
    assert_eq!(read(&p).unwrap_err().kind, ErrorKind::Package);
}

#[test]
fn modules_are_looked_at() {
    for (words, what) in [
        (vec![], "empty"),
        (vec![7; 8], "does not begin"),
        (vec![0x0723_0203, 0, 0], "inside of its header"),
        (vec![0x0723_0203, 0, 0, 0, 0, 0], "has 0 words"),
        (vec![0x0723_0203, 0, 0, 0, 0, 0x0009_0000], "has 9 words, 1 are left"),
    ] {
        let e = check_spirv(&words).unwrap_err();
        assert!(e.message.contains(what), "{e}");
    }
}

#[test]
fn a_package_cut_anywhere_is_an_error_that_names_a_part() {
    let bytes = with_local_root().write().unwrap();
    for n in 0..bytes.len() {
        let e = Library::read(&bytes[..n], &Overrides::default()).unwrap_err();
        assert_eq!(e.kind, ErrorKind::Package, "cut at {n}: {e}");
        assert!(e.message.contains("damaged: ") && e.message.contains(" at byte "), "cut at {n}: {e}");
    }
    // Any other byte is noticed by the digest.
    for n in (0..bytes.len()).step_by(7) {
        let mut bytes = bytes.clone();
        bytes[n] ^= 0x41;
        assert!(Library::read(&bytes, &Overrides::default()).is_err(), "byte {n}");
    }
}

/// Parts changed and the container signed anew, so that the digest does not stop the damage: refused or
/// resolved, never a panic.
#[test]
fn mutated_parts() {
    use rtc_dxil_container::{Container, Signing, write};
    let whole = Container::parse(&with_local_root().write().unwrap()).unwrap();
    let mut seed = 7u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut resolved = 0;
    for _ in 0..6000 {
        let mut parts = whole.parts.clone();
        for _ in 0..1 + next(3) {
            let i = next(parts.len());
            let data = &mut parts[i].data;
            let at = next(data.len());
            data[at] = match next(4) {
                0 => 0,
                1 => 0xff,
                2 => data[at].wrapping_add(1),
                _ => next(256) as u8,
            };
        }
        let parts: Vec<_> = parts.into_iter().map(|p| (p.name, p.data)).collect();
        let Ok(bytes) = write(&parts, Signing::Digest) else {
            continue;
        };
        if let Ok(library) = Library::read(&bytes, &Overrides::default()) {
            resolved += 1;
            for export in library.record_names() {
                let _ = library.record_data(export, &[]);
            }
            let _ = library.binding(&name("x"));
        }
    }
    assert!(resolved > 0, "no mutation was harmless");
}

/// One package twice under different names, with a hit group and a configuration of the state object.
#[test]
fn state_objects_rename_and_override() {
    use crate::state_object::ExportDesc;
    let bytes = package(rdat()).write().unwrap();
    let all = ["Gen", "Hit", "Any", "Sky", "G"].map(|n| ExportDesc::renamed(format!("{n}2"), n));
    let desc = StateObjectDesc {
        libraries: vec![
            LibraryDesc { name: "one", package: &bytes, exports: &[] },
            LibraryDesc { name: "two", package: &bytes, exports: &all },
        ],
        subobjects: vec![
            sub("Wide", SubobjectValue::ShaderConfig { max_payload: 64, max_attributes: 8 }),
            sub(
                "Mixed",
                SubobjectValue::HitGroup {
                    ty: rtc_dxil_container::HitGroupType::Triangle,
                    any_hit: "Any2".into(),
                    closest_hit: "Hit".into(),
                    intersection: String::new(),
                },
            ),
        ],
        collections: Vec::new(),
    };
    let library = Library::of_state_object(&desc).unwrap();
    let names: Vec<&str> = library.record_names();
    assert_eq!(names, ["Gen", "Sky", "Gen2", "Sky2", "G", "G2", "Mixed"]);
    assert_eq!(library.state.shader_config.max_payload, 64, "the state object overrides both libraries");
    let of = |group: &str| library.state.groups.iter().find(|g| g.name == group).unwrap();
    let shader = |i: Option<usize>| library.state.shaders[i.unwrap()].name.as_str();
    assert_eq!((shader(of("G2").any_hit), shader(of("G2").closest_hit)), ("Any2", "Hit2"));
    assert_eq!((shader(of("Mixed").any_hit), shader(of("Mixed").closest_hit)), ("Any2", "Hit"));
    assert_eq!((library.module_of("Hit"), library.module_of("Hit2")), (0, 1));

    let twice = StateObjectDesc {
        libraries: vec![
            LibraryDesc { name: "one", package: &bytes, exports: &[] },
            LibraryDesc { name: "two", package: &bytes, exports: &[] },
        ],
        ..StateObjectDesc::default()
    };
    let e = Library::of_state_object(&twice).unwrap_err();
    assert!(e.message.contains("`Gen` is exported twice"), "{e}");
    let gone = [ExportDesc::of("Gone")];
    let missing =
        StateObjectDesc { libraries: vec![LibraryDesc { name: "one", package: &bytes, exports: &gone }], ..StateObjectDesc::default() };
    let e = Library::of_state_object(&missing).unwrap_err();
    assert!(e.message.starts_with("one: the library does not export `Gone`"), "{e}");
}

/// Configurations of a collection are fixed: a state object that says otherwise conflicts with it.
#[test]
fn state_objects_of_collections() {
    let bytes = package(rdat()).write().unwrap();
    let collection =
        || StateObjectDesc { libraries: vec![LibraryDesc { name: "one", package: &bytes, exports: &[] }], ..StateObjectDesc::default() };
    let with = |subobjects| StateObjectDesc { subobjects, collections: vec![collection()], ..StateObjectDesc::default() };
    let library = Library::of_state_object(&with(Vec::new())).unwrap();
    assert_eq!(library.state.shader_config.max_payload, 16);
    let wide = || sub("Wide", SubobjectValue::ShaderConfig { max_payload: 64, max_attributes: 8 });
    let library = Library::of_state_object(&with(vec![wide()])).unwrap();
    assert_eq!(library.state.shader_config.max_payload, 16, "a default changes nothing in a collection");
    let e = Library::of_state_object(&with(vec![wide(), associate("Wide", &["Hit"])])).unwrap_err();
    assert!(e.message.contains("both associated with `Hit`"), "{e}");
    let nested = StateObjectDesc { collections: vec![with(Vec::new())], ..StateObjectDesc::default() };
    assert!(Library::of_state_object(&nested).unwrap_err().message.contains("a collection has collections"));
}

#[test]
fn what_the_runtime_binds_itself_is_no_suggestion() {
    let mut p = package(rdat());
    let row = |name: &str, register: u32| Binding {
        name: name.into(),
        class: ResourceClass::Uav,
        kind: ResourceKind::RawBuffer,
        space: 0,
        register,
        count: 1,
        set: 0,
        binding: register,
        descriptor: DescriptorKind::StorageBuffer,
        stride_or_size: 0,
        component: ComponentType::Invalid,
        components: 0,
        writable: true,
        coherent: false,
        non_uniform: false,
        counter: None,
        heap: false,
        stages: 1 << 7,
    };
    p.map.bindings = vec![row("Out", 0), row(rtc_tables::wavefront::KEYS, 1)];
    let library = read(&p).unwrap();
    let message = library.binding(&name("Outt")).unwrap_err().to_string();
    assert!(message.contains("`Out (u0)`") && !message.contains("rtc.wavefront"), "{message}");
}
